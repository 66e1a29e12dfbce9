#include "lessons/w8_clipping/experiment.h"

#include <vector>

#include "autograd/autograd.h"

namespace heed::workshop8 {

CliffPoints cliff_points(int side) {
    std::vector<double> w, b;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            w.push_back(4 + 4 * (column + 0.5) / side);
            b.push_back(-1 - 4 * (row + 0.5) / side);
        }
    return {tensor(w, Dtype::float64), tensor(b, Dtype::float64)};
}

Tensor cliff_loss(const Tensor& w, const Tensor& b) {
    Tensor x = full(w.shape(), 0.5, w.dtype());
    for (int t = 0; t < 50; ++t) x = w * sigmoid(x) + b;
    return square(sigmoid(x) - 0.7);
}

}  // namespace heed::workshop8
