#include "lessons/course/exercise/judge.h"

// All gradients as one vector.
Tensor in_a_row(const std::vector<Tensor>& parts) {
    std::vector<Tensor> rows;
    for (const Tensor& part : parts) rows.push_back(reshape(part, {part.numel()}));
    return concat(rows, 0);
}

double length_of(const Tensor& x) { return std::sqrt(sum(square(x)).item()); }

void judge(Judge& judge) {
    judge.own({"clip_grad_norm", "clip_grad_value", "step_clipped", "norm", "grad_norm"});
    const auto f64 = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    const std::vector<Tensor> two{f64({3, 0}), f64({4})};
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
    const std::string formula = "g min(1, m / |g|), |g| = the root of the sum of all squares";
    judge.equal(
        "(3, 0) and (4) clipped to 1, one after the other in a row", clipped(two, 1),
        f64({0.6, 0, 0.8}),
        {.formula = formula,
         .mistakes = {{"each gradient was clipped alone, with its own norm", f64({1, 0, 1})},
                      {"the divisor is the square of the norm", f64({0.12, 0, 0.16})},
                      {"nothing was clipped", f64({3, 0, 4})}}});
    judge.equal("(3, 0) and (4) clipped to 2", clipped(two, 2), f64({1.2, 0, 1.6}),
                {.formula = formula,
                 .mistakes = {{"the gradient got the norm 1, and not m", f64({0.6, 0, 0.8})},
                              {"each number was cut off at m; this changes the direction",
                               f64({2, 0, 2})}}});
    judge.equal("(3, 0) and (4) clipped to 10: they stay as they are", clipped(two, 10),
                f64({3, 0, 4}),
                {.tolerance = 1e-15,
                 .formula = formula,
                 .mistakes = {{"a short gradient was made longer", f64({6, 0, 8})}}});
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
    judge.holds(
        "the gradients that came in are not changed",
        [&] {
            const Tensor before = copy_of(many[0]);
            my_clip(many, 1);
            return sum(abs(many[0] - before)).item() == 0;
        },
        "my_clip changed the numbers of its inputs. Return new tensors.");
}
