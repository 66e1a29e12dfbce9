#include <string>

#include "lessons/course/exercise/write.h"

// The number of a source does not depend on the target, and LeakyReLU keeps the order of numbers.
// So the source with the largest number wins for every target.
std::string my_broken_law() { return "own favourite"; }

// The sum is a vector for each pair, [Q, K, F]. LeakyReLU changes each of its numbers before a adds
// them up, so the order of the sources can change with the target.
Tensor my_scores(const Tensor& targets, const Tensor& sources, const Tensor& W_t, const Tensor& W_s,
                 const Tensor& a) {
    const Tensor of_target = linear(targets, W_t);  // [Q, F]
    const Tensor of_source = linear(sources, W_s);  // [K, F]
    return matmul(leaky_relu(unsqueeze(of_target, 1) + unsqueeze(of_source, 0), 0.2), a);
}
