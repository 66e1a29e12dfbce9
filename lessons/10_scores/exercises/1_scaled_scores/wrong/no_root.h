// Says: the scores are not divided by the root of the width
#include "lessons/course/exercise/write.h"

Tensor my_scores(const Tensor& q, const Tensor& keys) { return matmul(keys, q); }

Tensor my_context(const Tensor& q, const Tensor& keys, const Tensor& values) {
    return matmul(softmax(my_scores(q, keys)), values);
}
