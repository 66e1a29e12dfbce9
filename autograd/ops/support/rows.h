// The rows of a tensor along its last axis, for the fused kernels: the first element of each row, and
// the threads over all rows. kernels/registers.h has the loop within a row.
#pragma once

#include "autograd/kernels/loops.h"
#include "autograd/kernels/registers.h"
#include "autograd/tensor/tensor.h"

namespace heed {
inline namespace HEED_REGISTERS {

// x itself if the numbers of each row are contiguous, else a copy of which this is true.
inline Tensor contiguous_rows(const Tensor& x) {
    return x.dim() == 0 || x.shape().back() == 1 || x.strides().back() == 1 ? x : copy_of(x);
}

// The first elements of the rows of x, broadcast to `shape`. Copies nothing.
template <class T>
class Rows {
  public:
    Rows(const Tensor& x, const Shape& shape)
        : source_(x), step_(step_of(x)), nest_(nest_of(x, shape)) {}
    explicit Rows(const Tensor& x) : Rows(contiguous_rows(x), x.shape()) {}

    const T* operator[](int64_t row) const {
        int64_t offset = 0;
        int axis = nest_.axes - 1;
        for (; axis > 0; --axis, row /= nest_.size[axis + 1])
            offset += row % nest_.size[axis] * nest_.stride[axis][0];
        return source_.template data<T>() + offset + row * nest_.stride[0][0];
    }
    int64_t step() const { return step_; }  // from one number of a row to the next

  private:
    static int64_t step_of(const Tensor& x) {
        return x.dim() == 0 || x.shape().back() == 1 ? 0 : x.strides().back();
    }
    // The loops over all axes but the last.
    static LoopNest<1> nest_of(const Tensor& x, Shape shape) {
        Layout rows = x.layout();
        if (rows.shape.count > 0) rows.strides.count = --rows.shape.count;
        --shape.count;
        return LoopNest<1>(shape, {&rows});
    }

    Tensor source_;
    int64_t step_ = 0;
    LoopNest<1> nest_;
};

// How many rows there are; their length may be 0.
inline int64_t rows_of(Shape shape) {
    --shape.count;
    return shape.numel();
}

// How many rows of n numbers one thread takes at a time.
inline int64_t rows_per_chunk(int64_t n) {
    return std::max<int64_t>(1, parallel_grain / 2 / std::max<int64_t>(n, 1));
}

// f(row) for every row of a tensor of this shape, on all threads; also for rows of no numbers.
template <class F>
void for_each_row(const Shape& shape, const F& f) {
    parallel_for(rows_of(shape), rows_per_chunk(shape.back()), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) f(row);
    });
}

}  // namespace HEED_REGISTERS
}  // namespace heed
