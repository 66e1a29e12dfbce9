#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"soft_attention", "attention_weights", "scaled_dot_product_attention",
               "scaled_dot_product_definition", "plain_attention", "tiled_attention", "MultiHead",
               "SelfAttention", "split_heads"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    judge.number(
        "four tokens, two heads: what the first token reads", [] { return my_reach(4, 2); }, 2,
        {.formula = "head 0 gets the first T pieces in memory; a token has H pieces",
         .mistakes = {{"this is right for a right split; head 0 does not hold all tokens here", 4},
                      {"a head holds the pieces of several tokens", 1}}});
    judge.number(
        "twelve tokens, three heads", [] { return my_reach(12, 3); }, 4,
        {.mistakes = {
             {"this is the number of heads, not of tokens in a head", 3},
             {"this is right for a right split; head 0 does not hold all tokens here", 12}}});
    judge.number(
        "six tokens, one head", [] { return my_reach(6, 1); }, 6);

    const auto pieces = [](const Tensor& x, int64_t H) { return stack(chunk(x, H, 2), 1); };
    const auto joined = [](const Tensor& x) { return concat(unbind(x, 1), 2); };
    const auto right = [&](const Tensor& q, const Tensor& k, const Tensor& v, int64_t H) {
        return joined(scaled_dot_product_attention(pieces(q, H), pieces(k, H), pieces(v, H)));
    };
    // Equal queries: all weights are 1/2, so each token gets the mean of the values.
    const Tensor none = zeros({1, 2, 4}, d64),
                 values = tensor({1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 4}, d64);
    const Tensor mean_of_both = tensor({3, 4, 5, 6, 3, 4, 5, 6}, {1, 2, 4}, d64);
    judge.given({{"q", none}, {"k", none}, {"v", values}});
    judge.equal(
        "equal weights, the values (1, 2, 3, 4) and (5, 6, 7, 8), two heads: each token gets "
        "their mean",
        [&] { return my_attention(none, none, values, 2); }, mean_of_both,
        {.formula = "(1 + 5) / 2, (2 + 6) / 2, (3 + 7) / 2, (4 + 8) / 2",
         .mistakes = {{"nothing has changed: each head holds whole tokens, not a piece of every "
                       "token",
                       tensor({2, 3, 2, 3, 6, 7, 6, 7}, {1, 2, 4}, d64)},
                      {"the split is right, but the contexts are joined by reshape alone",
                       tensor({3, 4, 3, 4, 5, 6, 5, 6}, {1, 2, 4}, d64)},
                      {"the contexts are joined rightly, but the split is still by reshape alone",
                       tensor({2, 3, 6, 7, 2, 3, 6, 7}, {1, 2, 4}, d64)}}});
    const Tensor q = normal({2, 5, 12}, 0, 1, rng, d64), k = normal({2, 5, 12}, 0, 1, rng, d64),
                 v = normal({2, 5, 12}, 0, 1, rng, d64);
    for (const int64_t H : {1, 3, 6})
        judge.equal(fmt::format("two texts of five tokens of width 12, heads: {}", H),
                    [&, H] { return my_attention(q, k, v, H); }, right(q, k, v, H),
                    {.formula = "head h uses the columns h D/H to (h + 1) D/H - 1 of every token"});
    judge.gradient("the gradients", [](const auto& x) { return my_attention(x[0], x[1], x[2], 3); },
                   {q, k, v});
}
