// The parts of hard attention: samples, glimpses, patches; and their errors.
#include "attention/hard/hard.h"
#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("samples have the probabilities of the softmax", "[attention][hard]") {
    const int64_t n = 100'000;
    const Tensor scores = tensor({0.5, -1, 2, 0}, Dtype::float64);
    const Tensor mask = tensor({1, 1, 0, 1}, Dtype::float64);
    Rng rng(1);
    for (const Tensor& m : {Tensor(), mask}) {
        const Tensor p = attention_weights(scores, m);
        const auto check_counts = [&](const Tensor& shares) {
            for (int64_t j = 0; j < 4; ++j) {
                const double q = p.at({j});
                CHECK(std::abs(shares.at({j}) - q) <= 4 * std::sqrt(q * (1 - q) / n));
            }
        };
        const Tensor many = expand(scores, {n, 4});
        const CategoricalSample choice = sample_categorical(many, rng, m);
        check_counts(mean(one_hot(choice.indices, 4, Dtype::float64), 0));
        CHECK(choice.log_prob.at({5}) ==
              Approx(std::log(p.at({choice.indices[5]}))).epsilon(1e-12));
        check_counts(mean(straight_through_gumbel(many, 0.5, rng, m), 0));
        check_counts(mean(gumbel_softmax(many, 1e-4, rng, m), 0));  // nearly one-hot
    }
    CHECK(most_likely(scores).values() == std::vector<int>{2});
    CHECK(most_likely(scores, mask).values() == std::vector<int>{0});
}

TEST_CASE("the same generator gives the same samples", "[attention][hard]") {
    const Tensor scores = zeros({50, 9});
    Rng a(4), b(4), c(5);
    const Indices indices = sample_categorical(scores, a).indices;
    CHECK(indices == sample_categorical(scores, b).indices);
    CHECK_FALSE(indices == sample_categorical(scores, c).indices);
}

TEST_CASE("a masked index is never sampled and its score gets gradient exactly 0",
          "[attention][hard]") {
    Rng rng(2);
    Tensor scores = normal({3, 2, 5}, 0, 30, rng, Dtype::float64);
    scores.set_requires_grad();
    const Tensor mask = padding_mask({5, 2, 1}, 5, Dtype::float64);
    const CategoricalSample choice = sample_categorical(scores, rng, mask);
    const Tensor y = sum(choice.log_prob) + sum(square(categorical_entropy(scores, mask)));
    const Tensor g = grad(y, {scores})[0];
    CHECK(max(abs(g * (1 - mask))).item() == 0);
    CHECK(max(abs(g)).item() > 0);
    CHECK(select(choice.log_prob, 0, 2).to_vector() == std::vector<double>{0, 0});
}

TEST_CASE("straight-through is exactly one-hot, and has the softmax's gradient",
          "[attention][hard]") {
    Rng rng(3);
    Tensor scores = normal({4, 5}, 0, 3, rng, Dtype::float64);
    scores.set_requires_grad();
    const Tensor c = normal({4, 5}, 0, 1, rng, Dtype::float64);
    const Tensor y = straight_through_sample(scores, rng);
    for (double v : y.to_vector()) CHECK((v == 0 || v == 1));
    CHECK(grad(sum(c * y), {scores})[0].to_vector() ==
          grad(sum(c * softmax(scores)), {scores})[0].to_vector());
}

TEST_CASE("hard attention on average is soft attention", "[attention][hard]") {
    Rng rng(6);
    const int64_t n = 40'000;
    const Tensor scores = normal({1, 2, 4}, 0, 1, rng), value = normal({1, 4, 3}, 0, 1, rng);
    const HardAttentionOutput sampled =
        hard_attention(expand(scores, {n, 2, 4}), expand(value, {n, 4, 3}), rng);
    const AttentionOutput soft = soft_attention(scores, value);
    CHECK(sampled.context.shape() == Shape{n, 2, 3});
    CHECK(max(abs(mean(sampled.context, 0) - select(soft.context, 0, 0))).item() < 0.03);
    CHECK(max(abs(select(sampled.weights, 0, 7) - select(soft.weights, 0, 0))).item() < 1e-6);
}

TEST_CASE("a glimpse is the square around a location, coarser at each scale", "[attention][hard]") {
    const Tensor image = reshape(arange(64), {1, 8, 8});
    const auto at = [&](double x, double y, const GlimpseOptions& options) {
        return glimpse(image, tensor({x, y}, {1, 2}), options);
    };
    const auto middle = at(0, 0, {.size = 2, .scales = 3});
    CHECK(middle.to_vector() == std::vector<double>{27, 28, 35, 36,            // the 2 x 2 there
                                                    22.5, 24.5, 38.5, 40.5,    // means of 2 x 2
                                                    13.5, 17.5, 45.5, 49.5});  // of 4 x 4
    // x goes to the right, y down; outside is 0.
    CHECK(at(0.5, -0.5, {.size = 2}).to_vector() == std::vector<double>{13, 14, 21, 22});
    CHECK(at(-1, -0.5, {.size = 2}).to_vector() == std::vector<double>{0, 8, 0, 16});
    CHECK(at(1, 1, {.size = 2}).to_vector() == std::vector<double>{63, 0, 0, 0});
    CHECK(sum(at(1e30, -9, {.size = 8, .scales = 2})).item() == 0);
    CHECK(at(0, 0, {.size = 8}).to_vector() == image.to_vector());
}

TEST_CASE("patches are the glimpses at their centres", "[attention][hard]") {
    Rng rng(8);
    const Tensor image = normal({1, 6, 9}, 0, 1, rng);
    const Tensor cut = patches(image, 3), centres = patch_centres(2, 3);
    REQUIRE(cut.shape() == Shape{1, 6, 9});
    for (int64_t k = 0; k < 6; ++k)
        CHECK(glimpse(image, slice(centres, 0, k, k + 1), {.size = 3}).to_vector() ==
              select(cut, 1, k).to_vector());
    CHECK(patches(reshape(image, {1, 1, 6, 9}), 3).to_vector() == cut.to_vector());
}

TEST_CASE("hard attention refuses what does not fit", "[attention][hard][errors]") {
    Rng rng(1);
    const Tensor scores = zeros({2, 3, 4}), value = zeros({2, 4, 5});
    const auto says = [](const auto& f, const char* text) {
        CHECK_THROWS_WITH(f(), ContainsSubstring(text));
    };
    says([&] { sample_categorical(scores, rng, zeros({2, 1, 4})); }, "allows nothing in a row");
    says(
        [&] {
            sample_categorical(scores, rng, zeros({3, 4, 4}));
        },
        "does not broadcast to the scores");
    says(
        [&] {
            categorical_log_prob(scores, Indices({0, 1}));
        },
        "is [2, 3] in scores [2, 3, 4] and [2] in indices [2]");
    says([&] { categorical_log_prob(zeros({2, 4}), {0, 4}); }, "4");
    says([&] { values_at(value, {0, 1, 2}); }, "B is 2 in value [2, 4, 5] and 3 in indices [3]");
    says(
        [&] {
            hard_attention(scores, zeros({2, 5, 3}), rng);
        },
        "K is 4 in scores [2, 3, 4] and 5 in value");
    says([&] { sample_location(zeros({2, 2}), 0, rng); }, "deviation is 0");
    says(
        [&] {
            gaussian_log_prob(zeros({2, 2}), 1, zeros({2, 3}));
        },
        "D is 2 in mean [2, 2] and 3 in location [2, 3]");
    says(
        [&] {
            reinforce(zeros({4}), zeros({3, 2}));
        },
        "is [4] in loss [4] and [3] in log_prob [3, 2]");
    says([&] { reinforce(zeros({4}), zeros({4, 2}), zeros({2})); }, "[1, T] for one a step");
    says([&] { leave_one_out(zeros({1, 4})); }, "at least 2 samples");
    says(
        [&] {
            optimal_baseline(zeros({4}), zeros({3, 2}));
        },
        "N is 4 in loss [4] and 3 in products [3, 2]");
    says(
        [&] {
            marginal_log_likelihood(scores, zeros({2, 3, 5}));
        },
        "K is 4 in scores [2, 3, 4] and 5 in log_likelihood [2, 3, 5]");
    says([&] { gumbel_softmax(scores, 0, rng); }, "temperature is 0");
    says(
        [&] {
            straight_through(scores, {0, 1});
        },
        "is [2, 3] in weights [2, 3, 4] and [2] in indices [2]");
    says([&] { straight_through_gumbel(scores, 1, rng, zeros({4})); }, "allows nothing in a row");
    says([&] { all_paths(10, 7); }, "more than a million");
    says([&] { patches(zeros({1, 6, 8}), 3); }, "does not divide the sides of the images, 6 x 8");
    says(
        [&] {
            glimpse(zeros({1, 4, 4}), zeros({2, 2}));
        },
        "B is 1 in image [1, 4, 4] and 2 in location");
    Tensor location = zeros({1, 2});
    location.set_requires_grad();
    says([&] { glimpse(zeros({1, 4, 4}), location); }, "the location requires a gradient");
}
