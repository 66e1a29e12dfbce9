#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

double my_sum(const std::vector<double>& e, int64_t allowed) {
    const Tensor weights = softmax(tensor(e, Dtype::float64));
    return sum(slice(weights, 0, 0, allowed)).item();
}

// The forbidden key is part of the sum that all weights are divided by. So the future leaks: the
// length of the context tells how well a later token fits the query.
std::string my_influence() { return "it shrinks"; }

AttentionOutput my_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                             const Tensor& mask) {
    const Tensor scores =
        matmul(query, transpose(key)) / std::sqrt(static_cast<double>(key.size(1)));
    const Tensor weights = softmax(where(mask, scores, -INFINITY), -1);
    return {matmul(weights, value), weights};
}
