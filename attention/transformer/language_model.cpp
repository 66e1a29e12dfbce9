#include "attention/transformer/language_model.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/record/grad_mode.h"

namespace heed {

TransformerOptions gpt(const GptSize& size) {
    return {.width = size.width,
            .heads = size.heads,
            .layers = size.layers,
            .pre_norm = true,
            .activation = Activation::gelu_tanh,
            .positions = {.kind = PositionKind::learned, .max_positions = size.max_positions}};
}

LanguageModel::LanguageModel(const LanguageModelOptions& o, Rng& rng) {
    const UserCall named("LanguageModel");
    dropout = Dropout(o.stack.dropout);
    check(o.vocabulary > 0, "LanguageModel: a vocabulary of {} tokens; set vocabulary",
          o.vocabulary);
    PositionOptions position_options = o.stack.positions;
    position_options.width = o.stack.width;
    embedding = Embedding(o.vocabulary, o.stack.width, rng);
    positions = AbsolutePositions(position_options, rng);
    decoder = TransformerEncoder(o.stack, rng);
    head = Linear(o.stack.width, o.vocabulary, rng, o.head_bias);
    if (o.tied_output) head.weight = embedding.weight;
    initialise_gpt2(parameters(*this), o.stack.layers, rng);
}

TransformerOutput LanguageModel::run(const Indices& ids, const TransformerCall& call) const {
    const UserCall named("LanguageModel");
    check(ids.shape().dim() == 2, "LanguageModel: ids {}; expected [B, T]", ids.shape());
    TransformerCall causal = call;
    causal.causal = true;
    return decoder(dropout(positions(embedding(ids)), call.mode), causal);  // [B, T, D]
}

Tensor LanguageModel::operator()(const Indices& ids, Mode mode) const {
    const UserCall named("LanguageModel");
    return head(run(ids, {.mode = mode}).output);
}

namespace {

// Columns begin .. end of ids [N, T].
Indices columns(const Indices& ids, int64_t begin, int64_t end) {
    std::vector<int> part;
    for (int64_t row = 0; row < ids.size(0); ++row)
        for (int64_t t = begin; t < end; ++t) part.push_back(ids.at({row, t}));
    return Indices(std::move(part), {ids.size(0), end - begin});
}

// Texts in progress.
struct Texts {
    LanguageModel model;
    KeyValueCache cache = {};  // keys and values of the texts so far, for every layer
    int64_t length = 0;        // of the texts so far

    DecodingStep step(const Indices& tokens) {
        return {log_softmax(model.head(squeeze(append(tokens.reshaped({tokens.count(), 1})), 1)))};
    }
    // Appends tokens [N, T]; returns the decoder's output for them [N, T, D].
    Tensor append(const Indices& tokens) {
        const Tensor x = model.positions(model.embedding(tokens), length);
        length += tokens.size(1);
        return model.decoder(x, {.causal = true, .mode = Mode::evaluation()}, &cache).output;
    }
    void select_rows(const std::vector<int>& rows) { decoding::select_rows(cache, rows); }
};

}  // namespace

Decodable LanguageModel::decodable(const Indices& prompt) const {
    const UserCall named("LanguageModel");
    check(prompt.shape().dim() == 2 && prompt.size(1) >= 1,
          "LanguageModel: prompts {}; expected [N, T] with at least one token, the first to be fed",
          prompt.shape());
    const NoGrad no_grad;

    // All tokens but the last go through the model together; the last is the first one to be fed.
    const int64_t rows = prompt.size(0), before = prompt.size(1) - 1;
    Texts texts{*this};
    if (before > 0) texts.append(columns(prompt, 0, before));
    return {std::move(texts), rows, columns(prompt, before, before + 1).reshaped({rows})};
}

int64_t parameter_count(const LanguageModelOptions& o) {
    const TransformerOptions& s = o.stack;
    const int64_t tables =
        o.vocabulary * (o.tied_output ? 1 : 2) +
        (s.positions.kind == PositionKind::learned ? s.positions.max_positions : 0);
    return tables * s.width + (o.head_bias ? o.vocabulary : 0) + encoder_parameter_count(s);
}

}  // namespace heed
