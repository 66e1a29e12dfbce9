// Unbiased estimators of ∇ E[L]: their mean against the exact sum over all paths, and their variance
// against the closed form.
#include "nn/module/module.h"
#include "nn/optim/optimisers.h"
#include "tests/attention/hard/hard_problem.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::three_looks;

namespace {

void check_unbiased(const Measured& measured, const Tensor& exact = expected_loss_gradient()) {
    CHECK(errors_off(measured, exact) < 4);
    CHECK(measured.variance > 0);
}

Tensor best_baseline() {
    const Everything all = everything();
    const Tensor products = sum(all.score * sum(all.score, 1, true), -1);  // gₜ·G, [216, 3]
    return optimal_baseline(all.loss, products, all.probability);
}

}  // namespace

TEST_CASE("the probabilities of all paths sum to 1", "[attention][hard]") {
    const Everything all = everything();
    CHECK(sum(all.probability).item() == Approx(1).epsilon(1e-12));
    // E[∇ ln p] = 0 at every step, so a baseline does not change the mean.
    const Tensor mean_score = sum(reshape(all.probability, {216, 1, 1}) * all.score, 0);
    CHECK(max(abs(mean_score)).item() < 1e-14);
}

TEST_CASE("REINFORCE with any constant baseline is unbiased; its variance is the closed form",
          "[attention][hard][unsanitized]") {
    const Everything all = everything();
    const double mean_loss = sum(all.probability * all.loss).item();
    const Tensor none = zeros({1, steps}, Dtype::float64), best = best_baseline();
    const double without = exact_variance(none), with_mean = exact_variance(none + mean_loss),
                 least = exact_variance(best);
    CHECK(least < with_mean);
    CHECK(with_mean < without);

    // It is the optimum: a change of the baseline of any step increases the variance.
    for (int64_t t = 0; t < steps; ++t)
        for (double step : {-0.05, 0.05}) {
            const Tensor to = one_hot({static_cast<int>(t)}, steps, Dtype::float64) * step;
            CHECK(exact_variance(best + to) > least);
        }

    const auto with = [](const Tensor& baseline) {
        return measure([=](const Tensor& x, Rng& rng) {
            const Path path = draw(x, rng);
            return reinforce(path.loss, path.log_prob, baseline);
        });
    };
    for (const auto& [baseline, variance] : {std::pair{Tensor(), without},
                                             {scalar(mean_loss, Dtype::float64), with_mean},
                                             {best, least}}) {
        const Measured measured = with(baseline);
        check_unbiased(measured);
        CHECK(measured.variance == Approx(variance).epsilon(0.03));
    }
}

TEST_CASE(
    "a moving average of past losses is unbiased and has nearly the variance of the mean loss",
    "[attention][hard]") {
    const Everything all = everything();
    const double mean_loss = sum(all.probability * all.loss).item();
    MovingAverage average;
    Rng before(9);
    average.update(draw(repeated(2000), before).loss);
    const Measured measured = measure([&](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        const Tensor surrogate =
            reinforce(path.loss, path.log_prob, scalar(average.value, Dtype::float64));
        average.update(path.loss);
        return surrogate;
    });
    check_unbiased(measured);
    CHECK(average.value == Approx(mean_loss).epsilon(0.05));
    const double with_mean = exact_variance(full({1, steps}, mean_loss, Dtype::float64));
    CHECK(measured.variance == Approx(with_mean).epsilon(0.05));
}

TEST_CASE("a learned baseline is unbiased while it learns, and then beats every constant",
          "[attention][hard][unsanitized]") {
    Rng rng(5);
    // The state before each sample: the step, and the previous indices.
    LearnedBaseline baseline(steps + steps * locations, rng);
    to_dtype(baseline, Dtype::float64);
    const auto predict = [&](const Path& path) {
        const int64_t n = path.loss.size(0);
        std::vector<Tensor> predicted;
        for (int64_t t = 0; t < steps; ++t) {
            const Tensor step =
                expand(one_hot({static_cast<int>(t)}, steps, Dtype::float64), {n, steps});
            std::vector<Tensor> state{step};
            for (int64_t s = 0; s < steps; ++s)
                state.push_back(s < t ? one_hot(path.choices[s], locations, Dtype::float64)
                                      : zeros({n, locations}, Dtype::float64));
            predicted.push_back(baseline(concat(state, 1)));
        }
        return stack(predicted, 1);  // [N, 3]
    };
    Adam optimiser(heed::parameters(baseline), {.lr = 0.05});
    const Estimator learning = [&](const Tensor& x, Rng& random) {
        const Path path = draw(x, random);
        const Tensor predicted = predict(path);
        const Tensor surrogate = reinforce(path.loss, path.log_prob, predicted);
        zero_grad(baseline);
        backward(baseline.loss(predicted, path.loss));
        optimiser.step();
        return surrogate;
    };
    check_unbiased(measure(learning));
    check_unbiased(measure(learning));
    const Measured learned = measure(learning);
    check_unbiased(learned);
    CHECK(learned.variance < exact_variance(best_baseline()));
}

TEST_CASE("leave-one-out is unbiased, with the variance of the sum over all pairs of paths",
          "[attention][hard]") {
    const auto with = [](int64_t group) {
        return measure(
            [=](const Tensor& x, Rng& rng) {
                const Path path = draw(x, rng);
                const Tensor loss = reshape(path.loss, {group, -1});
                const Tensor others = reshape(leave_one_out(loss), path.loss.shape());
                return reinforce(path.loss, path.log_prob, others);
            },
            group);
    };
    check_unbiased(with(4));
    const Measured pairs = with(2);
    check_unbiased(pairs);

    // With two samples the estimate is ½ (L₁ - L₂)(G₁ - G₂) + ½ (∇L₁ + ∇L₂).
    const Everything all = everything();
    const Tensor score = sum(all.score, 1);  // [216, 20]
    const Tensor gap = unsqueeze(all.loss, 1) - unsqueeze(all.loss, 0);
    const Tensor estimate =
        0.5 * (unsqueeze(gap, -1) * (unsqueeze(score, 1) - unsqueeze(score, 0)) +
               unsqueeze(all.loss_gradient, 1) + unsqueeze(all.loss_gradient, 0));
    const Tensor both = unsqueeze(all.probability, 1) * unsqueeze(all.probability, 0);
    const double variance =
        (sum(both * sum(square(estimate), -1)) - sum(square(expected_loss_gradient()))).item();
    CHECK(pairs.variance == Approx(variance).epsilon(0.03));
}

TEST_CASE("with the entropy bonus in the loss its gradient is unbiased too",
          "[attention][hard][unsanitized]") {
    const auto regularised = [](const Path& path) {
        Tensor loss = path.loss;
        for (const Tensor& scores : path.scores) loss = loss - categorical_entropy(scores);
        return loss;
    };
    const Tensor exact = exact_gradient(
        [&](const Path& p) { return sum(exp(sum(p.log_prob, -1)) * regularised(p)); });
    check_unbiased(measure([&](const Tensor& x, Rng& rng) {
                       const Path path = draw(x, rng);
                       return reinforce(regularised(path), path.log_prob);
                   }),
                   exact);
    // Added outside of REINFORCE, as is usual, it ignores that early samples change later entropies.
    const Measured outside = measure([&](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        Tensor bonus = mean(categorical_entropy(path.scores[0]));
        for (int64_t t = 1; t < steps; ++t)
            bonus = bonus + mean(categorical_entropy(path.scores[t]));
        return reinforce(path.loss, path.log_prob, scalar(1.5, Dtype::float64)) - bonus;
    });
    CHECK(errors_off(outside, exact) > 5);
}

TEST_CASE("the variational bound and its several-sample form are unbiased",
          "[attention][hard][unsanitized]") {
    check_unbiased(measure([](const Tensor& x, Rng& rng) {
        const Path path = draw(x, rng);
        return variational_bound(-path.loss, path.log_prob, scalar(1.5, Dtype::float64));
    }));

    // ln p(y | path) = -loss; all pairs of paths summed give the bound of two samples.
    const auto bound_of_pairs = [](const Path& path) {
        const Tensor p = exp(sum(path.log_prob, -1)), l = -path.loss;
        const Tensor both = unsqueeze(p, 1) * unsqueeze(p, 0);
        const Tensor average = (unsqueeze(exp(l), 1) + unsqueeze(exp(l), 0)) * 0.5;
        return -sum(both * log(average));
    };
    check_unbiased(measure(
                       [](const Tensor& x, Rng& rng) {
                           const Path path = draw(x, rng);
                           return several_sample_bound(reshape(-path.loss, {2, -1}),
                                                       reshape(path.log_prob, {2, -1, steps}));
                       },
                       2),
                   exact_gradient(bound_of_pairs));

    // More samples give a tighter bound: E[ln p] <= two samples' <= ln p(y).
    const Path path = enumerate(repeated(216));
    const Tensor p = exp(sum(path.log_prob, -1));
    const double one = -sum(p * path.loss).item(), two = -bound_of_pairs(path).item(),
                 likelihood = log(sum(p * exp(-path.loss))).item();
    CHECK(one < two - 0.01);
    CHECK(two < likelihood - 0.01);
}

TEST_CASE("the marginal likelihood is the sum over all indices", "[attention][hard]") {
    const Path path = enumerate(repeated(216));
    const Tensor l = -detach(path.loss),
                 log_p = sum(path.log_prob, -1);  // as scores of 216 indices
    CHECK(marginal_log_likelihood(log_p, l).item() ==
          Approx(log(sum(exp(log_p + l))).item()).epsilon(1e-12));
    CHECK(expected_loss(log_p, path.loss).item() ==
          Approx(sum(exp(log_p) * path.loss).item()).epsilon(1e-12));
    const Tensor after = posterior(log_p, l);
    CHECK(sum(after).item() == Approx(1).epsilon(1e-12));
    CHECK(max(abs(after - exp(log_p + l) / sum(exp(log_p + l)))).item() < 1e-14);
}
