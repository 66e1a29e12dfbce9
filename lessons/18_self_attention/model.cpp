#include "lessons/18_self_attention/model.h"

#include "autograd/autograd.h"

namespace heed::lesson18 {

SelfAttentionLayers::SelfAttentionLayers(int layers, int64_t width, Rng& rng) {
    for (int i = 0; i < layers; ++i) attentions.push_back(MultiHead({.width = width}, rng));
}

Tensor SelfAttentionLayers::operator()(Tensor x, const Tensor& mask,
                                       std::vector<Tensor>* weights) const {
    for (const MultiHead& attention : attentions) {
        std::vector<Tensor> found;  // [B, 1, T, T]
        x = x + attention(x, x, x, {.mask = mask, .weights = weights ? &found : nullptr});
        if (weights) weights->push_back(select(found[0], 1, 0));
    }
    return x;
}

Readout::Readout(ReadoutKind kind, int64_t width, int64_t answers, Rng& rng) {
    constexpr int64_t units = 64;
    if (kind == ReadoutKind::hidden) hidden = Linear(width, units, rng);
    output = Linear(kind == ReadoutKind::hidden ? units : width, answers, rng);
}

Tensor Readout::operator()(const Tensor& x) const {
    return output(hidden.weight.defined() ? relu(hidden(x)) : x);
}

MultiHead in_float64(MultiHead attention) {
    to_dtype(attention, Dtype::float64);
    return attention;
}

double gap(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

}  // namespace heed::lesson18
