#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

// How often a function was called, and how often a backward pass went through it.
struct Counts {
    int calls = 0, passes = 0;
};

void judge(course::Judge& judge) {
    judge.own({"hvp", "hessian", "jacobian", "jvp"});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const auto list = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };

    const Function cubic = [](const Tensor& x) {
        return square(select(x, 0, 0)) * select(x, 0, 1);
    };
    judge.equal(
        "x1^2 x2 at (3, 2), v = (1, 2)",
        [&] {
            return my_hvp(cubic, list({3, 2}), list({1, 2}));
        },
        list({16, 6}),
        {.formula = "H v with H = ((4, 6), (6, 0))",
         .mistakes = {{"this is the gradient of f itself", list({12, 9})},
                      {"this is the gradient, multiplied by v", list({12, 18})},
                      {"the gradient is multiplied by v only after the second pass, so the "
                       "columns of H were added first",
                       list({10, 12})},
                      {"v is left out: this is the sum of the columns of H", list({10, 6})},
                      {"only the diagonal of H is used", list({4, 0})},
                      {"the first pass was not recorded, so the gradient counts as a constant",
                       list({0, 0})}}});
    judge.equal(
        "the same with v = (0, 0)",
        [&] {
            return my_hvp(cubic, list({3, 2}), list({0, 0}));
        },
        list({0, 0}));

    // A matrix as input, and a function whose Hessian is full.
    const Tensor w = random({3, 5}), x = random({4, 3}), v = random({4, 3});
    const Function network = [w](const Tensor& in) {
        return sum(square(tanh(matmul(in, w)))) + square(sum(sin(in)));
    };
    judge.given({{"x", x}, {"v", v}});
    judge.equal("a small network, with an input of the shape [4, 3]",
                [&] { return my_hvp(network, x, v); }, hvp(network, x, v),
                {.tolerance = 1e-6});  // differences are refused below, by their calls

    // The function counts how it is used.
    const auto counts = [&] {
        auto count = std::make_shared<Counts>();
        const Function counted = [=](const Tensor& in) {
            ++count->calls;
            return network(record("counted", copy_of(in), in, [count](const Tensor& g) {
                ++count->passes;
                return g * 1.0;
            }));
        };
        my_hvp(counted, x, v);
        return *count;
    };
    judge.holds(
        "f is called once", [&] { return counts().calls == 1; },
        "f was called several times. Differences of two gradients give an estimate only; a "
        "second backward pass gives the exact result.");
    judge.holds(
        "two backward passes, not one for each input", [&] { return counts().passes <= 3; },
        "There were more than two passes. A mistake that many make: computing all rows of H, "
        "and multiplying afterwards.");
    judge.holds(
        "x is left as it was",
        [&] {
            const Tensor constant = random({4, 3}), before = copy_of(constant);
            my_hvp(network, constant, v);
            return !constant.requires_grad() && max(abs(constant - before)).item() == 0;
        },
        "The input of my_hvp has become a leaf. Make a leaf of a copy: "
        "copy_of(x).set_requires_grad().");
}
