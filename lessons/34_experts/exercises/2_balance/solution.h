#include "lessons/course/exercise/write.h"

Tensor my_balance(const Tensor& scores, const Tensor& chosen, int k) {
    const Tensor shares = mean(chosen, 0) / double(k);    // g [E]
    const Tensor probability = mean(softmax(scores), 0);  // P [E]
    return double(scores.size(1)) * sum(shares * probability);
}
