// Says: each number was cut off at m
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<Tensor> my_clip(const std::vector<Tensor>& gradients, double longest) {
    std::vector<Tensor> clipped;
    for (const Tensor& g : gradients) clipped.push_back(clamp(g, -longest, longest));
    return clipped;
}
