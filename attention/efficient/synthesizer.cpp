#include "attention/efficient/synthesizer.h"

#include "autograd/ops/binary.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
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
    check(o.length > 0 && o.heads > 0 && o.factor > 0 && o.hidden >= 0 &&
              (!reads_tokens || o.width > 0),
          "Synthesizer, {}: width {}, length {}, heads {}, factor {}, hidden {}; length, heads and "
          "factor must be positive, and the width of the dense kinds",
          name_of(kind), o.width, o.length, o.heads, o.factor, o.hidden);
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
    check_defined("Synthesizer", x);
    check(x.dim() == 3, "Synthesizer: x {}; expected [B, T, D]", x.shape());
    check(x.size(1) <= length && keys <= length,
          "Synthesizer: {} positions and {} keys, but it was made for a length of {}", x.size(1),
          keys, length);
    const int64_t batch = x.size(0), steps = x.size(1);
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
    check_defined("Synthesizer", x, v);
    check(x.dim() == 3 && v.dim() == 4 && v.size(0) == x.size(0) && v.size(1) == heads,
          "Synthesizer: x {}, v {}; expected [B, T, D] and [B, {}, K, D']", x.shape(), v.shape(),
          heads);
    return soft_attention(scores(x, v.size(2)), v, mask);
}

}  // namespace heed
