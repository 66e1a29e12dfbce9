#include "attention/fused/scaled_dot_product.h"

#include <cmath>

#include "attention/fused/tiled_attention.h"
#include "attention/fused/tiles.h"
#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "attention/scores/score.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

// Checks the options for scores [B, H, Q, K], and returns them with the scale set.
ScaledDotProductOptions checked(const Tensor& q, const Shape& scores,
                                ScaledDotProductOptions options) {
    constexpr const char* name = "scaled_dot_product_attention";
    check_mask(options.mask, scores, name);
    if (options.mask.defined()) options.mask = mask_to_dtype(detach(options.mask), q.dtype());
    if (options.bias.defined()) check_same_dtype(q, options.bias, name);
    check(!options.bias.defined() || broadcasts_to(options.bias.shape(), scores),
          "the bias {} does not broadcast to the scores {}", ShapeOf{options.bias}, scores);
    if (options.causal) check_last_positions(scores[2], scores[3], name);
    check_rate(name, {{"dropout", options.dropout}});
    options.scale = scale_of_scores(options.scale, q, name);
    return options;
}

}  // namespace

AttentionOutput scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const ScaledDotProductOptions& given) {
    const Shapes in("scaled_dot_product_definition",
                    {{"q", q, "B H Q D"}, {"k", k, "B H K D"}, {"v", v, "B H K D'"}});
    const Shape of_scores{in["B"], in["H"], in["Q"], in["K"]};
    const ScaledDotProductOptions options = checked(q, of_scores, given);
    const Tensor past = options.causal ? causal_mask(in["Q"], in["K"], q.dtype()) : Tensor();
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
    const Shapes in("scaled_dot_product_attention",
                    {{"q", q, "B H Q D"}, {"k", k, "B H K D"}, {"v", v, "B H K D'"}});
    const Shape of_scores{in["B"], in["H"], in["Q"], in["K"]};
    const ScaledDotProductOptions options = checked(q, of_scores, given);
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
    check(weights.count == 4, "attention_dropout_mask: weights {}; expected [B, H, Q, K]", weights);
    check_rate("attention_dropout_mask", {{"probability", probability}});
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
