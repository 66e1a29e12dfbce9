#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"layer_norm", "layer_norm_definition", "LayerNorm", "grad", "backward", "vjp",
               "jacobian", "rms_norm"});
    Rng rng(1);
    const auto list = [](std::vector<double> numbers) { return tensor(numbers, Dtype::float64); };
    struct Parts {
        Tensor y, sigma;
    };
    const auto parts = [](const Tensor& x) {
        const Tensor sigma = sqrt(var(x, -1, true, 0) + 1e-5);
        return Parts{(x - mean(x, -1, true)) / sigma, sigma};
    };
    const auto right = [&](const Tensor& x, const Tensor& g) {
        const auto [y, s] = parts(x);
        return (g - mean(g, -1, true) - y * mean(g * y, -1, true)) / s;
    };
    const char* formula = "(g_j - mean of g - y_j times the mean of g y) / sigma";

    // Mean 4 and, but for eps, the standard deviation 2: y is (-1.5, 0.5, -0.5, 1.5) times a bit
    // less than 2 / root of 5. Worked by hand with g = (1, 0, 0, 0).
    const Tensor x = list({1, 5, 3, 7}), g = list({1, 0, 0, 0});
    const auto [y, s] = parts(x);
    judge.given({{"x", x}, {"g", g}});
    judge.equal(
        "x = (1, 5, 3, 7), g = (1, 0, 0, 0): about 0.134, 0.045, -0.134 and -0.045",
        [&] { return my_layer_norm_backward(x, g); }, right(x, g),
        {.formula = formula,
         .mistakes = {
             {"mean and standard deviation are treated as constants", g / s},
             {"the path through the standard deviation is missing", (g - mean(g)) / s},
             {"the path through the mean is missing", (g - y * mean(g * y)) / s},
             {"the means are sums: the division by D is missing",
              (g - sum(g) - y * sum(g * y)) / s},
             {"the division by sigma is missing", g - mean(g) - y * mean(g * y)},
             {"x stands in place of y", (g - mean(g) - x * mean(g * x)) / s},
             {"the division is by sigma squared", (g - mean(g) - y * mean(g * y)) / (s * s)}}});
    judge.equal("g is the same for all: adding a number to y has no direction in x",
                [&] { return my_layer_norm_backward(x, ones_like(x)); }, zeros_like(x),
                {.tolerance = 1e-5});
    const Tensor rows = normal({3, 6}, 1, 2, rng, Dtype::float64),
                 arrives = normal({3, 6}, 0, 1, rng, Dtype::float64);
    const auto [Y, S] = parts(rows);
    judge.equal("three rows of six numbers", [&] { return my_layer_norm_backward(rows, arrives); },
                right(rows, arrives),
                {.formula = "each row has a mean and a standard deviation of its own",
                 .mistakes = {{"the variance is divided by D - 1",
                               [&] {
                                   const Tensor t = sqrt(var(rows, -1, true, 1) + 1e-5),
                                                z = (rows - mean(rows, -1, true)) / t;
                                   return (arrives - mean(arrives, -1, true) -
                                           z * mean(arrives * z, -1, true)) /
                                          t;
                               }()},
                              {"the means of g are taken over all rows together",
                               (arrives - mean(arrives) - Y * mean(arrives * Y)) / S}}});
    const Tensor flat = full({1, 4}, 3, Dtype::float64), at_flat = list({1, 2, 3, 5});
    judge.equal("a row of equal numbers: sigma is the root of eps, and nothing is NaN",
                [&] {
                    return my_layer_norm_backward(flat, reshape(at_flat, {1, 4}));
                },
                right(flat, reshape(at_flat, {1, 4})),
                {.formula = "sigma contains eps, inside the root"});
    judge.gradient("finite differences agree, with a random covector, shape [2, 3, 5]",
                   [](const auto& in) {
                       return record("layer_norm", detach(layer_norm(in[0])), in[0],
                                     [x = in[0]](const Tensor& of_y) {
                                         return my_layer_norm_backward(x, of_y);
                                     });
                   },
                   {normal({2, 3, 5}, 0, 1, rng)});
}
