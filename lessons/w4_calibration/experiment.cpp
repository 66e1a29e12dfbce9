#include "lessons/w4_calibration/experiment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::workshop4 {

using namespace course;

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

std::vector<Bin> bins_of(const Sureness& sure, int count) {
    std::vector<Bin> bins(count);
    for (std::size_t i = 0; i < sure.right.size(); ++i) {
        Bin& bin = bins[std::min(static_cast<int>(sure.confidence[i] * count), count - 1)];
        bin.confidence += sure.confidence[i];
        bin.right += sure.right[i];
        ++bin.forecasts;
    }
    return bins;
}

void Record::add(const Tensor& logits, const World& world, const Measures& measures) {
    const Sureness sure = sureness(softmax(logits), world.test.outcome);
    accuracy.push_back(sure.accuracy());
    confidence.push_back(sure.mean_confidence());
    error.push_back(measures.error(sure));
    loss.push_back(cross_entropy(logits, world.test.outcome).item());
    kl.push_back(kl_divergence(log_softmax(logits), world.truth).item());
    all.append(sure);
}

double Record::excess() const { return summarise(confidence).mean - summarise(accuracy).mean; }

Findings compare_remedies(Lesson& lesson, const Training& how, int climates,
                          const Measures& measures) {
    Findings found;
    ProgressLine progress = lesson.progress(fmt::format("{} days", how.days), climates);
    for (int i = 0; i < climates; ++i) {
        const std::uint64_t seed = 1000 * lesson.seed() + i;
        Rng rng(seed);
        const World world(rng);
        for (double smoothing : {0.0, how.smoothing}) {
            const bool smooth = smoothing > 0;
            const Forecaster model = trained(world, how.days, smoothing, how.steps, seed);
            const double tau =
                measures.temperature(logits_of(model, world.valid.x), world.valid.outcome);
            const Tensor test = logits_of(model, world.test.x);
            (smooth ? found.smoothed : found.plain).add(test, world, measures);
            (smooth ? found.both : found.cooled).add(test / tau, world, measures);
            (smooth ? found.temperature_smoothed : found.temperature).push_back(tau);
        }
        progress.update(i + 1);
    }
    return found;
}

Unlearned without_learning(Lesson& lesson, int climates, const Measures& measures) {
    Unlearned found;
    std::vector<double> prior;
    for (double p : how_often) prior.push_back(std::log(p));
    for (int i = 0; i < climates; ++i) {
        Rng rng(1000 * lesson.seed() + i);
        const World world(rng);
        const Tensor same = expand(tensor(prior, Dtype::float64), {world.test.x.size(0), outcomes});
        found.always.add(same, world, measures);
        found.truth.add(world.climate.logits(world.test.x), world, measures);
    }
    return found;
}

}  // namespace heed::workshop4
