#include "attention/fused/scaled_dot_product.h"

#include <cmath>

#include "attention/fused/tiled_attention.h"
#include "attention/fused/tiles.h"
#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "attention/scores/score.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/compare.h"
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

// Checks all arguments, and returns the options with the scale set.
ScaledDotProductOptions checked(const Tensor& q, const Tensor& k, const Tensor& v,
                                ScaledDotProductOptions options) {
    check_shapes(q, k, v);
    check_same_dtype(q, k, "scaled_dot_product_attention");
    check_same_dtype(q, v, "scaled_dot_product_attention");
    const Shape scores = shape_of_scores(q, k);
    check_mask(options.mask, scores, "scaled_dot_product_attention");
    if (options.mask.defined()) options.mask = mask_to_dtype(detach(options.mask), q.dtype());
    if (options.bias.defined()) {
        check_same_dtype(q, options.bias, "scaled_dot_product_attention");
        check(broadcasts_to(options.bias.shape(), scores),
              "scaled_dot_product_attention: the bias {} does not broadcast to the scores {}",
              options.bias.shape(), scores);
    }
    check(!options.causal || q.size(2) <= k.size(2),
          "scaled_dot_product_attention: {} queries but only {} keys; with causal, the queries are "
          "at the last positions of the keys",
          q.size(2), k.size(2));
    check(options.dropout >= 0 && options.dropout < 1,
          "scaled_dot_product_attention: dropout is {}; expected at least 0 and below 1",
          options.dropout);
    options.scale = scale_of_scores(options.scale, q, "scaled_dot_product_attention");
    return options;
}

}  // namespace

AttentionOutput scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const ScaledDotProductOptions& given) {
    const UserCall named("scaled_dot_product_definition");
    const ScaledDotProductOptions options = checked(q, k, v, given);
    const Tensor past = options.causal ? causal_mask(q.size(2), k.size(2), q.dtype()) : Tensor();
    const Tensor mask = combine({options.mask, past});
    Tensor scores = scores_of_pairs(q * options.scale, k, mask);  // [B, H, Q, K]
    if (options.bias.defined()) scores = scores + options.bias;
    const Tensor weights = attention_weights(scores, mask);
    if (options.dropout == 0) return {context_of_pairs(weights, v, mask), weights};
    const Tensor kept =
        attention_dropout_mask(weights.shape(), options.dropout, options.dropout_seed, q.dtype());
    return {context_of_pairs(weights * kept, v, mask), weights};
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const ScaledDotProductOptions& given) {
    const UserCall named("scaled_dot_product_attention");
    check_defined("scaled_dot_product_attention", q, k, v);
    const ScaledDotProductOptions options = checked(q, k, v, given);
    // The gradient of a bias is as large as the scores, so the kernel would save no space.
    if (grad_enabled() && options.bias.defined() && options.bias.requires_grad())
        return scaled_dot_product_definition(q, k, v, options).context;

    const AttentionForward forward = tiled_attention(q, k, v, options);
    const Tensor context = record_fused(
        "scaled_dot_product_attention", forward.context,
        std::array{q, k, v, options.mask, options.bias},  // the last two are constants here
        [=](const Tensor& q1, const Tensor& k1, const Tensor& v1, const Tensor&, const Tensor&) {
            return transpose(scaled_dot_product_definition(q1, k1, v1, options).context, 1, 2);
        },
        [=, log_sum = forward.log_sum](const Tensor& g, const Tensor& y) {
            auto [dq, dk, dv] = tiled_attention_backward(g, q, k, v, {y, log_sum}, options);
            return std::array{dq, dk, dv, Tensor(), Tensor()};
        });
    return transpose(context, 1, 2);
}

Tensor attention_dropout_mask(const Shape& weights, double probability, uint64_t seed,
                              Dtype dtype) {
    check(weights.count == 4 && probability >= 0 && probability < 1,
          "attention_dropout_mask: weights {} and probability {}; expected [B, H, Q, K] and at "
          "least 0, below 1",
          weights, probability);
    Tensor mask = empty(weights, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* out = mask.edit<T>();
        const tiles::WeightDropout dropout(probability, seed);
        const int64_t keys = weights[3], rows = weights[0] * weights[1] * weights[2];
        for (int64_t row = 0; row < rows; ++row) dropout.factors(out + row * keys, row, 0, keys);
    });
    return mask;
}

}  // namespace heed
