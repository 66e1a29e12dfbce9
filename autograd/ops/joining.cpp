// The shape operations that put tensors together and take them apart.
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/windows.h"
#include "autograd/record/record.h"

namespace heed {

std::vector<Tensor> split(const Tensor& x, int axis, const std::vector<int64_t>& sizes) {
    const int a = x.shape().axis(axis, "split");
    int64_t total = 0;
    for (int64_t size : sizes) total += size;
    check(total == x.shape()[a], "split: the sizes add up to {}, but axis {} of shape {} has {}",
          total, axis, x.shape(), x.shape()[a]);
    std::vector<Tensor> parts;
    int64_t begin = 0;
    for (int64_t size : sizes) {
        parts.push_back(slice(x, a, begin, begin + size));
        begin += size;
    }
    return parts;
}

std::vector<Tensor> split(const Tensor& x, int axis, int64_t equal_parts) {
    const int a = x.shape().axis(axis, "split");
    check(equal_parts > 0 && x.shape()[a] % equal_parts == 0,
          "split: axis {} of shape {} does not divide into {} equal parts", axis, x.shape(),
          equal_parts);
    return split(x, a, std::vector<int64_t>(equal_parts, x.shape()[a] / equal_parts));
}

std::vector<Tensor> unbind(const Tensor& x, int axis) {
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < x.size(axis); ++i) parts.push_back(select(x, axis, i));
    return parts;
}

Tensor concat(const std::vector<Tensor>& parts, int axis) {
    check(!parts.empty(), "concat: expected at least one tensor");
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
        copy_to_view(look_through(value, windows[i]), parts[i]);
    return record_many(
        "concat", std::move(value), parts,
        [windows](std::size_t i, const Tensor& g) { return window_of(g, windows[i]); });
}

Tensor stack(const std::vector<Tensor>& parts, int axis) {
    check(!parts.empty(), "stack: expected at least one tensor");
    const int a = axis < 0 ? axis + parts[0].dim() + 1 : axis;
    check(a >= 0 && a <= parts[0].dim(), "stack: there is no place {} for an axis in shape {}",
          axis, parts[0].shape());
    Tensor value;
    {
        NoGrad no_grad;
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

Tensor pad(const Tensor& x, int axis, int64_t before, int64_t after, double value) {
    const int a = x.shape().axis(axis, "pad");
    check(before >= 0 && after >= 0, "pad: cannot add {} and {} elements; slice() takes away",
          before, after);
    Shape shape = x.shape();
    shape[a] += before + after;
    const Window window{a, before, x.shape()[a], 1};
    Tensor padded = full(shape, value, x.dtype());
    copy_to_view(look_through(padded, window), x);
    return record("pad", std::move(padded), x,
                  [window](const Tensor& g) { return window_of(g, window); });
}

}  // namespace heed
