#include "autograd/ops/index/sort.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"

namespace heed {
namespace {

Shape with_size(Shape shape, int axis, int64_t size) {
    shape[axis] = size;
    return shape;
}

// The indices of the first `count` elements along the axis, once they are in order.
Indices first_in_order(const Tensor& x, int axis, int64_t count, bool descending) {
    const Tensor rows = contiguous(transpose(detach(x), axis, -1));  // the axis last
    const int64_t n = x.shape()[axis];
    const Shape shape = with_size(rows.shape(), x.dim() - 1, count);
    std::vector<int> sorted(shape.numel());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* numbers = rows.data<T>();
        const int64_t row_count = n == 0 ? 0 : rows.numel() / n;
        parallel_for(row_count, rows_per_chunk(16 * n), [&](int64_t begin, int64_t end) {
            std::vector<int> order(n);
            for (int64_t row = begin; row < end; ++row) {
                const T* p = numbers + row * n;
                const auto less = [](T a, T b) { return a < b || (a == a && b != b); };
                const auto comes_before = [&](int i, int j) {
                    if (descending ? less(p[j], p[i]) : less(p[i], p[j])) return true;
                    if (descending ? less(p[i], p[j]) : less(p[j], p[i])) return false;
                    return i < j;
                };
                std::iota(order.begin(), order.end(), 0);
                if (count == n)
                    std::sort(order.begin(), order.end(), comes_before);
                else
                    std::partial_sort(order.begin(), order.begin() + count, order.end(),
                                      comes_before);
                std::copy_n(order.begin(), count, sorted.begin() + row * count);
            }
        });
    });
    if (axis == x.dim() - 1) return Indices(std::move(sorted), shape);
    // Back to the order of the axes of x.
    std::vector<int> moved(sorted.size());
    const Shape result = with_size(x.shape(), axis, count);
    const Strides strides = contiguous_strides(result);
    Axes index;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        int64_t offset = 0;
        for (int a = 0; a < result.count; ++a)
            offset += index[a == axis ? x.dim() - 1 : a == x.dim() - 1 ? axis : a] * strides[a];
        moved[offset] = sorted[i];
        for (int a = shape.count - 1; a >= 0 && ++index[a] == shape[a]; --a) index[a] = 0;
    }
    return Indices(std::move(moved), result);
}

ValuesAndIndices values_at(const Tensor& x, int a, const Indices& found, bool keepdim) {
    const Indices kept = found.reshaped(with_size(x.shape(), a, 1));
    const Tensor values = gather(x, a, kept);
    if (keepdim) return {values, kept};
    return {squeeze(values, a), found};
}

}  // namespace

ValuesAndIndices max_with_indices(const Tensor& x, Integer axis, Flag keepdim) {
    check_defined("max_with_indices", x);
    const int a = x.shape().axis(axis, "max_with_indices");
    check(x.shape()[a] > 0, "max_with_indices: axis {} of shape {} is empty", axis, x.shape());
    return values_at(x, a, argmax(x, a), keepdim);
}
ValuesAndIndices min_with_indices(const Tensor& x, Integer axis, Flag keepdim) {
    check_defined("min_with_indices", x);
    const int a = x.shape().axis(axis, "min_with_indices");
    check(x.shape()[a] > 0, "min_with_indices: axis {} of shape {} is empty", axis, x.shape());
    return values_at(x, a, argmin(x, a), keepdim);
}

Indices argsort(const Tensor& x, Integer axis, Flag descending) {
    check_defined("argsort", x);
    const int a = x.shape().axis(axis, "argsort");
    return first_in_order(x, a, x.shape()[a], descending);
}

ValuesAndIndices sort(const Tensor& x, Integer axis, Flag descending) {
    check_defined("sort", x);
    const int a = x.shape().axis(axis, "sort");
    const Indices order = first_in_order(x, a, x.shape()[a], descending);
    return {gather(x, a, order), order};
}

ValuesAndIndices topk(const Tensor& x, Integer k, Integer axis, Flag largest) {
    check_defined("topk", x);
    const int a = x.shape().axis(axis, "topk");
    check(k >= 0 && k <= x.shape()[a], "topk: {} of the {} elements along axis {} of shape {}", k,
          x.shape()[a], axis, x.shape());
    const Indices order = first_in_order(x, a, k, largest);
    return {gather(x, a, order), order};
}

}  // namespace heed
