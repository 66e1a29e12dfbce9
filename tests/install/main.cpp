// One gradient, with nothing but the installed headers and libraries: d/dx sum(x²) = 2x.
#include <fmt/core.h>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "nn/nn.h"

int main() {
    heed::Tensor x = heed::tensor({1, -2, 3}, heed::Dtype::float64).set_requires_grad();
    heed::backward(heed::sum(heed::square(x)));
    fmt::print("{}\n", x.grad());
    return x.grad().to_vector() == std::vector<double>{2, -4, 6} ? 0 : 1;
}
