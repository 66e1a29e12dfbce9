#include <cmath>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

// at() returns a plain number, which the tape does not know. So the backward pass takes the lengths
// as constants. Then a longer vector seems to raise the score, and training makes the vectors grow.
std::string my_broken_law() { return "gradient"; }

// With operations on tensors, the lengths are recorded too.
Tensor my_unit(const Tensor& x) {  // [N, D] -> [N, D]
    return x / sqrt(sum(square(x), 1, true));
}

Tensor my_scores(const Tensor& a, const Tensor& b, double tau) {  // [N, D], [N, D] -> [N, N]
    return matmul(my_unit(a), transpose(my_unit(b))) / tau;
}
