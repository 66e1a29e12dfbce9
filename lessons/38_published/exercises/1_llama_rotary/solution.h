#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

// Only how the pairs are taken out of a row and put back depends on the layout.
Tensor my_rotary(const Tensor& x, int64_t first, double base, bool halves) {
    const int64_t T = x.size(-2), D = x.size(-1);
    std::vector<double> angles;
    for (int64_t t = first; t < first + T; ++t)
        for (int64_t i = 0; i < D / 2; ++i) angles.push_back(t * std::pow(base, -2. * i / D));
    const Tensor angle = tensor(angles, {T, D / 2}, x.dtype());

    const Tensor a = halves ? slice(x, -1, 0, D / 2) : slice(x, -1, 0, D, 2),  // [..., T, D/2]
        b = halves ? slice(x, -1, D / 2, D) : slice(x, -1, 1, D, 2);
    const Tensor a1 = a * cos(angle) - b * sin(angle), b1 = a * sin(angle) + b * cos(angle);
    if (halves) return concat({a1, b1}, -1);
    return reshape(stack({a1, b1}, -1), x.shape());
}
