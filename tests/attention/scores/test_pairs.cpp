// Masked means not read: the inputs of attention that are, and the two products of it, one by one. That
// every mechanism obeys is the law not_read, in the table of laws.
#include <cmath>
#include <limits>

#include "attention/attention.h"
#include "attention/fused/tiles.h"
#include "tests/catch.h"

using namespace heed;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double bad_numbers[]{std::nan(""), infinity, -infinity, 3e38, 1e38};

// x [B, H, T, D] with `bad` in all numbers of one row of every head.
Tensor with_bad_row(const Tensor& x, int64_t row, double bad) {
    const Tensor here = arange(x.size(2), x.dtype()) == static_cast<double>(row);
    return where(reshape(here, {x.size(2), 1}), bad, x);
}

using Attention4 = std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v,
                                        const AttentionCall& options)>;

// The kernel, the definition, and the weights of the definition times the values.
std::vector<std::pair<const char*, Attention4>> routes() {
    return {
        {"kernel", [](auto& q, auto& k, auto& v,
                      auto& o) { return scaled_dot_product_attention(q, k, v, o); }},
        {"definition", [](auto& q, auto& k, auto& v,
                          auto& o) { return scaled_dot_product_definition(q, k, v, o).context; }},
        {"block sparse", [](auto& q, auto& k, auto& v, auto& o) {
             const BlockPattern all(k.size(2), {.before = k.size(2),
                                                .after = o.causal ? 0 : k.size(2),
                                                .causal = o.causal,
                                                .block = 4});
             return block_sparse_attention(q, k, v, all, {.mask = o.mask});
         }}};
}

// The context and the gradients, by the fast rules or by those that can be differentiated again.
std::vector<Tensor> both_ways(const Attention4& f, const Tensor& q, const Tensor& k,
                              const Tensor& v, const AttentionCall& options, const Tensor& g,
                              bool again) {
    std::vector<Tensor> leaves{clone(q).set_requires_grad(), clone(k).set_requires_grad(),
                               clone(v).set_requires_grad()};
    const Tensor y = f(leaves[0], leaves[1], leaves[2], options);
    std::vector<Tensor> all = grad(y, leaves, again, g);
    all.push_back(y);
    return all;
}

}  // namespace

TEST_CASE("what stands in a masked key and its value changes nothing", "[attention][bad]") {
    for (Dtype dtype : {Dtype::float32, Dtype::float64})
        for (int64_t n : {3, 8, 70, 300}) {  // of one register, of several, of several tiles
            Rng rng(1);
            const auto draw = [&] { return normal({2, 2, n, 3}, 0, 1, rng, dtype); };
            const Tensor q = draw(), k = draw(), v = draw(), g = draw();
            for (int64_t hidden :
                 {int64_t(0), n / 2, n - 1}) {  // left padding, a hole, right padding
                Tensor mask = ones({1, 1, 1, n}, dtype);
                mask = where(arange(n, dtype) == static_cast<double>(hidden), 0.0, mask);
                const Tensor k0 = with_bad_row(k, hidden, 0), v0 = with_bad_row(v, hidden, 0);
                for (const auto& [name, f] : routes())
                    for (bool again : {false, true}) {
                        const auto expected = both_ways(f, q, k0, v0, {.mask = mask}, g, again);
                        for (double bad : bad_numbers) {
                            INFO(name << ", " << name_of(dtype) << ", " << n << " keys, " << bad
                                      << " in key " << hidden << (again ? ", again" : ""));
                            const auto found =
                                both_ways(f, q, with_bad_row(k, hidden, bad),
                                          with_bad_row(v, hidden, bad), {.mask = mask}, g, again);
                            for (std::size_t i = 0; i < found.size(); ++i)
                                CHECK(allclose(found[i], expected[i], 1e-4, 1e-4));
                        }
                    }
            }
        }
}

TEST_CASE("the future of a causal query is not read", "[attention][bad]") {
    for (int64_t n : {3, 8, 64, 300}) {
        Rng rng(1);
        const Tensor q = normal({1, 2, n, 4}, 0, 1, rng), k = normal({1, 2, n, 4}, 0, 1, rng),
                     v = normal({1, 2, n, 4}, 0, 1, rng);
        for (const auto& [name, f] : routes())
            for (double bad : bad_numbers)
                for (int64_t at : {n - 1, n / 2}) {
                    INFO(name << ", " << n << " queries, " << bad << " at " << at);
                    const Tensor expected = f(q, k, v, {.causal = true}),
                                 found = f(with_bad_row(q, at, bad), with_bad_row(k, at, bad),
                                           with_bad_row(v, at, bad), {.causal = true});
                    CHECK(allclose(slice(found, 2, 0, at), slice(expected, 2, 0, at), 1e-5, 1e-5));
                    if (std::isnan(bad)) CHECK(any(isnan(slice(found, 2, at, n))).item() == 1);
                }
    }
}

TEST_CASE("a gradient of NaN reaches only the keys that its query may attend to",
          "[attention][bad]") {
    for (int64_t n : {3, 8, 64, 300}) {
        Rng rng(1);
        const auto draw = [&] { return normal({1, 2, n, 4}, 0, 1, rng, Dtype::float64); };
        const Tensor q = draw(), k = draw(), v = draw(), g = draw();
        const int64_t at = n / 2;
        for (const auto& [name, f] : routes())
            for (bool again : {false, true}) {
                INFO(name << ", " << n << " queries" << (again ? ", again" : ""));
                const auto expected = both_ways(f, q, k, v, {.causal = true}, g, again),
                           found = both_ways(f, q, k, v, {.causal = true},
                                             with_bad_row(g, at, std::nan("")), again);
                for (std::size_t i : {1, 2}) {
                    CHECK(
                        allclose(slice(found[i], 2, at + 1, n), slice(expected[i], 2, at + 1, n)));
                    CHECK(all(isnan(slice(found[i], 2, 0, at + 1))).item() == 1);
                }
            }
    }
}

TEST_CASE("numbers near the largest one, on every route", "[attention][bad]") {
    for (int64_t n : {3, 8, 300})
        for (const auto& [name, f] : routes()) {
            INFO(name << ", " << n << " keys");
            Rng rng(1);
            const Tensor q = normal({1, 1, n, 4}, 0, 1, rng), k = normal({1, 1, n, 4}, 0, 1, rng),
                         v = full({1, 1, n, 2}, 3e38), large = full({1, 1, n, 1}, 1e19),
                         small = zeros({1, 1, n, 1});
            // The mean of equal values, whose sum overflows.
            CHECK(allclose(f(q, k, v, {}), v, 1e-5));
            // Scores of 1e38, all equal: weights 1/n, in both directions.
            const Tensor ones_of_n = ones({1, 1, n, 1});
            const auto found =
                both_ways(f, large, large, ones_of_n, {.scale = 0}, ones_of_n, false);
            CHECK(allclose(found[2], ones_of_n, 1e-4));
            CHECK(allclose(found[3], ones_of_n, 1e-4));
        }
}

TEST_CASE("heads of width 0", "[attention]") {
    const Tensor none = zeros({1, 2, 3, 0}),
                 v = normal({1, 2, 3, 4}, 0, 1, *std::make_unique<Rng>(1));
    for (const auto& [name, f] : routes()) {
        INFO(name);
        // Scores that sum nothing are 0: the mean of the values.
        const Tensor mean_of_all = expand(mean(v, 2, true), v.shape());
        CHECK(allclose(f(none, none, v, {}), mean_of_all, 1e-5, 1e-6));
        CHECK(f(v, v, none, {}).shape() == Shape{1, 2, 3, 0});
        const auto gradients = both_ways(f, none, none, v, {}, ones(v.shape()), false);
        CHECK(gradients[0].shape() == none.shape());
        CHECK(allclose(gradients[2], ones(v.shape()), 1e-5));
    }
}

TEST_CASE("attention with a mask for all queries alone does not read what it hides",
          "[attention][bad]") {
    Rng rng(3);
    const Tensor w = orthogonal_features(12, 4, rng);
    const Linformer linformer({.length = 6, .projected = 3}, rng);
    const std::vector<std::pair<const char*, Attention4>> all{
        {"performer", [=](auto& q, auto& k, auto& v,
                          auto& o) { return performer_attention(q, k, v, w, {.mask = o.mask}); }},
        {"performer by its definition",
         [=](auto& q, auto& k, auto& v, auto& o) {
             return performer_definition(q, k, v, w, {.mask = o.mask}).context;
         }},
        {"linformer",
         [=](auto& q, auto& k, auto& v, auto& o) { return linformer(q, k, v, o.mask).context; }}};
    const Tensor q = normal({2, 2, 6, 4}, 0, 1, rng), k = normal({2, 2, 6, 4}, 0, 1, rng),
                 v = normal({2, 2, 6, 4}, 0, 1, rng), g = normal({2, 2, 6, 4}, 0, 1, rng);
    const Tensor mask = tensor({1, 1, 0, 1, 1, 1}, {1, 1, 1, 6});
    for (const auto& [name, f] : all)
        for (bool again : {false, true}) {
            const auto expected = both_ways(f, q, with_bad_row(k, 2, 0), with_bad_row(v, 2, 0),
                                            {.mask = mask}, g, again);
            for (double bad : bad_numbers) {
                INFO(name << " with " << bad);
                const auto found = both_ways(f, q, with_bad_row(k, 2, bad), with_bad_row(v, 2, bad),
                                             {.mask = mask}, g, again);
                for (std::size_t i = 0; i < found.size(); ++i)
                    CHECK(allclose(found[i], expected[i], 1e-4, 1e-4));
            }
        }
}

TEST_CASE("a window hides what lies outside of it, from each query by itself", "[attention][bad]") {
    for (SpanKind kind : {SpanKind::local_m, SpanKind::local_p})
        for (ScoreKind score : {ScoreKind::general, ScoreKind::additive, ScoreKind::content}) {
            Rng rng(3);
            Attention attention{AttentionScore(score, {.query = 4, .key = 4}, rng),
                                AttentionSpan(kind, {.half_window = 1, .query = 4}, rng)};
            const Tensor q = normal({2, 2, 4}, 0, 1, rng), k = normal({2, 7, 4}, 0, 1, rng);
            // Both centres lie before key 5, the predicted ones near 7 σ(0).
            const auto run = [&](double at_end) {
                const Tensor here =
                    where(tensor({1, 1, 1, 1, 1, 1, 0}, {7, 1}), k, at_end).set_requires_grad();
                const Tensor query = clone(q).set_requires_grad();
                const Tensor y = attention(query, attention.prepare(here, here)).context;
                std::vector<Tensor> all = grad(y, {query, here}, false, ones(y.shape()));
                all.push_back(y);
                return all;
            };
            const auto expected = run(0);
            for (double bad : bad_numbers) {
                INFO(name_of(kind) << " " << name_of(score) << " with " << bad);
                const auto found = run(bad);
                for (std::size_t i = 0; i < found.size(); ++i)
                    CHECK(allclose(found[i], expected[i], 1e-4, 1e-5));
            }
        }
}

TEST_CASE("a recurrent decoder does not read the padding of its source", "[attention][bad]") {
    for (DecoderKind kind : {DecoderKind::bahdanau, DecoderKind::luong}) {
        Rng rng(5);
        const Attention attention{AttentionScore(ScoreKind::general, {.query = 4, .key = 6}, rng),
                                  {}};
        RecurrentDecoder decoder(kind, CellKind::gru, {.embedding = 3, .hidden = 4, .context = 6},
                                 attention, false, rng);
        const Tensor states = normal({2, 5, 6}, 0, 1, rng), summary = normal({2, 6}, 0, 1, rng),
                     targets = normal({2, 3, 3}, 0, 1, rng);
        const Tensor mask = padding_mask({5, 3}, 5);
        const auto run = [&](double bad) {
            EncoderOutput encoded{where(transpose(mask, 1, 2), states, bad), summary, mask};
            const Tensor y = decoder.run(targets, decoder.prepare(encoded)).features;
            std::vector<Tensor> weights;
            for (const Parameter& p : parameters(decoder)) weights.push_back(p.tensor);
            std::vector<Tensor> all = grad(sum(y * y), weights);
            all.push_back(y);
            return all;
        };
        const auto expected = run(0);
        for (double bad : bad_numbers) {
            INFO(name_of(kind) << " with " << bad);
            const auto found = run(bad);
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK(allclose(found[i], expected[i], 1e-4, 1e-5));
        }
    }
}

TEST_CASE("an ignored row is not read, on every route", "[bad]") {
    for (double bad : bad_numbers)
        for (bool again : {false, true})
            for (double smoothing : {0.0, 0.1}) {
                INFO(bad << (again ? ", again" : ""));
                const Tensor logits = tensor({1, 2, bad, bad}, {2, 2}).set_requires_grad();
                const CrossEntropyOptions options{.smoothing = smoothing};
                const Tensor loss = cross_entropy(logits, {1, -100}, options);
                CHECK(std::isfinite(loss.item()));
                const std::vector<double> g = grad(loss, {logits}, again)[0].to_vector();
                CHECK(g[0] + g[1] == Catch::Approx(0).margin(1e-6));
                CHECK((g[2] == 0 && g[3] == 0));
            }
}

TEST_CASE("a mask is 0 and 1: minus infinity and NaN are refused", "[attention][errors]") {
    const Tensor x = ones({1, 1, 1, 2}), v = ones({1, 1, 2, 1}), k = ones({1, 1, 2, 2});
    Rng rng(1);
    for (double bad : {-infinity, infinity, std::nan("")}) {
        const Tensor mask = tensor({0.0, bad}, {1, 1, 1, 2});
        CHECK_THROWS_WITH(masked_softmax(x, mask),
                          Catch::Matchers::ContainsSubstring("mask holds"));
        CHECK_THROWS_WITH(soft_attention(x, v, mask),
                          Catch::Matchers::ContainsSubstring("mask holds"));
        CHECK_THROWS_WITH(scaled_dot_product_attention(x, k, k, {.mask = mask}),
                          Catch::Matchers::ContainsSubstring("mask holds"));
        CHECK_THROWS_WITH(
            performer_attention(x, k, k, orthogonal_features(4, 2, rng), {.mask = mask}),
            Catch::Matchers::ContainsSubstring("mask holds"));
        CHECK_THROWS_WITH(combine({mask, mask}), Catch::Matchers::ContainsSubstring("mask holds"));
    }
    // As a bias such numbers are right.
    const Tensor bias = tensor({0.0, -infinity}, {1, 1, 1, 2});
    CHECK(scaled_dot_product_attention(x, k, concat({v, 2 * v}, 3), {.bias = bias})
              .at({0, 0, 0, 1}) == 2);
}
