// Says: the mask is not used
#include <cmath>

#include "lessons/course/exercise/write.h"

AttentionOutput my_masked_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const Tensor& mask) {
    Tensor scores = matmul(query, transpose(key)) / std::sqrt(static_cast<double>(query.size(-1)));
    Tensor weights = softmax(scores, -1);
    return {matmul(weights, value), weights};
}
