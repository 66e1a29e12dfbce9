#include "lessons/05_probabilities/experiment.h"

#include <algorithm>
#include <numeric>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson05 {

Forecaster::Forecaster(Rng& rng) : hidden(measurements, 64, rng), output(64, outcomes, rng) {}

Tensor Forecaster::operator()(const Tensor& x) const { return output(tanh(hidden(x))); }

World::World(Rng& rng)
    : climate(rng),
      train(climate.days(10000, rng)),
      valid(climate.days(300, rng)),
      test(climate.days(4000, rng)),
      truth(climate.probabilities(test.x)) {}

Forecaster trained(const World& world, int days, double smoothing, int steps, uint64_t seed,
                   const Watch& watch, std::vector<SavedState> watched) {
    Rng rng(seed);
    const Forecaster model(rng);
    Adam adam(parameters(model), {.lr = 0.01});
    const int batch = std::min(days, 300);
    std::vector<int> order(days);
    std::iota(order.begin(), order.end(), 0);
    int next = days;
    watched.insert(watched.end(), {adam, rng, order, next});
    Checkpoint checkpoint(course::next_checkpoint(std::move(watched)));
    for (int64_t step : checkpoint.steps(steps)) {
        if (next + batch > days) rng.shuffle(order), next = 0;
        const std::vector<int> chosen(order.begin() + next, order.begin() + next + batch);
        next += batch;
        std::vector<int> labels;
        for (int day : chosen) labels.push_back(world.train.outcome[day]);
        const Tensor x = index_select(world.train.x, 0, Indices(chosen));
        backward(cross_entropy(model(x), Indices(labels), {.smoothing = smoothing}));
        adam.step();
        adam.zero_grad();
        if (watch) watch(static_cast<int>(step), model);
    }
    return model;
}

Tensor logits_of(const Forecaster& model, const Tensor& x) {
    const NoGrad no_grad;
    return to_dtype(model(x), Dtype::float64);
}

double Sureness::mean_confidence() const {
    return std::accumulate(confidence.begin(), confidence.end(), 0.0) /
           static_cast<double>(confidence.size());
}

double Sureness::accuracy() const {
    return static_cast<double>(std::count(right.begin(), right.end(), true)) /
           static_cast<double>(right.size());
}

void Sureness::append(const Sureness& other) {
    confidence.insert(confidence.end(), other.confidence.begin(), other.confidence.end());
    right.insert(right.end(), other.right.begin(), other.right.end());
}

Sureness sureness(const Tensor& probabilities, const Indices& outcome) {
    const Indices guess = argmax(probabilities);
    Sureness all{max(probabilities, -1).to_vector(), {}};
    for (int64_t i = 0; i < guess.count(); ++i) all.right.push_back(guess[i] == outcome[i]);
    return all;
}

}  // namespace heed::lesson05
