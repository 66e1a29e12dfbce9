// Rewards of whole answers and preferences, against loops and closed forms.
#include <cmath>

#include "attention/attention.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"
#include "tests/error_of.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

Tensor numbers(const Shape& shape, Rng& rng) { return normal(shape, 0, 1, rng, Dtype::float64); }

}  // namespace

TEST_CASE("the log-probability of an answer is the sum over its tokens", "[attention][hard]") {
    Rng rng(2);
    const Tensor logits = numbers({2, 4, 5}, rng), log_p = log_softmax(logits);
    const Tensor found = answer_log_prob(logits, Indices({-1, 3, 1, 4, -1, -1, 0, -1}, {2, 4}));
    CHECK(std::abs(found.at({0}) - log_p.at({0, 1, 3}) - log_p.at({0, 2, 1}) -
                   log_p.at({0, 3, 4})) < 1e-12);
    CHECK(std::abs(found.at({1}) - log_p.at({1, 2, 0})) < 1e-12);
    const Tensor other = answer_log_prob(logits, Indices({9, 3, 1, 4, 9, 9, 0, 9}, {2, 4}), 9);
    CHECK(largest_difference(found, other) == 0);
}

TEST_CASE("the group's advantage: mean 0 and deviation 1, and leave-one-out with another scale",
          "[attention][hard]") {
    Rng rng(3);
    const Tensor reward = numbers({5, 3}, rng), a = group_advantage(reward, 0);
    CHECK(max(abs(mean(a, 0))).item() < 1e-12);
    CHECK(max(abs(mean(square(a), 0) - 1.0)).item() < 1e-12);
    const Tensor others = reward - leave_one_out(reward);
    const Tensor ratio = a / others;  // the same for all answers to a question
    CHECK(max(abs(ratio - mean(ratio, 0, true))).item() < 1e-9);
    CHECK(max(abs(group_advantage(ones({4, 2})))).item() == 0);
    Tensor watched = numbers({4, 2}, rng);
    watched.set_requires_grad();
    CHECK(!group_advantage(watched).requires_grad());
    CHECK_THAT(error_of([] { group_advantage(zeros({1, 3})); }), ContainsSubstring("at least 2"));
}

TEST_CASE("the estimate of the KL: its mean over all answers is the divergence",
          "[attention][hard]") {
    Rng rng(4);
    const Tensor now = log_softmax(numbers({6}, rng)), start = log_softmax(numbers({6}, rng));
    const Tensor each = kl_estimate(now, start);
    CHECK(min(each).item() >= 0);
    CHECK(std::abs(sum(exp(now) * each).item() - sum(exp(now) * (now - start)).item()) < 1e-12);
    CHECK(max(abs(kl_estimate(now, now))).item() == 0);
}

TEST_CASE("DPO: the formula, and what minimises it", "[attention][hard]") {
    const auto ln = [](double p) { return log(tensor({p}, {1}, Dtype::float64)); };
    CHECK(dpo_loss(ln(0.4), ln(0.1), ln(0.2), ln(0.2), {.beta = 1}).item() ==
          Approx(std::log(1.25)));
    // At the start it is ln 2, whatever the probabilities.
    CHECK(dpo_loss(ln(0.7), ln(0.1), ln(0.7), ln(0.1)).item() == Approx(std::log(2.0)));
    // It stays finite where the sigmoid is 0, and its gradient is beta there.
    Tensor far = tensor({-5000}, {1}, Dtype::float64);
    far.set_requires_grad();
    const Tensor loss = dpo_loss(far, ln(0.5), ln(0.5), ln(0.5), {.beta = 0.5});
    CHECK(std::isfinite(loss.item()));
    CHECK(grad(loss, {far})[0].item() == Approx(-0.5));

    // If the better of two answers wins with the probability 3/4, the loss is least where pi is
    // proportional to pi_0 exp(R / beta), with R_w - R_l = ln 3.
    const double beta = 0.5, start = 0.3;
    const auto expected = [&](double p) {
        const auto one = [&](double w, double l, double w0, double l0) {
            return dpo_loss(ln(w), ln(l), ln(w0), ln(l0), {.beta = beta}).item();
        };
        return 0.75 * one(p, 1 - p, start, 1 - start) + 0.25 * one(1 - p, p, 1 - start, start);
    };
    const double odds = start / (1 - start) * std::pow(3.0, 1 / beta), best = odds / (1 + odds);
    CHECK(expected(best) < expected(best + 0.01));
    CHECK(expected(best) < expected(best - 0.01));
    CHECK_THAT(error_of([&] { dpo_loss(ln(1), ln(1), ln(1), ln(1), {.beta = 0}); }),
               ContainsSubstring("beta is 0"));
}
