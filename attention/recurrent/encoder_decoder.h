// The recurrent encoder-decoder: translation from one sequence of tokens to another, with a fixed
// context (Cho et al. 2014, section 2.2; Sutskever, Vinyals, Le 2014, section 2) or with attention
// (Bahdanau, Cho, Bengio 2015, section 3; Luong, Pham, Manning 2015, section 3).
//
//     EncoderDecoder model({.source_vocabulary = 50, .target_vocabulary = 60, .hidden = 64}, rng);
//     auto [logits, weights] = model(source, source_lengths, target_in);    // training
//     backward(sequence_cross_entropy(logits, target_out, Vocabulary::pad));
//     Hypothesis translation = greedy_decode(model.decodable(source, source_lengths))[0];
//
// target_in is the target with the start token before it; target_out is the target with the end
// token after it. Cell, score, span and decoder are chosen by the options.
#pragma once

#include "attention/decoding/decode.h"
#include "attention/recurrent/recurrent_decoder.h"

namespace heed {

struct EncoderDecoderOptions {
    int64_t source_vocabulary = 0, target_vocabulary = 0;
    int64_t embedding = 64;
    int64_t hidden = 64;  // H, also the width of the encoder's outputs: H / 2 for each direction
    CellKind cell = CellKind::gru;
    bool bidirectional = true;
    int64_t encoder_layers = 1;
    double dropout = 0;  // of embeddings, of features, and between encoder layers

    DecoderKind decoder = DecoderKind::bahdanau;
    bool input_feeding = false;  // luong only
    ScoreKind score = ScoreKind::additive;
    int64_t max_source_length = 100;  // of the location score only
    SpanKind span = SpanKind::global;
    int64_t half_window = 10;  // of local_m and local_p
};

struct EncoderDecoderCall {
    Mode mode = {};  // must be given with dropout
    // The probability that a step is fed the true token; otherwise it is fed the most probable
    // token of the previous step (scheduled sampling: Bengio et al. 2015, section 2.4). Below 1 the
    // model goes step by step, which is slower, and needs Mode::training(rng).
    double teacher_forcing = 1;
};

struct EncoderDecoder {
    RecurrentEncoder encoder;
    Embedding embedding;  // of the target
    RecurrentDecoder decoder;
    Linear output;  // [V, R]
    Dropout dropout;

    EncoderDecoder() = default;
    // Throws for an empty vocabulary, and for an odd `hidden` of two directions.
    EncoderDecoder(const EncoderDecoderOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("encoder", encoder);
        f("embedding", embedding);
        f("decoder", decoder);
        f("output", output);
    }

    // source [B, K] with lengths [B] (empty: no padding), target_in [B, T] -> logits [B, T, V],
    // weights [B, T, K]. Throws when batch sizes differ.
    Seq2SeqOutput operator()(const Indices& source, const Indices& lengths,
                             const Indices& target_in,
                             const EncoderDecoderCall& options = {}) const;

    // Ready to translate each row: see decode.h.
    Decodable decodable(const Indices& source, const Indices& lengths = {}) const;

  private:
    Seq2SeqOutput step_by_step(const PreparedSource& source, const Indices& target_in,
                               const EncoderDecoderCall& options) const;
};

}  // namespace heed
