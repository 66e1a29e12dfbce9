// Training that survives: it can be stopped at any moment, by Ctrl-C, by a signal, by a crash or a
// power failure, and goes on later with the same numbers, to the bit, as if it had never stopped.
//
//     train(optimiser, {.steps = 10000, .checkpoint = {"out/run", {rng, batches}}}, step);
//
// That is all. When the program is started again with the same call, it goes on at the last
// checkpoint in the folder out/run; if training is complete, it only loads the result. To start
// anew, remove the folder.
//
// A checkpoint is one safetensors file, out/run/checkpoint.safetensors. It holds
//   - the parameters, the optimiser's state and learning rate, the number of steps and so the
//     position in the schedule, all losses and validations, the best parameters of early stopping;
//   - what else changes during training, which the call lists (nn/saved/saved_state.h): generators
//     (also those of dropout), data loaders, averages of weights, a model with buffers (batch
//     normalisation), counters and curves of one's own.
// train() checks the list: before the first step it computes that step twice from the same state.
// If the two losses differ, or a buffer has changed that is not in the list, it throws.
//
// At every moment the folder has one whole checkpoint: the new one is written beside the old one,
// flushed to the disk, and renamed. A checkpoint that has been damaged is refused with its name; so
// is one of another training: with another number of steps, another learning rate, other
// parameters, another list. What cannot be compared, such as the model's code or the data, must be
// the same.
//
// A checkpoint is written every 30 seconds, or as often as the options say, at the end, and when
// the program is told to stop. On Ctrl-C or SIGTERM the loop finishes its step, saves, and throws
// Interrupted. A program that does not catch it ends with the message
//
//     error: train: stopped by Ctrl-C after step 120; saved in out/run; run the program again to go on
//
// and exit status 130 (143 for SIGTERM). A second Ctrl-C ends the program without saving. If a
// checkpoint cannot be written, because the disk is full for example, training goes on: the reason
// is printed to standard error, the old checkpoint stays, and the next one is tried at its time.
//
// In a loop of one's own the model's parameters are part of the list, by way of their optimiser:
//
//     Checkpoint checkpoint({"out/run", {optimiser, rng, batches}});
//     for (int64_t step : checkpoint.steps(10000)) {     // from the saved step to the last
//         ...
//         optimiser.step();
//     }
//
// Here nothing checks the list.
#pragma once

#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/base/interrupted.h"
#include "nn/saved/saved_state.h"
#include "nn/train/stop_signals.h"

namespace heed {

// How often a checkpoint is written: when this time has passed since the last one, and after every
// so many steps. 0: not for this reason.
struct CheckpointTimes {
    double seconds = 30;
    int64_t steps = 0;
};

struct CheckpointOptions {
    CheckpointOptions() = default;  // no checkpoints
    CheckpointOptions(const char* folder) : directory(folder) {}
    CheckpointOptions(std::string folder, std::vector<SavedState> changing = {},
                      const CheckpointTimes& how_often = {})
        : directory(std::move(folder)), state(std::move(changing)), times(how_often) {}

    std::string directory;          // empty: no checkpoints
    std::vector<SavedState> state;  // what changes during training; the variables must outlive it
    CheckpointTimes times;
    // If false, the checkpoint in the folder is read at the start and nothing is written: another
    // process of the same training writes (ranks.h).
    bool writes = true;
    // Gets the message when a checkpoint cannot be written; if empty, it goes to standard error.
    std::function<void(const std::string&)> on_problem;
};

// A file of named variables with a checksum. load throws heed::Error, with the path, when the file
// is damaged in any way.
void save_state(const std::string& path, const NamedState& state);
NamedState load_state(const std::string& path);

class Checkpoint {
  public:
    // Makes the folder if there is none, and reads the checkpoint in it if there is one. Throws if
    // the folder cannot be made, the checkpoint is damaged or two variables of the list have one
    // name, or while another program uses the folder. Without a folder in the options, all other functions do nothing.
    explicit Checkpoint(CheckpointOptions options);
    ~Checkpoint();
    Checkpoint(const Checkpoint&) = delete;
    Checkpoint& operator=(const Checkpoint&) = delete;

    // A loop over the steps that are left, counted from 1: for (int64_t step : steps(1000)). It
    // restores the state first, calls after() after each step, and finish() at the end.
    class Steps;
    Steps steps(int64_t count);

    // --- What steps() consists of.
    bool active() const { return !options_.directory.empty(); }
    // A setting that must be the same in the training that is saved. Throws if it was another one.
    void same(const std::string& name, const std::string& value);
    // Restores the state if there is a checkpoint. Returns its step, or 0.
    int64_t resume();
    // Saves if it is time to. Throws Interrupted if the program was told to stop.
    void after(int64_t step) { after(step, StopSignals::received()); }
    void after(int64_t step, int signal);  // the signal it was told to stop by, or 0
    // Saves the state after the last step. From here on signals do again what they did before.
    void finish(int64_t step);
    // The step of the checkpoint in the folder; 0 if there is none.
    int64_t saved_step() const { return saved_; }

    const std::vector<SavedState>& state() const { return options_.state; }
    const std::string& directory() const { return options_.directory; }
    std::string path() const { return options_.directory + "/checkpoint.safetensors"; }

  private:
    bool save(int64_t step, std::string& problem);
    void say(const std::string& problem) const;

    using Clock = std::chrono::steady_clock;

    CheckpointOptions options_;
    int folder_ = -1;  // open and locked
    std::unique_ptr<StopSignals> signals_;
    std::unique_ptr<NamedState> loaded_;  // until resume()
    std::map<std::string, std::string> settings_;
    int64_t saved_ = 0;  // the step of the checkpoint in the folder
    Clock::time_point saved_at_ = Clock::now();
};

class Checkpoint::Steps {
  public:
    class Iterator {
      public:
        using value_type = int64_t;
        using difference_type = std::ptrdiff_t;

        int64_t operator*() const { return step_; }
        Iterator& operator++() {
            of_->checkpoint_.after(step_);
            if (step_ == of_->last_) of_->checkpoint_.finish(step_);
            ++step_;
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const { return step_ > of_->last_; }

      private:
        friend Steps;
        Iterator(const Steps* of, int64_t step) : of_(of), step_(step) {}
        const Steps* of_ = nullptr;
        int64_t step_ = 0;
    };
    Iterator begin() const { return {this, first_}; }
    std::default_sentinel_t end() const { return {}; }

  private:
    friend Checkpoint;
    Steps(Checkpoint& checkpoint, int64_t first, int64_t last)
        : checkpoint_(checkpoint), first_(first), last_(last) {}
    Checkpoint& checkpoint_;
    int64_t first_ = 0, last_ = 0;
};

}  // namespace heed
