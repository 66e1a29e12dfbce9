// Says: the gradient got the norm 1, and not m
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<Tensor> my_clip(const std::vector<Tensor>& gradients, double longest) {
    double squares = 0;
    for (const Tensor& g : gradients) squares += sum(square(g)).item();
    const double norm = std::sqrt(squares);
    if (norm <= longest) return gradients;
    std::vector<Tensor> clipped;
    for (const Tensor& g : gradients) clipped.push_back(g * (1 / norm));
    return clipped;
}
