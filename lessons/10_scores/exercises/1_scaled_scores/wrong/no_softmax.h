// Says: the values are weighed with the scores, without a softmax
#include <cmath>

#include "lessons/course/exercise/write.h"

Tensor my_scores(const Tensor& q, const Tensor& keys) {
    return matmul(keys, q) / std::sqrt(static_cast<double>(q.size(0)));
}

Tensor my_context(const Tensor& q, const Tensor& keys, const Tensor& values) {
    return matmul(my_scores(q, keys), values);
}
