// Recurrent decoders: from an encoded source and the target so far to features of the next token.
//
// They use the source in three ways. y is the embedding of the last token, s the state, c the
// context:
//
//     fixed      s' = cell([y; c], s)   c is the encoder's summary, one vector for the whole
//                                       sentence: the bottleneck (Cho et al. 2014, section 2.2)
//     bahdanau   c = Σ α(s, h) h        attention before the step, from the state before it
//                s' = cell([y; c], s)   (Bahdanau et al. 2015, section 3.1)
//     luong      s' = cell([y; f], s)   attention after the step, from the state after it
//                c = Σ α(s', h) h       (Luong et al. 2015, section 3); with input feeding, f are
//                                       the features of the previous step (section 3.3)
//
// The features are tanh(W [s'; c; y]), with luong tanh(W [s'; c]). The output layer belongs to the
// model (encoder_decoder.h). In Bahdanau et al. (appendix A.2.2) the features are a maxout layer.
//
//     const DecoderSizes sizes{.embedding = 8, .hidden = 16, .context = 32};
//     RecurrentDecoder decoder(DecoderKind::bahdanau, CellKind::gru, sizes, attention, false, rng);
//     PreparedSource source = decoder.prepare(encoder(ids, lengths));
//     DecoderOutput all = decoder.run(embedded, source);    // [B, T, 16], weights [B, T, K]
//     RecurrentDecoderState state = decoder.start(source);  // or one step at a time:
//     DecoderOutput one = decoder.step(token, source, state);    // [B, 16], [B, K]
//
// In training, everything that does not depend on a state is one product for all steps: the token's
// share of the cell's input, the features, and the contexts. Bahdanau's cell needs of a context c only
// the product W c with its weights. Because c = Σ α h, that is Σ α (W h), and W h is computed once for
// all keys. If no attention comes between two states (fixed; luong without input feeding) the whole
// recurrence is one operation.
#pragma once

#include <optional>

#include "attention/recurrent/encoder.h"
#include "attention/scores/mechanism.h"

namespace heed {

enum class DecoderKind { fixed, bahdanau, luong };
const char* name_of(DecoderKind kind);

// An encoded source, prepared for one decoder.
struct PreparedSource {
    PreparedKeys keys;  // for attention; empty for the fixed context
    Tensor summary;     // [B, C]
    Tensor projected;   // the context's share of the cell's input: of every key [B, K, gates H], or
                        // of the summary [B, gates H]; not defined for luong
};

struct RecurrentDecoderState {
    RecurrentState recurrent;
    Tensor fed;            // f [B, R], with input feeding
    int64_t position = 0;  // of the next token: the number of tokens read so far
};

// All steps at once, [B, T, ...], or a single one, [B, ...].
struct DecoderOutput {
    Tensor features;  // [B, T, R]
    Tensor weights;   // [B, T, K]; not defined for the fixed context
};

struct DecoderSizes {
    int64_t embedding = 0, hidden = 0, context = 0;  // E, H, C; the features have width H
};

struct RecurrentDecoder {
    DecoderKind kind = DecoderKind::bahdanau;
    bool input_feeding = false;
    std::optional<Attention> attention;  // none for the fixed context
    Linear initial;                      // [H, C]: s₀ = tanh(W summary)
    RecurrentCell cell;                  // its input is [y; c], [y; f] or y
    Linear readout;                      // [R, H + C + E], luong's [R, H + C]

    RecurrentDecoder() = default;
    // Throws when attention is missing (or, for the fixed context, given), and for input feeding
    // unless the kind is luong.
    RecurrentDecoder(DecoderKind kind, CellKind cell, const DecoderSizes& sizes,
                     std::optional<Attention> attention, Flag input_feeding, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attention", attention);
        f("initial", initial);
        f("cell", cell);
        f("readout", readout);
    }

    PreparedSource prepare(const EncoderOutput& encoded) const;
    RecurrentDecoderState start(const PreparedSource& source) const;

    // All steps, with known inputs (teacher forcing): embedded [B, T, E].
    DecoderOutput run(const Tensor& embedded, const PreparedSource& source) const;
    // One step: embedded [B, E] -> features [B, R], weights [B, K]. Changes the state.
    DecoderOutput step(const Tensor& embedded, const PreparedSource& source,
                       RecurrentDecoderState& state) const;

  private:
    int64_t embedding_width() const;  // E
    Tensor input_of_tokens(const Tensor& embedded) const;
    Tensor weights_of(const Tensor& query, const PreparedSource& source, int64_t first) const;
    Tensor attend_then_step(const Tensor& x, const PreparedSource& source,
                            RecurrentDecoderState& state) const;
    AttentionOutput step_then_attend(const Tensor& x, const PreparedSource& source,
                                     RecurrentDecoderState& state) const;
    Tensor all_states(const Tensor& x, const PreparedSource& source) const;
    Tensor features(const Tensor& state, const Tensor& context, const Tensor& embedded) const;
};

}  // namespace heed
