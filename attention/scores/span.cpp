#include "attention/scores/span.h"

#include "attention/scores/mask.h"
#include "attention/scores/soft.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

const char* name_of(SpanKind kind) {
    switch (kind) {
        case SpanKind::global:
            return "global";
        case SpanKind::local_m:
            return "local_m";
        case SpanKind::local_p:
            return "local_p";
    }
    return "?";
}

AttentionSpan::AttentionSpan(SpanKind which, const SpanOptions& sizes, Rng& rng)
    : kind(which), half_window(sizes.half_window) {
    if (kind == SpanKind::global) return;
    check_positive("AttentionSpan", {{"half_window", half_window}});
    if (kind != SpanKind::local_p) return;
    check_positive("AttentionSpan",
                   {{"query, the width of the queries for local_p,", sizes.query}});
    hidden = Linear(sizes.query, sizes.query, rng, false);
    v = parameter(uniform_fan({1, sizes.query}, sizes.query, rng));
}

Tensor AttentionSpan::centre(const Tensor& query, const Tensor& mask, Integer keys) const {
    const Shapes in("AttentionSpan", {{"query", query, "B Q Dq"}}, {{"Dq", v.size(1)}});
    // S: the number of allowed keys, [B, 1 or Q, 1]; without a mask that of all keys.
    const Tensor length = mask.defined()
                              ? sum(mask_to_dtype(mask, query.dtype()), -1, true)
                              : full({1, 1, 1}, static_cast<double>(keys), query.dtype());
    return length * sigmoid(linear(tanh(hidden(query)), v));
}

Tensor AttentionSpan::weights(const Tensor& scores, const Tensor& query, const Tensor& mask,
                              Integer first_position) const {
    const Shapes in("AttentionSpan", {{"scores", scores, "B Q K"}, {"query", query, "B Q Dq"}}, {},
                    "they are the queries of these scores");
    check_mask(mask, scores.shape(), "AttentionSpan");
    if (kind == SpanKind::global) return attention_weights(scores, mask);

    // The centre of each window is t or predicted. Which keys are in the window has no gradient;
    // the predicted centre gets one through the Gaussian.
    const int64_t queries = in["Q"], keys = in["K"];
    const Dtype dtype = scores.dtype();
    const Tensor positions = arange(keys, dtype);  // [K]
    const Tensor middle = kind == SpanKind::local_p
                              ? centre(query, mask, keys)  // [B, Q, 1]
                              : reshape(arange(queries, dtype), {1, queries, 1}) +
                                    static_cast<double>(first_position);  // [1, Q, 1]
    const Tensor distance = positions - middle;                           // [B or 1, Q, K]
    const double d = static_cast<double>(half_window);
    const Tensor window = abs(detach(distance)) <= d;
    const Tensor within = attention_weights(scores, combine({mask, window}));
    if (kind == SpanKind::local_m) return within;

    const double sigma = d / 2;
    return within * exp(square(distance) * (-1 / (2 * sigma * sigma)));
}

}  // namespace heed
