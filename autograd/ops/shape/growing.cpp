#include "autograd/ops/shape/growing.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/storage.h"

namespace heed {
namespace {

Shape with_size(Shape shape, int axis, int64_t size) {
    shape[axis] = size;
    return shape;
}

// The first `size` elements of a buffer along the axis.
Tensor first_of(const Tensor& buffer, int axis, int64_t size) {
    return view_of(buffer, with_size(buffer.shape(), axis, size), buffer.strides());
}

// The whole buffer that x is the first part of, if its next `count` elements along the axis are free;
// else not defined. They are free where nothing was appended, and also if x is the only view of the
// buffer that is left: then nobody can read what was appended.
Tensor buffer_with_capacity(const Tensor& x, int axis, int64_t count) {
    const Storage& storage = *x.body()->storage;
    const int64_t size = x.size(axis);
    const bool is_free = storage.used == size || storage.references == 1;
    if (!is_free || size + count > storage.capacity) return {};
    const Shape whole = with_size(x.shape(), axis, storage.capacity);
    const bool is_first = x.body()->bytes == x.body()->storage->numbers() &&
                          x.strides() == contiguous_strides(whole) &&
                          storage.bytes == static_cast<std::size_t>(whole.numel()) *
                                               (x.dtype() == Dtype::float32 ? 4 : 8);
    return is_first ? view_of(x, whole, x.strides()) : Tensor();
}

// A new buffer of this capacity that begins with x.
Tensor buffer_from(const Tensor& x, int axis, int64_t capacity) {
    Tensor buffer = empty(with_size(x.shape(), axis, capacity), x.dtype());
    buffer.body()->storage->capacity = capacity;
    copy_to_view(first_of(buffer, axis, x.size(axis)), x);
    return buffer;
}

}  // namespace

Tensor reserve(const Tensor& x, Integer axis, Integer size) {
    const UserCall named("reserve");
    check_defined("reserve", x);
    const int a = x.shape().axis(axis, "reserve");
    const int64_t now = x.size(a);
    check(size >= now, "reserve: {} along axis {} of x {}; expected at least its size", size, a,
          x.shape());
    check(!grad_enabled() || !x.requires_grad(),
          "reserve: x {} has a gradient; it is for decoding, under NoGrad", x.shape());
    if (buffer_with_capacity(x, a, size - now).defined()) return x;
    const Tensor buffer = buffer_from(x, a, size);
    buffer.body()->storage->used = now;
    return first_of(buffer, a, now);
}

Tensor append(const Tensor& x, const Tensor& more, Integer axis) {
    const UserCall named("append");
    check_defined("append", x, more);
    const bool recorded = grad_enabled() && (x.requires_grad() || more.requires_grad());
    const int a = x.shape().axis(axis, "append");
    const int64_t before = x.size(a), count = more.dim() == x.dim() ? more.size(a) : 0;
    if (recorded || !(more.shape() == with_size(x.shape(), a, count)))
        return concat({x, more}, axis);  // which throws for shapes that do not fit
    check_same_dtype(x, more, "append");

    Tensor buffer = buffer_with_capacity(x, a, count);
    if (!buffer.defined()) buffer = buffer_from(x, a, 2 * (before + count) + 14);
    copy_to_view(window_view(buffer, {a, before, count, 1}), more);
    buffer.body()->storage->used = before + count;
    return first_of(buffer, a, before + count);
}

}  // namespace heed
