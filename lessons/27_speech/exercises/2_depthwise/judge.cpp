#include "lessons/course/exercise/judge.h"

#include <array>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"conv1d", "conv2d", "conv2d_definition", "sliding_windows", "depthwise_by_hand"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor h = f64({1, 3, 2}, {3, 1}), w = f64({-1, 0, 1}, {3, 1}), none = f64({0}, {1});
    judge.given({{"h", h}, {"w", w}, {"b", none}});
    judge.equal(
        "the frames 1, 3, 2 with the kernel -1, 0, 1", [&] { return my_depthwise(h, w, none); },
        f64({3, 1, -3}, {3, 1}),
        {.formula = "z_t = b + sum_k w_k h_(t + k - (K + 1)/2)",
         .mistakes = {{"the kernel is reversed: its first number meets the earliest frame",
                       f64({-3, -1, 3}, {3, 1})},
                      {"the kernel reaches back only; half of it should lie after the frame",
                       f64({1, 3, 1}, {3, 1})},
                      {"the frames go round: beyond the ends h is 0", f64({1, 1, -2}, {3, 1})},
                      {"the ends are left out: beyond them h is 0", f64({1}, {1, 1})},
                      {"the first and the last frame are repeated: beyond the ends h is 0",
                       f64({2, 1, -1}, {3, 1})}}});
    const Tensor two = f64({1, 10, 3, 30, 2, 20}, {3, 2}),
                 kernels = f64({0, 0, 1, 2, 0, 0}, {3, 2}), bias = f64({0.5, -0.5}, {2});
    judge.equal("two channels; their kernels multiply by 1 and by 2; bias 0.5 and -0.5",
                [&] { return my_depthwise(two, kernels, bias); },
                f64({1.5, 19.5, 3.5, 59.5, 2.5, 39.5}, {3, 2}),
                {.formula = "each channel has a kernel of its own and is not mixed with others",
                 .mistakes = {{"the bias is missing", f64({1, 20, 3, 60, 2, 40}, {3, 2})},
                              {"the bias is added once for each number of the kernel",
                               f64({2.5, 18.5, 4.5, 58.5, 3.5, 38.5}, {3, 2})},
                              {"the channels are mixed",
                               f64({21.5, 20.5, 63.5, 62.5, 42.5, 41.5}, {3, 2})}}});
    Rng rng(4);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const auto library = [](const Tensor& x, const Tensor& weights, const Tensor& b) {
        const Tensor kernel = unsqueeze(transpose(weights), 1);  // [C, 1, K]
        const Tensor z = conv1d(unsqueeze(transpose(x), 0), kernel, b,
                                {.padding = (weights.size(0) - 1) / 2, .groups = x.size(1)});
        return transpose(select(z, 0, 0));
    };
    for (const auto [T, C, K] : {std::array<int64_t, 3>{9, 4, 7}, {2, 3, 7}, {5, 6, 1}}) {
        const Tensor x = random({T, C}), weights = random({K, C}), b = random({C});
        judge.equal(
            fmt::format("{} frames of {} channels, kernels of {} numbers", T, C, K),
            [&] { return my_depthwise(x, weights, b); }, library(x, weights, b));
    }
    judge.gradient("the gradients of frames, kernels and bias",
                   [](const auto& x) { return my_depthwise(x[0], x[1], x[2]); },
                   {random({5, 2}), random({3, 2}), random({2})});
}
