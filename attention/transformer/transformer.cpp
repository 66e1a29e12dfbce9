#include "attention/transformer/transformer.h"

#include <cmath>

#include "attention/scores/mask.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"

namespace heed {

Transformer::Transformer(const TransformerModelOptions& o, Rng& rng) {
    const UserCall named("Transformer");
    dropout = Dropout(o.stack.dropout);
    check_positive("Transformer", {{"source_vocabulary", o.source_vocabulary},
                                   {"target_vocabulary", o.target_vocabulary}});
    check(!o.shared_embedding || o.source_vocabulary == o.target_vocabulary,
          "a shared embedding needs one vocabulary, got {} and {} tokens", o.source_vocabulary,
          o.target_vocabulary);
    const int64_t width = o.stack.width;
    PositionOptions positions = o.stack.positions;
    positions.width = width;

    target_embedding = Embedding(o.target_vocabulary, width, rng);
    source_embedding =
        o.shared_embedding ? target_embedding : Embedding(o.source_vocabulary, width, rng);
    source_positions = AbsolutePositions(positions, rng);
    target_positions = AbsolutePositions(positions, rng);
    encoder = TransformerEncoder(o.stack, rng);
    decoder = TransformerDecoder(o.stack, rng);
    head = Linear(width, o.target_vocabulary, rng, o.head_bias);
    if (o.tied_output) head.weight = target_embedding.weight;
    initialise_vaswani(parameters(*this), rng);
}

namespace {

// Section 3.4: embeddings times √D, plus positions; the first id has position `first`.
Tensor embedded(const Embedding& embedding, const AbsolutePositions& positions, const Indices& ids,
                int64_t first) {
    return positions(embedding(ids) * std::sqrt(static_cast<double>(embedding.weight.size(1))),
                     first);
}

AttentionCall over_source(const Indices& source, const Indices& lengths, Dtype dtype, Mode mode) {
    AttentionCall call{.mode = mode};
    if (lengths.count() > 0) call.mask = padding_mask(lengths, source.size(1), dtype);
    return call;
}

}  // namespace

Tensor Transformer::encode(const Indices& source, const AttentionCall& call) const {
    const Shapes in("Transformer", {{"source", source, "B K"}});
    const Tensor x = embedded(source_embedding, source_positions, source, 0);  // [B, K, D]
    return encoder(dropout(x, call.mode), call);
}

Tensor Transformer::decode(const Indices& target_in, const Tensor& memory,
                           const AttentionCall& call) const {
    const Shapes in("Transformer", {{"target_in", target_in, "B T"}, {"memory", memory, "B K D"}});
    const Tensor x = embedded(target_embedding, target_positions, target_in, 0);  // [B, T, D]
    AttentionCall causal = call;
    causal.causal = true;
    return decoder(dropout(x, call.mode), memory, causal);
}

Seq2SeqOutput Transformer::operator()(const Indices& source, const Indices& lengths,
                                      const Indices& target_in, Mode mode,
                                      Flag need_weights) const {
    const Shapes in(
        "Transformer",
        {{"source", source, "B K"}, {"lengths", lengths, "? B"}, {"target_in", target_in, "B T"}});
    AttentionCall call = over_source(source, lengths, head.dtype(), mode);
    const Tensor memory = encode(source, call);  // [B, K, D]
    std::vector<Tensor> weights;
    call.memory_mask = std::exchange(call.mask, {});
    if (need_weights) call.memory_weights = &weights;
    const Tensor logits = head(decode(target_in, memory, call));
    return {logits, weights.empty() ? Tensor() : mean(weights.back(), 1)};
}

// --- decoding -----------------------------------------------------------------------------------

namespace {

// Translations in progress.
struct Translations {
    Transformer model;
    KeyValueCache memory;  // keys and values of the encoder's output, for every layer
    Tensor memory_mask;    // [N, 1, K], or not defined
    bool need_weights;
    decoding::SentenceOfRow sentences;
    KeyValueCache cache = {};  // keys and values of the target so far, for every layer
    int64_t length = 0;        // of the target so far

    DecodingStep step(const Indices& tokens) {
        std::vector<Tensor> weights;
        const Tensor y =
            append(tokens.reshaped({tokens.count(), 1}), need_weights ? &weights : nullptr);
        return {log_softmax(model.head(squeeze(y, 1))),
                weights.empty() ? Tensor() : squeeze(mean(weights.back(), 1), 1)};
    }
    Tensor steps(const Indices& tokens) { return log_softmax(model.head(append(tokens, nullptr))); }
    void back(int64_t count) {
        decoding::back(cache, count);
        length -= count;
    }
    // Appends tokens [N, T]; returns the decoder's output for them [N, T, D].
    Tensor append(const Indices& tokens, std::vector<Tensor>* weights) {
        const Tensor x = embedded(model.target_embedding, model.target_positions, tokens,
                                  std::exchange(length, length + tokens.size(1)));
        return model.decoder(x, memory,
                             {.causal = true,
                              .mode = Mode::evaluation(),
                              .cache = &cache,
                              .memory_mask = memory_mask,
                              .memory_weights = weights});
    }

    void select_rows(const std::vector<int>& rows) {
        decoding::select_rows(cache, rows);
        if (!sentences.select_rows(rows)) return;
        decoding::select_rows(memory, rows);
        decoding::select_rows(memory_mask, rows);
    }
};

}  // namespace

Decodable Transformer::decodable(const Indices& source, const Indices& lengths,
                                 Flag need_weights) const {
    const Shapes in("Transformer", {{"source", source, "B K"}, {"lengths", lengths, "? B"}});
    const NoGrad no_grad;
    const AttentionCall call = over_source(source, lengths, head.dtype(), Mode::evaluation());
    return {Translations{*this, decoder.prepare(encode(source, call)), call.mask, need_weights,
                         decoding::SentenceOfRow(in["B"])},
            in["B"]};
}

int64_t parameter_count(const TransformerModelOptions& o) {
    const TransformerOptions& s = o.stack;
    const int64_t tables =
        (o.shared_embedding ? 0 : o.source_vocabulary) + o.target_vocabulary +
        (o.tied_output ? 0 : o.target_vocabulary) +
        (s.positions.kind == PositionKind::learned ? 2 * s.positions.max_positions : 0);
    return tables * s.width + (o.head_bias ? o.target_vocabulary : 0) + encoder_parameter_count(s) +
           decoder_parameter_count(s);
}

}  // namespace heed
