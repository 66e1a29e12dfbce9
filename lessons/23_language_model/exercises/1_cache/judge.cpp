#include "lessons/course/exercise/judge.h"

void judge(Judge& judge) {
    judge.own({"attend", "scaled_dot_product_attention", "tiled_attention", "SelfAttention"});
    judge.equal(
        "the first token sees only itself",
        [] {
            Cache cache;
            return my_step(ones({1, 1, 1}), ones({1, 1, 1}), 5 * ones({1, 1, 1}), cache);
        },
        5 * ones({1, 1, 1}));
    judge.equal("the second one, with an equal key: the mean of 5 and 9",
                [] {
                    Cache cache;
                    my_step(ones({1, 1, 1}), ones({1, 1, 1}), 5 * ones({1, 1, 1}), cache);
                    return my_step(ones({1, 1, 1}), ones({1, 1, 1}), 9 * ones({1, 1, 1}), cache);
                },
                7 * ones({1, 1, 1}),
                {.formula = "c = sum_j alpha_j v_j over all tokens so far, the newest included",
                 .mistakes = {{"only the newest token is seen; the earlier ones must stay in the "
                               "cache",
                               9 * ones({1, 1, 1})},
                              {"the newest token does not see itself", 5 * ones({1, 1, 1})},
                              {"the values are added up; the weights must sum to 1",
                               14 * ones({1, 1, 1})}}});

    // All at once with a causal mask, and one after another.
    Rng rng(1);
    const int64_t T = 6;
    const Tensor q = normal({3, T, 4}, 0, 1, rng), k = normal({3, T, 4}, 0, 1, rng),
                 v = normal({3, T, 4}, 0, 1, rng);
    const Tensor scores = matmul(q, transpose(k));
    const auto all_at_once = [&](double divisor) {
        return matmul(masked_softmax(scores / divisor, causal_mask(T)), v);
    };
    const auto one_by_one = [&] {
        Cache cache;
        std::vector<Tensor> contexts;
        for (int64_t t = 0; t < T; ++t)
            contexts.push_back(my_step(slice(q, 1, t, t + 1), slice(k, 1, t, t + 1),
                                       slice(v, 1, t, t + 1), cache));
        return concat(contexts, 1);
    };
    judge.equal(
        "six tokens, three heads: as with all tokens at once and a causal mask", one_by_one,
        all_at_once(2),
        {.formula = "c_t = softmax(q_t K^T / sqrt(d)) V, with the keys and values up to t",
         .mistakes = {{"the scores are not divided by the root of d", all_at_once(1)},
                      {"the scores are divided by d, and not by its root", all_at_once(4)}}});
    judge.holds(
        "the cache has six keys and six values for each head",
        [&] {
            Cache cache;
            for (int64_t t = 0; t < T; ++t)
                my_step(slice(q, 1, t, t + 1), slice(k, 1, t, t + 1), slice(v, 1, t, t + 1), cache);
            return cache.k.shape() == Shape{3, T, 4} && cache.v.shape() == Shape{3, T, 4} &&
                   max(abs(cache.k - k)).item() == 0 && max(abs(cache.v - v)).item() == 0;
        },
        "after six tokens the cache does not hold their keys and values as [3, 6, 4]");
}
