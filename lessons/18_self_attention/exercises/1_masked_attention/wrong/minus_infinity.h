// Says: an example without allowed keys: weights 0, not NaN
#include <cmath>

#include "lessons/course/exercise/write.h"

AttentionOutput my_masked_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& mask) {
    Tensor scores = matmul(query, transpose(key)) / std::sqrt(static_cast<double>(query.size(-1)));
    if (mask.defined()) scores = where(mask != 0, scores, -INFINITY);
    Tensor weights = softmax(scores, -1);
    if (mask.defined()) weights = weights * to_dtype(mask, weights.dtype());
    return {matmul(weights, value), weights};
}
