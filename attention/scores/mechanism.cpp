#include "attention/scores/mechanism.h"

#include "attention/scores/pairs.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/finite.h"
#include "autograd/tensor/shapes.h"

namespace heed {

PreparedKeys Attention::prepare(const Tensor& key, const Tensor& value, const Tensor& mask) const {
    const Shapes in("Attention", {{"key", key, "B K Dk"}, {"value", value, "B K D"}});
    const Tensor read = without_masked(key, mask);
    PreparedKeys keys{score.prepare(read), without_masked(value, mask), mask};
    if (!all_finite(keys.key) || !all_finite(keys.value)) keys.not_finite = read;
    return keys;
}

Tensor Attention::weights(const Tensor& query, const PreparedKeys& keys,
                          Integer first_position) const {
    const Shapes in("Attention", {{"query", query, "B Q Dq"}});
    check(keys.value.defined(), "Attention: the keys are not prepared; call prepare() first");
    if (sees_all(keys) || (!keys.not_finite.defined() && all_finite(query)))
        return span.weights(score(query, keys.key), query, keys.mask, first_position);
    return weights_apart(query, keys, first_position);
}

// Each query with keys of its own, those that it may attend to and zeros for the others: a score knows
// nothing of masks, and 0 times NaN in its gradient would be NaN.
Tensor Attention::weights_apart(const Tensor& query, const PreparedKeys& keys,
                                int64_t first_position) const {
    const bool prepared = !keys.not_finite.defined();
    std::vector<Tensor> all;
    for (int64_t i = 0; i < query.size(1); ++i) {
        const Tensor q = slice(query, 1, i, i + 1);
        const bool of_query = keys.mask.defined() && keys.mask.dim() > 1 && keys.mask.size(-2) > 1;
        const Tensor mask = of_query ? slice(keys.mask, -2, i, i + 1) : keys.mask;
        // Equal scores have weights above 0 wherever mask and span allow it.
        const Tensor equal = zeros({q.size(0), 1, keys.value.size(1)}, q.dtype());
        const Tensor open = span.weights(equal, detach(q), mask, first_position + i) != 0.0;
        const Tensor key =
            prepared ? keys.key : score.prepare(without_masked(keys.not_finite, open));
        const Tensor kept = where(transpose(open), key, 0.0);
        all.push_back(span.weights(score(q, kept), q, mask, first_position + i));
    }
    return concat(all, 1);
}

AttentionOutput Attention::operator()(const Tensor& query, const PreparedKeys& keys,
                                      Integer first_position) const {
    const Shapes in("Attention", {{"query", query, "B Q Dq"}});
    Tensor alpha = weights(query, keys, first_position);
    return {context(alpha, keys.value, keys), alpha};
}

Tensor Attention::context(const Tensor& alpha, const Tensor& x, const PreparedKeys& keys) const {
    return context_of_pairs(alpha, x, sees_all(keys) ? Tensor() : detach(alpha) != 0.0);
}

bool Attention::sees_all(const PreparedKeys& keys) const {
    return span.kind == SpanKind::global && !keys.mask.defined();
}

}  // namespace heed
