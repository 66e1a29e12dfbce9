// Wrong shapes for soft attention and what belongs to it; see shape_errors.h.
#include "attention/attention.h"
#include "tests/attention/shape_errors.h"

namespace heed::shape_errors {

std::vector<Row> soft_rows() {
    static Rng rng(1);
    static const Attention general{AttentionScore(ScoreKind::general, {.query = 4, .key = 3}, rng),
                                   {}};
    static const AttentionSpan local(SpanKind::local_p, {.half_window = 1, .query = 4}, rng);
    static const MultiHead heads({.width = 4, .heads = 2}, rng);
    static const SelfAttention self({.width = 4, .heads = 2}, {.kind = PositionKind::relative},
                                    rng);
    static const RelativePositions relative(
        {.kind = PositionKind::relative, .width = 4, .heads = 2}, rng);
    const auto score = [](ScoreKind kind, const Shape& q, const Shape& k) {
        return [=] { AttentionScore(kind, {.query = 4, .key = 4}, rng).of(zeros(q), zeros(k)); };
    };
    return {
        {"AdditiveScore", score(ScoreKind::additive, {2, 3, 4}, {2, 5, 6}),
         "additive score: expected a key [B, K, 4], got [2, 5, 6]; the sizes given to Score are"},
        {"GeneralScore", score(ScoreKind::general, {2, 3, 5}, {2, 5, 4}),
         "general score: expected a query [B, Q, 4], got [2, 3, 5]; the sizes given to Score"},
        {"DotScore", score(ScoreKind::dot, {2, 3, 4}, {2, 5, 6}),
         "dot score: query [2, 3, 4] and key [2, 5, 6] differ in width; the general and the"},
        {"ScaledDotScore", score(ScoreKind::scaled_dot, {2, 3, 4}, {1, 5, 4}),
         "query [2, 3, 4] and key [1, 5, 4]; expected [B, Q, D] and [B, K, D] with the same B"},
        {"ContentScore", score(ScoreKind::content, {3, 4}, {2, 5, 4}),
         "query [3, 4] and key [2, 5, 4]; expected [B, Q, D] and [B, K, D] with the same B"},
        {"LocationScore", score(ScoreKind::location, {2, 3, 4}, {2, 101, 4}),
         "location score: 101 keys, but at most 100 are possible (max_keys in ScoreSizes)"},
        {"AttentionScore", [] { AttentionScore(ScoreKind::dot, {.query = 4, .key = 3}, rng); },
         "the dot score needs queries and keys of one width, got 4 and 3; the general and the"},
        {"score_kind", [] { score_kind("cosine"); }, "additive, dot, general, location"},
        {"padding_mask",
         [] {
             padding_mask(Indices({1, 2}, {2, 1}), 3);
         },
         "padding_mask: lengths [2, 1]; expected [B], one a sequence"},
        {"causal_mask", [] { causal_mask(4, 3); },
         "4 queries but only 3 keys; the queries are at the last positions of the keys"},
        {"sliding_window_mask", [] { sliding_window_mask(3, 3, -1, 0); },
         "a window reaches at least 0 places, not -1 before and 0 after"},
        {"combine",
         [] {
             combine({z({2, 1, 5}), z({4, 4})});
         },
         "combine: masks [2, 1, 5] and [4, 4] do not broadcast; a padding mask is [B, 1, K], a"},
        {"check_mask",
         [] {
             check_mask(z({3, 4}), {2, 3, 5}, "f");
         },
         "f: the mask [3, 4] does not broadcast to the scores [2, 3, 5]; a padding mask is"},
        {"check_mask, ambiguous",
         [] {
             check_mask(z({3, 5}), {3, 3, 5}, "f");
         },
         "f: the mask [3, 5] for the scores [3, 3, 5] is ambiguous: its first axis may be the batch or "
         "a later axis of the same size; reshape it to [B, 1, K], a mask for each sequence, or to "
         "[1, Q, K]"},
        {"additive_scores",
         [] {
             additive_scores(z({2, 3, 4}), z({2, 5, 6}), z({4}));
         },
         "additive_scores: q [2, 3, 4], k [2, 5, 6], v [4]; expected [B, Q, A], [B, K, A] and [A]"},
        {"additive_scores_definition",
         [] {
             additive_scores_definition(z({2, 3, 4}), z({1, 5, 4}), z({4}));
         },
         "q [2, 3, 4], k [1, 5, 4], v [4]; expected [B, Q, A], [B, K, A] and [A]"},
        {"attention_weights",
         [] {
             attention_weights(z({2, 3, 5}), z({2, 5}));
         },
         "the mask [2, 5] does not broadcast to the scores [2, 3, 5]; a padding mask is [B, 1, K]"},
        {"soft_attention",
         [] {
             soft_attention(z({2, 3, 5}), z({2, 4, 6}));
         },
         "scores [2, 3, 5] and value [2, 4, 6] differ in the number of keys; scores are [B, Q, K]"},
        {"AttentionSpan",
         [] {
             local.weights(z({2, 3, 5}), z({2, 3, 6}));
         },
         "scores [2, 3, 5] and query [2, 3, 6]; expected [B, Q, K] and [B, Q, 4], the queries"},
        {"Attention",
         [] {
             general.prepare(z({2, 5, 3}), z({2, 4, 3}));
         },
         "key [2, 5, 3] and value [2, 4, 3] differ in batch or number of keys; expected [B, K, D]"},
        {"scaled_dot_product_attention",
         [] {
             scaled_dot_product_attention(z({2, 2, 3, 4}), z({2, 2, 5, 3}), z({2, 2, 5, 4}));
         },
         "q [2, 2, 3, 4], k [2, 2, 5, 3], v [2, 2, 5, 4]; expected [B, H, Q, D], [B, H, K, D]"},
        {"scaled_dot_product_definition",
         [] {
             scaled_dot_product_definition(z({2, 3, 4}), z({2, 5, 4}), z({2, 5, 4}));
         },
         "q [2, 3, 4], k [2, 5, 4], v [2, 5, 4]; expected [B, H, Q, D], [B, H, K, D]"},
        {"MultiHead",
         [] {
             heads(z({2, 3, 4}), z({2, 5, 4}), z({2, 6, 4}));
         },
         "query [2, 3, 4], key [2, 5, 4], value [2, 6, 4]; expected [B, Q, Dq], [B, K, Dk] and"},
        {"MultiHead",
         [] {
             heads(z({2, 3, 6}), z({2, 5, 4}), z({2, 5, 4}));
         },
         "expected [..., 4], the width this layer was made for, got [2, 3, 6]"},
        {"MultiHead",
         [] {
             heads.split_heads(z({2, 3, 5}));
         },
         "split_heads of [2, 3, 5]; expected [B, T, D], D divisible by the 2 heads"},
        {"MultiHead",
         [] {
             heads.join_heads(z({2, 3, 4, 2}));
         },
         "join_heads of [2, 3, 4, 2]; expected [B, 2, T, D]"},
        {"SelfAttention",
         [] {
             self(z({2, 3, 4}), {.mask = z({3, 1, 3})});
         },
         "the mask [3, 1, 3] does not broadcast to the scores [2, 3, 3] of each head; a padding"},
        {"attention_dropout_mask",
         [] {
             attention_dropout_mask({2, 3, 4}, 0.5, 1);
         },
         "weights [2, 3, 4] and probability 0.5; expected [B, H, Q, K]"},
        {"keys_and_values",
         [] {
             keys_and_values(heads, z({3, 4}));
         },
         "x [3, 4]; expected [B, K, D]"},
        {"AttentionPooling",
         [] {
             AttentionPooling({.width = 3}, rng)(z({2, 4, 5}));
         },
         "AttentionPooling: items [2, 4, 5]; expected [B, K, 3]"},
        {"MultiHeadPooling",
         [] {
             MultiHeadPooling({.width = 4}, rng)(z({4, 4}));
         },
         "MultiHeadPooling: items [4, 4]; expected [B, K, 4]"},
        {"gaussian_scores",
         [] {
             gaussian_scores(z({1, 2, 3}), z({1, 2, 4}), 1);
         },
         "query [1, 2, 3] and key [1, 2, 4]; expected [B, Q, D] and [B, K, D] with the same B and"},
        {"nadaraya_watson",
         [] {
             nadaraya_watson(z({1, 2, 3}), z({1, 5, 3}), z({1, 4, 2}), 1);
         },
         "scores [1, 2, 5] and value [1, 4, 2] differ in the number of keys"},
        {"sinusoidal_positions", [] { sinusoidal_positions(0, 3, 5); },
         "a width of 5; each wavelength needs a sine and a cosine, so make it even"},
        {"rotary",
         [] {
             rotary(z({2, 3}), 0);
         },
         "x [2, 3]; expected [..., T, D] with an even D"},
        {"alibi_bias", [] { alibi_bias(2, 4, 3); }, "alibi_bias: 4 queries but only 3 keys"},
        {"alibi_slopes", [] { alibi_slopes(0); }, "0 heads; expected at least 1"},
        {"AbsolutePositions",
         [] {
             AbsolutePositions({.width = 4}, rng)(z({3, 4}));
         },
         "x [3, 4]; expected [B, T, D]"},
        {"RelativePositions",
         [] {
             relative.bias(z({2, 2, 3, 4}), 3);
         },
         "q [2, 2, 3, 4], but the vectors of distances are [33, 2]; expected [B, H, Q, 2]"},
        {"RelativePositions",
         [] {
             relative.context(z({2, 3, 3}));
         },
         "weights [2, 3, 3]; expected [B, H, Q, K]"},
    };
}

}  // namespace heed::shape_errors
