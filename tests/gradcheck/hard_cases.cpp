// Hard attention, where there is a derivative to compare with: likelihoods, sums over all indices,
// and the surrogates of the estimators as functions of ln p, the loss held constant.
#include "attention/hard/hard.h"
#include "attention/scores/mask.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

std::vector<Case> choices() {
    const Indices indices({3, 0, 2, 1}, {2, 2});
    const Tensor scores = sample({2, 2, 4}), mask = padding_mask({4, 2}, 4, Dtype::float64);
    const Indices allowed({3, 0, 1, 1}, {2, 2});
    return {
        {"categorical_log_prob [2, 2, 4]",
         [=](const Xs& x) { return categorical_log_prob(x[0], indices); },
         {scores}},
        {"categorical_log_prob, padding",
         [=](const Xs& x) { return categorical_log_prob(x[0], allowed, like(x[0], mask)); },
         {scores}},
        {"log_weights [2, 2, 4]", [](const Xs& x) { return log_weights(x[0]); }, {scores}},
        {"log_weights, padding",
         [=](const Xs& x) { return log_weights(x[0], like(x[0], mask)) * like(x[0], mask); },
         {scores}},
        {"sample_categorical, the log-probability of the sample",
         [=](const Xs& x) {
             Rng same(3);
             return sample_categorical(x[0], same, like(x[0], mask)).log_prob;
         },
         {scores}},
        // The gradient is that of the sampled location held fixed. But a sample with the same random
        // numbers moves with the mean, so the differences of its log_prob are 0. What they would be
        // with the location held fixed is added as a number without gradient.
        Case{"sample_location, the log-probability of the sample",
             [](const Xs& x) {
                 const Tensor mean = sample({3, 2});
                 Rng same(3), again(3);
                 const LocationSample here = sample_location(x[0], 0.7, same);
                 const Tensor fixed = sample_location(like(x[0], mean), 0.7, again).location;
                 return here.log_prob + detach(gaussian_log_prob(x[0], 0.7, fixed));
             },
             {sample({3, 2})}}
            .first_order_only("the gradient, too, is that of a location held fixed"),
        {"hard_attention, the sample held fixed",
         [=](const Xs& x) {
             Rng same(3);
             const HardAttentionOutput y = hard_attention(x[0], x[1], same, like(x[0], mask));
             return concat(
                 {reshape(y.context, {-1}), reshape(y.weights, {-1}), reshape(y.log_prob, {-1})},
                 0);
         },
         {scores, sample({2, 4, 3}, -1, 1, 2)}},
        {"categorical_entropy [2, 2, 4]",
         [](const Xs& x) { return categorical_entropy(x[0]); },
         {scores}},
        {"categorical_entropy, padding",
         [=](const Xs& x) { return categorical_entropy(x[0], like(x[0], mask)); },
         {scores}},
        {"values_at [2, 4, 3], two each",
         [=](const Xs& x) { return values_at(x[0], indices); },
         {sample({2, 4, 3})}},
        {"values_at of a transposed view",
         [](const Xs& x) {
             return values_at(transpose(x[0]), {2, 0});
         },
         {sample({2, 3, 4})}},
        {"gaussian_log_prob [3, 2]",
         [](const Xs& x) {
             return gaussian_log_prob(x[0], 0.7, like(x[0], sample({3, 2}, -1, 1, 2)));
         },
         {sample({3, 2})}},
        {"log_prob_gradient_square",
         [=](const Xs& x) { return log_prob_gradient_square(x[0], indices); },
         {scores}},
        {"marginal_log_likelihood",
         [=](const Xs& x) { return marginal_log_likelihood(x[0], x[1], like(x[0], mask)); },
         {scores, sample({2, 2, 4}, -1, 1, 2)}},
        {"posterior",
         [](const Xs& x) { return posterior(x[0], x[1]); },
         {scores, sample({2, 2, 4}, -1, 1, 2)}},
        {"expected_loss",
         [=](const Xs& x) { return expected_loss(x[0], x[1], like(x[0], mask)); },
         {scores, sample({2, 2, 4}, -1, 1, 2)}},
        {"gumbel_softmax",
         [=](const Xs& x) {
             Rng same(3);
             return gumbel_softmax(x[0], 0.7, same, like(x[0], mask));
         },
         {scores}},
        {"patches [2, 4, 6]", [](const Xs& x) { return patches(x[0], 2); }, {sample({2, 4, 6})}},
        {"patches of two channels",
         [](const Xs& x) { return patches(x[0], 3); },
         {sample({1, 2, 3, 6})}},
        {"glimpse of two scales, over the edge",
         [](const Xs& x) {
             const Tensor location = tensor({0.1, -0.2, 0.9, 1.3}, {2, 2}, x[0].dtype());
             return glimpse(x[0], location, {.size = 2, .scales = 2});
         },
         {sample({2, 4, 5})}},
    };
}

std::vector<Case> estimators() {
    const Tensor loss = sample({4}, -1, 1, 2), log_prob = sample({4, 3});
    const Tensor baseline = sample({1, 3}, -1, 1, 3), several = sample({3, 4}, -1, 1, 4);
    Rng rng(5);
    return {
        {"reinforce",
         [=](const Xs& x) { return reinforce(like(x[0], loss), x[0], like(x[0], baseline)); },
         {log_prob}},
        {"reinforce, the loss alone",
         [=](const Xs& x) { return reinforce(x[0], zeros({4}, x[0].dtype())); },
         {loss}},
        {"score_function_term",
         [=](const Xs& x) {
             return score_function_term(like(x[0], loss), x[0], like(x[0], loss) * 2);
         },
         {log_prob}},
        {"variational_bound",
         [=](const Xs& x) { return variational_bound(like(x[0], loss), x[0]); },
         {log_prob}},
        {"several_sample_bound",
         [=](const Xs& x) { return several_sample_bound(like(x[0], several), x[0]); },
         {sample({3, 4, 2})}},
        {"bound_of", [](const Xs& x) { return bound_of(x[0]); }, {several}},
        with_parameters("LearnedBaseline", LearnedBaseline(3, rng), {},
                        [](const LearnedBaseline& b, const Xs&) {
                            return b(like(parameters(b)[0].tensor, sample({2, 4, 3})));
                        }),
    };
}

std::vector<Case> preferences() {
    const Indices next({-1, 2, 0, -1, -1, 3}, {2, 3});
    const Tensor one = sample({3}), two = sample({3}, -1, 1, 2), three = sample({3}, -1, 1, 3),
                 four = sample({3}, -1, 1, 4);
    return {
        {"answer_log_prob [2, 3, 4]",
         [=](const Xs& x) { return answer_log_prob(x[0], next); },
         {sample({2, 3, 4})}},
        {"group_advantage, as the weight of ln p",
         [=](const Xs& x) {
             return reinforce(-group_advantage(like(x[0], sample({4, 2}, -1, 1, 2))), x[0]);
         },
         {sample({4, 2})}},
        {"kl_estimate", [](const Xs& x) { return kl_estimate(x[0], x[1]); }, {one, two}},
        {"dpo_loss",
         [](const Xs& x) {
             return dpo_loss(x[0], x[1], x[2], x[3], {.beta = 0.7, .reduction = Reduction::none});
         },
         {one, two, three, four}},
    };
}

const bool added_hard = add_cases(choices) && add_cases(estimators) && add_cases(preferences);

}  // namespace
}  // namespace heed
