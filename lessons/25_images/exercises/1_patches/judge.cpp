#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"conv2d", "VisionTransformer", "unfold", "windows", "linear"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor small = f64({1, 0, 0, 2, 0, 1, 0, 2}, {2, 4});
    judge.given({{"picture", small}});
    judge.equal("the picture of the lesson, with the rows (1, 0, 0, 2) and (0, 1, 0, 2)",
                [&] { return my_patches(small, 2); }, f64({1, 0, 0, 1, 0, 2, 0, 2}, {2, 4}),
                {.formula = "a row of the result is one patch, read row by row",
                 .mistakes = {{"reshape alone cuts the rows of the picture, not patches",
                               reshape(small, {2, 4})},
                              {"the pixels of a patch are read column by column",
                               f64({1, 0, 0, 1, 0, 0, 2, 2}, {2, 4})}}});
    const auto cut = [](const Tensor& picture, int64_t P, const Axes& order) {
        const int64_t rows = picture.size(0) / P, columns = picture.size(1) / P;
        return reshape(permute(reshape(picture, {rows, P, columns, P}), order),
                       {rows * columns, P * P});
    };
    const Tensor numbered = reshape(arange(72, Dtype::float64), {6, 12});
    judge.equal("pixels numbered from 0 to 71 in 6 x 12, patches of 3 x 3",
                [&] { return my_patches(numbered, 3); }, cut(numbered, 3, {0, 2, 1, 3}),
                {.formula = "patch 1 is 0, 1, 2, 12, 13, 14, 24, 25, 26; patch 2 begins with 3",
                 .mistakes = {{"the patches come column by column", cut(numbered, 3, {2, 0, 1, 3})},
                              {"the pixels of a patch are read column by column",
                               cut(numbered, 3, {0, 2, 3, 1})}}});
    judge.equal(
        "one patch that is the whole picture of 2 x 2",
        [&] {
            return my_patches(f64({5, 6, 7, 8}, {2, 2}), 2);
        },
        f64({5, 6, 7, 8}, {1, 4}));
    judge.equal(
        "patches of one pixel in a picture of 3 x 2",
        [&] {
            return my_patches(f64({5, 6, 7, 8, 9, 4}, {3, 2}), 1);
        },
        f64({5, 6, 7, 8, 9, 4}, {6, 1}));

    const Tensor p = f64({1, 0, 0, 1, 0, 2, 0, 2}, {2, 4}),
                 w = f64({1, 1, 1, 1, 1, -1, 1, -1}, {2, 4}), b = f64({10, 20}, {2}),
                 c = f64({7, 8}, {2}), e = f64({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, {3, 2});
    judge.given({{"patches", p}, {"w", w}, {"b", b}, {"c", c}, {"e", e}});
    judge.equal(
        "the two patches with the W of the lesson (2, 0 and 4, -4), b = (10, 20), c = (7, 8)",
        [&] { return my_tokens(p, w, b, c, e); }, f64({7.1, 8.2, 12.3, 20.4, 14.5, 16.6}, {3, 2}),
        {.formula = "row 0: c + e_0; row n: W p_n + b + e_n",
         .mistakes = {
             {"the bias is added to the class token",
              f64({17.1, 28.2, 12.3, 20.4, 14.5, 16.6}, {3, 2})},
             {"the bias is missing", f64({7.1, 8.2, 2.3, 0.4, 4.5, -3.4}, {3, 2})},
             {"the positions are missing", f64({7, 8, 12, 20, 14, 16}, {3, 2})},
             {"the class token gets no position", f64({7, 8, 12.3, 20.4, 14.5, 16.6}, {3, 2})},
             {"the class token gets no position, and the patches get those before theirs",
              f64({7, 8, 12.1, 20.2, 14.3, 16.4}, {3, 2})},
             {"the class token stands behind the patches, not in front",
              f64({12.1, 20.2, 14.3, 16.4, 7.5, 8.6}, {3, 2})}}});
    // The convolution of the library with a stride of P is the same.
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor picture = random({6, 9}), W = random({5, 9}), bias = random({5}),
                 klass = random({5}), table = random({7, 5});
    const Tensor tokens = matmul(cut(picture, 3, {0, 2, 1, 3}), transpose(W)) + bias;
    const auto mine = [](const auto& in) {
        return my_tokens(my_patches(in[0], 3), in[1], in[2], in[3], in[4]);
    };
    const std::vector<Tensor> inputs{picture, W, bias, klass, table};
    judge.equal(
        "a random picture of 6 x 9 in six patches, tokens of width 5", [&] { return mine(inputs); },
        concat({unsqueeze(klass, 0), tokens}, 0) + table);
    judge.gradient("the gradients of the picture, W, b, c and e", mine, inputs);
}
