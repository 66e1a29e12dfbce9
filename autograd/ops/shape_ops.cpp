#include "autograd/ops/shape_ops.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "autograd/base/user_call.h"
#include "autograd/ops/compare.h"
#include "autograd/ops/windows.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// The strides with which x is read under another shape without copying, if there are any: axes of x
// that are contiguous with one another are merged and divided anew.
std::optional<Strides> strides_for(const Tensor& x, const Shape& shape) {
    if (x.is_contiguous()) return contiguous_strides(shape);
    Strides strides;
    strides.count = shape.count;
    int axis = 0;  // of the new shape
    for (int i = 0; i < x.dim();) {
        int64_t run = x.shape()[i], step = x.strides()[i];
        for (++i; i < x.dim() && step == x.strides()[i] * x.shape()[i]; ++i) {
            run *= x.shape()[i];
            step = x.strides()[i];
        }
        const int first = axis;
        int64_t covered = 1;
        while (axis < shape.count && covered < run) covered *= shape[axis++];
        if (covered != run) return std::nullopt;
        for (int k = axis - 1; k >= first; --k) {
            strides[k] = step;
            step *= shape[k];
        }
    }
    for (; axis < shape.count; ++axis) strides[axis] = 0;  // sizes of 1 at the end
    return strides;
}

// A view with another shape and strides of the same elements; `back` undoes it on the gradient.
template <class Back>
Tensor record_view(const char* name, const Tensor& x, const Shape& shape, const Strides& strides,
                   Back back) {
    return record(name, view_of(x, shape, strides), x, back);
}

// Puts the size that is left for so many elements in place of the -1, if there is one.
inline void fill_open_size(Shape& shape, int64_t elements, const char* name) {
    int64_t known = 1;
    int unknown = -1;  // the axis whose size is -1
    for (int i = 0; i < shape.count; ++i) {
        if (shape[i] == -1) {
            check(unknown < 0, "{}: only one size may be -1, got {}", name, shape);
            unknown = i;
        } else {
            check(shape[i] >= 0, "{}: a size cannot be {}; only -1 has a meaning", name, shape[i]);
            known = multiply_sizes(known, shape[i]);
        }
    }
    if (unknown < 0) return;
    check(known > 0, "{}: {} has a 0 beside the -1, which could be any size; write the size", name,
          shape);
    shape[unknown] = elements / known;
}

}  // namespace

Tensor reshape(const Tensor& x, Shape shape) {
    check_defined("reshape", x);
    const Shape asked = shape;
    fill_open_size(shape, x.numel(), "reshape");
    check(shape.numel() == x.numel(), "reshape: {} has {} elements, {} does not", x.shape(),
          x.numel(), asked);
    if (shape == x.shape()) return x;
    const auto back = [old = x.shape()](const Tensor& g) { return reshape(g, old); };
    if (x.numel() == 0) return record_view("reshape", x, shape, contiguous_strides(shape), back);
    if (const auto strides = strides_for(x, shape))
        return record_view("reshape", x, shape, *strides, back);
    const Tensor copy = copy_of(x);
    return record("reshape", view_of(copy, shape, contiguous_strides(shape)), x, back);
}

Tensor flatten(const Tensor& x, Integer first_axis, Integer last_axis) {
    check_defined("flatten", x);
    const int first = x.shape().axis(first_axis, "flatten");
    const int last = x.shape().axis(last_axis, "flatten");
    check(first <= last, "flatten: axis {} comes after axis {}", first_axis, last_axis);
    Shape shape;
    int64_t merged = 1;
    for (int i = 0; i < x.dim(); ++i) {
        if (i >= first && i <= last) merged *= x.shape()[i];
        if (i < first || i > last) shape.push(x.shape()[i]);
        if (i == last) shape.push(merged);
    }
    return reshape(x, shape);
}

Tensor unflatten(const Tensor& x, Integer axis, const Shape& sizes) {
    const UserCall named("unflatten");
    check_defined("unflatten", x);
    const int a = x.shape().axis(axis, "unflatten");
    Shape all_sizes = sizes;
    fill_open_size(all_sizes, x.shape()[a], "unflatten");
    check(all_sizes.numel() == x.shape()[a],
          "unflatten: sizes {} make {} elements, but axis {} of shape {} has {}", sizes,
          all_sizes.numel(), axis, x.shape(), x.shape()[a]);
    Shape shape;
    for (int i = 0; i < x.dim(); ++i) {
        if (i != a)
            shape.push(x.shape()[i]);
        else
            for (int64_t size : all_sizes) shape.push(size);
    }
    return reshape(x, shape);
}

Tensor transpose(const Tensor& x, Integer a, Integer b) {
    check_defined("transpose", x);
    a = x.shape().axis(a, "transpose");
    b = x.shape().axis(b, "transpose");
    Shape shape = x.shape();
    Strides strides = x.strides();
    std::swap(shape[a], shape[b]);
    std::swap(strides[a], strides[b]);
    return record_view("transpose", x, shape, strides,
                       [=](const Tensor& g) { return transpose(g, a, b); });
}

Tensor permute(const Tensor& x, const Axes& order) {
    check_defined("permute", x);
    check(order.count == x.dim(), "permute: expected an order of {} axes for shape {}, got {}",
          x.dim(), x.shape(), order);
    Shape shape = x.shape();
    Strides strides = x.strides();
    Axes inverse = order;
    bool seen[max_axes] = {};
    for (int i = 0; i < order.count; ++i) {
        const int axis = x.shape().axis(order[i], "permute");
        check(!seen[axis], "permute: axis {} is named twice in {}", order[i], order);
        seen[axis] = true;
        shape[i] = x.shape()[axis];
        strides[i] = x.strides()[axis];
        inverse[axis] = i;
    }
    return record_view("permute", x, shape, strides,
                       [=](const Tensor& g) { return permute(g, inverse); });
}

Tensor slice(const Tensor& x, Integer axis, Integer begin, Integer end, Integer step) {
    check_defined("slice", x);
    const int a = x.shape().axis(axis, "slice");
    const int64_t size = x.shape()[a];
    if (begin < 0) begin = begin + size;
    if (end < 0) end = end + size;
    check(step >= 1, "slice: the step must be at least 1, got {}", step);
    check(begin >= 0 && begin <= end && end <= size,
          "slice: [{}, {}) is not inside axis {} of shape {}", begin, end, axis, x.shape());
    const int64_t count = begin == end ? 0 : (end - begin - 1) / step + 1;
    return window_of(x, {a, begin, count, step});
}

Tensor slice(const Tensor& x, Integer axis, const Slice& range) {
    check_defined("slice", x);
    const bool to_the_end = range.end == Slice::to_the_end;
    return slice(x, axis, range.begin, to_the_end ? x.size(axis) : range.end, range.step);
}

Tensor select(const Tensor& x, Integer axis, Integer index) {
    check_defined("select", x);
    const int a = x.shape().axis(axis, "select");
    const int64_t size = x.shape()[a];
    check(index >= -size && index < size, "select: index {} is outside axis {} of shape {}", index,
          axis, x.shape());
    const Window window{a, index < 0 ? index + size : index.value, 1, 1};
    const auto drop_axis = [a](const Tensor& whole) {
        Shape shape;
        Strides strides;
        for (int i = 0; i < whole.dim(); ++i)
            if (i != a) {
                shape.push(whole.shape()[i]);
                strides.push(whole.strides()[i]);
            }
        return view_of(whole, shape, strides);
    };
    return record("select", drop_axis(window_view(x, window)), x,
                  in_place(
                      [shape = x.shape(), window](const Tensor& g) {
                          return put_in_window(unsqueeze(g, window.axis), shape, window);
                      },
                      [=](const Tensor& g, GradientSum sum) {
                          add_to_view(drop_axis(window_view(sum.open(), window)), g);
                      }));
}

Tensor expand(const Tensor& x, const Shape& shape) {
    check_defined("expand", x);
    for (int64_t size : shape) check(size >= 0, "expand: a size cannot be {}", size);
    check(broadcasts_to(x.shape(), shape),
          "expand: {} does not expand to {} (aligned at the last axis, sizes must be equal or 1)",
          x.shape(), shape);
    Strides strides;
    strides.count = shape.count;
    for (int i = 0; i < shape.count; ++i) {
        const int from = i - (shape.count - x.dim());
        strides[i] = from < 0 || x.shape()[from] != shape[i] ? 0 : x.strides()[from];
    }
    // The backward pass sums the gradient over the axes that were expanded.
    return record_view("expand", x, shape, strides, [](const Tensor& g) { return g; });
}

Tensor squeeze(const Tensor& x, Integer axis) {
    check_defined("squeeze", x);
    const int a = x.shape().axis(axis, "squeeze");
    check(x.shape()[a] == 1, "squeeze: axis {} of shape {} does not have size 1", axis, x.shape());
    Shape shape;
    Strides strides;
    for (int i = 0; i < x.dim(); ++i)
        if (i != a) {
            shape.push(x.shape()[i]);
            strides.push(x.strides()[i]);
        }
    return record_view("squeeze", x, shape, strides,
                       [a](const Tensor& g) { return unsqueeze(g, a); });
}

Tensor unsqueeze(const Tensor& x, Integer axis) {
    const UserCall named("unsqueeze");
    check_defined("unsqueeze", x);
    const int a = axis < 0 ? axis + x.dim() + 1 : axis.value;
    check(a >= 0 && a <= x.dim(), "unsqueeze: axis {} cannot be inserted into shape {}", axis,
          x.shape());
    Shape shape;
    Strides strides;
    for (int i = 0; i <= x.dim(); ++i) {
        if (i == a) {
            shape.push(1);
            strides.push(0);
        }
        if (i < x.dim()) {
            shape.push(x.shape()[i]);
            strides.push(x.strides()[i]);
        }
    }
    return record_view("unsqueeze", x, shape, strides,
                       [a](const Tensor& g) { return squeeze(g, a); });
}

Tensor flip(const Tensor& x, Integer axis) {
    check_defined("flip", x);
    const int a = x.shape().axis(axis, "flip");
    Strides strides = x.strides();
    strides[a] = -strides[a];
    const int64_t last = std::max<int64_t>(x.shape()[a] - 1, 0) * x.strides()[a];
    return record("flip", view_of(x, x.shape(), strides, last), x,
                  [a](const Tensor& g) { return flip(g, a); });
}

Tensor roll(const Tensor& x, Integer shift, Integer axis) {
    check_defined("roll", x);
    const int a = x.shape().axis(axis, "roll");
    const int64_t size = x.shape()[a];
    if (size == 0) return x;
    const int64_t moved = (size - shift % size) % size;  // the first element of the result
    return concat({slice(x, a, moved, size), slice(x, a, 0, moved)}, a);
}

// --- dividing and joining -----------------------------------------------------------------------

std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, Integer axis) {
    check_defined("split", x);
    const int a = x.shape().axis(axis, "split");
    int64_t total = 0;
    for (int64_t size : sizes) {
        check(size >= 0, "split: a piece of size {}; expected at least 0", size);
        total = add_sizes(total, size);
    }
    check(total == x.shape()[a], "split: the sizes add up to {}, but axis {} of shape {} has {}",
          total, axis, x.shape(), x.shape()[a]);
    std::vector<Tensor> pieces;
    int64_t begin = 0;
    for (int64_t size : sizes) {
        pieces.push_back(slice(x, a, begin, begin + size));
        begin += size;
    }
    return pieces;
}

std::vector<Tensor> split(const Tensor& x, Integer size, Integer axis) {
    check_defined("split", x);
    const int a = x.shape().axis(axis, "split");
    check(size > 0, "split: pieces of size {}; they need at least 1", size);
    std::vector<int64_t> sizes(x.shape()[a] / size, size);
    if (const int64_t rest = x.shape()[a] % size; rest > 0) sizes.push_back(rest);
    return split(x, sizes, a);
}

std::vector<Tensor> chunk(const Tensor& x, Integer pieces, Integer axis) {
    check_defined("chunk", x);
    const int a = x.shape().axis(axis, "chunk");
    check(pieces > 0 && x.shape()[a] % pieces == 0,
          "chunk: axis {} of shape {} does not divide into {} equal pieces; split() takes sizes",
          axis, x.shape(), pieces);
    return split(x, std::vector<int64_t>(pieces, x.shape()[a] / pieces), a);
}

std::vector<Tensor> unbind(const Tensor& x, Integer axis) {
    check_defined("unbind", x);
    const int a = x.shape().axis(axis, "unbind");
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < x.shape()[a]; ++i) parts.push_back(select(x, a, i));
    return parts;
}

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

// --- triangles and diagonals --------------------------------------------------------------------

namespace {

// 1 where kept(column - row), for the last two axes of x.
template <class Kept>
Tensor triangle(const Tensor& x, const char* name, Kept kept) {
    check(x.dim() >= 2, "{}: expected at least two axes, got shape {}", name, x.shape());
    const int64_t rows = x.size(-2), columns = x.size(-1);
    Tensor mask = zeros({rows, columns}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        T* to = mask.edit<T>();
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) to[i * columns + j] = kept(j - i) ? 1 : 0;
    });
    return mask;
}

// Diagonal d of the axes a and b as a view with a new last axis. Not recorded.
Tensor diagonal_view(const Tensor& x, int64_t d, int a, int b) {
    Shape shape;
    Strides strides;
    for (int i = 0; i < x.dim(); ++i)
        if (i != a && i != b) {
            shape.push(x.shape()[i]);
            strides.push(x.strides()[i]);
        }
    d = std::clamp(d, -x.shape()[a], x.shape()[b]);  // beyond these it has no elements
    const int64_t row = std::max<int64_t>(-d, 0), column = std::max<int64_t>(d, 0);
    const int64_t length = std::min(x.shape()[a] - row, x.shape()[b] - column);
    shape.push(std::max<int64_t>(length, 0));
    strides.push(add_sizes(x.strides()[a], x.strides()[b]));
    const int64_t first = length > 0 ? row * x.strides()[a] + column * x.strides()[b] : 0;
    return view_of(x, shape, strides, first);
}

struct TwoAxes {
    int a, b;
    TwoAxes(const Shape& shape, int first, int second, const char* name)
        : a(shape.axis(first, name)), b(shape.axis(second, name)) {
        check(a != b, "{}: the two axes are the same, {} of shape {}", name, first, shape);
    }
};

}  // namespace

Tensor tril(const Tensor& x, Integer d) {
    check_defined("tril", x);
    return where(triangle(x, "tril", [d](int64_t right) { return right <= d; }), x, 0.0);
}
Tensor triu(const Tensor& x, Integer d) {
    check_defined("triu", x);
    return where(triangle(x, "triu", [d](int64_t right) { return right >= d; }), x, 0.0);
}

Tensor diagonal(const Tensor& x, Integer d, Integer first, Integer second) {
    check_defined("diagonal", x);
    const auto [a, b] = TwoAxes(x.shape(), first, second, "diagonal");
    return record("diagonal", diagonal_view(x, d, a, b), x,
                  [=, shape = x.shape(), rows = a, columns = b](const Tensor& g) {
                      return put_on_diagonal(g, shape, d, rows, columns);
                  });
}

Tensor put_on_diagonal(const Tensor& x, const Shape& shape, Integer d, Integer first,
                       Integer second) {
    const UserCall named("put_on_diagonal");
    check_defined("put_on_diagonal", x);
    const auto [a, b] = TwoAxes(shape, first, second, "put_on_diagonal");
    Tensor y = zeros(shape, x.dtype());
    const Tensor to = diagonal_view(y, d, a, b);
    check(x.shape() == to.shape(), "put_on_diagonal: diagonal {} of shape {} is {}, got {}", d,
          shape, to.shape(), x.shape());
    copy_to_view(to, x);
    return record("put_on_diagonal", std::move(y), x, [=, rows = a, columns = b](const Tensor& g) {
        return diagonal(g, d, rows, columns);
    });
}

Tensor diag(const Tensor& x, Integer d) {
    check_defined("diag", x);
    check(x.dim() == 1 || x.dim() == 2, "diag: expected a vector or a matrix, got shape {}",
          x.shape());
    if (x.dim() == 2) return diagonal(x, d);
    const int64_t most = std::numeric_limits<int64_t>::max();
    const int64_t size = add_sizes(x.size(0), std::abs(std::max(d.value, -most)));
    return put_on_diagonal(x, {size, size}, d);
}

}  // namespace heed
