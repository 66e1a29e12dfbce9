#include "attention/scores/pairs.h"

#include "attention/scores/mask.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

// A mask of scores as a view in their shape, and a constant in their dtype.
Tensor mask_of(const Tensor& mask, const Shape& scores, Dtype dtype) {
    Tensor m = mask_to_dtype(detach(mask), dtype);
    while (m.dim() > scores.count && m.size(0) == 1) m = select(m, 0, 0);
    return expand(m, scores);
}

// Σⱼ aᵢⱼ bⱼ without the terms where aᵢⱼ and the mask are 0.
Tensor sum_over_pairs(const Tensor& a, const Tensor& b, const Tensor& mask) {
    Tensor c = matmul(a, b);  // [..., n, D]
    if (all_finite(c)) return c;
    const int64_t n = c.size(-2), m = a.size(-1), width = c.size(-1);
    Shape of_a = c.shape(), of_b = c.shape();
    of_a[c.dim() - 1] = of_b[c.dim() - 2] = m;
    c = zeros(c.shape(), c.dtype());
    with_dtype(c.dtype(), [&]<class T>(T) {
        const Rows<T> weights(contiguous_rows(a), of_a), masks(contiguous_rows(mask), of_a),
            values(contiguous_rows(b), of_b);
        T* sums = c.edit<T>();
        for_each_row(c.shape(), [&](int64_t row) {
            const T *w = weights[row], *allowed = masks[row];
            for (int64_t j = 0; j < m; ++j) {
                if (w[j] == 0 && allowed[j] == 0) continue;
                const T* value = values[row / n * m + j];
                for (int64_t d = 0; d < width; ++d) sums[row * width + d] += w[j] * value[d];
            }
        });
    });
    return c;
}

// A B at the pairs of a mask, which has the shape of the result, and over the pairs of a mask, which
// has the shape of A: see pairs.h.
Tensor at_pairs(const Tensor& a, const Tensor& b, const Tensor& mask);
Tensor over_pairs(const Tensor& a, const Tensor& b, const Tensor& mask);

// C = A B over the pairs          dL/dA = G Bᵀ at the pairs          dL/dB = Aᵀ G over the pairs
Tensor over_pairs(const Tensor& a, const Tensor& b, const Tensor& mask) {
    Tensor value;
    {
        const InnerOperations inner;
        value = sum_over_pairs(a, b, mask);
    }
    const auto rule_b = [=](const Tensor& g) {
        return over_pairs(transpose(a), g, transpose(mask));
    };
    // A decoder reads the same values at every step: their gradient is added up in place.
    const auto add_to_b = [=, shape = b.shape()](const Tensor& g, GradientSum sum) {
        if (all_finite(g)) return matmul_detail::add_product(transpose(a), g, shape, sum);
        add_to_view(sum.open(), sum_to(rule_b(g), shape));
    };
    return record(
        "context_of_pairs", std::move(value),                                 //
        a, [=](const Tensor& g) { return at_pairs(g, transpose(b), mask); },  //
        b, in_place(rule_b, add_to_b));
}

// C = A B at the pairs          dL/dA = G Bᵀ over the pairs          dL/dB = (Gᵀ A)ᵀ over the pairs
Tensor at_pairs(const Tensor& a, const Tensor& b, const Tensor& mask) {
    Tensor value;
    {
        const InnerOperations inner;
        value = matmul(a, b);
        if (!all_finite(value)) value = where(mask, value, 0.0);
    }
    const auto rule_b = [=](const Tensor& g) {
        return transpose(over_pairs(transpose(g), a, transpose(mask)));
    };
    return record(
        "scores_of_pairs", std::move(value),                                    //
        a, [=](const Tensor& g) { return over_pairs(g, transpose(b), mask); },  //
        b, rule_b);
}

}  // namespace

Tensor scores_of_pairs(const Tensor& query, const Tensor& key, const Tensor& mask) {
    const Shapes in("scores_of_pairs", {{"query", query, "... Q D"}, {"key", key, "... K D"}});
    if (!mask.defined()) return matmul(query, transpose(key));
    Shape scores = query.shape();
    scores[query.dim() - 1] = in["K"];
    check_mask(mask, scores, "scores_of_pairs");
    return at_pairs(query, transpose(key), mask_of(mask, scores, query.dtype()));
}

Tensor context_of_pairs(const Tensor& weights, const Tensor& value, const Tensor& mask) {
    const Shapes in("context_of_pairs",
                    {{"weights", weights, "... Q K"}, {"value", value, "... K D"}});
    if (!mask.defined()) return matmul(weights, value);
    check_mask(mask, weights.shape(), "context_of_pairs");
    return over_pairs(weights, value, mask_of(mask, weights.shape(), weights.dtype()));
}

Tensor without_masked(const Tensor& x, const Tensor& mask) {
    const Shapes in("without_masked", {{"x", x, "... K D"}});
    if (!mask.defined() || all_finite(x)) return x;
    Tensor read = mask;  // by some query of some head: [..., K]
    while (read.dim() > x.dim()) read = any(read, 1);
    if (read.dim() > 1) read = any(read, -2);
    return where(unsqueeze(read, -1), x, 0.0);
}

}  // namespace heed
