#include "lessons/course/exercise/write.h"

// (W_Q x) . (W_K y) = x^T W_Q^T W_K y
Tensor my_qk(const Tensor& W_Q, const Tensor& W_K) { return matmul(transpose(W_Q), W_K); }

Tensor my_ov(const Tensor& W_O, const Tensor& W_V) { return matmul(W_O, W_V); }

// The note about each letter is a row of E ov^T.
Tensor my_composed(const Tensor& E, const Tensor& ov, const Tensor& qk) {
    const Tensor notes = matmul(E, transpose(ov));
    return matmul(matmul(E, qk), transpose(notes));
}
