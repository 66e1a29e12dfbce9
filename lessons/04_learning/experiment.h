// Training on the two spirals, with any update rule, on all points or on minibatches, with or
// without dropout. And what the lesson compares: optimisers, sizes of a minibatch, dropout, initial
// weights, as tables and plots. Each comparison gets a function that trains one network.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lessons/04_learning/data.h"
#include "lessons/course/course.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/nn.h"

namespace heed::lesson04 {

// --- training -----------------------------------------------------------------------------------

// How a network is trained.
struct Plan {
    int steps;
    int batch = 0;       // points a step; 0: all of them
    double dropped = 0;  // the share of hidden units that dropout sets to 0
    int points = 400;    // in the training set
};

// The training points of each step: all of them, or the next few of a random order. When all have
// been used, which is an epoch, they are put into a new order.
class Batches {
  public:
    Batches(const Points& points, int size, Rng rng)
        : points_(points), size_(size), rng_(rng), order_(points.t.numel()) {
        std::iota(order_.begin(), order_.end(), 0);
        at_ = order_.size();
    }
    Points next() {
        if (size_ == 0) return points_;
        if (at_ + size_ > order_.size()) {
            rng_.shuffle(order_);
            at_ = 0;
        }
        const Indices ids(std::vector<int>(order_.begin() + at_, order_.begin() + at_ + size_));
        at_ += size_;
        return {points_.x[ids], points_.t[ids]};
    }
    template <class F>
    void visit_state(F&& f) {
        f("at", at_), f("rng", rng_), f("order", order_);
    }

  private:
    Points points_;
    std::size_t size_, at_;
    Rng rng_;
    std::vector<int> order_;
};

// What a rule changes, for a checkpoint: the parameters, and the m and s that it keeps of each.
template <class Rule>
struct RuleState {
    std::vector<Tensor>& parameters;
    Rule& rule;

    template <class F>
    void visit_state(F&& f) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (i == rule.ms.size()) {  // a training that goes on has not made them
                rule.ms.push_back(zeros_like(parameters[i]));
                rule.ss.push_back(zeros_like(parameters[i]));
            }
            const std::string name = std::to_string(i);
            f(name, parameters[i]), f(name + ".m", rule.ms[i]), f(name + ".s", rule.ss[i]);
        }
    }
};

// Changes the parameters of the model. rule(i, p, g, n) updates p, the parameter with index i, by its
// gradient g in step n = 1, 2, ...; watch(n, model) is called after each step; `watched` are the
// variables that it changes.
template <class Model, class Rule>
void fit(const Model& model, Rule rule, const Points& points, const Plan& plan, Rng rng,
         const std::function<void(int, const Model&)>& watch = {},
         std::vector<SavedState> watched = {}) {
    std::vector<Tensor> parameters;
    for (const Parameter& p : heed::parameters(model)) parameters.push_back(p.tensor);
    Batches batches(points, plan.batch, rng.split());
    RuleState<Rule> updated{parameters, rule};
    watched.insert(watched.end(), {updated, batches, rng});
    Checkpoint checkpoint(course::next_checkpoint(std::move(watched)));
    for (int64_t step : checkpoint.steps(plan.steps)) {
        const int n = static_cast<int>(step);
        const Points batch = batches.next();
        const Tensor z =
            plan.dropped > 0 ? model.with_dropout(batch.x, plan.dropped, rng) : model(batch.x);
        const Tensor loss = binary_cross_entropy_with_logits(z, batch.t);
        const std::vector<Tensor> gradients = heed::grad(loss, parameters);
        const NoGrad no_grad;
        for (std::size_t i = 0; i < parameters.size(); ++i) rule(i, parameters[i], gradients[i], n);
        if (watch) watch(n, model);
    }
}

template <class Model>
struct Trained {
    Model model;
    double validation = 0, accuracy = 0;  // on the validation points and on the test points
};

template <class Model, class Rule>
Trained<Model> train(Model model, Rule rule, const Plan& plan, Rng rng,
                     const std::function<void(int, const Model&)>& watch = {},
                     std::vector<SavedState> watched = {}) {
    const Sets sets(rng, plan.points);
    fit(model, rule, sets.training, plan, rng, watch, std::move(watched));
    return {model, accuracy_on(sets.validation, model), accuracy_on(sets.test, model)};
}

// The same on all of the points, with an optimiser of the library.
template <class Model>
void train_with(Optimiser& optimiser, const Model& model, const Points& points, int steps) {
    Checkpoint checkpoint(course::next_checkpoint({optimiser}));
    for ([[maybe_unused]] int64_t n : checkpoint.steps(steps)) {
        backward(binary_cross_entropy_with_logits(model(points.x), points.t));
        optimiser.step();
        optimiser.zero_grad();
    }
}

inline bool is_success(double accuracy) { return accuracy >= 0.95; }

// The largest difference between the weights of two hidden units.
inline double between_units(const Tensor& w) { return max(max(w, 0) - min(w, 0)).item(); }

// A network whose hidden units differ only by noise of this standard deviation on their weights.
template <class Network>
Network nearly_equal_units(int width, double noise, Rng& rng) {
    Network network(width, rng);
    network.hidden.weight.assign(0.5 + noise * normal({width, 2}, 0, 1, rng));
    network.hidden.bias.assign(zeros({width}));
    network.output.weight.assign(full({1, width}, 0.1));
    return network;
}

// --- comparisons --------------------------------------------------------------------------------

struct Reached {
    double validation, test;  // accuracies
};

// An optimiser at a learning rate, with a seed for weights and points.
struct Contestant {
    std::string name;
    std::function<Reached(double rate, std::uint64_t seed)> train;
};

// Each contestant at all rates, and at its best one (by the validation points) with new seeds.
struct Comparison {
    std::vector<double> accuracy;   // on test points at the best rate, mean over seeds
    std::vector<double> successes;  // rates with a mean validation accuracy of at least 0.95
};
Comparison show_optimisers(course::Lesson& lesson, const std::vector<double>& rates,
                           const std::vector<Contestant>& contestants);

// Training with several sizes of a minibatch, for the same number of epochs, each at the best of the
// given rates. Mean test accuracies, one for each size.
std::vector<double> show_batches(
    course::Lesson& lesson, int points, int epochs, const std::vector<int>& sizes,
    const std::vector<double>& rates,
    const std::function<Reached(int size, int steps, double rate, std::uint64_t seed)>& train);

// One training run that overfits: losses and accuracies at some of its steps.
struct Course {
    std::vector<double> step, training_loss, validation_loss, test_loss, training, test;
    std::size_t best() const;  // the index of the smallest validation loss

    template <class F>
    void visit_state(F&& f) {
        f("step", step), f("training", training), f("test", test);
        f("training_loss", training_loss), f("validation_loss", validation_loss);
        f("test_loss", test_loss);
    }
};

// Without and with dropout, each at the end and at the smallest validation loss: four rows.
struct Overfitting {
    double training = 0;  // accuracy on the training examples, without dropout, at the end
    double test[4] = {}, loss[4] = {};  // on the test examples
};
Overfitting show_overfitting(
    course::Lesson& lesson, const std::function<Course(double dropped, std::uint64_t seed)>& train);

// Training from units that differ by noise. Mean accuracies and successes, one for each noise.
struct InitialWeights {
    std::vector<double> accuracy, successes;
    int runs;
};
InitialWeights show_initial_weights(
    course::Lesson& lesson, const std::vector<double>& noises,
    const std::function<double(double noise, std::uint64_t seed)>& train);

}  // namespace heed::lesson04
