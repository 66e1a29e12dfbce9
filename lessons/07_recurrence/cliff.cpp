#include "lessons/07_recurrence/cliff.h"

#include <cmath>

#include "autograd/autograd.h"

using namespace heed;

namespace {

struct Points {
    Tensor w, b;  // [side²], from the upper left, row by row
};

Points square_of(int side) {
    std::vector<double> w, b;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            w.push_back(4 + 4 * (column + 0.5) / side);
            b.push_back(-1 - 4 * (row + 0.5) / side);
        }
    return {tensor(w, Dtype::float64), tensor(b, Dtype::float64)};
}

}  // namespace

Tensor cliff_loss(const Tensor& w, const Tensor& b) {
    Tensor x = full(w.shape(), 0.5, w.dtype());
    for (int t = 0; t < 50; ++t) x = w * sigmoid(x) + b;
    return square(sigmoid(x) - 0.7);
}

Descents descend(int side, double clip_norm) {
    Points p = square_of(side);
    Descents d;
    d.side = side;
    for (int n = 0; n < 500; ++n) {
        p.w = clone(p.w).set_requires_grad();
        p.b = clone(p.b).set_requires_grad();
        const std::vector<Tensor> g = grad(sum(cliff_loss(p.w, p.b)), {p.w, p.b});
        const NoGrad no_grad;
        const Tensor norm = sqrt(square(g[0]) + square(g[1]) + 1e-300), all = ones_like(norm);
        const Tensor scale = clip_norm > 0 ? minimum(all, clip_norm / norm) : all;
        d.longest_step = std::max(d.longest_step, max(scale * norm).item());
        p.w = p.w - scale * g[0];
        p.b = p.b - scale * g[1];
    }
    d.loss = cliff_loss(p.w, p.b);
    d.reached = mean(d.loss < 1e-4).item();
    return d;
}

course::Picture picture_of_loss(const std::string& title, int side) {
    course::Picture picture{.title = title, .height = side, .width = side};
    const Points p = square_of(side);
    for (double loss : cliff_loss(p.w, p.b).to_vector())
        picture.grey.push_back(1 - std::sqrt(loss) / 0.7);
    return picture;
}

course::Picture picture_of(const std::string& title, const Descents& descents) {
    course::Picture picture{.title = title, .height = descents.side, .width = descents.side};
    for (double loss : descents.loss.to_vector()) picture.grey.push_back(loss < 1e-4 ? 1 : 0.25);
    return picture;
}
