// Matrix products, C = A B, for float and double. One function for all shapes and layouts: operands
// are given by pointer and two strides, so a transposed matrix, a slice or a broadcast row is
// multiplied without a copy. gemm.cpp says how it is computed and why it is fast.
//
// Every element of C is the sum over k in one fixed order that depends on the sizes and strides
// only, so the result has the same bits with any number of threads.
#pragma once

#include <cstdint>

namespace heed {

// A matrix in memory: element (i, j) is data[i * row_stride + j * column_stride]. Swapping the
// strides transposes it; a stride of 0 repeats one row or column.
template <class T>
struct Matrix {
    T* data = nullptr;
    int64_t rows = 0, columns = 0;
    int64_t row_stride = 0, column_stride = 0;

    T& operator()(int64_t i, int64_t j) const { return data[i * row_stride + j * column_stride]; }
};

template <class T>
Matrix<T> transposed(Matrix<T> x) {
    return {x.data, x.columns, x.rows, x.column_stride, x.row_stride};
}

// What a product is, as three plain loops: C = A B, or C += A B with accumulate, plus the bias in
// every row. gemm_blocked.h has the same loops in blocks; gemm() below gives the same up to rounding, some
// hundred times as fast.
template <class T>
void gemm_definition(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate = false,
                     const T* bias = nullptr) {
    for (int64_t i = 0; i < c.rows; ++i)
        for (int64_t j = 0; j < c.columns; ++j) {
            T sum = bias ? bias[j] : T(0);
            for (int64_t p = 0; p < a.columns; ++p) sum += a(i, p) * b(p, j);
            c(i, j) = accumulate ? c(i, j) + sum : sum;
        }
}

// C = A B, or C += A B with accumulate; with a bias, its j-th number is added to the whole of
// column j. A is [m, k], B [k, n], C [m, n], bias [n] (contiguous). Any size may be 0: with k = 0
// the product is all zeros. The caller guarantees that the sizes agree and that C does not overlap A
// or B.
template <class T>
void gemm(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, bool accumulate = false,
          const T* bias = nullptr);

// `count` products of one size: operand i lies i * step after the first. A step of 0 for A or B
// uses the same matrix every time; a step of 0 for C (with accumulate) adds all products up.
template <class T>
void gemm_batched(int64_t count, Matrix<const T> a, int64_t a_step, Matrix<const T> b,
                  int64_t b_step, Matrix<T> c, int64_t c_step, bool accumulate = false);

}  // namespace heed
