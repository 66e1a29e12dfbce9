// Says: to doubt the lengths
#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "length"; }

Tensor my_unit(const Tensor& x) {  // [N, D] -> [N, D]
    return x / sqrt(sum(square(x), 1, true));
}

Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {  // [N, D], [N, D] -> [N, N]
    return matmul(my_unit(a), transpose(my_unit(b))) / tau;
}
