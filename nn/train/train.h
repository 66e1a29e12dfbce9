// The training loop: update after update, with gradient clipping, a schedule of the learning rate,
// validation with early stopping, checkpoints, and a report.
//
//     Adam optimiser(parameters(model), {.lr = 2e-3});
//     DataLoader batches(train_set, {.batch_size = 64, .shuffle = true}, rng);
//     const TrainReport report =
//         train(optimiser,
//               {.epochs = 20,
//                .epoch_steps = batches.batches(),
//                .clip_norm = 1,
//                .on_step = print_every(100),
//                .validate = [&] { return loss_of(model, validation_set); },
//                .patience = 3},
//               [&](int64_t) {
//                   const auto batch = batches.next();
//                   return StepResult{cross_entropy(model(batch.x), batch.y), batch.size()};
//               });
//     fmt::print("{}\n", to_string(report));
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nn/optim/optimiser.h"
#include "nn/optim/schedules.h"
#include "nn/train/checkpoint.h"
#include "nn/train/early_stopping.h"
#include "nn/train/ranks.h"

namespace heed {

// What one step computed: the loss, to be differentiated, and how many tokens (or images, or points) it
// is the mean of, those with an ignored label left out. This is the weight of the loss among those of
// several ranks or of several parts of a batch, which must give it; otherwise it is only for the speed
// in the report.
struct StepResult {
    Tensor loss;
    std::optional<int64_t> tokens = {};
};

// The state of training after an update.
struct TrainProgress {
    int64_t step = 0, steps = 0;  // updates done, and updates in all
    double loss = 0;              // of this step, the mean over all its tokens
    double mean_loss = 0;  // running mean in which each new loss has a weight of at least 2 %
    double lr = 0;
    double grad_norm = 0;          // before clipping; 0 without clip_norm
    double tokens_per_second = 0;  // since the first step
    double seconds = 0;            // since the first step
    double seconds_left = 0;       // estimated from the speed so far
};

// "step 120/1000  loss 2.314  10,240 tokens/s  1:07 left"
std::string to_string(const TrainProgress& progress);

// What every field does when it is not given: no clipping, a constant learning rate, no validation,
// no limit of time; nothing is printed. Only the number of steps must be given.
struct TrainOptions {
    // How long: a number of updates, or of epochs with the number of updates in one. Either, not
    // both.
    int64_t steps = 0;
    int64_t epochs = 0, epoch_steps = 0;
    double seconds = 0;  // if above 0, stop after this time as well

    // Stop at the first operation that makes a NaN or an infinity, forward or backward, and name it
    // (autograd/record/finite.h). If false, HEED_CHECK=finite still does.
    bool check_finite = true;

    // How many calls of step make one update, each with a part of the batch: for a batch that does not
    // fit into memory. Loss and gradient are means over the tokens of all parts, as if it did.
    int64_t accumulate = 1;

    double clip_norm = 0;    // if above 0, scale gradients to at most this common norm
    Schedule schedule = {};  // a factor on the optimiser's learning rate for each step

    // Called after each update, say to print; and before each step, to stop when it returns true.
    std::function<void(const TrainProgress&)> on_step = {};
    std::function<bool()> stop_requested = {};

    // Validation: a number to be made small, such as the validation loss, or 1 - accuracy. It is
    // computed without recording after every `validate_every` updates (if 0: after each epoch, or
    // after each tenth of the steps) and after the last one.
    std::function<double()> validate = {};
    int64_t validate_every = 0;
    int64_t patience = 0;      // if above 0, stop after this many validations without improvement
    double min_delta = 0;      // smaller decreases do not count as improvements
    bool restore_best = true;  // at the end, give the parameters the values of the best validation
    // What restore_best restores; if empty, the optimiser's parameters. For a model with buffers
    // (batch normalisation) give saved_tensors(model).
    std::vector<Parameter> restored = {};

    // Training that can be stopped at any moment and goes on when the program is started again, with
    // the same bits: a folder, and what changes during training besides the parameters.
    //     .checkpoint = {"out/run", {rng, batches}}
    CheckpointOptions checkpoint = {};

    // Data-parallel training (ranks.h): every rank calls train() with the same options and computes
    // the loss of its part of the batch. Losses and gradients are averaged over all tokens, and then
    // clipped; parameters start with the values of rank 0. Only rank 0 writes checkpoints; all read
    // them, so the folder must be one that all ranks see. All functions given here are called on
    // every rank; the result of `validate` is that of rank 0, and all stop when one is to stop. If
    // train() throws on one rank, it ends the others.
    Ranks* ranks = nullptr;
};

// An on_step that prints the progress to standard output after every `steps` updates and after the
// last one.
std::function<void(const TrainProgress&)> print_every(Integer steps);

struct TrainReport {
    TrainProgress last;
    std::vector<double> losses;           // of every step
    std::vector<Validation> validations;  // in the order they were made
    Validation best = {};                 // the smallest; step 0 if there was no validation
    bool restored = false;                // the parameters are those of the best validation
    bool stopped = false;        // before the last step: by stop_requested, seconds or patience
    bool stopped_early = false;  // by patience
};

// "500 steps in 12.3 s; loss 0.132; best validation 0.1507 at step 400, restored; stopped early"
std::string to_string(const TrainReport& report);

// step(number) computes the loss of update `number`, counted from 1, or of its next part. The loop clears
// all gradients, calls step, runs backward and updates; at the end the optimiser has its own learning rate again. Throws, with the
// number of the step and before the update, when an operation makes a NaN or an infinity (NotFinite,
// which names the operation; see check_finite), when a loss is not finite or not one number, or when
// a gradient to be clipped is not finite. With checkpoints it also throws what checkpoint.h says.
TrainReport train(Optimiser& optimiser, const TrainOptions& options,
                  const std::function<StepResult(int64_t step)>& step);

}  // namespace heed
