#include "attention/efficient/synthesizer.h"

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

const std::vector<SynthesizerKind>& synthesizer_kinds() {
    static const std::vector<SynthesizerKind> all{SynthesizerKind::dense, SynthesizerKind::random,
                                                  SynthesizerKind::factored_dense,
                                                  SynthesizerKind::factored_random};
    return all;
}

const char* name_of(SynthesizerKind kind) {
    switch (kind) {
        case SynthesizerKind::dense:
            return "dense";
        case SynthesizerKind::random:
            return "random";
        case SynthesizerKind::factored_dense:
            return "factored_dense";
        case SynthesizerKind::factored_random:
            return "factored_random";
    }
    return "?";
}

Synthesizer::Synthesizer(SynthesizerKind kind_, const SynthesizerOptions& o, Rng& rng)
    : kind(kind_), heads(o.heads), length(o.length) {
    const bool reads_tokens =
        kind == SynthesizerKind::dense || kind == SynthesizerKind::factored_dense;
    check_positive("Synthesizer", {{"length", o.length}, {"heads", o.heads}, {"factor", o.factor}});
    check_not_negative("Synthesizer", {{"hidden", o.hidden}});
    if (reads_tokens) check_positive("Synthesizer", {{"width of the dense kinds", o.width}});
    const int64_t inner = o.hidden ? o.hidden : o.width;
    if (reads_tokens) hidden = Linear(o.width, inner, rng);
    switch (kind) {
        case SynthesizerKind::dense:
            right = Linear(inner, o.heads * o.length, rng);
            break;
        case SynthesizerKind::factored_dense:
            left = Linear(inner, o.heads * o.factor, rng);
            right = Linear(inner, o.heads * ((o.length + o.factor - 1) / o.factor), rng);
            break;
        case SynthesizerKind::random:
            second = parameter(xavier_uniform({o.heads, o.length, o.length}, rng));
            break;
        case SynthesizerKind::factored_random:
            first = parameter(uniform_fan({o.heads, o.length, o.factor}, o.factor, rng));
            second = parameter(uniform_fan({o.heads, o.length, o.factor}, o.factor, rng));
    }
}

Tensor Synthesizer::scores(const Tensor& x, Integer keys) const {
    const Shapes in("Synthesizer", {{"x", x, "B T D"}});
    const int64_t batch = in["B"], steps = in["T"];
    check(steps <= length && keys <= length,
          "{} positions and {} keys, but it was made for a length of {}", steps, keys, length);
    const auto cut = [&](const Tensor& all) {  // [H, N, N] -> [B, H, T, K]
        return expand(unsqueeze(slice(slice(all, 1, 0, steps), 2, 0, keys), 0),
                      {batch, heads, steps, keys});
    };
    if (kind == SynthesizerKind::random) return cut(second);
    if (kind == SynthesizerKind::factored_random) return cut(matmul(first, transpose(second)));

    const Tensor inner = relu(hidden(x));             // [B, T, A]
    const auto of_heads = [&](const Linear& layer) {  // [B, H, T, ...]
        const Tensor y = layer(inner);
        return transpose(reshape(y, {batch, steps, heads, y.size(2) / heads}), 1, 2);
    };
    if (kind == SynthesizerKind::dense) return slice(of_heads(right), 3, 0, keys);
    const Tensor product = unsqueeze(of_heads(left), 4) * unsqueeze(of_heads(right), 3);
    return slice(flatten(product, 3, 4), 3, 0, keys);
}

AttentionOutput Synthesizer::operator()(const Tensor& x, const Tensor& v,
                                        const Tensor& mask) const {
    const Shapes in("Synthesizer", {{"x", x, "B T D"}, {"v", v, "B H K D'"}}, {{"H", heads}});
    return soft_attention(scores(x, in["K"]), v, mask);
}

}  // namespace heed
