#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"linear_attention", "linear_attention_definition", "linear_attention_parallel",
               "LinearAttention"});
    const auto d64 = Dtype::float64;
    const Tensor S = tensor({4, 6}, {2, 1}, d64), key = tensor({1, 2}, {1, 2}, d64),
                 value = tensor({3}, {1, 1}, d64);
    judge.given({{"S", S}, {"k", key}, {"v", value}});
    judge.equal("the state (4, 6), the key (1, 2), the value 3, alpha 0.5",
                [&] { return my_state(S, key, value, 0.5); }, tensor({5, 9}, {2, 1}, d64),
                {.formula = "0.5 * 4 + 1 * 3 and 0.5 * 6 + 2 * 3",
                 .mistakes = {
                     {"the state does not shrink; alpha is not used", tensor({7, 12}, {2, 1}, d64)},
                     {"alpha shrinks the new part as well", tensor({3.5, 6}, {2, 1}, d64)},
                     {"alpha shrinks the new part; it is the state that shrinks",
                      tensor({5.5, 9}, {2, 1}, d64)},
                     {"the new part is subtracted", tensor({-1, -3}, {2, 1}, d64)}}});
    Rng rng(1);
    const auto draw = [&](int64_t d) { return normal({6, d}, 0, 1, rng, d64); };
    const Tensor q = draw(3), k = draw(3), v = draw(2);
    // The same under a mask: weight alpha^(t - j) (q . k).
    const auto masked = [&](double alpha, int64_t diagonal) {
        const Tensor t = reshape(arange(6, d64), {6, 1}), j = arange(6, d64);
        const Tensor decay = exp((t - j) * std::log(alpha));
        return matmul(tril(matmul(q, transpose(k)) * decay, diagonal), v);
    };
    judge.given({{"q", q}, {"k", k}, {"v", v}});
    judge.equal("six steps, alpha 1: the products under a causal mask",
                [&] { return my_recurrence(q, k, v, 1); }, masked(1, 0),
                {.formula = "o_t = sum over j <= t of (q_t . k_j) v_j",
                 .mistakes = {{"each query reads the state before its own key and value are in it",
                               masked(1, -1)}}});
    judge.equal("alpha 0.8", [&] { return my_recurrence(q, k, v, 0.8); }, masked(0.8, 0),
                {.formula = "o_t = sum over j <= t of alpha^(t - j) (q_t . k_j) v_j"});
    judge.gradient("the gradients of queries, keys and values",
                   [](const auto& x) { return my_recurrence(x[0], x[1], x[2], 0.8); }, {q, k, v});
}
