// Common mistakes in REINFORCE. Every version here runs, and most train to some degree.
// test_hard_wrong.cpp shows that each differs from the sum over all paths.
#pragma once

#include "tests/attention/hard/hard_problem.h"

namespace heed::wrong {

using three_looks::draw;
using three_looks::Estimator;
using three_looks::Path;

// Σ (L - b) ln p with nothing detached.
inline Tensor attached(const Tensor& loss, const Tensor& log_prob) {
    return mean(loss) + mean(loss * sum(log_prob, -1));
}

// The loss that multiplies ln p is not detached: parameters of the loss get an extra ∇L ln p.
inline const Estimator loss_not_detached = [](const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    return attached(path.loss, path.log_prob);
};

// The baseline is not detached, so this gradient trains it too.
inline const Estimator baseline_not_detached = [](const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    const Tensor baseline = sum(square(path.scores[0]), -1);
    return mean(path.loss) + mean((detach(path.loss) - baseline) * sum(path.log_prob, -1));
};

// Three samples, but the log-probability of the last is left out.
inline const Estimator one_log_probability_missing = [](const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    return reinforce(path.loss, slice(path.log_prob, 1, 0, three_looks::steps - 1));
};

// p instead of ln p.
inline const Estimator probability_for_its_logarithm = [](const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    return reinforce(path.loss, exp(path.log_prob));
};

// A baseline for each index, selected by the index that was sampled.
inline const Estimator baseline_sees_the_action = [](const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    const Tensor of_place = select(select(three_looks::values(), 0, 0), 1, 0);  // [6]
    return reinforce(path.loss, path.log_prob, index_select(of_place, 0, path.choices[0]));
};

// The mean over both samples of an example, including the sample itself: half the gradient.
inline const Estimator mean_that_includes_oneself = [](const Tensor& x, Rng& rng) {
    const Path path = draw(x, rng);
    const int64_t half = x.size(0) / 2;
    const Tensor both = mean(reshape(detach(path.loss), {2, half}), 0);
    return reinforce(path.loss, path.log_prob, concat({both, both}, 0));
};

// The score-function term and a gradient through the sample: every sample is counted twice.
inline const Estimator gradient_through_the_place = [](const Tensor& x, Rng& rng) {
    std::vector<Tensor> log_probs, looked;
    for (int64_t t = 0; t < three_looks::steps; ++t) {
        const Tensor scores = three_looks::scores_at(x, t, t ? looked.back() : Tensor());
        const CategoricalSample choice = sample_categorical(scores, rng);
        log_probs.push_back(choice.log_prob);
        looked.push_back(straight_through(softmax(scores), choice.indices));
    }
    return reinforce(three_looks::loss_of(x, looked), stack(log_probs, 1));
};

// Sampled from a sharper distribution than the one whose log-probability is taken.
inline const Estimator drawn_from_another_distribution = [](const Tensor& x, Rng& rng) {
    const Path path = three_looks::follow(x, [&](int64_t, const Tensor& scores) {
        return sample_categorical(scores * 1.5, rng).indices;
    });
    return reinforce(path.loss, path.log_prob);
};

// --- of a location sampled from a Gaussian -------------------------------------------------------

// ln N(x; μ, σ²) where x = μ + σ ε is still in the graph: x - μ does not depend on μ, so the
// gradient is 0.
inline Tensor log_prob_of_an_attached_place(const Tensor& mean, double deviation,
                                            const Tensor& location) {
    return sum(square(location - mean), -1) * (-0.5 / (deviation * deviation));
}

}  // namespace heed::wrong
