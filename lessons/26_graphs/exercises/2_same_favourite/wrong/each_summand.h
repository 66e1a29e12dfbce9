// Says: LeakyReLU is applied to both summands
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "own favourite"; }

Tensor my_scores(const Tensor& targets, const Tensor& sources, const Tensor& W_t, const Tensor& W_s,
                 const Tensor& a) {
    const Tensor of_target = leaky_relu(linear(targets, W_t), 0.2);  // [Q, F]
    const Tensor of_source = leaky_relu(linear(sources, W_s), 0.2);  // [K, F]
    return matmul(unsqueeze(of_target, 1) + unsqueeze(of_source, 0), a);
}
