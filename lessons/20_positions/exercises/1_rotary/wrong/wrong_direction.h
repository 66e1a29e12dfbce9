// Says: it is rotated in the wrong direction
#include <cmath>
#include <vector>

#include "lessons/course/exercise/write.h"

Tensor my_rotary(const Tensor& x, int64_t first) {
    const int64_t T = x.size(0), D = x.size(1);
    std::vector<double> angles;
    for (int64_t t = first; t < first + T; ++t)
        for (int64_t i = 0; i < D / 2; ++i) angles.push_back(t * std::pow(10000., -2. * i / D));
    const Tensor angle = tensor(angles, {T, D / 2}, x.dtype());
    const Tensor even = slice(x, 1, 0, D, 2), odd = slice(x, 1, 1, D, 2);
    const Tensor a = even * cos(angle) + odd * sin(angle),
                 b = -even * sin(angle) + odd * cos(angle);
    return reshape(stack({a, b}, 2), {T, D});
}
