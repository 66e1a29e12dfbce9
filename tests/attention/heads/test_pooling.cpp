// Attention pooling obeys the laws of attention and computes its formulas.
#include <cmath>

#include "attention/heads/pooling.h"
#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "nn/module/module.h"
#include "tests/attention/laws/require.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class Pooling>
Pooling in_float64(Pooling pooling) {
    to_dtype(pooling, Dtype::float64);
    return pooling;
}

// Pooling as an attention function: keys are the items, the query is the context if there is one.
// Values are given separately, so that a law can change them without changing the keys.
AttentionFunction learned_queries(const AttentionPooling& pool) {
    return [=](const Tensor&, const Tensor& k, const Tensor& v, const Tensor& mask) {
        return soft_attention(pool.scores(k), v, mask);
    };
}
AttentionFunction by_context(const AttentionPooling& pool) {
    return [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
        std::vector<Tensor> scores;
        for (const Tensor& context : unbind(q, 1)) scores.push_back(pool.scores(k, context));
        return soft_attention(concat(scores, 1), v, mask);
    };
}

}  // namespace

TEST_CASE("pooling with learned queries obeys the laws", "[laws][attention]") {
    Rng rng(1);
    const auto f =
        learned_queries(in_float64(AttentionPooling({.width = 4, .hidden = 6, .queries = 3}, rng)));
    for (const laws::Verdict& verdict :
         {laws::distribution(f), laws::permutation(f), laws::every_key_counts(f),
          laws::masked_keys(f), laws::equal_keys(f), laws::batch_rows(f)})
        require(verdict);
}

TEST_CASE("pooling with context obeys the laws of any attention", "[laws][attention]") {
    Rng rng(2);
    const AttentionPooling pool =
        in_float64(AttentionPooling({.width = 4, .hidden = 6, .context = 4}, rng));
    const auto f = by_context(pool);
    for (const laws::Verdict& verdict : laws::check_all(f)) require(verdict);
    std::vector<std::pair<std::string, Tensor>> named;
    for (const Parameter& p : parameters(pool)) named.emplace_back(p.name, p.tensor);
    CHECK(named.size() == 4);
    require(laws::every_parameter(f, named));
}

TEST_CASE("Nadaraya-Watson obeys the laws, and its sharp limit is the nearest neighbour",
          "[laws][attention]") {
    const auto at = [](double bandwidth) -> AttentionFunction {
        return [=](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
            return nadaraya_watson(q, k, v, bandwidth, mask);
        };
    };
    for (const laws::Verdict& verdict : laws::check_all(at(0.9))) require(verdict);
    require(laws::sharp_limit([&](double s) { return at(1 / std::sqrt(s)); }));
}

TEST_CASE("Nadaraya-Watson is the kernel estimator, computed by hand", "[attention]") {
    Rng rng(3);
    const Tensor x = normal({1, 7, 1}, 0, 1, rng, Dtype::float64);
    const Tensor y = normal({1, 7, 1}, 0, 1, rng, Dtype::float64);
    const double at = 0.4, h = 0.6;
    double above = 0, below = 0;
    for (int64_t j = 0; j < 7; ++j) {
        const double gap = (at - x.at({0, j, 0})) / h, kernel = std::exp(-gap * gap / 2);
        above += kernel * y.at({0, j, 0});
        below += kernel;
    }
    const Tensor query = full({1, 1, 1}, at, Dtype::float64);
    CHECK(nadaraya_watson(query, x, y, h).context.item() == Approx(above / below).epsilon(1e-12));
    // Far from everything it is the nearest value, not 0 / 0.
    const Tensor far = full({1, 1, 1}, 1000, Dtype::float64);
    CHECK(nadaraya_watson(far, x, y, h).context.item() ==
          Approx(y.at({0, argmax(x, 1)[0], 0})).epsilon(1e-12));
}

TEST_CASE("pooling takes sets of any size; padding changes nothing", "[attention]") {
    Rng rng(4);
    const AttentionPooling pool({.width = 5, .queries = 2}, rng);
    const MultiHeadPooling heads({.width = 6, .queries = 2, .heads = 3}, rng);
    for (int64_t count : {1, 3, 40}) {
        const auto same = [&](int64_t width, auto call) {
            const Tensor set = normal({1, count, width}, 0, 1, rng);
            const Tensor padded = pad(set, 1, 0, 9, 1e6);
            const Tensor mask = padding_mask({static_cast<int>(count)}, count + 9);
            const AttentionOutput alone = call(set, Tensor());
            CHECK(alone.context.shape() == Shape{1, 2, width});
            CHECK(max(abs(call(padded, mask).context - alone.context)).item() < 1e-5);
        };
        same(5, [&](const Tensor& x, const Tensor& m) { return pool(x, {}, m); });
        same(6,
             [&](const Tensor& x, const Tensor& m) { return with_weights(heads, x, {.mask = m}); });
    }
    CHECK(with_weights(heads, zeros({2, 4, 6})).weights.shape() == Shape{2, 3, 2, 4});
    const Tensor nothing = pool(ones({1, 3, 5}), {}, zeros({1, 1, 3})).context;
    CHECK(max(abs(nothing)).item() == 0);
}

TEST_CASE("a query of zeros pools by the mean", "[attention]") {
    Rng rng(5);
    AttentionPooling pool({.width = 5}, rng);
    pool.query = zeros({1, 5});
    const Tensor items = normal({2, 6, 5}, 0, 1, rng);
    CHECK(max(abs(pool(items).context - mean(items, 1, true))).item() < 1e-6);
}

TEST_CASE("pooling refuses what does not fit", "[attention][errors]") {
    Rng rng(6);
    const AttentionPooling plain({.width = 3}, rng), told({.width = 3, .context = 2}, rng);
    const auto says = [](const auto& f, const char* text) {
        CHECK_THROWS_WITH(f(), ContainsSubstring(text));
    };
    says([&] { AttentionPooling({.width = 0}, rng); }, "expected a positive number");
    says([&] { plain(zeros({2, 4, 5})); }, "items is [2, 4, 5]; expected items [B, K, 3]");
    says([&] { plain(zeros({2, 4, 3}), zeros({2, 2})); }, "set PoolingOptions::context");
    says([&] { told(zeros({2, 4, 3})); }, "but called without one");
    says(
        [&] {
            told(zeros({2, 4, 3}), zeros({1, 2}));
        },
        "B is 2 in items [2, 4, 3] and 1 in context [1, 2]");
    says([&] { MultiHeadPooling({.width = 5, .heads = 2}, rng); }, "heads must divide the width");
    says(
        [&] {
            MultiHeadPooling({.width = 4}, rng)(zeros({2, 4, 3}));
        },
        "expected items [B, K, 4]");
    says(
        [&] {
            gaussian_scores(zeros({1, 2, 3}), zeros({1, 2, 4}), 1);
        },
        "D is 3 in query [1, 2, 3] and 4 in key [1, 2, 4]");
    says(
        [&] {
            nadaraya_watson(zeros({1, 2, 3}), zeros({1, 2, 3}), zeros({1, 2, 3}), 0);
        },
        "bandwidth is 0");
}
