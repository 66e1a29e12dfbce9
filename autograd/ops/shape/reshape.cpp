#include "autograd/ops/shape/reshape.h"

#include <algorithm>
#include <optional>

#include "autograd/base/user_call.h"
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

}  // namespace heed
