// Says: each gradient was clipped alone, with its own norm
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

std::vector<Tensor> my_clip(const std::vector<Tensor>& gradients, double longest) {
    std::vector<Tensor> clipped;
    for (const Tensor& g : gradients) {
        const double norm = std::sqrt(sum(square(g)).item());
        clipped.push_back(norm <= longest ? g : g * (longest / norm));
    }
    return clipped;
}
