// A range of an axis, one index of it, and all of it in pieces. Each is a view: the result reads the
// memory of x.
#pragma once

#include <limits>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// Elements begin, begin + step, ... before end along the axis.
Tensor slice(const Tensor& x, Integer axis, Integer begin, Integer end, Integer step = 1);
Tensor select(const Tensor& x, Integer axis, Integer index);  // one index; drops the axis

// A range of indices, for x[Slice{1, 4}]; negative ones are counted from the end, and without an end
// it reaches to the last.
struct Slice {
    static constexpr int64_t to_the_end = std::numeric_limits<int64_t>::max();
    int64_t begin = 0, end = to_the_end, step = 1;
};
Tensor slice(const Tensor& x, Integer axis, const Slice& range);
// What x[index] and x[Slice{...}] mean: the first axis.
inline Tensor at_index(const Tensor& x, Integer index) { return select(x, 0, index); }
inline Tensor at_index(const Tensor& x, const Slice& range) { return slice(x, 0, range); }

// As PyTorch's: split() is given the size of the pieces, of which the last may be smaller, or all
// sizes, which must add up; chunk() is given the number of pieces, all equally large.
std::vector<Tensor> split(const Tensor& x, Integer size, Integer axis = 0);
std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, Integer axis = 0);
std::vector<Tensor> chunk(const Tensor& x, Integer pieces, Integer axis = 0);
std::vector<Tensor> unbind(const Tensor& x, Integer axis = 0);  // select() of every index

}  // namespace heed
