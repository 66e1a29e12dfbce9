// Says: to doubt the order
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "permutation"; }

Tensor my_scores(const Tensor& targets, const Tensor& sources, const Tensor& W_t, const Tensor& W_s,
                 const Tensor& a) {
    const Tensor of_target = linear(targets, W_t);  // [Q, F]
    const Tensor of_source = linear(sources, W_s);  // [K, F]
    return matmul(leaky_relu(unsqueeze(of_target, 1) + unsqueeze(of_source, 0), 0.2), a);
}
