#include "lessons/course/exercise/write.h"

// The softmax runs over the k largest scores, and each result goes back to its expert.
Tensor my_weights(const Tensor& scores, int k) {
    const auto [best, experts] = topk(scores, k);  // [N, k]
    return scatter_add(scores.shape(), 1, experts, softmax(best));
}
