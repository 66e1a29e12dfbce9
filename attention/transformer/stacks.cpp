#include "attention/transformer/stacks.h"

#include <cmath>

#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/shape/growing.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"
#include "nn/module/hooks.h"

namespace heed {

namespace {

bool has_norm(const TransformerOptions& o) { return o.pre_norm || o.final_norm; }

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The call of layer 0 of so many, with a cache that has an entry for each.
AttentionCall first_of(std::size_t layers, AttentionCall call) {
    call.layer = 0;
    if (!call.cache) return call;
    if (call.cache->empty()) call.cache->resize(layers);
    check(call.cache->size() == layers,
          "KeyValueCache: a cache of {} layers for a stack of {}; a cache belongs to its model",
          call.cache->size(), layers);
    return call;
}

Tensor normed(const TransformerNorm& norm, const Tensor& x) {
    return norm.weight.defined() ? norm(x) : x;
}

}  // namespace

void decoding::select_rows(KeyValueCache& cache, const std::vector<int>& rows) {
    for (KeyValue& layer : cache) {
        layer.key = index_select(layer.key, 0, rows);
        layer.value = index_select(layer.value, 0, rows);
    }
}

void decoding::back(KeyValueCache& cache, Integer count) {
    for (KeyValue& layer : cache) {
        const int64_t tokens = layer.key.defined() ? layer.key.size(2) : 0;
        check(count >= 0 && count <= tokens, "back: {} tokens of a cache of {}", count, tokens);
        layer.key = slice(layer.key, 2, 0, tokens - count);
        layer.value = slice(layer.value, 2, 0, tokens - count);
    }
}

void decoding::reserve(KeyValueCache& cache, Integer tokens) {
    for (KeyValue& layer : cache) {
        check(layer.key.defined(), "reserve: a cache without tokens; its shape is not known yet");
        layer.key = heed::reserve(layer.key, 2, tokens);
        layer.value = heed::reserve(layer.value, 2, tokens);
    }
}

TransformerEncoder::TransformerEncoder(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerEncoder");
    check_not_negative("TransformerEncoder", {{"layers", o.layers}});
    for (int64_t i = 0; i < o.layers; ++i) layers.emplace_back(o, rng);
    if (has_norm(o)) norm = TransformerNorm(o);
}

Tensor TransformerEncoder::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("TransformerEncoder", {{"x", x, "B T D"}});
    AttentionCall each = first_of(layers.size(), call);
    Tensor y = hook(*this, "input", x);
    for (; each.layer < std::ssize(layers); ++each.layer) y = layers[each.layer](y, each);
    return normed(norm, y);
}

TransformerDecoder::TransformerDecoder(const TransformerOptions& o, Rng& rng) {
    const UserCall named("TransformerDecoder");
    check_not_negative("TransformerDecoder", {{"layers", o.layers}});
    for (int64_t i = 0; i < o.layers; ++i) layers.emplace_back(o, rng);
    if (has_norm(o)) norm = TransformerNorm(o);
}

KeyValueCache TransformerDecoder::prepare(const Tensor& memory) const {
    const Shapes in("TransformerDecoder", {{"memory", memory, "B K D"}});
    KeyValueCache ready;
    for (const TransformerDecoderLayer& layer : layers) ready.push_back(layer.prepare(memory));
    return ready;
}

Tensor TransformerDecoder::operator()(const Tensor& x, const Tensor& memory,
                                      const AttentionCall& call) const {
    const Shapes in("TransformerDecoder", {{"x", x, "B T D"}, {"memory", memory, "B K D"}});
    return (*this)(x, prepare(without_masked(memory, call.memory_mask)), call);
}

Tensor TransformerDecoder::operator()(const Tensor& x, const KeyValueCache& memory,
                                      const AttentionCall& call) const {
    const Shapes in("TransformerDecoder", {{"x", x, "B T D"}});
    check(memory.size() == layers.size(), "a memory prepared for {} layers, expected {}",
          memory.size(), layers.size());
    AttentionCall each = first_of(layers.size(), call);
    Tensor y = hook(*this, "input", x);
    for (; each.layer < std::ssize(layers); ++each.layer)
        y = layers[each.layer](y, memory[each.layer], each);
    return normed(norm, y);
}

// --- weight initialisation ----------------------------------------------------------------------

void initialise_vaswani(const ParameterList& parameters, Rng& rng) {
    for (const Parameter& p : parameters) {
        Tensor x = p.tensor;
        if (x.dim() < 2) {
            if (ends_with(p.name, "bias")) x.assign(zeros(x.shape()));
        } else if (ends_with(p.name, "embedding.weight")) {
            x.assign(normal(x.shape(), 0, 1 / std::sqrt(static_cast<double>(x.size(1))), rng));
        } else {
            x.assign(xavier_uniform(x.shape(), rng));
        }
    }
}

void initialise_gpt2(const ParameterList& parameters, Integer layers, Rng& rng) {
    if (rng.leaves_unset()) return;
    for (const Parameter& p : parameters) {
        Tensor x = p.tensor;
        const bool last = ends_with(p.name, "attention.output.weight") ||
                          (ends_with(p.name, "output.weight") &&
                           p.name.find("feed_forward.") != std::string::npos);
        if (x.dim() >= 2)
            x.assign(normal(x.shape(), 0, last ? 0.02 / std::sqrt(2.0 * layers) : 0.02, rng));
        else if (ends_with(p.name, "bias"))
            x.assign(zeros(x.shape()));
    }
}

// --- number of parameters -----------------------------------------------------------------------

namespace {

struct LayerCounts {
    int64_t multi_head, attention, positions, feed_forward, norm;
};

LayerCounts counts_of(const TransformerOptions& o) {
    const int64_t d = o.width, f = o.hidden ? o.hidden : 4 * o.width, biases = o.bias ? 1 : 0;
    const bool relative = o.positions.kind == PositionKind::relative;
    const int64_t keys = d / o.heads * (o.key_value_heads ? o.key_value_heads : o.heads);
    const int64_t multi_head =
        2 * (d * (d + keys) + biases * (d + keys));  // query, output; key, value
    int64_t attention = multi_head;
    if (o.latent > 0) {
        const int64_t r = TransformerAttention::rotary_width(o);
        attention = 2 * d * d + o.heads * r * d + r * d + 3 * o.latent * d;
    }
    const int64_t inner = o.gated ? 2 : 1;  // matrices from D to F
    const int64_t network = (inner + 1) * d * f + biases * (inner * f + d);
    return {.multi_head = multi_head,
            .attention = attention,
            .positions = relative ? 2 * (2 * o.positions.max_distance + 1) * (d / o.heads) : 0,
            .feed_forward = o.experts ? o.experts * (network + d) : network,
            .norm = o.norm == NormKind::layer ? d + biases * d : d};
}

}  // namespace

int64_t encoder_parameter_count(const TransformerOptions& o) {
    const LayerCounts c = counts_of(o);
    return o.layers * (c.attention + c.positions + c.feed_forward + 2 * c.norm) +
           (has_norm(o) ? c.norm : 0);
}

int64_t decoder_parameter_count(const TransformerOptions& o) {
    const LayerCounts c = counts_of(o);
    return encoder_parameter_count(o) + o.layers * (c.multi_head + c.norm);
}

}  // namespace heed
