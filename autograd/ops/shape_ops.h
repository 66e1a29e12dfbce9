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
Tensor flatten(const Tensor& x, int first_axis = 0, int last_axis = -1);  // merges these axes
Tensor unflatten(const Tensor& x, int axis, const Shape& sizes);  // the opposite; one may be -1

Tensor transpose(const Tensor& x, int a = -2, int b = -1);  // [view] exchanges two axes
Tensor permute(const Tensor& x, const Axes& order);  // [view] axis i of y is axis order[i] of x
Tensor expand(const Tensor& x, const Shape& shape);  // [view] repeats along axes of size 1
Tensor squeeze(const Tensor& x, int axis);           // [view] drops an axis of size 1
Tensor unsqueeze(const Tensor& x, int axis);         // [view] inserts an axis of size 1

// Elements begin, begin + step, ... before end along the axis. [view]
Tensor slice(const Tensor& x, int axis, int64_t begin, int64_t end, int64_t step = 1);
Tensor select(const Tensor& x, int axis, int64_t index);  // [view] one index; the axis is dropped

// A range of indices, for x[Slice{1, 4}]; negative ones are counted from the end, and without an end
// it reaches to the last.
struct Slice {
    static constexpr int64_t to_the_end = std::numeric_limits<int64_t>::max();
    int64_t begin = 0, end = to_the_end, step = 1;
};
Tensor slice(const Tensor& x, int axis, const Slice& range);  // [view]
// What x[index] and x[Slice{...}] mean: the first axis.
inline Tensor at_index(const Tensor& x, int64_t index) { return select(x, 0, index); }
inline Tensor at_index(const Tensor& x, const Slice& range) { return slice(x, 0, range); }

// [view] each. As PyTorch's: split() is given the size of the pieces, of which the last may be
// smaller, or all sizes, which must add up; chunk() is given the number of pieces, all equally large.
std::vector<Tensor> split(const Tensor& x, int64_t size, int axis = 0);
std::vector<Tensor> split(const Tensor& x, const std::vector<int64_t>& sizes, int axis = 0);
std::vector<Tensor> chunk(const Tensor& x, int64_t pieces, int axis = 0);
std::vector<Tensor> unbind(const Tensor& x, int axis = 0);  // select() of every index

Tensor concat(const std::vector<Tensor>& parts, int axis);     // joined along an axis they all have
Tensor stack(const std::vector<Tensor>& parts, int axis = 0);  // joined along a new axis
Tensor flip(const Tensor& x, int axis);                        // [view] in the opposite order
Tensor roll(const Tensor& x, int64_t shift, int axis);  // y[i + shift] = x[i], around the end
// `before` and `after` more elements along the axis, all of the given value.
Tensor pad(const Tensor& x, int axis, int64_t before, int64_t after, double value = 0);

// All of x, counts[i] times along axis i; further counts at the front make new axes. (PyTorch's
// repeat, NumPy's tile.)
Tensor repeat(const Tensor& x, const Axes& counts);
// Each element of the axis `count` times in a row: a a b b c c. (NumPy's repeat.)
Tensor repeat_interleave(const Tensor& x, int64_t count, int axis);

// The last two axes as matrices. Diagonal d runs d columns to the right of the main one, or to the
// left for negative d. tril() keeps diagonal d and all to its left, triu() d and all to its right; the
// other elements are 0.
Tensor tril(const Tensor& x, int64_t d = 0);
Tensor triu(const Tensor& x, int64_t d = 0);
// [view] Diagonal d of the axes a (rows) and b (columns), as a last axis.
Tensor diagonal(const Tensor& x, int64_t d = 0, int a = 0, int b = 1);
// zeros(shape) with the last axis of x on diagonal d of the axes a and b: the adjoint of diagonal().
Tensor put_on_diagonal(const Tensor& x, const Shape& shape, int64_t d = 0, int a = 0, int b = 1);
// Of a vector, the square matrix with it on diagonal d; of a matrix, its diagonal d.
Tensor diag(const Tensor& x, int64_t d = 0);

}  // namespace heed
