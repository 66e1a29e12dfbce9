#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

// All gradients as one vector.
Tensor in_a_row(const std::vector<Tensor>& parts) {
    std::vector<Tensor> rows;
    for (const Tensor& part : parts) rows.push_back(reshape(part, {part.numel()}));
    return concat(rows, 0);
}

double length_of(const Tensor& x) { return std::sqrt(sum(square(x)).item()); }

void judge(course::Judge& judge) {
    judge.own({"clip_grad_norm", "clip_grad_value", "step_clipped", "norm", "grad_norm"});
    const auto f64 = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    const std::vector<Tensor> two{f64({3, 4}), f64({12})};
    const auto clipped = [](const std::vector<Tensor>& gradients, double longest) {
        return [=] {
            const std::vector<Tensor> found = my_clip(gradients, longest);
            check(found.size() == gradients.size(), "{} gradients came back, expected are {}",
                  found.size(), gradients.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                check(found[i].shape() == gradients[i].shape(),
                      "gradient {} has the shape {}, expected is {}", i, found[i].shape(),
                      gradients[i].shape());
            return in_a_row(found);
        };
    };
    judge.given({{"gradients[0]", two[0]}, {"gradients[1]", two[1]}});
    const std::string formula = "g min(1, m / |g|), |g| = the root of the sum of all squares";
    judge.equal(
        "(3, 4) and (12) clipped to 2.6, one after the other in a row", clipped(two, 2.6),
        f64({0.6, 0.8, 2.4}),
        {.formula = formula,
         .mistakes = {
             {"each gradient was clipped alone, with its own norm", f64({1.56, 2.08, 2.6})},
             {"each number was cut off at m; this changes the direction", f64({2.6, 2.6, 2.6})},
             {"the gradient got the norm 1, and not m", f64({3 / 13., 4 / 13., 12 / 13.})},
             {"the divisor is the square of the norm", f64({7.8 / 169, 10.4 / 169, 31.2 / 169})},
             {"the root of the sum of squares is the norm, not the sum of the numbers",
              f64({7.8 / 19, 10.4 / 19, 31.2 / 19})},
             {"nothing was clipped", f64({3, 4, 12})}}});
    judge.equal("(3, 4) and (12) clipped to 26: they stay as they are", clipped(two, 26),
                f64({3, 4, 12}),
                {.tolerance = 1e-15,
                 .formula = formula,
                 .mistakes = {{"a short gradient was made longer", f64({6, 8, 24})}}});
    judge.equal(
        "zeros: they stay zeros", clipped({f64({0, 0}), f64({0})}, 1), f64({0, 0, 0}),
        {.mistakes = {{"0 is divided by 0", f64({std::nan(""), std::nan(""), std::nan("")})}}});
    Rng rng(1);
    const std::vector<Tensor> many{normal({4, 3}, 0, 30, rng, Dtype::float64),
                                   normal({}, 0, 30, rng, Dtype::float64),
                                   normal({2, 1, 5}, 0, 0.1, rng, Dtype::float64)};
    const Tensor all = in_a_row(many);
    judge.equal("three random gradients of different shapes, clipped to 5", clipped(many, 5),
                all * (5 / length_of(all)), {.formula = formula});
    judge.equal("the same, clipped to a little more than their norm",
                clipped(many, length_of(all) * 1.001), all, {.tolerance = 1e-15});
}
