#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "attention/laws/laws.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"causal_mask", "sliding_window_mask"});
    judge.number(
        "how much leaks with three tokens", [] { return my_leak(3); }, 2,
        {.formula = "compare the two masks row by row",
         .mistakes = {{"the last row has no later token to read", 3},
                      {"only the numbers that are wrong count, not all zeros of the mask", 1},
                      {"these are all the numbers above the diagonal of a right mask "
                       "and the diagonal",
                       6}}});
    judge.number("how much leaks with ten tokens", [] { return my_leak(10); }, 9,
                 {.mistakes = {{"the last row has no later token to read", 10},
                               {"not all later tokens are visible, only the next one", 45}}});
    judge.number(
        "with one token", [] { return my_leak(1); }, 0);
    const auto mask = [](int64_t Q, int64_t K) { return squeeze(causal_mask(Q, K), 0); };
    const auto shifted = [](int64_t Q, int64_t K, int64_t by) { return tril(ones({Q, K}), by); };
    judge.equal(
        "the mask for three tokens", [&] { return my_causal_mask(3, 3); }, mask(3, 3),
        {.formula = "1 where the key is not later than the query",
         .mistakes = {
             {"each query can still read the next token: the word to predict", shifted(3, 3, 1)},
             {"a token may attend to itself; the first one has nothing else", shifted(3, 3, -1)},
             {"the mask is transposed: it forbids the past", transpose(mask(3, 3))},
             {"1 means allowed, not forbidden", 1 - mask(3, 3)}}});
    judge.equal(
        "one query and three keys", [&] { return my_causal_mask(1, 3); }, ones({1, 3}),
        {.formula = "query i stands at position K - Q + i",
         .mistakes = {{"the queries are the last tokens, not the first", shifted(1, 3, 0)}}});
    judge.equal(
        "four queries and seven keys", [&] { return my_causal_mask(4, 7); }, mask(4, 7),
        {.formula = "query i stands at position K - Q + i",
         .mistakes = {{"the queries are the last tokens, not the first", shifted(4, 7, 0)}}});
    judge.equal(
        "one token", [&] { return my_causal_mask(1, 1); }, ones({1, 1}));
    const AttentionFunction mine = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Tensor&) {
        return soft_attention(matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1))),
                              v, unsqueeze(my_causal_mask(q.size(1), k.size(1)), 0));
    };
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    const laws::Verdict verdict = laws::causal(mine);
    judge.holds(
        "the law: causal", [&] { return verdict.holds; }, verdict.message);
}
