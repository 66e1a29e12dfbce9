#include "lessons/12_reinforce/problem.h"

#include <algorithm>
#include <cmath>

namespace heed::lesson12 {

namespace {

Tensor fixed(const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    return normal(shape, 0, 1, rng, Dtype::float64);
}

// Choices made by decide(step, scores) -> Indices [N].
template <class Decide>
Path follow(const Tensor& x, Decide decide) {
    Path path;
    std::vector<Tensor> log_probs, looks;
    for (int64_t t = 0; t < steps; ++t) {
        path.scores.push_back(scores_at(x, t, t ? looks.back() : Tensor()));
        path.choices.push_back(decide(t, path.scores[t]));
        log_probs.push_back(log_prob(path.scores[t], path.choices[t]));
        looks.push_back(one_hot(path.choices[t], places, Dtype::float64));
    }
    path.log_prob = stack(log_probs, 1);
    path.loss = loss_of(x, looks);
    return path;
}

}  // namespace

Tensor the_parameters() { return fixed({parameters}, 3) * 0.7; }

Tensor repeated(int64_t samples) {
    Tensor x = clone(expand(the_parameters(), {samples, parameters}));
    return x.require_grad();
}

Tensor scores_at(const Tensor& x, int64_t step, const Tensor& before) {
    static const Tensor memory = fixed({places, places}, 2);
    const Tensor scores = slice(x, 1, step * places, (step + 1) * places);
    if (step == 0) return scores;
    return scores + slice(x, 1, history, history + 1) * matmul(before, memory);
}

Tensor loss_of(const Tensor& x, const std::vector<Tensor>& looks) {
    static const Tensor values = fixed({steps, places, 2}, 1);
    Tensor seen = matmul(looks[0], select(values, 0, 0));  // [N, 2]
    for (int64_t t = 1; t < steps; ++t) seen = seen + matmul(looks[t], select(values, 0, t));
    return sum(square(tanh(seen) - slice(x, 1, target, target + 1)), -1);
}

Path draw(const Tensor& x, Rng& rng) {
    return follow(x, [&](int64_t, const Tensor& scores) { return choose(scores, rng).places; });
}

Path enumerate(const Tensor& x) {
    const Indices all = all_paths(places, steps);
    return follow(x, [&](int64_t t, const Tensor&) {
        std::vector<int> column;
        for (int64_t n = 0; n < all.size(0); ++n) column.push_back(all[n * steps + t]);
        return Indices(column);
    });
}

Exact sum_over_all_paths() {
    const Tensor x = repeated(216);
    const Path path = enumerate(x);
    const Tensor probability = exp(sum(path.log_prob, -1));
    std::vector<Tensor> score;
    for (int64_t t = 0; t < steps; ++t)
        score.push_back(grad(sum(select(path.log_prob, 1, t)), {x})[0]);
    return {sum(grad(sum(probability * path.loss), {x})[0], 0), detach(probability),
            detach(path.loss), stack(score, 1), grad(sum(path.loss), {x})[0]};
}

double Exact::variance(const Tensor& baseline) const {
    const Tensor weight = unsqueeze(unsqueeze(loss, -1) - baseline, -1);  // [216, 1 or 3, 1]
    const Tensor estimate = sum(weight * score, 1) + loss_gradient;       // [216, 20]
    return (sum(probability * sum(square(estimate), -1)) - sum(square(gradient))).item();
}

Measured measure(const Estimator& estimator, const Exact& exact, Rng& rng, int rounds,
                 int64_t group) {
    const int64_t samples = 2000;
    Tensor total = zeros({parameters}, Dtype::float64), squares = total;
    for (int round = 0; round < rounds; ++round) {
        const Tensor x = repeated(samples);
        const Tensor each = grad(estimator(x, rng), {x})[0] * static_cast<double>(samples);
        const Tensor joined = mean(reshape(each, {group, samples / group, parameters}), 0);
        total = total + sum(joined, 0);
        squares = squares + sum(square(joined), 0);
    }
    const double count = static_cast<double>(rounds) * static_cast<double>(samples / group);
    const Tensor centre = total / count, variance = relu(squares / count - square(centre));
    const Tensor gap = centre - exact.gradient;
    return {max(abs(gap) / (sqrt(variance / count) + 1e-12)).item(),
            std::sqrt((sum(square(gap)) / sum(square(exact.gradient))).item()),
            sum(variance).item() * static_cast<double>(group)};
}

}  // namespace heed::lesson12
