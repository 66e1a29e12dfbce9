// Random features: their mean is the kernel, their variance falls with their number; and the scan of
// causal attention equals its definition.
#include "attention/efficient/performer.h"
#include "attention/scores/mask.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

struct Estimate {
    double mean, variance, standard_error;
};

// φ(x)·φ(y) over many draws of the features.
Estimate estimate(const Tensor& x, const Tensor& y, int64_t features, int draws, bool orthogonal) {
    Rng rng(7);
    double total = 0, squares = 0;
    for (int i = 0; i < draws; ++i) {
        const Tensor w = orthogonal ? orthogonal_features(features, x.size(0), rng, Dtype::float64)
                                    : normal({features, x.size(0)}, 0, 1, rng, Dtype::float64);
        const double found = sum(positive_features(x, w) * positive_features(y, w)).item();
        total += found;
        squares += found * found;
    }
    const double mean = total / draws, variance = squares / draws - mean * mean;
    return {mean, variance, std::sqrt(variance / draws)};
}

Tensor of_length(double length, int64_t width, uint64_t seed) {
    const Tensor x = numbers({width}, seed);
    return x * (length / norm(x).item());
}

}  // namespace

TEST_CASE("the mean of positive random features is the exponential of the dot product",
          "[attention][efficient]") {
    for (uint64_t seed : {1, 2, 3}) {
        const Tensor x = of_length(0.4, 4, seed), y = of_length(0.4, 4, seed + 10);
        const double exact = std::exp(sum(x * y).item());
        for (bool orthogonal : {false, true})
            for (int64_t features : {3, 4, 16}) {
                const Estimate e = estimate(x, y, features, 4000, orthogonal);
                INFO("seed " << seed << ", " << features << " features, orthogonal " << orthogonal
                             << ": mean " << e.mean << " exact " << exact << " s.e. "
                             << e.standard_error);
                CHECK(std::abs(e.mean - exact) < 4 * e.standard_error);
                CHECK(e.standard_error < 0.05 * exact);
            }
    }
}

// Choromanski et al. 2021, lemma 2: the variance with M independent features is
// e^(2 x·y) (e^|x + y|² - 1) / M.
TEST_CASE("the variance is that of the formula, and smaller if the features are orthogonal",
          "[attention][efficient]") {
    for (uint64_t seed : {1, 2}) {
        const Tensor x = of_length(0.4, 8, seed), y = of_length(0.4, 8, seed + 1);
        const double one =
            std::exp(2 * sum(x * y).item()) * (std::exp(sum(square(x + y)).item()) - 1);
        for (int64_t features : {8, 32}) {
            const double found =
                estimate(x, y, features, 20000, false).variance * static_cast<double>(features);
            INFO(features << " features: variance of one " << found << ", the formula " << one);
            CHECK(std::abs(found / one - 1) < 0.08);
        }
    }
    const Tensor x = of_length(0.4, 8, 3);
    const double independent = std::exp(0.32) * (std::exp(0.64) - 1) / 8;
    CHECK(estimate(x, x, 8, 20000, true).variance < 0.95 * independent);
}

TEST_CASE("orthogonal features are orthogonal in groups, and as long as normal vectors",
          "[attention][efficient]") {
    Rng rng(1);
    const Tensor w = orthogonal_features(600, 6, rng, Dtype::float64);
    CHECK(w.shape() == Shape{600, 6});
    const Tensor group = slice(w, 0, 6, 12), products = matmul(group, transpose(group));
    CHECK(max(abs(products - diag(diag(products)))).item() < 1e-12);
    CHECK(std::abs(mean(sum(square(w), {1})).item() - 6) < 4 * std::sqrt(12 / 600.0));
    CHECK(orthogonal_features(5, 6, rng).shape() == Shape{5, 6});
}

TEST_CASE("Performer attention equals its definition, which is a mean with positive weights",
          "[attention][efficient]") {
    Rng rng(2);
    const Tensor w = orthogonal_features(7, 4, rng, Dtype::float64);
    for (bool causal : {false, true})
        for (int64_t chunk : {2, 64})
            for (const Tensor& mask : {Tensor(), unsqueeze(padding_mask({9, 5}, 9), 1),
                                       unsqueeze(padding_mask({9, 0}, 9), 1)}) {
                const PerformerOptions options{.mask = mask, .causal = causal, .chunk = chunk};
                const int64_t queries = causal ? 9 : 6;
                check_against(
                    [&](const std::vector<Tensor>& x) {
                        return performer_attention(x[0], x[1], x[2], w, options);
                    },
                    [&](const std::vector<Tensor>& x) {
                        return performer_definition(x[0], x[1], x[2], w, options).context;
                    },
                    {numbers({2, 1, queries, 4}, 1), numbers({2, 1, 9, 4}, 2),
                     numbers({2, 1, 9, 2}, 3)});
            }
    const Tensor q = numbers({1, 2, 9, 4}), v = numbers({1, 2, 9, 3}, 2);
    const Tensor weights = performer_definition(q, q, v, w, {.causal = true}).weights;
    CHECK(min(weights).item() >= 0);
    CHECK(largest_difference(sum(weights, {-1}), ones({1, 2, 9}, Dtype::float64)) < 1e-12);
    CHECK(sum(triu(weights, 1)).item() == 0);
}

TEST_CASE("with many features Performer attention comes near exact attention",
          "[attention][efficient]") {
    const Tensor q = numbers({1, 1, 20, 8}, 1) * 0.5, k = numbers({1, 1, 20, 8}, 2) * 0.5,
                 v = numbers({1, 1, 20, 8}, 3);
    const Tensor exact = soft_attention(matmul(q, transpose(k)) / std::sqrt(8.0), v).context;
    const auto error = [&](int64_t features) {
        Rng rng(3);
        double total = 0;
        for (int i = 0; i < 10; ++i) {
            const Tensor w = orthogonal_features(features, 8, rng, Dtype::float64);
            total += std::sqrt(mean(square(performer_attention(q, k, v, w) - exact)).item()) / 10;
        }
        return total;
    };
    const double few = error(16), many = error(1024);
    INFO(few << " with 16 features, " << many << " with 1024");
    CHECK(many < few / 4);  // 1 / √64 = 1 / 8
    CHECK(many < 0.1);
}

TEST_CASE("large queries and keys do not overflow", "[attention][efficient]") {
    Rng rng(4);
    const Tensor w = orthogonal_features(32, 16, rng);
    const Tensor q = normal({1, 1, 10, 16}, 0, 12, rng), v = normal({1, 1, 10, 4}, 0, 1, rng);
    CHECK(all(isfinite(performer_attention(q, q, v, w))).item() == 1);
}

}  // namespace heed
