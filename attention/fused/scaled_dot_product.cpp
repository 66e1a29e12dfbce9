#include "attention/fused/scaled_dot_product.h"

#include <cmath>

#include "attention/fused/tiled_attention.h"
#include "attention/scores/mask.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/compare.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/record/record.h"

namespace heed {

namespace {

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
    const auto same = [](const Tensor& a, const Tensor& b, int axis) {
        return a.size(axis) == b.size(axis);
    };
    check(q.dim() == 4 && k.dim() == 4 && v.dim() == 4 && same(q, k, 0) && same(q, k, 1) &&
              same(q, k, 3) && same(k, v, 0) && same(k, v, 1) && same(k, v, 2),
          "scaled_dot_product_attention: q {}, k {}, v {}; expected [B, H, Q, D], [B, H, K, D] and "
          "[B, H, K, D']",
          q.shape(), k.shape(), v.shape());
}

Shape shape_of_scores(const Tensor& q, const Tensor& k) {
    return {q.size(0), q.size(1), q.size(2), k.size(2)};
}

// What the options leave to us filled in, and all that is given held against the shapes.
ScaledDotProductOptions settled(const Tensor& q, const Tensor& k, const Tensor& v,
                                ScaledDotProductOptions options) {
    check_shapes(q, k, v);
    const Shape scores = shape_of_scores(q, k);
    check_mask(options.mask, scores, "scaled_dot_product_attention");
    if (options.mask.defined()) options.mask = mask_to_dtype(options.mask, q.dtype());
    if (options.bias.defined()) {
        check_same_dtype(q, options.bias, "scaled_dot_product_attention");
        check(broadcasts_to(options.bias.shape(), scores),
              "scaled_dot_product_attention: the bias {} does not broadcast to the scores {}",
              options.bias.shape(), scores);
    }
    check(!options.causal || q.size(2) <= k.size(2),
          "scaled_dot_product_attention: {} queries but only {} keys; with `causal` the queries "
          "are the last "
          "of the keys' places",
          q.size(2), k.size(2));
    if (options.scale == 0) options.scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
    return options;
}

}  // namespace

AttentionOutput scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const ScaledDotProductOptions& given) {
    const ScaledDotProductOptions options = settled(q, k, v, given);
    Tensor scores = matmul(q * options.scale, transpose(k));  // [B, H, Q, K]
    if (options.bias.defined()) scores = scores + options.bias;
    const Tensor past = options.causal ? causal_mask(q.size(2), k.size(2), q.dtype()) : Tensor();
    return soft_attention(scores, v, combine({options.mask, past}));
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const ScaledDotProductOptions& given) {
    const ScaledDotProductOptions options = settled(q, k, v, given);
    // The gradient of a bias is as large as the scores, so there is nothing to save.
    if (grad_enabled() && options.bias.defined() && options.bias.requires_grad())
        return scaled_dot_product_definition(q, k, v, options).context;

    const TiledContext forward = tiled_attention(q, k, v, options);
    const Tensor context = record_fused(
        "scaled_dot_product_attention", forward.context, std::array{q, k, v},
        [=](const Tensor& q1, const Tensor& k1, const Tensor& v1) {
            return transpose(scaled_dot_product_definition(q1, k1, v1, options).context, 1, 2);
        },
        [=, log_sum = forward.log_sum](const Tensor& g, const Tensor& y) {
            return tiled_attention_backward(g, q, k, v, {y, log_sum}, options);
        });
    return transpose(context, 1, 2);
}

}  // namespace heed
