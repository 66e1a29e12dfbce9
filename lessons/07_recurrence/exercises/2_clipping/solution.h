#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

// One factor for all gradients, so their common direction stays as it is. The comparison leaves
// short gradients alone, and it avoids the division 0 / 0.
std::vector<Tensor> my_clip(const std::vector<Tensor>& gradients, double longest) {
    double squares = 0;
    for (const Tensor& g : gradients) squares += sum(square(g)).item();
    const double norm = std::sqrt(squares);
    if (norm <= longest) return gradients;
    std::vector<Tensor> clipped;
    for (const Tensor& g : gradients) clipped.push_back(g * (longest / norm));
    return clipped;
}
