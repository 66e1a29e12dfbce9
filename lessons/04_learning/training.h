// Training on the two spirals, with any update rule, on all points or on minibatches, with or without
// dropout.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lessons/04_learning/spirals.h"
#include "lessons/course/lesson/checkpoints.h"
#include "nn/nn.h"

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
    Batches(const Points& points, int size, heed::Rng rng)
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
        const heed::Indices ids(
            std::vector<int>(order_.begin() + at_, order_.begin() + at_ + size_));
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
    heed::Rng rng_;
    std::vector<int> order_;
};

// What a rule changes, for a checkpoint: the parameters, and the m and s that it keeps of each.
template <class Rule>
struct RuleState {
    std::vector<heed::Tensor>& parameters;
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
void fit(const Model& model, Rule rule, const Points& points, const Plan& plan, heed::Rng rng,
         const std::function<void(int, const Model&)>& watch = {},
         std::vector<heed::SavedState> watched = {}) {
    std::vector<heed::Tensor> parameters;
    for (const heed::Parameter& p : heed::parameters(model)) parameters.push_back(p.tensor);
    Batches batches(points, plan.batch, rng.split());
    RuleState<Rule> updated{parameters, rule};
    watched.insert(watched.end(), {updated, batches, rng});
    heed::Checkpoint checkpoint(heed::course::next_checkpoint(std::move(watched)));
    for (int64_t step : checkpoint.steps(plan.steps)) {
        const int n = static_cast<int>(step);
        const Points batch = batches.next();
        const heed::Tensor z =
            plan.dropped > 0 ? model.with_dropout(batch.x, plan.dropped, rng) : model(batch.x);
        const heed::Tensor loss = heed::binary_cross_entropy_with_logits(z, batch.t);
        const std::vector<heed::Tensor> gradients = heed::grad(loss, parameters);
        const heed::NoGrad no_grad;
        for (std::size_t i = 0; i < parameters.size(); ++i) rule(i, parameters[i], gradients[i], n);
        if (watch) watch(n, model);
    }
}

template <class Model>
double accuracy_on(const Points& points, const Model& model) {
    const heed::NoGrad no_grad;
    return heed::mean((model(points.x) > 0.0) == points.t).item();
}

template <class Model>
double loss_on(const Points& points, const Model& model) {
    const heed::NoGrad no_grad;
    return heed::binary_cross_entropy_with_logits(model(points.x), points.t).item();
}

// The three sets: points for training, 1,000 for validation and 1,000 for the test.
struct Sets {
    Points training, validation, test;
    explicit Sets(heed::Rng& rng, int count = 400)
        : training(two_spirals(count, rng)),
          validation(two_spirals(1000, rng)),
          test(two_spirals(1000, rng)) {}
};

template <class Model>
struct Trained {
    Model model;
    double validation = 0, accuracy = 0;  // on the validation points and on the test points
};

template <class Model, class Rule>
Trained<Model> train(Model model, Rule rule, const Plan& plan, heed::Rng rng,
                     const std::function<void(int, const Model&)>& watch = {},
                     std::vector<heed::SavedState> watched = {}) {
    const Sets sets(rng, plan.points);
    fit(model, rule, sets.training, plan, rng, watch, std::move(watched));
    return {model, accuracy_on(sets.validation, model), accuracy_on(sets.test, model)};
}

// The same on all of the points, with an optimiser of the library.
template <class Model>
void train_with(heed::Optimiser& optimiser, const Model& model, const Points& points, int steps) {
    heed::Checkpoint checkpoint(heed::course::next_checkpoint({optimiser}));
    for ([[maybe_unused]] int64_t n : checkpoint.steps(steps)) {
        heed::backward(heed::binary_cross_entropy_with_logits(model(points.x), points.t));
        optimiser.step();
        optimiser.zero_grad();
    }
}

inline bool is_success(double accuracy) { return accuracy >= 0.95; }

// The largest difference between the weights of two hidden units.
inline double between_units(const heed::Tensor& w) {
    return heed::max(heed::max(w, 0) - heed::min(w, 0)).item();
}

// A network whose hidden units differ only by noise of this standard deviation on their weights.
template <class Network>
Network nearly_equal_units(int width, double noise, heed::Rng& rng) {
    Network network(width, rng);
    network.hidden.weight.assign(0.5 + noise * heed::normal({width, 2}, 0, 1, rng));
    network.hidden.bias.assign(heed::zeros({width}));
    network.output.weight.assign(heed::full({1, width}, 0.1));
    return network;
}
