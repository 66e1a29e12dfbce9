#include <cmath>

#include "lessons/course/exercise/write.h"

// The dot products of the query with all keys at once are a product of the matrix with the vector.
Tensor my_scores(const Tensor& q, const Tensor& keys) {  // [D], [N, D] -> [N]
    return matmul(keys, q) / std::sqrt(static_cast<double>(q.size(0)));
}

// The mean of the values is a product, too: the weights as a row, times the matrix of the values.
Tensor my_context(const Tensor& q, const Tensor& keys, const Tensor& values) {  // [V]
    return matmul(softmax(my_scores(q, keys)), values);
}
