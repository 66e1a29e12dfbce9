#include "attention/transformer/transformer.h"

#include <cmath>

#include "attention/scores/mask.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/record/grad_mode.h"

namespace heed {

Transformer::Transformer(const TransformerModelOptions& o, Rng& rng) : dropout(o.stack.dropout) {
    check(o.source_vocabulary > 0 && o.target_vocabulary > 0,
          "Transformer: vocabularies of {} and {} tokens; set source_vocabulary and "
          "target_vocabulary",
          o.source_vocabulary, o.target_vocabulary);
    check(!o.shared_embedding || o.source_vocabulary == o.target_vocabulary,
          "Transformer: a shared embedding needs one vocabulary, got {} and {} tokens",
          o.source_vocabulary, o.target_vocabulary);
    const int64_t width = o.stack.width;
    PositionOptions where = o.stack.positions;
    where.width = width;

    target_embedding = Embedding(o.target_vocabulary, width, rng);
    source_embedding =
        o.shared_embedding ? target_embedding : Embedding(o.source_vocabulary, width, rng);
    source_positions = AbsolutePositions(where, rng);
    target_positions = AbsolutePositions(where, rng);
    encoder = TransformerEncoder(o.stack, rng);
    decoder = TransformerDecoder(o.stack, rng);
    head = Linear(width, o.target_vocabulary, rng, false);
    if (o.tied_output) head.weight = target_embedding.weight;
    initialise_vaswani(parameters(*this), rng);
}

namespace {

// Section 3.4: embeddings times √D, then their positions.
Tensor embedded(const Embedding& embedding, const AbsolutePositions& positions, const Indices& ids,
                int64_t first) {
    check(ids.shape().dim() == 2, "Transformer: ids {}; expected [B, T]", ids.shape());
    return positions(embedding(ids) * std::sqrt(static_cast<double>(embedding.weight.size(1))),
                     first);
}

LayerCall over_source(const Indices& source, const Indices& lengths, Dtype dtype, Mode mode) {
    LayerCall call{.mode = mode};
    if (lengths.count() == 0) return call;
    check(lengths.count() == source.size(0), "Transformer: {} lengths for source {}; one per row",
          lengths.count(), source.shape());
    call.mask = padding_mask(lengths, source.size(1), dtype);
    return call;
}

}  // namespace

StackResult Transformer::encode(const Indices& source, const LayerCall& call) const {
    const Tensor x = embedded(source_embedding, source_positions, source, 0);  // [B, K, D]
    return encoder(dropout(x, call.mode), call);
}

StackResult Transformer::decode(const Indices& target_in, const Tensor& memory,
                                const LayerCall& call) const {
    const Tensor x = embedded(target_embedding, target_positions, target_in, 0);  // [B, T, D]
    LayerCall causal = call;
    causal.causal = true;
    return decoder(dropout(x, call.mode), memory, causal);
}

Translation Transformer::operator()(const Indices& source, const Indices& lengths,
                                    const Indices& target_in, Mode mode,
                                    bool need_weights) const {
    check(source.shape().dim() == 2 && target_in.shape().dim() == 2 &&
              target_in.size(0) == source.size(0),
          "Transformer: source {} and target {}; expected ids [B, K] and [B, T] with the same B",
          source.shape(), target_in.shape());
    LayerCall call = over_source(source, lengths, head.weight.dtype(), mode);
    const Tensor memory = encode(source, call).output;  // [B, K, D]
    call.memory_mask = std::exchange(call.mask, {});
    call.need_weights = need_weights;
    const StackResult decoded = decode(target_in, memory, call);
    return {head(decoded.output), need_weights ? mean(decoded.cross_weights.back(), 1) : Tensor()};
}

// --- as a model to be decoded: caches as lists of tensors ---------------------------------------

Decodable Transformer::decodable(const Indices& source, const Indices& lengths,
                                 bool need_weights) const {
    const NoGrad no_grad;
    const LayerCall call = over_source(source, lengths, head.weight.dtype(), Mode::evaluation());
    std::vector<Tensor> memory = tensors_of(decoder.prepare(encode(source, call).output));
    if (call.mask.defined()) memory.push_back(call.mask);

    const auto step = [model = *this, need_weights](const DecodingState& now, const Indices& tokens) {
        LayerCall newest{
            .causal = true, .need_weights = need_weights, .mode = Mode::evaluation()};
        if (now.memory.size() % 2 == 1) newest.memory_mask = now.memory.back();
        const Tensor x = embedded(model.target_embedding, model.target_positions,
                                  tokens.reshaped({tokens.count(), 1}), now.place);  // [N, 1, D]
        Cache cache = cache_of(now.moving);
        const StackResult decoded = model.decoder(x, cache_of(now.memory), newest, &cache);
        return DecodingStep{log_softmax(model.head(squeeze(decoded.output, 1))),
                    {now.memory, tensors_of(cache), now.place + 1},
                    need_weights ? squeeze(mean(decoded.cross_weights.back(), 1), 1) : Tensor()};
    };
    return {{memory, {}, 0}, step, source.size(0)};
}

int64_t parameter_count(const TransformerModelOptions& o) {
    const TransformerOptions& s = o.stack;
    const int64_t tables =
        (o.shared_embedding ? 0 : o.source_vocabulary) + o.target_vocabulary +
        (o.tied_output ? 0 : o.target_vocabulary) +
        (s.positions.kind == PositionKind::learned ? 2 * s.positions.max_positions : 0);
    return tables * s.width + encoder_parameter_count(s) + decoder_parameter_count(s);
}

}  // namespace heed
