// Training on the two spirals, with any update rule.
#pragma once

#include <functional>
#include <vector>

#include "lessons/04_learning/spirals.h"
#include "nn/nn.h"

template <class Model>
struct Trained {
    Model model;
    double accuracy = 0;  // on 1,000 test points
};

// Takes `steps` steps, each on all of 400 points. rule(i, p, g, n) updates p, the parameter with
// index i, by its gradient g in step n = 1, 2, ...; watch(n, model) is called after each step.
template <class Model, class Rule>
Trained<Model> train(Model model, Rule rule, int steps, heed::Rng rng,
                     const std::function<void(int, const Model&)>& watch = {}) {
    const Points points = two_spirals(400, rng), test = two_spirals(1000, rng);
    std::vector<heed::Tensor> parameters;
    for (const heed::Parameter& p : heed::parameters(model)) parameters.push_back(p.tensor);
    for (int n = 1; n <= steps; ++n) {
        const heed::Tensor loss = heed::binary_cross_entropy_with_logits(model(points.x), points.t);
        const std::vector<heed::Tensor> gradients = heed::grad(loss, parameters);
        const heed::NoGrad no_grad;
        for (std::size_t i = 0; i < parameters.size(); ++i) rule(i, parameters[i], gradients[i], n);
        if (watch) watch(n, model);
    }
    const heed::NoGrad no_grad;
    return {model, heed::mean((model(test.x) > 0.0) == test.t).item()};
}

// The same with an optimiser of the library.
template <class Model>
void train_with(heed::Optimiser& optimiser, const Model& model, int steps, heed::Rng rng) {
    const Points points = two_spirals(400, rng);
    for (int n = 1; n <= steps; ++n) {
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
