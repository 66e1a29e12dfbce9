// Biased estimators, and that the tests notice the bias: straight-through and Gumbel-softmax, which
// have less variance for it, and common mistakes.
#include <numbers>

#include "tests/attention/hard/wrong_estimators.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::three_looks;

TEST_CASE("every wrong estimator differs from the sum over all paths",
          "[attention][hard][unsanitized]") {
    const Tensor exact = expected_loss_gradient();
    const std::pair<const char*, Estimator> all[] = {
        {"loss not detached", wrong::loss_not_detached},
        {"baseline not detached", wrong::baseline_not_detached},
        {"one log-probability missing", wrong::one_log_probability_missing},
        {"probability for its logarithm", wrong::probability_for_its_logarithm},
        {"baseline sees the action", wrong::baseline_sees_the_action},
        {"mean that includes oneself", wrong::mean_that_includes_oneself},
        {"gradient through the sample", wrong::gradient_through_the_place},
        {"sampled from another distribution", wrong::drawn_from_another_distribution},
    };
    for (const auto& [name, estimator] : all) {
        INFO(name);
        CHECK(errors_off(measure(estimator, 1, 25), exact) > 10);
    }
}

namespace {

// A path of averages: each step uses weights instead of a sample.
template <class Weights>
Estimator relaxed(Weights weights) {
    return [=](const Tensor& x, Rng& rng) {
        std::vector<Tensor> looked;
        for (int64_t t = 0; t < steps; ++t)
            looked.push_back(weights(scores_at(x, t, t ? looked.back() : Tensor()), rng));
        return mean(loss_of(x, looked));
    };
}

double distance(const Measured& measured, const Tensor& exact) {
    double total = 0;
    for (int64_t i = 0; i < three_looks::parameters; ++i)
        total += std::pow(measured.mean[i] - exact.at({i}), 2);
    return std::sqrt(total);
}

}  // namespace

TEST_CASE("straight-through and Gumbel-softmax are biased; a low temperature has more variance",
          "[attention][hard][unsanitized]") {
    const Tensor exact = expected_loss_gradient();
    const auto gumbel = [](double temperature) {
        return measure(relaxed([=](const Tensor& scores, Rng& rng) {
                           return gumbel_softmax(scores, temperature, rng);
                       }),
                       1, 25);
    };
    const Measured through =
        measure(relaxed([](const Tensor& s, Rng& rng) { return straight_through_sample(s, rng); }));
    const Measured both = measure(
        relaxed([](const Tensor& s, Rng& rng) { return straight_through_gumbel(s, 1, rng); }));
    const Measured warm = gumbel(1), cool = gumbel(0.2);
    for (const Measured* m : {&through, &both, &warm}) CHECK(errors_off(*m, exact) > 10);
    CHECK(distance(cool, exact) < 0.7 * distance(warm, exact));
    CHECK(cool.variance > 2 * warm.variance);
    // They have less variance than REINFORCE without a baseline.
    CHECK(through.variance < exact_variance(zeros({1, steps}, Dtype::float64)));
}

TEST_CASE("the Bernoulli example has the published variances, to all published digits",
          "[attention][hard]") {
    // b = 1 with probability theta = sigmoid(x), L = (b - t)²; both outcomes enumerated.
    struct Row {
        double t, theta, gradient, variance, with_mean;
    };
    for (const Row& row : {Row{0.45, 0.5, 0.0250, 1.594e-2, -1},
                           {0.45, 0.3, 0.0210, 1.559e-2, 3.36e-4},
                           {0.499, 0.3, 0.00042, 1.317e-2, 1.344e-7}}) {
        INFO("t " << row.t << ", theta " << row.theta);
        Tensor x = full({2, 1}, std::log(row.theta / (1 - row.theta)), Dtype::float64);
        x.set_requires_grad();
        const Tensor scores = concat({x * 0, x}, 1);  // one line for each outcome
        const Tensor log_p = reshape(categorical_log_prob(scores, {0, 1}), {2, 1});  // one step
        const Tensor p = exp(detach(select(log_p, 1, 0)));
        const Tensor loss = square(arange(2, Dtype::float64) - row.t);
        const auto moments = [&](const Tensor& baseline) {
            const Tensor g = 2 * reshape(grad(reinforce(loss, log_p, baseline), {x})[0], {2});
            const double mean_of_g = sum(p * g).item();
            return std::pair{mean_of_g, sum(p * square(g)).item() - mean_of_g * mean_of_g};
        };
        CHECK(moments({}).first == Approx(row.gradient).epsilon(1e-9));
        CHECK(moments({}).second == Approx(row.variance).epsilon(5e-4));
        const auto [gradient, variance] = moments(sum(p * loss));
        CHECK(gradient == Approx(row.gradient).epsilon(1e-9));
        if (row.with_mean >= 0) CHECK(variance == Approx(row.with_mean).epsilon(2e-3));

        // With b* = (1 - θ) L(1) + θ L(0) the variance is 0, which is special to one Bernoulli
        // variable.
        const Tensor products = reshape(log_prob_gradient_square(detach(scores), {0, 1}), {2, 1});
        const Tensor best = optimal_baseline(loss, products, p);
        CHECK(best.item() == Approx((1 - row.theta) * loss.at({1}) + row.theta * loss.at({0})));
        CHECK(std::abs(moments(best).second) < 1e-15);
    }
}

TEST_CASE("a Gaussian location: REINFORCE has the mean and the variance of the closed form",
          "[attention][hard]") {
    // L = (x - t)², x ~ N(μ, σ²), d = μ - t, x = μ + σ z: the estimate is (A + B z + C z²) z / σ
    // with A = d² - b, B = 2 d σ, C = σ², its mean 2 d, its second moment (A² + 3 B² + 6 A C + 15
    // C²) / σ².
    const double mu = 0.3, t = -0.5, sigma = 0.4, d = mu - t;
    const int64_t samples = 200'000;
    Rng rng(3);
    Tensor x = full({samples, 1}, mu, Dtype::float64);
    x.set_requires_grad();
    const auto moments = [&](const Tensor& surrogate) {
        const Tensor each = grad(surrogate, {x})[0] * static_cast<double>(samples);
        return std::pair{mean(each).item(), var(each).item()};
    };
    const LocationSample look = sample_location(x, sigma, rng);
    const Tensor loss = sum(square(look.location - t), -1);
    for (double b : {0.0, d * d + sigma * sigma}) {
        const double a = d * d - b, bb = 2 * d * sigma, c = sigma * sigma;
        const double variance =
            (a * a + 3 * bb * bb + 6 * a * c + 15 * c * c) / (sigma * sigma) - 4 * d * d;
        const auto [centre, spread] =
            moments(reinforce(loss, look.log_prob, scalar(b, Dtype::float64)));
        CHECK(std::abs(centre - 2 * d) < 4 * std::sqrt(variance / static_cast<double>(samples)));
        CHECK(spread == Approx(variance).epsilon(0.03));
    }

    // The two leaks. A location that is still in the graph cancels the gradient of its likelihood
    // ...
    const Tensor attached = x + normal({samples, 1}, 0, sigma, rng, Dtype::float64);
    const Tensor seen = sum(square(detach(attached) - t), -1);
    CHECK(
        moments(score_function_term(seen, wrong::log_prob_of_an_attached_place(x, sigma, attached)))
            .first == 0);
    CHECK(moments(score_function_term(seen, gaussian_log_prob(x, sigma, attached))).first ==
          Approx(2 * d).epsilon(0.03));  // ours detaches it
    // ... and a loss with a gradient through the location counts it twice.
    const Tensor felt = sum(square(attached - t), -1);
    CHECK(moments(reinforce(felt, gaussian_log_prob(x, sigma, attached))).first ==
          Approx(4 * d).epsilon(0.03));
}

TEST_CASE("the density of a location is the Gaussian's", "[attention][hard]") {
    const Tensor mu = tensor({0.1, -0.2}, {1, 2}, Dtype::float64);
    const Tensor at = tensor({0.4, 0.2}, {1, 2}, Dtype::float64);
    const double by_hand = -(0.09 + 0.16) / (2 * 0.25) - std::log(2 * std::numbers::pi * 0.25);
    CHECK(gaussian_log_prob(mu, 0.5, at).item() == Approx(by_hand).epsilon(1e-12));
}
