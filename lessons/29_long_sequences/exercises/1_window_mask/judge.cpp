#include "lessons/course/exercise/judge.h"

#include "attention/laws/laws.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"sliding_window_mask", "BlockPattern", "window_pattern", "causal_mask",
               "scaled_dot_product_attention", "tiled_attention"});
    const auto mask = [](int64_t T, int64_t w, int64_t d, int64_t g) {
        return [=] { return my_mask(T, w, d, g); };
    };
    const Tensor window = sliding_window_mask(5, 5, 1, 1);  // [1, 5, 5]
    judge.equal("five tokens, a window of 1", mask(5, 1, 1, 0), window,
                {.formula = "1 where |i - j| is 0, d, 2 d, ... or w d",
                 .mistakes = {{"each token sees only what is before it; a window has two sides",
                               sliding_window_mask(5, 5, 1, 0)},
                              {"each token sees only what is behind it; a window has two sides",
                               sliding_window_mask(5, 5, 0, 1)},
                              {"ones and zeros are exchanged", 1. - window},
                              {"w tokens on each side: the last one is included",
                               sliding_window_mask(5, 5, 0, 0)},
                              {"a token attends to itself, too", window - unsqueeze(eye(5), 0)},
                              {"the shape is [1, T, T]", select(window, 0, 0)}}});
    judge.number("the ones among eight tokens with a window of 1",
                 [&] { return sum(my_mask(8, 1, 1, 0)).item(); }, 22, {.tolerance = 1e-9});
    const Tensor gaps = tensor({1, 0, 1, 0, 0, 0,  //
                                0, 1, 0, 1, 0, 0,  //
                                1, 0, 1, 0, 1, 0,  //
                                0, 1, 0, 1, 0, 1,  //
                                0, 0, 1, 0, 1, 0,  //
                                0, 0, 0, 1, 0, 1},
                               {1, 6, 6});
    judge.equal(
        "six tokens, w = 1, a dilation of 2", mask(6, 1, 2, 0), gaps,
        {.formula = "1 where |i - j| is 0, d, 2 d, ... or w d",
         .mistakes = {{"the reach is w steps; with a dilation it is d w", unsqueeze(eye(6), 0)},
                      {"the gaps are missing: only every d-th token counts",
                       sliding_window_mask(6, 6, 2, 2)},
                      {"the dilation is ignored", sliding_window_mask(6, 6, 1, 1)},
                      {"the gaps are counted from token 0, not from token i",
                       tensor({1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0,
                               0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0},
                              {1, 6, 6})}}});
    const Tensor global = tensor({1, 1, 1, 1,  //
                                  1, 1, 0, 0,  //
                                  1, 0, 1, 0,  //
                                  1, 0, 0, 1},
                                 {1, 4, 4});
    judge.equal(
        "four tokens, no window, token 0 is global", mask(4, 0, 1, 1), global,
        {.formula = "a global token attends to all, and all attend to it",
         .mistakes = {
             {"all attend to the global token, but it attends to itself only", tril(global)},
             {"the global token attends to all, but they do not attend to it", triu(global)},
             {"the first g tokens are global, numbers 0 to g - 1",
              tensor({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1}, {1, 4, 4})},
             {"there is no global token", unsqueeze(eye(4), 0)}}});
    const auto expected = [](int64_t T, int64_t w, int64_t d, int64_t g) {
        std::vector<double> numbers(T * T, 0);
        for (int64_t i = 0; i < T; ++i) {
            for (int64_t k = -w; k <= w; ++k)
                if (i + k * d >= 0 && i + k * d < T) numbers[i * T + i + k * d] = 1;
            for (int64_t j = 0; j < std::min(g, T); ++j)
                numbers[i * T + j] = numbers[j * T + i] = 1;
        }
        return tensor(numbers, {1, T, T});
    };
    judge.equal("13 tokens, w = 3, d = 2, two global tokens", mask(13, 3, 2, 2),
                expected(13, 3, 2, 2));
    judge.equal("three tokens in a window of 9", mask(3, 9, 1, 0), ones({1, 3, 3}));
    Rng rng(3);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor q = random({2, 7, 4}), k = random({2, 7, 4}), v = random({2, 7, 3});
    const Tensor scores = matmul(q, transpose(k));
    const Tensor allowed = sliding_window_mask(7, 7, 2, 2);
    judge.given({{"query", q}, {"key", k}, {"value", v}});
    judge.equal(
        "seven tokens of width 4 with w = 2", [&] { return my_attention(q, k, v, 2).context; },
        soft_attention(scores / 2., v, allowed).context,
        {.formula = "the softmax of q . k / sqrt(D) over the allowed keys",
         .mistakes = {{"the scores are not divided by the root of the width",
                       soft_attention(scores, v, allowed).context},
                      {"the mask is applied after the softmax, so the weights do not sum to 1",
                       matmul(softmax(scores / 2.) * to_dtype(allowed, Dtype::float64), v)}}});
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    for (const int64_t w : {0, 1, 2}) {
        const laws::Verdict verdict =
            laws::window([w](const Tensor& query, const Tensor& key, const Tensor& value,
                             const Tensor&) { return my_attention(query, key, value, w); },
                         w, w);
        judge.holds(
            fmt::format("the law of the window, w = {}", w), [&] { return verdict.holds; },
            verdict.message);
    }
}
