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

// Whether element i of a row comes before element j: NaN is the largest, equal ones keep their order.
template <class T>
struct ComesBefore {
    const T* row;
    bool descending;
    bool operator()(int i, int j) const {
        const auto less = [](T a, T b) { return a < b || (a == a && b != b); };
        if (descending ? less(row[j], row[i]) : less(row[i], row[j])) return true;
        if (descending ? less(row[i], row[j]) : less(row[j], row[i])) return false;
        return i < j;
    }
};

// The numbers of `shape`, whose last axis is to be exchanged with another one, in their new order.
std::vector<int> with_axis_exchanged(const std::vector<int>& numbers, const Shape& shape,
                                     int axis) {
    const int last = shape.count - 1;
    Shape exchanged = shape;
    std::swap(exchanged[axis], exchanged[last]);
    const Strides strides = contiguous_strides(exchanged);
    std::vector<int> moved(numbers.size());
    Axes index;
    for (const int number : numbers) {
        int64_t offset = 0;
        for (int a = 0; a < shape.count; ++a)
            offset += index[a == axis ? last : a == last ? axis : a] * strides[a];
        moved[offset] = number;
        for (int a = last; a >= 0 && ++index[a] == shape[a]; --a) index[a] = 0;
    }
    return moved;
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
                const ComesBefore<T> comes_before{numbers + row * n, descending};
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
    return Indices(with_axis_exchanged(sorted, shape, axis), with_size(x.shape(), axis, count));
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
