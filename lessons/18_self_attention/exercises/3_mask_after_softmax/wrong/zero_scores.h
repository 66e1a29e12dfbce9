// Says: scores that are multiplied by the mask become 0, and exp(0) is 1
#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

double my_sum(const std::vector<double>& e, int64_t allowed) {
    const Tensor weights = softmax(tensor(e, Dtype::float64));
    return sum(slice(weights, 0, 0, allowed)).item();
}

std::string my_influence() { return "it shrinks"; }

AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const Tensor& mask) {
    const Tensor scores =
        matmul(query, transpose(key)) / std::sqrt(static_cast<double>(key.size(1)));
    const Tensor weights = softmax(scores * mask, -1);
    return {matmul(weights, value), weights};
}
