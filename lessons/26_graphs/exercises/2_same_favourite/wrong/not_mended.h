// Says: the vector a is applied before the LeakyReLU
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "own favourite"; }

Tensor my_scores(const Tensor& targets, const Tensor& sources, const Tensor& W_t, const Tensor& W_s,
                 const Tensor& a) {
    const Tensor of_target = matmul(linear(targets, W_t), a);
    const Tensor of_source = matmul(linear(sources, W_s), a);
    return leaky_relu(unsqueeze(of_target, 1) + unsqueeze(of_source, 0), 0.2);
}
