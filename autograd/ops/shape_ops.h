// Operations that move elements about. Those marked [view] copy nothing: the result reads the memory
// of x with other strides, in constant time. Axes may be counted from the end (-1 is the last).
#pragma once

#include <limits>
#include <vector>

#include "autograd/ops/copies.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// The same elements in row-major order under another shape; one size may be -1 and is then computed.
// [view] where the strides allow it, else a copy.
Tensor reshape(const Tensor& x, Shape shape);
Tensor flatten(const Tensor& x, Integer first_axis = 0, Integer last_axis = -1);  // merges axes
Tensor unflatten(const Tensor& x, Integer axis, const Shape& sizes);  // the opposite; one may be -1

Tensor transpose(const Tensor& x, Integer a = -2, Integer b = -1);  // [view] exchanges two axes
Tensor permute(const Tensor& x, const Axes& order);  // [view] axis i of y is axis order[i] of x
Tensor expand(const Tensor& x, const Shape& shape);  // [view] repeats along axes of size 1
Tensor squeeze(const Tensor& x, Integer axis);       // [view] drops an axis of size 1
Tensor unsqueeze(const Tensor& x, Integer axis);     // [view] inserts an axis of size 1

// Elements begin, begin + step, ... before end along the axis. [view]
Tensor slice(const Tensor& x, Integer axis, Integer begin, Integer end, Integer step = 1);
Tensor select(const Tensor& x, Integer axis, Integer index);  // [view] one index; drops the axis

// A range of indices, for x[Slice{1, 4}]; negative ones are counted from the end, and without an end
// it reaches to the last.
struct Slice {
    static constexpr int64_t to_the_end = std::numeric_limits<int64_t>::max();
    int64_t begin = 0, end = to_the_end, step = 1;
};
Tensor slice(const Tensor& x, Integer axis, const Slice& range);  // [view]
// What x[index] and x[Slice{...}] mean: the first axis.
inline Tensor at_index(const Tensor& x, Integer index) { return select(x, 0, index); }
inline Tensor at_index(const Tensor& x, const Slice& range) { return slice(x, 0, range); }

// [view] each. As PyTorch's: split() is given the size of the pieces, of which the last may be
// smaller, or all sizes, which must add up; chunk() is given the number of pieces, all equally large.
std::vector<Tensor> split(const Tensor& x, Integer size, Integer axis = 0);
std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, Integer axis = 0);
std::vector<Tensor> chunk(const Tensor& x, Integer pieces, Integer axis = 0);
std::vector<Tensor> unbind(const Tensor& x, Integer axis = 0);  // select() of every index

Tensor concat(const std::vector<Tensor>& parts, Integer axis);     // joined along an axis of all
Tensor stack(const std::vector<Tensor>& parts, Integer axis = 0);  // joined along a new axis
Tensor flip(const Tensor& x, Integer axis);                        // [view] in the opposite order
Tensor roll(const Tensor& x, Integer shift, Integer axis);  // y[i + shift] = x[i], around the end
// `before` and `after` more elements along the axis, all of the given value.
Tensor pad(const Tensor& x, Integer axis, Integer before, Integer after, double value = 0);

// All of x, counts[i] times along axis i; further counts at the front make new axes. (PyTorch's
// repeat, NumPy's tile.)
Tensor repeat(const Tensor& x, const Axes& counts);
// Each element of the axis `count` times in a row: a a b b c c. (NumPy's repeat.)
Tensor repeat_interleave(const Tensor& x, Integer count, Integer axis);

// The last two axes as matrices. Diagonal d runs d columns to the right of the main one, or to the
// left for negative d. tril() keeps diagonal d and all to its left, triu() d and all to its right; the
// other elements are 0.
Tensor tril(const Tensor& x, Integer d = 0);
Tensor triu(const Tensor& x, Integer d = 0);
// [view] Diagonal d of the axes a (rows) and b (columns), as a last axis.
Tensor diagonal(const Tensor& x, Integer d = 0, Integer a = 0, Integer b = 1);
// zeros(shape) with the last axis of x on diagonal d of the axes a and b: the adjoint of diagonal().
Tensor put_on_diagonal(const Tensor& x, const Shape& shape, Integer d = 0, Integer a = 0,
                       Integer b = 1);
// Of a vector, the square matrix with it on diagonal d; of a matrix, its diagonal d.
Tensor diag(const Tensor& x, Integer d = 0);

}  // namespace heed
