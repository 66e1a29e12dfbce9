// The laws of attention: what every correct attention does, whatever its score. Wrong attention
// code usually still trains, so a falling loss does not show that it is right. The laws are checked
// in a moment, on small random inputs in float64.
//
//     auto mine = [](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
//         return soft_attention(matmul(q, transpose(k)) / std::sqrt(q.size(-1)), v, mask);
//     };
//     for (const laws::Verdict& verdict : laws::check_all(mine))
//         if (!verdict.holds) fmt::print("{}\n", verdict);
//
// A law calls the function on small inputs and returns a verdict, which says what was violated and
// where. An Error thrown by the function is a violation too, and so are outputs of a wrong shape.
// Not every attention should obey every law: one with positions depends on the order of keys, and
// the location score does not depend on keys. So each law is a function of its own; check_all()
// checks those that hold for every attention whose score depends on query and key only.
//
// laws.md shows which mechanism of the library obeys which laws, and a hundred wrong attentions with the
// laws that catch them.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "attention/scores/soft.h"

namespace heed {

// query [B, Q, D], key [B, K, D], value [B, K, D'], mask broadcast to [B, Q, K] or not defined
// -> context [B, Q, any], weights [B, Q, K] or [B, H, Q, K]
using AttentionFunction = std::function<AttentionOutput(const Tensor& query, const Tensor& key,
                                                        const Tensor& value, const Tensor& mask)>;

namespace laws {

struct Verdict {
    std::string law;
    bool holds = true;
    std::string message;  // what was violated, and where; empty when the law holds
};
std::string to_string(const Verdict& verdict);

// The sizes and the seed of the random inputs of a law.
struct Sizes {
    int64_t batch = 2, queries = 3, keys = 5;
    int64_t query_width = 4, key_width = 4, value_width = 3;
    uint64_t seed = 1;
    double tolerance = 1e-9;  // of comparisons with rounding errors
};

// --- weights and keys ---------------------------------------------------------------------------

// Weights are not negative and sum to 1 over the allowed keys. A query without an allowed key has
// weights 0, not NaN.
Verdict distribution(const AttentionFunction& f, const Sizes& sizes = {});

// Permuting keys, values and mask together permutes the weights and does not change the context.
Verdict permutation(const AttentionFunction& f, const Sizes& sizes = {});

// Changing one key changes its weight, in every head; changing one element of it changes its weight
// in at least one head.
Verdict every_key_counts(const AttentionFunction& f, const Sizes& sizes = {});

// When all keys are equal, the context is that of the mean of the allowed values.
Verdict equal_keys(const AttentionFunction& f, const Sizes& sizes = {});

// --- queries ------------------------------------------------------------------------------------

// Changing one query changes its weights, in every head; changing one element of it changes its
// weights in at least one head.
Verdict every_query_counts(const AttentionFunction& f, const Sizes& sizes = {});

// Changing one query changes neither the context nor the weights of any other query.
Verdict queries_apart(const AttentionFunction& f, const Sizes& sizes = {});

// Permuting the queries permutes contexts and weights in the same way, and a query alone gives the
// same as among others.
Verdict query_order(const AttentionFunction& f, const Sizes& sizes = {});

// --- values and heads ---------------------------------------------------------------------------

// The context is the weights times the values. With heads and projections
//     context(b, q) = c + Σₕ Σₖ weights(b, h, q, k) Aₕ value(b, k),
// where the matrices Aₕ and the vector c are the same for all b, q and k. They are not known to the
// law: it measures what each element of each value contributes to each context, and fits Aₕ by least
// squares. So the law holds for any projections, and for none. The weights do not depend on the
// values.
Verdict weighted_mean(const AttentionFunction& f, const Sizes& sizes = {});

// Changing one element of a value changes the contexts of all queries that give it weight.
Verdict every_value_counts(const AttentionFunction& f, const Sizes& sizes = {});

// For an attention without projections, or whose projections are the identity: head h uses the
// columns h D/H to (h + 1) D/H of query, key and value and no others, and the same columns of the
// context are its weights times its values. With heads = 1: context = weights · values. The widths
// must be divisible by the heads. Grouped queries, whose keys have fewer heads G of the same width, share the
// columns of head h G/H of keys and values (fused/scaled_dot_product.h).
Verdict heads_apart(const AttentionFunction& f, Integer heads, const Sizes& sizes = {});

// The same kind of attention, with scaled dot products as scores: the weights of head h are
// softmax(qₕ · kₕ / √(D/H)) (Vaswani et al. 2017, equation 1).
Verdict scaled_dot(const AttentionFunction& f, Integer heads, const Sizes& sizes = {});

// For scaled dot products with any projections: with normal queries and keys the variance of the
// scores does not grow with the width (Vaswani et al. 2017, footnote 4). f is called at widths 4 and
// 256.
Verdict scaled(const AttentionFunction& f, const Sizes& sizes = {});

// --- masks --------------------------------------------------------------------------------------

// A masked key has weight exactly 0, an allowed one more than 0. The numbers in a masked key and
// its value, however large, change neither the context nor any gradient, and their own gradient is
// exactly 0.
Verdict masked_keys(const AttentionFunction& f, const Sizes& sizes = {});

// The same with a mask [B, Q, K] that forbids other keys to each query.
Verdict each_query_mask(const AttentionFunction& f, const Sizes& sizes = {});

// Masked means not read. NaN, infinity and 1e300 in a masked key and its value, whether the mask is for
// all queries (at the end, at the beginning, in the middle) or for one, change neither contexts nor
// weights nor gradients, those of the given parameters and second derivatives among them. And a NaN that
// arrives as the gradient of one query does not reach what is masked for it. Not among check_all(): of
// the products written as matmul() none obeys it, for 0 times NaN is NaN; see attention/scores/pairs.h.
Verdict not_read(const AttentionFunction& f,
                 const std::vector<std::pair<std::string, Tensor>>& parameters = {},
                 const Sizes& sizes = {});

// A sequence with padding gives the same as the sequence without it.
Verdict padding_is_absent(const AttentionFunction& f, const Sizes& sizes = {});

// A query without an allowed key: its weights and its gradient are exactly 0, its context depends on
// no key and no value, all gradients are finite, and the results of other queries do not change.
Verdict empty_rows(const AttentionFunction& f, const Sizes& sizes = {});

// For an attention that is causal itself (no mask is passed; Q = K = sizes.keys): a change of query,
// key and value at one position changes no context at earlier positions; a change of key and value
// changes every context from that position on. Weights of later keys, if there are weights, and
// gradients of later queries, keys and values are exactly 0.
Verdict causal(const AttentionFunction& f, const Sizes& sizes = {});

// The same for an attention that has a window: query i attends to the keys i - before to i + after.
Verdict window(const AttentionFunction& f, Integer before, Integer after, const Sizes& sizes = {});

// --- the function as a whole --------------------------------------------------------------------

// A row of a batch gives the same result as that row alone.
Verdict batch_rows(const AttentionFunction& f, const Sizes& sizes = {});

// The same call gives the same numbers again, and leaves its inputs as they are.
Verdict repeatable(const AttentionFunction& f, const Sizes& sizes = {});

// The sharp limit is a lookup: as the sharpness grows, the weight of the key with the largest
// weight goes to 1 in every head, and only the values of these keys contribute to the context. at(s)
// is the attention at sharpness s. The second form multiplies the query by the sharpness, which is
// right for scores linear in the query.
Verdict sharp_limit(const std::function<AttentionFunction(double)>& at, const Sizes& sizes = {});
Verdict sharp_limit(const AttentionFunction& f, const Sizes& sizes = {});

// Every parameter receives gradient from a random weighted sum of the context. Leave out parameters
// whose gradient is 0 for a reason: a bias of the keys shifts all dot products of a query equally.
Verdict every_parameter(const AttentionFunction& f,
                        const std::vector<std::pair<std::string, Tensor>>& parameters,
                        const Sizes& sizes = {});

// The gradients of context and weights with respect to query, key and value agree with finite
// differences, with and without a mask.
Verdict gradient(const AttentionFunction& f, const Sizes& sizes = {});

// All laws that hold for every attention whose score depends on query and key only: those above
// except heads_apart, scaled_dot, scaled, not_read, causal, window, sharp_limit and every_parameter.
std::vector<Verdict> check_all(const AttentionFunction& f, const Sizes& sizes = {});

}  // namespace laws

}  // namespace heed

template <>
struct fmt::formatter<heed::laws::Verdict> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(const heed::laws::Verdict& verdict, fmt::format_context& context) const {
        const std::string text = heed::laws::to_string(verdict);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
