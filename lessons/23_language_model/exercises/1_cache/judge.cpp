#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"attend", "scaled_dot_product_attention", "tiled_attention", "causal_mask",
               "soft_attention", "attention_weights", "MultiHead", "SelfAttention"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    // Two tokens, worked by hand: width 1, the keys are 0 whatever the token is, so all keys that are
    // seen have the same weight, and the context is the mean of the values seen.
    const Head mean_head{f64({1}, {1, 1}), f64({0}, {1, 1}), f64({1}, {1, 1})};
    judge.holds(
        "after two tokens, one by one, the cache holds two keys and two values",
        [&] {
            Cache cache;
            my_step(mean_head, cache, f64({4}, {1, 1}));
            try {
                my_step(mean_head, cache, f64({8}, {1, 1}));
            } catch (const Error&) {  // a mask for more keys than there are
            }
            const auto count = [](const Tensor& x) { return x.defined() ? x.size(0) : 0; };
            return count(cache.keys) == 2 && count(cache.values) == 2;
        },
        "Probably the cache forgets the earlier tokens: new keys and values do not replace those "
        "that are there, they are joined to them.");
    judge.equal(
        "keys of 0, so equal weights: the token 4 alone gives 4, then 8 gives the mean 6",
        [&] {
            Cache cache;
            const Tensor first = my_step(mean_head, cache, f64({4}, {1, 1}));
            return concat({first, my_step(mean_head, cache, f64({8}, {1, 1}))}, 0);
        },
        f64({4, 6}, {2, 1}),
        {.formula = "a token sees all earlier tokens and itself",
         .mistakes = {{"the cache forgets the earlier tokens", f64({4, 8}, {2, 1})},
                      {"a new token does not see itself", f64({0, 4}, {2, 1})},
                      {"the mask begins at the first key, not behind the P keys of the cache",
                       f64({4, 4}, {2, 1})}}});
    judge.equal(
        "the tokens 4, 8 and 3 at once: 4, 6 and 5",
        [&] {
            Cache cache;
            return my_step(mean_head, cache, f64({4, 8, 3}, {3, 1}));
        },
        f64({4, 6, 5}, {3, 1}),
        {.mistakes = {{"a new token sees the new tokens after it", f64({5, 5, 5}, {3, 1})}}});
    judge.equal(
        "first 4 and 8, then 3 and 9 together: 4, 6, 5 and 6",
        [&] {
            Cache cache;
            const Tensor first = my_step(mean_head, cache, f64({4, 8}, {2, 1}));
            return concat({first, my_step(mean_head, cache, f64({3, 9}, {2, 1}))}, 0);
        },
        f64({4, 6, 5, 6}, {4, 1}),
        {.formula = "new token i sees the P tokens of the cache and i + 1 new ones",
         .mistakes = {{"the mask begins at the first key, not behind the P keys of the cache",
                       f64({4, 6, 4, 6}, {4, 1})},
                      {"the new keys stand before those of the cache, not behind them",
                       f64({4, 6, 16. / 3, 6}, {4, 1})},
                      {"a new token sees the new tokens after it", f64({6, 6, 6, 6}, {4, 1})},
                      {"a new token sees the new tokens after it", f64({4, 6, 6, 6}, {4, 1})}}});

    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Head head{random({5, 3}), random({5, 3}), random({5, 3})};
    const Tensor x = random({7, 5});
    const Tensor q = matmul(x, head.query), k = matmul(x, head.key), v = matmul(x, head.value);
    const auto at_once = [&](double root) {
        return matmul(
            masked_softmax(matmul(q, transpose(k)) / root, causal_mask(7, Dtype::float64)), v);
    };
    const Tensor whole = at_once(std::sqrt(3.));
    const auto in_pieces = [&](std::vector<int64_t> sizes) {
        return [=] {
            Cache cache;
            std::vector<Tensor> parts;
            int64_t at = 0;
            for (int64_t n : sizes) {
                parts.push_back(my_step(head, cache, slice(x, 0, at, at + n)));
                at += n;
            }
            return concat(parts, 0);
        };
    };
    const course::Comparison comparison{
        .formula = "c = softmax(q k / sqrt(W)) v over the keys that a token sees",
        .mistakes = {
            {"the scores are not divided by the root of the width W", at_once(1)},
            {"the scores are divided by the root of D, the width of the tokens, not of the keys",
             at_once(std::sqrt(5.))}}};
    judge.equal("seven random tokens of width 5, one by one; the keys have width 3",
                in_pieces({1, 1, 1, 1, 1, 1, 1}), whole, comparison);
    judge.equal("the same tokens at once", in_pieces({7}), whole);
    judge.equal("the same tokens in pieces of 2, 1 and 4", in_pieces({2, 1, 4}), whole);
    const auto cached = [&](bool keys) {
        return [=] {
            Cache cache;
            my_step(head, cache, slice(x, 0, 0, 4));
            my_step(head, cache, slice(x, 0, 4, 7));
            return keys ? cache.keys : cache.values;
        };
    };
    judge.equal("after that the cache holds the keys of all seven tokens, in their order",
                cached(true), k);
    judge.equal("and their values", cached(false), v);
    judge.gradient("the gradient passes through the cache",
                   [&](const auto& in) {
                       Cache cache;
                       const Tensor first = my_step(head, cache, slice(in[0], 0, 0, 2));
                       return concat({first, my_step(head, cache, slice(in[0], 0, 2, 5))}, 0);
                   },
                   {random({5, 5})});
}
