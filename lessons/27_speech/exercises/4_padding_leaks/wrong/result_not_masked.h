// Says: the rows of padding are not set to 0 in the result
#include <string>

#include "lessons/course/exercise/write.h"

std::string my_broken_law() { return "padding is absent"; }

struct Dense {
    Tensor weight, bias;  // [C, D], [C]
};

Tensor my_module(const Tensor& x, const Tensor& mask, const Dense& of_p, const Dense& of_q,
                 const Tensor& kernel, const Tensor& bias) {
    const int64_t C = kernel.size(0), K = kernel.size(2);
    const Tensor p = linear(x, of_p.weight, of_p.bias), q = linear(x, of_q.weight, of_q.bias);
    const Tensor h = p * sigmoid(q) * unsqueeze(mask, 2);
    const Tensor z = conv1d(transpose(h), kernel, bias, {.padding = (K - 1) / 2, .groups = C});
    return transpose(z);
}
