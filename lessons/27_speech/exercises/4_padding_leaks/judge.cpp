#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"ConformerConvolution", "Conformer", "ConformerBlock"});
    judge.choice("the broken law", my_broken_law, "padding is absent",
                 {{"to doubt the axes; no step mixes two words of the batch", "batch order"},
                  {"to doubt the kernel; the convolution reaches as far as it should", "reach"},
                  {"to doubt the groups; with one group for each channel, channels stay apart",
                   "channels apart"}});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Dense p{f64({1}, {1, 1}), f64({1}, {1})}, q{f64({0}, {1, 1}), f64({0}, {1})};
    const Tensor x = f64({3, 5, 7}, {1, 3, 1}), mask = f64({1, 1, 0}, {1, 3}), none = f64({0}, {1});
    const auto result = [&](std::vector<double> numbers) { return f64(numbers, {1, 3, 1}); };
    judge.given({{"x", x}, {"mask", mask}, {"bias", none}});
    judge.equal(
        "the frames 3 and 5 and one of padding; the kernel 0, 0, 1 takes the next frame",
        [&] {
            return my_module(x, mask, p, q, f64({0, 0, 1}, {1, 1, 3}), none);
        },
        result({3, 0, 0}),
        {.formula = "h = p sigma(q), and 0 beyond the end of the word",
         .mistakes = {{"the input of the dense layers is 0 at the padding, but h is not: think "
                       "of the biases",
                       result({3, 0.5, 0})},
                      {"nothing is masked before the convolution", result({3, 4, 0})},
                      {"the frames of the word are masked, not the padding", result({0, 4, 0})}}});
    judge.equal(
        "the same with the kernel 1, 0, 0, which takes the frame before",
        [&] {
            return my_module(x, mask, p, q, f64({1, 0, 0}, {1, 1, 3}), none);
        },
        result({0, 2, 0}),
        {.mistakes = {{"the rows of padding are not set to 0 in the result", result({0, 2, 3})}}});
    Rng rng(6);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Dense P{random({4, 3}), random({4})}, Q{random({4, 3}), random({4})};
    const Tensor kernel = random({4, 1, 5}), bias = random({4});
    const Tensor words = random({2, 7, 3});
    const Tensor lengths = f64({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0}, {2, 7});
    const auto alone = [&](const Tensor& word) {  // [T, 3] -> [T, 4]
        const Tensor h = linear(word, P.weight, P.bias) * sigmoid(linear(word, Q.weight, Q.bias));
        const Tensor z =
            conv1d(unsqueeze(transpose(h), 0), kernel, bias, {.padding = 2, .groups = 4});
        return transpose(select(z, 0, 0));
    };
    judge.equal(
        "a word of seven frames gives the same as alone",
        [&] { return select(my_module(words, lengths, P, Q, kernel, bias), 0, 0); },
        alone(select(words, 0, 0)));
    judge.equal(
        "a word of four frames beside it gives the same as alone, then zeros",
        [&] { return select(my_module(words, lengths, P, Q, kernel, bias), 0, 1); },
        pad(alone(slice(select(words, 0, 1), 0, 0, 4)), 0, 0, 3));
    judge.gradient("the gradients of frames and kernel",
                   [&](const auto& in) { return my_module(in[0], lengths, P, Q, in[1], bias); },
                   {words, kernel});
}
