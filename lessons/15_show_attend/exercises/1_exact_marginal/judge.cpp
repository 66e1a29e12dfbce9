#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"marginal_log_likelihood", "posterior", "expected_loss", "variational_bound",
               "several_sample_bound", "bound_of"});
    Rng rng(1);
    const Tensor weights = tensor({0.7, 0.1, 0.1, 0.1}, {1, 4}, Dtype::float64),
                 p = tensor({0.9, 0.1, 0.1, 0.1}, {1, 4}, Dtype::float64);
    const auto one = [](double number) { return tensor({number}, Dtype::float64); };
    judge.equal(
        "the four patches of the lesson: ln 0.66 = -0.416",
        [&] { return my_log_marginal(log(weights), log(p)); }, one(std::log(0.66)),
        {.formula = "ln of sum_j alpha_j p(y | j)",
         .mistakes = {{"this is the mean of the logarithms, not the logarithm of the mean",
                       sum(weights * log(p), -1)},
                      {"the sum itself is returned, not its logarithm", one(0.66)},
                      {"the loss is returned, with the sign changed", one(-std::log(0.66))},
                      {"the probabilities are added without weights, or the softmax runs over the "
                       "pictures, not over the patches",
                       one(std::log(1.2))},
                      {"all patches have the same weight", one(std::log(0.3))}}});
    judge.equal("the bound of these patches: -0.765",
                [&] { return my_lower_bound(log(weights), log(p)); }, sum(weights * log(p), -1),
                {.formula = "sum_j alpha_j ln p(y | j)",
                 .mistakes = {{"this is the logarithm of the mean, not the mean of the logarithms",
                               one(std::log(0.66))},
                              {"all patches have the same weight", mean(log(p), -1)},
                              {"the scores are used as weights, without a softmax",
                               sum(log(weights) * log(p), -1)}}});
    const Tensor scores = normal({3, 5}, 0, 2, rng, Dtype::float64),
                 log_p = -square(normal({3, 5}, 0, 2, rng, Dtype::float64));
    judge.given({{"scores", scores}, {"log_p", log_p}});
    judge.equal("three pictures with five patches", [&] { return my_log_marginal(scores, log_p); },
                marginal_log_likelihood(scores, log_p),
                {.formula = "ln of sum_j alpha_j p(y | j), alpha = softmax(scores)",
                 .mistakes = {{"the scores are not normalised: their softmax is missing",
                               logsumexp(scores + log_p, -1)},
                              {"the softmax runs over the pictures, not over the patches",
                               logsumexp(log_softmax(scores, 0) + log_p, -1)}}});
    judge.equal("their bound", [&] { return my_lower_bound(scores, log_p); },
                sum(softmax(scores, -1) * log_p, -1),
                {.mistakes = {{"the softmax runs over the pictures, not over the patches",
                               sum(softmax(scores, 0) * log_p, -1)}}});
    const Tensor small = log_p - 1000, far = scores * 500;
    judge.equal("probabilities as small as those of an untrained network, e to the power -1000",
                [&] { return my_log_marginal(scores, small); },
                marginal_log_likelihood(scores, log_p) - 1000,
                {.formula = "ln(alpha p) = ln alpha + ln p; exp(-1000) is 0 on a computer",
                 .mistakes = {{"the probabilities have become 0, so their logarithm is infinite",
                               full({3}, -INFINITY, Dtype::float64)}}});
    judge.equal("scores that differ by hundreds", [&] { return my_log_marginal(far, small); },
                marginal_log_likelihood(far, small),
                {.formula = "ln alpha is log_softmax(scores); log(softmax(scores)) becomes -inf"});
    judge.gradient("the gradients of the marginal",
                   [](const auto& x) { return my_log_marginal(x[0], x[1]); }, {scores, log_p});
    judge.gradient("the gradients of the bound",
                   [](const auto& x) { return my_lower_bound(x[0], x[1]); }, {scores, log_p});
}
