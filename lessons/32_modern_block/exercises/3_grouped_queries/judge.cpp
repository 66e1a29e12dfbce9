#include "lessons/course/exercise/judge.h"

#include <cmath>

#include "attention/laws/laws.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"soft_attention", "attention_weights", "scaled_dot_product_attention",
               "scaled_dot_product_definition", "plain_attention", "tiled_attention", "MultiHead",
               "SelfAttention", "split_heads", "split_groups", "AttentionScore"});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    // The library's, with heads for axes of their own; `order` says which head of the keys each reads.
    const auto heads_of = [](const Tensor& x, int64_t count) {
        return stack(chunk(x, count, 2), 1);
    };
    const auto joined = [](const Tensor& x) { return concat(unbind(x, 1), 2); };
    const Tensor q = random({2, 3, 12}), k = random({2, 5, 6}), v = random({2, 5, 6});
    const auto by = [&](const std::vector<int>& order, double scale = 0) {
        return scaled_dot_product_definition(heads_of(q, 4), index_select(heads_of(k, 2), 1, order),
                                             index_select(heads_of(v, 2), 1, order),
                                             {.scale = scale});
    };
    const AttentionOutput right = by({0, 0, 1, 1});
    judge.given({{"q", q}, {"k", k}, {"v", v}});
    judge.equal(
        "four heads of width 3, two groups: the weights",
        [&] { return my_grouped(q, k, v, 4).weights; }, right.weights,
        {.formula = "softmax(Q_h K_g^T / sqrt(W)), g = floor(h G / H)",
         .mistakes = {
             {"the groups are assigned in turn, g = h mod G; neighbouring heads should share one",
              by({0, 1, 0, 1}).weights},
             {"all heads read the first group", by({0, 0, 0, 0}).weights},
             {"the scores are divided by the root of the whole width",
              by({0, 0, 1, 1}, 1 / std::sqrt(12.)).weights},
             {"the scores are not divided by the root of the width of a head",
              by({0, 0, 1, 1}, 1).weights}}});
    judge.equal(
        "and the contexts, side by side", [&] { return my_grouped(q, k, v, 4).context; },
        joined(right.context),
        {.mistakes = {
             {"the values are those of the first group",
              joined(matmul(right.weights, index_select(heads_of(v, 2), 1, {0, 0, 0, 0})))},
             {"the values are dealt out in turn; each head takes those of its keys",
              joined(matmul(right.weights, index_select(heads_of(v, 2), 1, {0, 1, 0, 1})))}}});
    const auto compare = [&](const std::string& what, int64_t heads, int64_t groups) {
        const Tensor all = random({2, 4, heads * 2}), keys = random({2, 5, groups * 2}),
                     values = random({2, 5, groups * 2});
        const AttentionOutput y = scaled_dot_product_definition(
            heads_of(all, heads), heads_of(keys, groups), heads_of(values, groups));
        judge.equal(
            what, [&] { return my_grouped(all, keys, values, heads).context; }, joined(y.context));
    };
    compare("six heads, one group: multi-query attention", 6, 1);
    compare("six heads, two groups", 6, 2);
    compare("three heads, three groups: multi-head attention", 3, 3);
    judge.gradient("the gradients of queries, keys and values",
                   [](const auto& in) { return my_grouped(in[0], in[1], in[2], 4).context; },
                   {q, k, v});
    judge.number("the cache of Llama 2 70B: bytes for a token",
                 [] { return static_cast<double>(my_cache_bytes(80, 8192, 64, 8, 2)); }, 327'680,
                 {.tolerance = 1e-9,
                  .formula = "2 L G W numbers",
                  .mistakes = {{"both keys and values are stored", 163'840},
                               {"these are the bytes with a group for each head", 2'621'440},
                               {"one layer only", 4'096}}});
    judge.number("two layers of width 64, 4 heads, 1 group, 4 bytes",
                 [] { return static_cast<double>(my_cache_bytes(2, 64, 4, 1, 4)); }, 256,
                 {.tolerance = 1e-9});
    const AttentionFunction mine = [](const Tensor& a, const Tensor& b, const Tensor& c,
                                      const Tensor&) { return my_grouped(a, b, c, 4); };
    if (judge.verdict() != course::Judge::Verdict::solved) return;
    const laws::Verdict verdict =
        laws::every_key_counts(mine, {.query_width = 8, .key_width = 4, .value_width = 4});
    judge.holds(
        "the law: " + verdict.law, [&] { return verdict.holds; }, verdict.message);
}
