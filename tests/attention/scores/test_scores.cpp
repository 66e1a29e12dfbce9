// Scores against their formulas as loops; masks, spans and soft attention by hand.
#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/catch.h"
#include "tests/error_of.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

Tensor random(const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    return normal(shape, 0, 1, rng, f64);
}

AttentionScore make(ScoreKind kind, const ScoreSizes& sizes) {
    Rng rng(1);
    AttentionScore score(kind, sizes, rng);
    to_dtype(score, f64);
    return score;
}

}  // namespace

TEST_CASE("the additive score in one operation equals its definition", "[attention]") {
    for (Dtype dtype : {Dtype::float32, Dtype::float64})
        for (const Shape& sizes : {Shape{1, 1, 1, 1}, Shape{3, 2, 5, 20}, Shape{40, 3, 7, 33}}) {
            INFO(fmt::format("{} {}", dtype, sizes));
            Rng rng(1);
            const auto leaf = [&](const Shape& shape) {
                return normal(shape, 0, 1, rng, dtype).set_requires_grad();
            };
            const std::vector<Tensor> x{leaf({sizes[0], sizes[1], sizes[3]}),
                                        leaf({sizes[0], sizes[2], sizes[3]}), leaf({sizes[3]})};
            const Tensor g = normal({sizes[0], sizes[1], sizes[2]}, 0, 1, rng, dtype);
            const Tensor fused = additive_scores(x[0], x[1], x[2]);
            const Tensor plain = additive_scores_definition(x[0], x[1], x[2]);
            const double tolerance = dtype == Dtype::float32 ? 1e-4 : 1e-12;
            CHECK(max(abs(fused - plain)).item() < tolerance);
            const auto ours = grad(fused, x, false, g), theirs = grad(plain, x, false, g);
            for (std::size_t i = 0; i < x.size(); ++i)
                CHECK(max(abs(ours[i] - theirs[i])).item() < tolerance);
        }
}

TEST_CASE("each score is its formula", "[attention]") {
    const Tensor q = random({2, 3, 4}, 1), k = random({2, 5, 4}, 2);
    const auto expect = [&](ScoreKind kind, auto formula) {
        const AttentionScore score =
            make(kind, {.query = 4, .key = 4, .hidden = 6, .sharpness = 2.5});
        const Tensor scores = score.of(q, k);
        INFO(name_of(kind));
        REQUIRE(scores.shape() == Shape{2, 3, 5});
        for (int b = 0; b < 2; ++b)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 5; ++j) {
                    std::vector<double> x, y;
                    for (int d = 0; d < 4; ++d) {
                        x.push_back(q.at({b, i, d}));
                        y.push_back(k.at({b, j, d}));
                    }
                    CHECK(scores.at({b, i, j}) == Approx(formula(score, x, y, j)).margin(1e-12));
                }
    };
    using V = std::vector<double>;
    const auto dot = [](const V& x, const V& y) {
        double sum = 0;
        for (std::size_t d = 0; d < x.size(); ++d) sum += x[d] * y[d];
        return sum;
    };
    const auto times = [](const Tensor& w, int64_t row, const V& x) {
        double sum = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
            sum += w.at({row, static_cast<int64_t>(d)}) * x[d];
        return sum;
    };
    expect(ScoreKind::dot,
           [&](const AttentionScore&, const V& x, const V& y, int) { return dot(x, y); });
    expect(ScoreKind::scaled_dot,
           [&](const AttentionScore&, const V& x, const V& y, int) { return dot(x, y) / 2; });
    expect(ScoreKind::content, [&](const AttentionScore&, const V& x, const V& y, int) {
        return 2.5 * dot(x, y) / std::sqrt(dot(x, x) * dot(y, y));
    });
    expect(ScoreKind::general, [&](const AttentionScore& s, const V& x, const V& y, int) {
        double sum = 0;
        for (int d = 0; d < 4; ++d) sum += x[d] * times(std::get<GeneralScore>(s.any).weight, d, y);
        return sum;
    });
    expect(ScoreKind::location, [&](const AttentionScore& s, const V& x, const V&, int j) {
        return times(std::get<LocationScore>(s.any).weight, j, x);
    });
    expect(ScoreKind::additive, [&](const AttentionScore& s, const V& x, const V& y, int) {
        const auto& a = std::get<AdditiveScore>(s.any);
        double sum = 0;
        for (int h = 0; h < 6; ++h)
            sum += a.v.at({h}) * std::tanh(times(a.query.weight, h, x) + times(a.key.weight, h, y));
        return sum;
    });
}

TEST_CASE("scores know their names", "[attention]") {
    for (ScoreKind kind : score_kinds()) CHECK(score_kind(name_of(kind)) == kind);
    CHECK(score_kind("concat") == ScoreKind::additive);
    CHECK_THAT(
        error_of([] { score_kind("cosine"); }),
        ContainsSubstring("no score \"cosine\"") && ContainsSubstring("scaled_dot, content"));
}

TEST_CASE("scores refuse what does not fit, and say what would", "[attention][errors]") {
    const Tensor q = random({2, 3, 4}, 1);
    CHECK_THAT(error_of([&] {
                   make(ScoreKind::dot, {.query = 4, .key = 4}).of(q, random({2, 5, 6}, 2));
               }),
               ContainsSubstring("D is 4 in query [2, 3, 4] and 6 in key [2, 5, 6]; expected"));
    CHECK_THAT(error_of([&] { make(ScoreKind::scaled_dot, {.query = 4, .key = 6}); }),
               ContainsSubstring("one width, got 4 and 6"));
    CHECK_THAT(error_of([&] {
                   make(ScoreKind::dot, {.query = 4, .key = 4}).of(q, random({3, 5, 4}, 2));
               }),
               ContainsSubstring("B is 2 in query [2, 3, 4] and 3 in key [3, 5, 4]"));
    const AttentionScore additive = make(ScoreKind::additive, {.query = 4, .key = 6});
    CHECK_THAT(error_of([&] {
                   additive.of(q, random({2, 5, 4}, 2));
               }),
               ContainsSubstring("Dk is 4 in key [2, 5, 4] and 6 in its weight"));
    CHECK_THAT(error_of([&] {
                   additive.of(random({2, 3, 6}, 1), random({2, 5, 6}, 2));
               }),
               ContainsSubstring("Dq is 6 in query [2, 3, 6] and 4 in its weight"));
    const AttentionScore location =
        make(ScoreKind::location, {.query = 4, .key = 4, .max_keys = 3});
    CHECK_THAT(error_of([&] {
                   location.of(q, random({2, 5, 4}, 2));
               }),
               ContainsSubstring("5 keys, but at most 3 are possible"));
}

TEST_CASE("masks", "[attention]") {
    CHECK(padding_mask({1, 3, 0}, 3).to_vector() == std::vector<double>{1, 0, 0, 1, 1, 1, 0, 0, 0});
    CHECK(padding_mask({1, 3, 0}, 3).shape() == Shape{3, 1, 3});
    CHECK(causal_mask(3).to_vector() == std::vector<double>{1, 0, 0, 1, 1, 0, 1, 1, 1});
    CHECK(causal_mask(2, 3).to_vector() == std::vector<double>{1, 1, 0, 1, 1, 1});
    CHECK(sliding_window_mask(3, 4, 1, 0).to_vector() ==
          std::vector<double>{1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1});
    CHECK(sliding_window_mask(3, 3, 0, 1).to_vector() ==
          std::vector<double>{1, 1, 0, 0, 1, 1, 0, 0, 1});
    const Tensor both = combine({padding_mask({1, 2}, 2), Tensor(), causal_mask(2)});
    CHECK(both.shape() == Shape{2, 2, 2});
    CHECK(both.to_vector() == std::vector<double>{1, 0, 1, 0, 1, 0, 1, 1});
    CHECK_FALSE(combine({Tensor(), Tensor()}).defined());
}

TEST_CASE("a padding mask without its query axis is not taken for a causal one",
          "[attention][errors]") {
    // [B, K] where B equals Q: each query i would be given the padding of sequence i.
    const Tensor padding = squeeze(padding_mask({1, 2, 3}, 3), 1);
    const Tensor scores = random({3, 3, 3}, 1), value = random({3, 3, 4}, 2),
                 q = random({3, 3, 3, 4}, 3);
    const auto ambiguous = ContainsSubstring("is ambiguous");
    CHECK_THAT(error_of([&] { soft_attention(scores, value, padding); }),
               ambiguous && ContainsSubstring("[3, 3] for the scores [3, 3, 3]") &&
                   ContainsSubstring("reshape it to [B, 1, K]") && ContainsSubstring("[1, Q, K]"));
    CHECK_THAT(error_of([&] { scaled_dot_product_attention(q, q, q, {.mask = padding}); }),
               ambiguous && ContainsSubstring("[B, 1, 1, K]"));
    CHECK_THAT(
        error_of([&] { scaled_dot_product_attention(q, q, q, {.mask = unsqueeze(padding, 1)}); }),
        ambiguous && ContainsSubstring("[B, 1, Q, K]"));
    CHECK_THAT(error_of([&] { categorical_entropy(scores, padding); }), ambiguous);
    Rng rng(1);
    const MultiHead heads({.width = 4, .heads = 2}, rng);
    const Tensor x = to_dtype(random({3, 3, 4}, 5), Dtype::float32);
    CHECK_THAT(error_of([&] { heads(x, x, x, {.mask = padding}); }), ambiguous);
    // Masks that say which axis they mean.
    for (const Tensor& mask :
         {unsqueeze(padding, 1), unsqueeze(padding, 0), causal_mask(3), ones({3})})
        CHECK(error_of([&] { soft_attention(scores, value, mask); }) == "no error");
    CHECK(error_of([&] {
              soft_attention(random({2, 3, 3}, 1), random({2, 3, 4}, 1), padding);
          }) == "no error");
    CHECK(error_of([&] {
              soft_attention(select(scores, 0, 0), select(value, 0, 0), causal_mask(3));
          }) == "no error");
    CHECK(error_of([&] { scaled_dot_product_attention(q, q, q, {.mask = causal_mask(3)}); }) ==
          "no error");
}

TEST_CASE("a mask may have another dtype than the scores", "[attention]") {
    const Tensor scores = random({2, 3, 4}, 1), value = random({2, 4, 5}, 2);
    const Tensor mask = padding_mask({4, 2}, 4);  // float32; the scores are float64
    const auto same = [](const Tensor& a, const Tensor& b) {
        return a.to_vector() == b.to_vector() && a.dtype() == b.dtype();
    };
    const Tensor wide = to_dtype(mask, f64);
    CHECK(same(soft_attention(scores, value, mask).context,
               soft_attention(scores, value, wide).context));
    CHECK(same(combine({wide, causal_mask(4)}), combine({wide, causal_mask(4, f64)})));
    const Tensor q = random({2, 2, 4, 3}, 3);
    CHECK(
        same(scaled_dot_product_attention(q, q, q, {.mask = unsqueeze(mask, 1), .causal = true}),
             scaled_dot_product_attention(q, q, q, {.mask = unsqueeze(wide, 1), .causal = true})));
}

TEST_CASE("masks and soft attention refuse what does not fit", "[attention][errors]") {
    CHECK_THAT(error_of([] {
                   padding_mask({2, 4}, 3);
               }),
               ContainsSubstring("length 4 of sequence 1 is outside 0 .. 3"));
    CHECK_THAT(error_of([] { causal_mask(4, 3); }), ContainsSubstring("4 queries but only 3 keys"));
    CHECK_THAT(error_of([] { sliding_window_mask(2, 2, -1, 0); }),
               ContainsSubstring("before is -1; expected 0 or more"));
    const Tensor scores = random({2, 3, 5}, 1), value = random({2, 5, 4}, 2);
    CHECK_THAT(error_of([&] {
                   soft_attention(scores, random({2, 4, 4}, 2));
               }),
               ContainsSubstring("K is 5 in scores [2, 3, 5] and 4 in value [2, 4, 4]"));
    CHECK_THAT(
        error_of([&] {
            soft_attention(scores, value, ones({2, 5}, f64));
        }),
        ContainsSubstring("mask [2, 5] does not broadcast to the scores [2, 3, 5]; a padding"));
}

TEST_CASE("soft attention is the weighted mean, and nothing for an empty row", "[attention]") {
    const Tensor scores = tensor({0, std::log(3.0), 7, 5}, {1, 2, 2}, f64);
    const Tensor value = tensor({1, 2, 5, 10}, {1, 2, 2}, f64);
    const Tensor mask = tensor({1, 1, 0, 0}, {1, 2, 2}, f64);
    const auto [context, weights] = soft_attention(scores, value, mask);
    CHECK(weights.at({0, 0, 0}) == Approx(0.25));
    CHECK(context.at({0, 0, 0}) == Approx(4));
    CHECK(context.at({0, 0, 1}) == Approx(8));
    CHECK(context.at({0, 1, 0}) == 0);
    CHECK(context.at({0, 1, 1}) == 0);
}

TEST_CASE("local_m attends to a window around the position of the query", "[attention]") {
    Rng rng(1);
    const AttentionSpan span(SpanKind::local_m, {.half_window = 1}, rng);
    const Tensor scores = zeros({1, 3, 5}, f64), query = zeros({1, 3, 2}, f64);
    const Tensor w = span.weights(scores, query, padding_mask({4}, 5, f64), 1);
    const double third = 1.0 / 3;
    const std::vector<double> expected{third, third, third, 0,     0,   // around 1
                                       0,     third, third, third, 0,   // 2
                                       0,     0,     0.5,   0.5,   0};  // 3; position 4 is padding
    for (int i = 0; i < 15; ++i) CHECK(w.to_vector()[i] == Approx(expected[i]));
    CHECK(sum(span.weights(scores, query, {}, 7)).item() == 0);  // far beyond the end
}

TEST_CASE("local_p weights a window by a Gaussian around the predicted centre", "[attention]") {
    Rng rng(1);
    AttentionSpan span(SpanKind::local_p, {.half_window = 2, .query = 3}, rng);
    to_dtype(span, f64);
    const Tensor scores = random({2, 3, 7}, 1), query = random({2, 3, 3}, 2);
    const Tensor mask = padding_mask({7, 5}, 7, f64);
    const Tensor w = span.weights(scores, query, mask);
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 3; ++i) {
            double inner = 0;  // vᵀ tanh(W q)
            for (int h = 0; h < 3; ++h) {
                double sum = 0;
                for (int d = 0; d < 3; ++d)
                    sum += span.hidden.weight.at({h, d}) * query.at({b, i, d});
                inner += span.v.at({0, h}) * std::tanh(sum);
            }
            const int length = b == 0 ? 7 : 5;
            const double p = length / (1 + std::exp(-inner));
            double total = 0;
            const auto inside = [&](int j) { return j < length && std::abs(j - p) <= 2; };
            for (int j = 0; j < 7; ++j)
                if (inside(j)) total += std::exp(scores.at({b, i, j}));
            for (int j = 0; j < 7; ++j) {
                const double expected =
                    inside(j) ? std::exp(scores.at({b, i, j}) - (j - p) * (j - p) / 2) / total : 0;
                CHECK(w.at({b, i, j}) == Approx(expected).margin(1e-12));
            }
        }
    CHECK_THAT(error_of([&] { AttentionSpan(SpanKind::local_m, {.half_window = 0}, rng); }),
               ContainsSubstring("half_window is 0"));
}
