#include "autograd/ops/shape/join.h"

#include <cmath>
#include <optional>

#include "autograd/base/user_call.h"
#include "autograd/ops/shape/reshape.h"
#include "autograd/ops/shape/slice.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"

namespace heed {

Tensor concat(const std::vector<Tensor>& parts, Integer axis) {
    check(!parts.empty(), "concat: expected at least one tensor");
    for (const Tensor& part : parts) check_defined("concat", part);
    const int a = parts[0].shape().axis(axis, "concat");
    Shape shape = parts[0].shape();
    shape[a] = 0;
    std::vector<Window> windows;
    for (const Tensor& part : parts) {
        Shape other = part.shape();
        check(other.count == shape.count, "concat: {} and {} have different numbers of axes",
              parts[0].shape(), other);
        check_same_dtype(parts[0], part, "concat");
        windows.push_back({a, shape[a], other[a], 1});
        other[a] = shape[a];
        check(other == shape, "concat: {} and {} differ along another axis than {}",
              parts[0].shape(), part.shape(), axis);
        shape[a] += part.shape()[a];
    }
    Tensor value = empty(shape, parts[0].dtype());
    for (std::size_t i = 0; i < parts.size(); ++i)
        copy_to_view(window_view(value, windows[i]), parts[i]);
    return record_many(
        "concat", std::move(value), parts,
        [windows](std::size_t i, const Tensor& g) { return window_of(g, windows[i]); });
}

Tensor stack(const std::vector<Tensor>& parts, Integer axis) {
    const UserCall named("stack");
    check(!parts.empty(), "stack: expected at least one tensor");
    for (const Tensor& part : parts) check_defined("stack", part);
    const int a = axis < 0 ? axis + parts[0].dim() + 1 : axis.value;
    check(a >= 0 && a <= parts[0].dim(), "stack: axis {} cannot be inserted into shape {}", axis,
          parts[0].shape());
    Tensor value;
    {
        const InnerOperations inner;
        std::vector<Tensor> rows;
        for (const Tensor& part : parts) {
            check(part.shape() == parts[0].shape(), "stack: shapes differ: {} and {}",
                  parts[0].shape(), part.shape());
            check_same_dtype(parts[0], part, "stack");
            rows.push_back(unsqueeze(part, a));
        }
        value = concat(rows, a);
    }
    return record_many("stack", std::move(value), parts, [a](std::size_t i, const Tensor& g) {
        return select(g, a, static_cast<int64_t>(i));
    });
}

Tensor pad(const Tensor& x, Integer axis, Integer before, Integer after, double value) {
    const UserCall named("pad");
    check_defined("pad", x);
    const int a = x.shape().axis(axis, "pad");
    check(before >= 0 && after >= 0, "pad: cannot add {} and {} elements; slice() removes them",
          before, after);
    Shape shape = x.shape();
    shape[a] = add_sizes(shape[a], add_sizes(before, after));
    const Window window{a, before, x.shape()[a], 1};
    Tensor padded = full(shape, value, x.dtype());
    copy_to_view(window_view(padded, window), x);
    std::optional<FiniteCheck> asked_for;  // an infinity
    if (!std::isfinite(value)) asked_for.emplace(false);
    return record("pad", std::move(padded), x,
                  [window](const Tensor& g) { return window_of(g, window); });
}

Tensor roll(const Tensor& x, Integer shift, Integer axis) {
    check_defined("roll", x);
    const int a = x.shape().axis(axis, "roll");
    const int64_t size = x.shape()[a];
    if (size == 0) return x;
    const int64_t moved = (size - shift % size) % size;  // the first element of the result
    return concat({slice(x, a, moved, size), slice(x, a, 0, moved)}, a);
}

// --- repeating ----------------------------------------------------------------------------------

namespace {

// x with each run of `size` numbers `count` times: [before, 1, size, after] is expanded.
Tensor repeat_axis(const Tensor& x, int axis, int64_t count, bool interleaved) {
    if (count == 1) return x;
    Shape shape = x.shape();
    int64_t before = 1, after = 1;
    for (int i = 0; i < axis; ++i) before *= shape[i];
    for (int i = axis + 1; i < shape.count; ++i) after *= shape[i];
    const int64_t size = shape[axis];
    shape[axis] = multiply_sizes(size, count);
    const Tensor once =
        reshape(x, interleaved ? Shape{before, size, 1, after} : Shape{before, 1, size, after});
    const Tensor many = expand(
        once, interleaved ? Shape{before, size, count, after} : Shape{before, count, size, after});
    return reshape(many, shape);
}

}  // namespace

Tensor repeat(const Tensor& x, const Axes& counts) {
    const UserCall named("repeat");
    check_defined("repeat", x);
    check(counts.count >= x.dim(), "repeat: expected a count for each axis of shape {}, got {}",
          x.shape(), counts);
    for (int64_t count : counts)
        check(count >= 0, "repeat: a count cannot be negative, got {}", counts);
    Shape shape;
    for (int i = 0; i < counts.count - x.dim(); ++i) shape.push(1);
    for (int64_t size : x.shape()) shape.push(size);
    Tensor y = reshape(x, shape);
    for (int i = 0; i < counts.count; ++i) y = repeat_axis(y, i, counts[i], false);
    return y;
}

Tensor repeat_interleave(const Tensor& x, Integer count, Integer axis) {
    const UserCall named("repeat_interleave");
    check_defined("repeat_interleave", x);
    const int a = x.shape().axis(axis, "repeat_interleave");
    check(count >= 0, "repeat_interleave: the count cannot be negative, got {}", count);
    return repeat_axis(x, a, count, true);
}

}  // namespace heed
