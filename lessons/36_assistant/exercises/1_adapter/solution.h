#include "lessons/course/exercise/write.h"

// First down to r numbers, then up again.
Tensor my_adapted(const Tensor& x, const Tensor& W, const Tensor& A, const Tensor& B, double s) {
    return matmul(x, transpose(W)) + matmul(matmul(x, transpose(A)), transpose(B)) * s;
}

Tensor my_merged(const Tensor& W, const Tensor& A, const Tensor& B, double s) {
    return W + matmul(B, A) * s;
}

double my_count(int in, int out, int r) { return r * (in + out); }
