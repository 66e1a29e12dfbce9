// Recurrent decoders: from an encoded source and the target so far to features of the next token.
//
// Three ways to use the source, from the oldest on; y is the last token's embedding, s the state, c
// the context:
//
//     fixed      s' = cell([y; c], s)   c is the encoder's summary, one vector for a whole
//                                       sentence: the bottleneck (Cho et al. 2014, section 2.2)
//     bahdanau   c = Σ α(s, h) h        attention before the step, from the state before it
//                s' = cell([y; c], s)   (Bahdanau et al. 2015, section 3.1)
//     luong      s' = cell([y; f], s)   attention after the step, from the state after it; f,
//                c = Σ α(s', h) h       with input feeding, are the features of the step before
//                                       (Luong et al. 2015, sections 3 and 3.3)
//
// The features are tanh(W [s'; c; y]), in luong's tanh(W [s'; c]); the output layer is the model's
// (encoder_decoder.h). The deep output of Bahdanau et al. (appendix A.2.2) is a maxout there.
//
//     const DecoderSizes sizes{.embedding = 8, .hidden = 16, .context = 32};
//     RecurrentDecoder decoder(DecoderKind::bahdanau, CellKind::gru, sizes, attention, false, rng);
//     PreparedSource source = decoder.prepare(encoder(ids, lengths));
//     Decoded all = decoder.run(embedded, source);    // features [B, T, 16], weights [B, T, K]
//     DecoderState state = decoder.start(source);     // or one step after the other:
//     Decoded one = decoder.step(token, source, state);    // [B, 16], [B, K]
//
// What makes training fast: everything that does not wait for a state is one product for all steps:
// the tokens' part of the cell's input, the features, and the contexts. The contexts need not even
// exist at their step: W c = Σ α (W h), and W h for all keys is one product, once. Where no
// attention stands between two states (fixed; luong without input feeding) the whole recurrence is
// one operation.
#pragma once

#include <optional>

#include "attention/recurrent/encoder.h"
#include "attention/scores/mechanism.h"

namespace heed {

enum class DecoderKind { fixed, bahdanau, luong };
const char* name_of(DecoderKind kind);

// The encoded source, made ready for one decoder.
struct PreparedSource {
    PreparedKeys memory;     // to be attended to; empty for the fixed context
    Tensor summary;    // [B, C]
    Tensor projected;  // what the context adds to the cell's input: of every key [B, K, gates H],
                       // or of the summary [B, gates H]; not defined for luong
};

struct DecoderState {
    RecurrentState recurrent;
    Tensor fed;         // f [B, R], with input feeding
    int64_t place = 0;  // the number of tokens read
};

// All steps at once [B, T, ...], or a single one [B, ...].
struct Decoded {
    Tensor features;  // [B, T, R]
    Tensor weights;   // [B, T, K]; not defined for the fixed context
};

struct DecoderSizes {
    int64_t embedding = 0, hidden = 0, context = 0;  // E, H, C; the features are as wide as H
};

struct RecurrentDecoder {
    DecoderKind kind = DecoderKind::bahdanau;
    bool input_feeding = false;
    std::optional<Attention> attention;  // none for the fixed context
    Linear initial;                      // [H, C]: s₀ = tanh(W summary)
    RecurrentCell cell;                  // reads [y; c] or [y; f] or y
    Linear readout;                      // [R, H + C + E], luong's [R, H + C]

    RecurrentDecoder() = default;
    RecurrentDecoder(DecoderKind which, CellKind cell, const DecoderSizes& sizes,
                     std::optional<Attention> mechanism, bool feed_input, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("initial", initial);
        f("cell", cell);
        f("readout", readout);
    }

    PreparedSource prepare(const Encoded& encoded) const;
    DecoderState start(const PreparedSource& source) const;

    // All steps of known inputs (teacher forcing): embedded [B, T, E].
    Decoded run(const Tensor& embedded, const PreparedSource& source) const;
    // One step: embedded [B, E], features [B, R], weights [B, K]. Changes the state.
    Decoded step(const Tensor& embedded, const PreparedSource& source, DecoderState& state) const;

  private:
    Tensor token_part(const Tensor& embedded) const;
    Tensor read_before(const Tensor& x, const PreparedSource& source, DecoderState& state) const;
    AttentionOutput read_after(const Tensor& x, const PreparedSource& source, DecoderState& state) const;
    Tensor all_states(const Tensor& x, const PreparedSource& source) const;
    Tensor features(const Tensor& state, const Tensor& context, const Tensor& embedded) const;
};

}  // namespace heed
