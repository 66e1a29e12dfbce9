// Early stopping: training ends when validation no longer improves, and the model gets back the
// weights with which validation was best. train() does this by itself (TrainOptions::validate); in
// a loop of your own:
//
//     EarlyStopping stopping(saved_tensors(model), {.patience = 5});     // parameters and buffers
//     for (int64_t epoch = 1; !stopping.should_stop(); ++epoch) {
//         ...
//         stopping.add(epoch, validation_loss(model));
//     }
//     stopping.restore_best();
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "autograd/base/error.h"
#include "nn/module/module.h"

namespace heed {

struct Validation {
    int64_t step = 0;
    double value = std::numeric_limits<double>::infinity();
};

struct EarlyStoppingOptions {
    int64_t patience = 0;  // stop after this many values without improvement; 0: never
    double min_delta = 0;  // a value improves if it is below the best one by more than this
};

class EarlyStopping {
  public:
    // Keeps copies of these parameters (weights, and what else belongs to a checkpoint of the
    // model).
    explicit EarlyStopping(ParameterList parameters, const EarlyStoppingOptions& options = {});

    // Adds a validation value, where smaller is better. Returns whether it improves on the best one
    // so far; then the parameters are copied. NaN is no improvement.
    bool add(int64_t step, double value);
    bool should_stop() const { return options_.patience > 0 && without_ >= options_.patience; }

    const Validation& best() const { return best_; }  // infinity at step 0 if there is none yet
    const std::vector<Validation>& history() const { return history_; }
    // Gives the parameters their values at the best validation; does nothing if there is none.
    void restore_best();

    // For checkpoints (nn/saved/saved_state.h).
    template <class F>
    void visit_state(F&& f) {
        std::vector<double> steps, values;
        for (const Validation& one : history_) {
            steps.push_back(static_cast<double>(one.step));
            values.push_back(one.value);
        }
        f("steps", steps), f("values", values);
        check(steps.size() == values.size(), "EarlyStopping: {} steps and {} validations",
              steps.size(), values.size());
        history_.clear();
        for (std::size_t i = 0; i < steps.size(); ++i)
            history_.push_back({static_cast<int64_t>(steps[i]), values[i]});
        f("best_step", best_.step), f("best_value", best_.value), f("without_better", without_);

        bool copied = !copies_.empty();
        f("copied", copied);
        if (copied && copies_.empty()) make_copies();
        if (!copied) copies_.clear();
        for (std::size_t i = 0; i < copies_.size(); ++i) f(parameters_[i].name, copies_[i]);
    }

  private:
    void make_copies();

    ParameterList parameters_;
    EarlyStoppingOptions options_;
    std::vector<Tensor> copies_;  // the parameters at the best value; none before the first
    std::vector<Validation> history_;
    Validation best_;
    int64_t without_ = 0;  // values since the best one
};

}  // namespace heed
