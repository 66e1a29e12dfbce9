#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"rms_norm", "rms_norm_definition", "RmsNorm", "layer_norm", "layer_norm_definition",
               "LayerNorm", "TransformerNorm"});
    const auto d64 = Dtype::float64;
    const Tensor row = tensor({2, 4, 6, 2}, d64), one = ones({4}, d64);
    judge.given({{"x", row}, {"weight", one}});
    judge.equal(
        "the RMS norm of (2, 4, 6, 2)", [&] { return my_rms_norm(row, one, 0); },
        rms_norm(row, one, 0),
        {.formula = "x / sqrt(mean of x^2 + eps) * weight",
         .mistakes = {
             {"the row is divided by its length, the root of the sum of squares; the mean square is wanted",
              row / std::sqrt(60.)},
             {"the root is missing", row / 15.},
             {"the mean is subtracted, which is the layer norm", layer_norm(row, one, {}, 0)}}});
    const Tensor small = tensor({1, 1, 1, 1}, d64);
    judge.equal(
        "the RMS norm of (1, 1, 1, 1) with eps = 3: a half everywhere",
        [&] { return my_rms_norm(small, one, 3); }, small / 2.,
        {.formula = "eps is added to the mean square, below the root",
         .mistakes = {
             {"eps is added to the root; it has to be added to the mean square, under the root",
              small / 4.},
             {"eps is not used", small}}});
    Rng rng(1);
    const Tensor x = normal({2, 3, 5}, 1, 2, rng, d64), w = normal({5}, 1, 0.5, rng, d64);
    judge.equal("two texts of three tokens of width 5, with weights",
                [&] { return my_rms_norm(x, w, 0.1); }, rms_norm(x, w, 0.1),
                {.mistakes = {{"the weights are missing", rms_norm(x, {}, 0.1)},
                              {"the weights are used twice", rms_norm(x, w, 0.1) * w},
                              {"the mean runs over another axis than the numbers of a row",
                               x / sqrt(mean(x * x, 0, true) + 0.1) * w},
                              {"the mean is taken over all numbers, not over each row",
                               x / sqrt(mean(x * x) + 0.1) * w}}});
    judge.equal("the layer norm of (2, 4, 6, 2)", [&] { return my_layer_norm(row, one, 0); },
                layer_norm(row, one, {}, 0),
                {.formula = "the RMS norm of x minus its mean",
                 .mistakes = {{"the mean is not subtracted", rms_norm(row, one, 0)}}});
    judge.equal("the layer norm of the two texts", [&] { return my_layer_norm(x, w, 0.1); },
                layer_norm(x, w, {}, 0.1),
                {.mistakes = {{"the mean over all numbers is subtracted, not that of each row",
                               rms_norm(x - mean(x), w, 0.1)}}});
    judge.gradient("the gradients of rows and weights of the RMS norm",
                   [](const auto& in) { return my_rms_norm(in[0], in[1], 0.1); }, {x, w});
    judge.gradient("and of the layer norm",
                   [](const auto& in) { return my_layer_norm(in[0], in[1], 0.1); }, {x, w});
}
