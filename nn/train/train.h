// The training loop: update after update, with clipping, a schedule, and a report of how it goes.
//
//     Adam optimiser(parameters(model), {.lr = 2e-3});
//     BatchStream<std::vector<int>> batches([&] { return bucket_batches(lengths, {}, rng); });
//     train(optimiser, {.steps = 1000, .clip_norm = 1, .schedule = schedules::warm_up(50)}, [&](int64_t) {
//         const auto& batch = batches.next();
//         return StepResult{loss_of(model, batch), tokens_in(batch)};
//     });
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nn/optim/optimiser.h"
#include "nn/optim/schedules.h"

namespace heed {

// What one step computed: the loss, to be differentiated, and how many tokens (or pictures, or
// points) it was computed from.
struct StepResult {
    Tensor loss;
    int64_t tokens = 0;
};

// How training goes, after each update.
struct Progress {
    int64_t step = 0, steps = 0;  // updates done, and to be done
    double loss = 0;              // of this step
    double mean_loss = 0;  // of the last hundred or so, each new one with a weight of at least 2 %
    double lr = 0;
    double grad_norm = 0;          // before clipping; 0 if it was not asked for
    double tokens_per_second = 0;  // since the beginning
    double seconds = 0;            // since the beginning
    double seconds_left = 0;       // at this speed
};

// "step 120/1000  loss 2.314  10,240 tokens/s  1:07 left"
std::string to_string(const Progress& progress);

struct TrainOptions {
    int64_t steps = 0;        // how many updates; or
    int64_t epochs = 0;       // times through the data, of
    int64_t epoch_steps = 0;  // so many updates
    double seconds = 0;       // stop after so long, if given
    double clip_norm = 0;     // no clipping if 0
    Schedule schedule = {};   // a factor on the optimiser's rate; constant if not given
    std::function<void(const Progress&)> on_step = {};  // after each update
    std::function<bool()> stop_requested = {};          // asked before each step, say after Ctrl-C
};

struct TrainReport {
    Progress last;
    std::vector<double> losses;  // of every step
    bool stopped = false;        // by stop_requested or by the seconds
};

// step(number), counted from 1, computes the loss; the gradients are fresh. Throws, before any
// update is made of it, when a loss is not finite or not one number, naming the step.
TrainReport train(Optimiser& optimiser, const TrainOptions& options,
                  const std::function<StepResult(int64_t step)>& step);

// One batch after the other, through all of an epoch and on into the next.
template <class Batch>
class BatchStream {
  public:
    // make_epoch gives all batches of an epoch in a new order.
    explicit BatchStream(std::function<std::vector<Batch>()> make_epoch)
        : make_epoch_(std::move(make_epoch)) {
        start();
    }
    const Batch& next() {
        if (at_ == batches_.size()) start();
        return batches_[at_++];
    }
    int64_t epoch() const { return epoch_; }                                       // counted from 1
    int64_t epoch_steps() const { return static_cast<int64_t>(batches_.size()); }  // of this one

  private:
    void start() {
        batches_ = make_epoch_();
        check(!batches_.empty(), "BatchStream: an epoch without batches");
        at_ = 0;
        ++epoch_;
    }
    std::function<std::vector<Batch>()> make_epoch_;
    std::vector<Batch> batches_;
    std::size_t at_ = 0;
    int64_t epoch_ = 0;
};

}  // namespace heed
