// Says: the mask is the other way round: 1 means allowed
#include <cmath>

#include "lessons/course/exercise/write.h"

AttentionOutput my_masked_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& mask) {
    Tensor scores = matmul(query, transpose(key)) / std::sqrt(static_cast<double>(query.size(-1)));
    if (mask.defined()) scores = where(mask == 0, scores, -1e30);
    Tensor weights = softmax(scores, -1);
    if (mask.defined()) weights = weights * (1 - to_dtype(mask, weights.dtype()));
    return {matmul(weights, value), weights};
}
