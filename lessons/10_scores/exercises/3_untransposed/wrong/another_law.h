// Says: to doubt the sum
#include <cmath>
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "distribution"; }

// query [B, Q, D], key [B, K, D], value [B, K, V]; the mask says which keys are allowed.
AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const Tensor& mask) {
    const int64_t D = key.size(2);
    const Tensor columns = transpose(key);  // [B, D, K], a column for each key
    const Tensor scores = matmul(query, columns) / std::sqrt(static_cast<double>(D));  // [B, Q, K]
    return soft_attention(scores, value, mask);
}
