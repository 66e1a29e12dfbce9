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

// What the kernels need of a call, checked: with the scale, and with the seed if weights are dropped.
AttentionCall checked(const Tensor& q, const Tensor& k, AttentionCall call) {
    constexpr const char* name = "scaled_dot_product_attention";
    const Shape scores{q.size(0), q.size(1), q.size(2), k.size(2)};
    check(q.size(1) == k.size(1) || (k.size(1) > 0 && q.size(1) > 0 && q.size(1) % k.size(1) == 0),
          "queries {}, keys {}; expected the {} heads of keys to divide the {} of queries",
          q.shape(), k.shape(), k.size(1), q.size(1));
    check_call(name, call, {.numbers = true});
    check_mask(call.mask, scores, name);
    if (call.mask.defined()) call.mask = mask_to_dtype(detach(call.mask), q.dtype());
    if (call.bias.defined()) check_same_dtype(q, call.bias, name);
    check(!call.bias.defined() || broadcasts_to(call.bias.shape(), scores),
          "the bias {} does not broadcast to the scores {}", ShapeOf{call.bias}, scores);
    if (call.causal) check_last_positions(scores[2], scores[3], name);
    check_rate(name, {{"dropout", call.dropout}});
    if (call.dropout > 0 && !call.dropout_seed) {
        if (call.mode.is_training(name))
            call.dropout_seed = call.mode.rng(name).next();
        else
            call.dropout = 0;
    }
    call.scale = scale_of_scores(call.scale, q, name);
    call.weights = nullptr;
    return call;
}

// k [B, G, K, D] with each of its heads repeated for the queries that share it: [B, H, K, D].
Tensor repeated(const Tensor& k, int64_t heads) {
    if (k.size(1) == heads) return k;
    const Shape in_groups{k.size(0), k.size(1), heads / k.size(1), k.size(2), k.size(3)};
    return reshape(expand(unsqueeze(k, 2), in_groups), {k.size(0), heads, k.size(2), k.size(3)});
}

}  // namespace

AttentionOutput scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const AttentionCall& given, const EachStep& each) {
    const Shapes in("scaled_dot_product_definition",
                    {{"q", q, "B H Q D"}, {"k", k, "B G K D"}, {"v", v, "B G K D'"}});
    const AttentionCall call = checked(q, k, given);
    const auto step = [&](const char* name, const Tensor& x) { return each ? each(name, x) : x; };
    const Tensor past = call.causal ? causal_mask(in["Q"], in["K"], q.dtype()) : Tensor();
    const Tensor mask = combine({call.mask, past});
    Tensor scores = scores_of_pairs(q * call.scale, repeated(k, in["H"]), mask);  // [B, H, Q, K]
    if (call.bias.defined()) scores = scores + call.bias;
    const Tensor weights = step("weights", attention_weights(step("scores", scores), mask));
    if (given.weights) given.weights->push_back(weights);
    Tensor kept = weights;
    if (call.dropout > 0)
        kept = weights *
               attention_dropout_mask(weights.shape(), call.dropout, *call.dropout_seed, q.dtype());
    return {context_of_pairs(step("kept", kept), repeated(v, in["H"]), mask), weights};
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const AttentionCall& given) {
    const Shapes in("scaled_dot_product_attention",
                    {{"q", q, "B H Q D"}, {"k", k, "B G K D"}, {"v", v, "B G K D'"}});
    // The gradient of a bias is as large as the scores, so the kernel would save no space.
    if (given.weights || (grad_enabled() && given.bias.defined() && given.bias.requires_grad()))
        return scaled_dot_product_definition(q, k, v, given).context;

    const AttentionCall call = checked(q, k, given);
    const AttentionForward forward = tiled_attention(q, k, v, call);
    const Tensor context = record_fused(
        "scaled_dot_product_attention", forward.context,
        std::array{q, k, v, call.mask, call.bias},  // the last two are constants here
        [=](const Tensor& q1, const Tensor& k1, const Tensor& v1, const Tensor&, const Tensor&) {
            return transpose(scaled_dot_product_definition(q1, k1, v1, call).context, 1, 2);
        },
        [=, log_sum = forward.log_sum](const Tensor& g, const Tensor& y) {
            auto [dq, dk, dv] = tiled_attention_backward(g, q, k, v, {y, log_sum}, call);
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
