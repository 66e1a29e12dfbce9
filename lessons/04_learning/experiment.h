// What the lesson needs around its training loop: steps that a stopped run goes on with, and its
// comparisons of optimisers and of initial weights, as tables and plots. Each comparison gets a
// function that trains one network.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/material/corpora/spirals.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/nn.h"

namespace heed::lesson04 {

template <class Model>
std::vector<Tensor> tensors_of(const Model& model) {
    std::vector<Tensor> all;
    for (const Parameter& p : parameters(model)) all.push_back(p.tensor);
    return all;
}

// The steps of a training, 1, 2, ..., with a checkpoint for --resume. It holds what the training
// changes: the parameters, the m and s that a rule keeps of each, and `watched`.
template <class Rule>
class Steps {
  public:
    Steps(std::vector<Tensor>& parameters, Rule& rule, std::vector<SavedState> watched)
        : updated_{parameters, rule}, checkpoint_(options(updated_, std::move(watched))) {}
    auto of(std::int64_t count) { return checkpoint_.steps(count); }

  private:
    struct Updated {
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
    static CheckpointOptions options(Updated& updated, std::vector<SavedState> watched) {
        watched.push_back(updated);
        return course::next_checkpoint(std::move(watched));
    }

    Updated updated_;
    Checkpoint checkpoint_;
};

// Training on all points with an optimiser of the library.
template <class Model>
void train_with(Optimiser& optimiser, const Model& model, const course::Points& points, int steps) {
    Checkpoint checkpoint(course::next_checkpoint({optimiser}));
    for ([[maybe_unused]] std::int64_t n : checkpoint.steps(steps)) {
        backward(binary_cross_entropy_with_logits(model(points.x), points.t));
        optimiser.step();
        optimiser.zero_grad();
    }
}

// The largest difference between the weights of two hidden units.
inline double between_units(const Tensor& w) { return max(max(w, 0) - min(w, 0)).item(); }

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
Comparison show_optimisers(course::AtCall lesson, const std::vector<double>& rates,
                           const std::vector<Contestant>& contestants);

// Training from units that differ by noise: mean accuracies, one for each noise.
std::vector<double> show_initial_weights(
    course::AtCall lesson, const std::vector<double>& noises,
    const std::function<double(double noise, std::uint64_t seed)>& train);

}  // namespace heed::lesson04
