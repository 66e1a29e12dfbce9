// BERT (Devlin, Chang, Lee, Toutanova 2019, section 3): an encoder that reads a text in both
// directions. It is trained by filling gaps: some tokens are hidden, and the model predicts them from
// all the others (masked_tokens.h hides them). Then it is trained on, on another task, with few labels.
//
//     Bert model({.vocabulary = 30522}, rng);    // bert_base(): 109,482,240 parameters
//     BertOutput y = model(ids, {.mask = padding_mask(lengths, T), .mode = Mode::evaluation()});
//     Tensor logits = classifier(y.pooled);                      // [B, D] -> [B, C]
//
//     BertForPretraining pretraining({.bert = {.vocabulary = 30522}}, rng);
//     const MaskedTokens hidden = mask_tokens(ids, {.vocabulary = 30522, .mask_id = 103}, rng);
//     backward(cross_entropy(pretraining(hidden.ids, {.mode = Mode::training(rng)}).tokens,
//                            hidden.labels));
//
// The layers are those of the Transformer's encoder, post-norm, with GELU. The input of the first is
//
//     dropout(norm(token + position + segment))
//
// with a learned vector for each token of the vocabulary, for each position, and for each segment: the
// first sentence of a pair is segment 0, the second 1.
#pragma once

#include <optional>
#include <string>

#include "attention/transformer/pytorch.h"
#include "attention/transformer/stacks.h"

namespace heed {

struct BertOptions {
    int64_t vocabulary = 0;
    int64_t segments = 2;
    int64_t max_positions = 512;  // the longest text
    TransformerOptions stack = {.activation = Activation::gelu, .hidden_dropout = 0.0};
    bool pooler = true;
    double norm_eps = 1e-12;  // of all norms, as in the published code
};
// BERT base: 12 layers of width 768 with 12 heads, a vocabulary of 30,522, dropout 0.1.
BertOptions bert_base();

// How a BERT is called.
struct BertCall {
    Indices segments = Indices();            // [B, T]; empty: all 0
    Tensor mask = {};                        // of self-attention: [B, 1, T] for padding
    Mode mode = {};                          // must be given with dropout
    std::vector<Tensor>* weights = nullptr;  // as in AttentionCall: of every layer [B, H, T, T]
};

struct BertOutput {
    Tensor output;  // [B, T, D], a vector for each token
    Tensor pooled;  // [B, D], tanh(W y + b) of the first token; with BertOptions::pooler
};

// Token, position and segment embeddings, added and normalised.
struct BertEmbeddings {
    Embedding token, segment;  // [V, D], [segments, D]
    AbsolutePositions positions;
    LayerNorm norm;
    Dropout dropout;

    BertEmbeddings() = default;
    BertEmbeddings(const BertOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("token", token);
        f("segment", segment);
        f("positions", positions);
        f("norm", norm);
    }

    // ids and segments [B, T] -> [B, T, D]. Throws beyond the last position, and when shapes differ.
    Tensor operator()(const Indices& ids, const Indices& segments, Mode mode = {}) const;
};

struct Bert {
    BertEmbeddings embeddings;
    TransformerEncoder encoder;
    Linear pooler;  // [D, D], or not defined

    Bert() = default;
    // Initialised by initialise_bert(). Throws for an empty vocabulary and for options that BERT does
    // not have: pre-norm, and other positions than learned ones.
    Bert(const BertOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embeddings", embeddings);
        f("encoder", encoder);
        f("pooler", pooler);
    }

    // ids [B, T] -> output, pooled, weights. Throws when T is larger than the number of positions.
    BertOutput operator()(const Indices& ids, const BertCall& call = {}) const;
};

// The logits of hidden tokens: E norm(gelu(W y + b)) + c, where E is the table of token embeddings
// (section A.2 of the paper's appendix, and the published code).
struct MaskedTokenHead {
    Linear transform;  // [D, D]
    LayerNorm norm;
    Linear decoder;  // [V, D], its weight tied to the table, its bias [V]

    MaskedTokenHead() = default;
    MaskedTokenHead(const Embedding& table, double norm_eps, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("transform", transform);
        f("norm", norm);
        f("decoder", decoder);
    }
    Tensor operator()(const Tensor& y) const;  // [..., D] -> [..., V]
};

struct BertPretrainingOptions {
    BertOptions bert = {};
    bool next_sentence = true;  // the second task: does sentence B follow sentence A? (section 3.1)
};

struct PretrainingOutput {
    Tensor tokens;         // [B, T, V], the logits of every token
    Tensor next_sentence;  // [B, 2]; not defined without BertPretrainingOptions::next_sentence
};

struct BertForPretraining {
    Bert bert;
    MaskedTokenHead head;
    Linear next_sentence;  // [2, D], or not defined

    BertForPretraining() = default;
    BertForPretraining(const BertPretrainingOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("bert", bert);
        f("head", head);
        f("next_sentence", next_sentence);
    }
    PretrainingOutput operator()(const Indices& ids, const BertCall& call = {}) const;
};

// Devlin et al. 2019, as in their published code: matrices N(0, 0.02), biases 0, scales of norms 1.
void initialise_bert(const ParameterList& parameters, Rng& rng);

// The number of parameters of a Bert with these options, without making it.
int64_t parameter_count(const BertOptions& options);

// --- published files ----------------------------------------------------------------------------
// Models published for the `transformers` library of Hugging Face have names like
// "bert.encoder.layer.0.attention.self.query.weight". The functions below read and write them. On
// reading, "LayerNorm.gamma" and "LayerNorm.beta" of older files count as weight and bias, the prefix
// "bert." may be missing, and what is computed or tied is passed over (position_ids,
// cls.predictions.decoder). A Bert without heads passes over all of "cls.".

// The published name of each parameter of a Bert or a BertForPretraining.
std::vector<PytorchName> bert_names(const std::vector<Parameter>& all);

// Throws, having changed nothing, when names or shapes differ, or numbers are not finite.
void load_bert(Bert& model, const std::string& path);
void load_bert(BertForPretraining& model, const std::string& path);
void save_bert(const Bert& model, const std::string& path);
void save_bert(const BertForPretraining& model, const std::string& path);

}  // namespace heed
