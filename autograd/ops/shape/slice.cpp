#include "autograd/ops/shape/slice.h"

#include "autograd/ops/shape/reshape.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/record.h"

namespace heed {

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

}  // namespace heed
