#include "nn/train/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>

#include "autograd/backward/backward.h"
#include "autograd/ops/binary.h"
#include "autograd/record/finite.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/buffers.h"

namespace heed {
namespace {

// 1234567 -> "1,234,567"
std::string with_commas(double number) {
    std::string digits = fmt::format("{:.0f}", number);
    for (auto at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(at, 1, ',');
    return digits;
}

std::string as_time(double seconds) {
    const auto whole = static_cast<int64_t>(std::ceil(seconds));
    if (whole >= 3600)
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// Gives the optimiser its own rate back, also when training ends with an exception.
struct KeepRate {
    Optimiser& optimiser;
    double lr = optimiser.lr;
    ~KeepRate() { optimiser.lr = lr; }
};

int64_t count_steps(const TrainOptions& options) {
    const bool by_steps = options.steps > 0, by_epochs = options.epochs > 0;
    check(options.steps >= 0 && options.epochs >= 0 && by_steps != by_epochs,
          "train: expected a number of steps or of epochs, got steps = {} and epochs = {}",
          options.steps, options.epochs);
    check(by_steps || options.epoch_steps > 0,
          "train: with epochs, expected epoch_steps, the updates in one, got {}",
          options.epoch_steps);
    check(options.seconds >= 0 && options.clip_norm >= 0,
          "train: seconds and clip_norm cannot be negative or NaN, got {} and {}", options.seconds,
          options.clip_norm);
    return by_steps ? options.steps : options.epochs * options.epoch_steps;
}

// How many updates lie between two validations; 0 if there are none.
int64_t validation_interval(const TrainOptions& options, int64_t steps) {
    if (!options.validate) {
        check(options.validate_every == 0 && options.patience == 0,
              "train: validate_every = {} and patience = {} need a function `validate`",
              options.validate_every, options.patience);
        return 0;
    }
    check(options.validate_every >= 0, "train: validate_every cannot be negative, got {}",
          options.validate_every);
    if (options.validate_every > 0) return options.validate_every;
    return options.epochs > 0 ? options.epoch_steps : std::max<int64_t>(steps / 10, 1);
}

// What the loop itself needs to go on.
struct LoopState {
    TrainReport& report;
    int64_t tokens = 0;

    template <class F>
    void visit_state(F&& f) {
        TrainProgress& now = report.last;
        f("losses", report.losses), f("step", now.step), f("tokens", tokens);
        f("loss", now.loss), f("mean_loss", now.mean_loss), f("lr", now.lr);
        f("grad_norm", now.grad_norm), f("seconds", now.seconds);
        f("tokens_per_second", now.tokens_per_second);
    }
};

// What must be the same when training goes on. A schedule is compared at three steps.
void compare_settings(Checkpoint& checkpoint, const Optimiser& optimiser,
                      const TrainOptions& options, int64_t steps) {
    const auto same = [&](const char* name, double value) {
        checkpoint.same(name, fmt::format("{}", value));
    };
    same("the number of steps", double(steps));
    same("the learning rate", optimiser.lr);
    same("accumulate", double(options.accumulate));
    same("clip_norm", options.clip_norm);
    same("validate_every", double(options.validate_every));
    same("patience", double(options.patience));
    same("min_delta", options.min_delta);
    const auto factor = [&](int64_t step) { return options.schedule ? options.schedule(step) : 1; };
    same("the schedule's factor at the first step", factor(1));
    same("the schedule's factor in the middle", factor((steps + 1) / 2));
    same("the schedule's factor at the last step", factor(steps));
}

// Computes the loss of the first step, and restores the state. The loop then computes it again.
double rehearse(const Checkpoint& checkpoint, const std::function<StepResult(int64_t step)>& step) {
    const NamedState before = collect(checkpoint.state());
    const WatchBuffers watch;
    const StepResult result = step(1);
    for (const WatchBuffers::Change& change : watch.changes())
        check(includes(checkpoint.state(), change.buffer),
              "train: the step changes a buffer of shape {} that is not in the checkpoint, such as "
              "the running mean of batch normalisation. Add the model to the list: .checkpoint = "
              "{{\"{}\", {{model, ...}}}}",
              change.buffer.shape(), checkpoint.directory());
    restore(checkpoint.state(), before, checkpoint.path());
    return result.loss.defined() && result.loss.numel() == 1 ? result.loss.item() : 0;
}

// The loss of one step or of a part of it, computed and differentiated. If it is one of several, the
// gradient is that of the loss's sum over its tokens.
StepResult forward_and_backward(const std::function<StepResult(int64_t)>& step, int64_t number,
                                double lr, bool check_finite, bool one_of_several) {
    std::optional<FiniteCheck> checked;
    if (check_finite) checked.emplace();
    try {
        StepResult result = step(number);
        check(result.loss.defined() && result.loss.numel() == 1,
              "train: the loss of step {} must be one number, got shape {}", number,
              ShapeOf{result.loss});
        check(std::isfinite(result.loss.item()),
              "train: the loss of step {} is {}; the learning rate is {}{}", number,
              result.loss.item(), lr,
              check_finite ? "; no operation made it of finite numbers, so it came with the data"
                           : "; with check_finite the operation that made it is named");
        check(
            !one_of_several || result.tokens.value_or(-1) >= 0,
            "train: the loss of step {} is one of several, by ranks or by accumulation, and its "
            "weight is not known; return StepResult{{loss, tokens}} with the number of tokens that "
            "it is the mean of",
            number);
        const Tensor& loss = result.loss;
        backward(one_of_several ? loss * static_cast<double>(*result.tokens) : loss);
        return result;
    } catch (NotFinite& error) {
        error.put_before(fmt::format("train: in step {}, with the learning rate {}: ", number, lr));
        throw;
    }
}

// What the ranks have to agree on. Without ranks, or with one, nothing is sent.
struct Together {
    Ranks* ranks;

    bool several() const { return ranks && ranks->size() > 1; }
    bool first() const { return !several() || ranks->rank() == 0; }

    // Throws on a rank that was called with other settings than rank 0, or found another checkpoint.
    void same_start(const Optimiser& optimiser, const TrainOptions& options, int64_t steps,
                    int64_t saved) const {
        if (!several()) return;
        double settings[] = {double(steps),
                             optimiser.lr,
                             options.clip_norm,
                             double(options.validate_every),
                             double(saved),
                             double(options.checkpoint.directory.empty()),
                             options.seconds,
                             double(bool(options.stop_requested)),
                             double(bool(options.validate))};
        const std::vector<double> own(std::begin(settings), std::end(settings));
        ranks->broadcast(settings, sizeof settings);
        check(saved == int64_t(settings[4]),
              "train: rank {} found a checkpoint of step {} and rank 0 one of step {}: the folder "
              "of the checkpoints must be one that all ranks see",
              ranks->rank(), saved, int64_t(settings[4]));
        check(std::equal(own.begin(), own.end(), settings),
              "train: rank {} was called with other options than rank 0 (steps, learning rate, "
              "clip_norm, validate, validate_every, checkpoint, seconds, stop_requested)",
              ranks->rank());
        broadcast(optimiser.parameters(), *ranks);
    }

    bool any(bool own) const {
        double flag = own ? 1 : 0;
        if (several()) ranks->sum(&flag, 1);
        return flag > 0;
    }

    double of_first(double value) const {
        if (several()) ranks->broadcast(&value, sizeof value);
        return value;
    }

    // The mean of the losses, by tokens; the sum of the tokens; and a signal that any has received.
    struct Step {
        double loss;
        int64_t tokens;
        int signal;
    };
    Step combine(double sum_of_losses, int64_t tokens) const {
        const int signal = several() ? StopSignals::received() : 0;
        double all[] = {sum_of_losses, double(tokens), double(signal == SIGINT),
                        double(signal == SIGTERM)};
        if (several()) ranks->sum(all, 4);
        return {all[1] > 0 ? all[0] / all[1] : 0, int64_t(all[1]),
                all[2] > 0   ? SIGINT
                : all[3] > 0 ? SIGTERM
                             : 0};
    }
    // Replaces gradients of sums over tokens by the gradient of the mean over all of them.
    void average(const ParameterList& parameters, int64_t tokens) const {
        SingleRank alone;
        sum_gradients(parameters, ranks ? *ranks : alone, tokens > 0 ? 1 / double(tokens) : 0);
    }

    // Saves if it is time to. Nobody leaves because of a signal before rank 0 has saved.
    void save(Checkpoint& checkpoint, int64_t step, int signal) const {
        if (!several()) return checkpoint.after(step);
        try {
            checkpoint.after(step, signal);
        } catch (const Interrupted&) {
            ranks->barrier();
            throw;
        }
    }
};

// Rank 0 takes the folder, then the others read what is in it.
std::unique_ptr<Checkpoint> open_checkpoint(CheckpointOptions options, const Together& all) {
    std::unique_ptr<Checkpoint> checkpoint;
    if (all.first()) checkpoint = std::make_unique<Checkpoint>(options);
    if (all.several()) all.ranks->barrier();
    options.writes = false;
    if (!all.first()) checkpoint = std::make_unique<Checkpoint>(options);
    return checkpoint;
}

TrainReport train_here(Optimiser& optimiser, const TrainOptions& options,
                       const std::function<StepResult(int64_t step)>& step);

}  // namespace

std::string to_string(const TrainProgress& p) {
    std::string line = fmt::format("step {}/{}  loss {:.3f}", p.step, p.steps, p.mean_loss);
    if (p.tokens_per_second > 0)
        line += fmt::format("  {} tokens/s", with_commas(p.tokens_per_second));
    return line + fmt::format("  {} left", as_time(p.seconds_left));
}

std::string to_string(const TrainReport& report) {
    std::string line = fmt::format("{} steps in {:.1f} s; loss {:.4g}", report.last.step,
                                   report.last.seconds, report.last.mean_loss);
    if (report.best.step > 0)
        line += fmt::format("; best validation {:.4g} at step {}{}", report.best.value,
                            report.best.step, report.restored ? ", restored" : "");
    if (report.stopped_early)
        line += "; stopped early";
    else if (report.stopped)
        line += "; stopped before the end";
    return line;
}

std::function<void(const TrainProgress&)> print_every(Integer steps) {
    check(steps > 0, "print_every: expected a positive number of steps, got {}", steps);
    return [=](const TrainProgress& progress) {
        if (progress.step % steps != 0 && progress.step != progress.steps) return;
        fmt::print("{}\n", to_string(progress));
        std::fflush(stdout);
    };
}

TrainReport train(Optimiser& optimiser, const TrainOptions& options,
                  const std::function<StepResult(int64_t step)>& step) {
    try {
        return train_here(optimiser, options, step);
    } catch (const Interrupted&) {  // on all ranks, after the same step
        throw;
    } catch (const std::exception& error) {
        if (options.ranks && options.ranks->size() > 1) options.ranks->abandon(error.what());
        throw;
    }
}

namespace {

TrainReport train_here(Optimiser& optimiser, const TrainOptions& options,
                       const std::function<StepResult(int64_t step)>& step) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const KeepRate rate{optimiser};
    const Together all{options.ranks};
    TrainReport report;
    TrainProgress& now = report.last;
    LoopState loop{report};
    check(bool(step), "train: there is no function `step`");
    check(options.accumulate > 0, "train: expected accumulate of at least 1, got {}",
          options.accumulate);
    now.steps = count_steps(options);
    const int64_t interval = validation_interval(options, now.steps);
    EarlyStopping stopping(options.restored.empty() ? optimiser.parameters() : options.restored,
                           {.patience = options.patience, .min_delta = options.min_delta});
    const auto validate = [&] {
        NoGrad no_grad;
        stopping.add(now.step, all.of_first(options.validate()));
    };

    // Go on at the checkpoint, if there is one. Before a new training, see whether the first step
    // can be repeated.
    CheckpointOptions saved = options.checkpoint;
    saved.state.insert(saved.state.begin(),
                       {SavedState(optimiser), SavedState(loop), SavedState(stopping)});
    const std::unique_ptr<Checkpoint> opened = open_checkpoint(saved, all);
    Checkpoint& checkpoint = *opened;
    compare_settings(checkpoint, optimiser, options, now.steps);
    const int64_t saved_step = checkpoint.resume();
    const bool fresh = saved_step == 0;
    all.same_start(optimiser, options, now.steps, saved_step);
    const double seconds_before = now.seconds;
    double expected = 0;
    if (fresh && checkpoint.active()) expected = rehearse(checkpoint, step);

    while (now.step < now.steps) {
        report.stopped_early = stopping.should_stop();
        report.stopped = report.stopped_early ||
                         (options.stop_requested && options.stop_requested()) ||
                         (options.seconds > 0 && now.seconds >= options.seconds);
        if (options.stop_requested || options.seconds > 0) report.stopped = all.any(report.stopped);
        if (report.stopped) break;

        // The loss and its gradients.
        const int64_t number = now.step + 1;
        now.lr = rate.lr * (options.schedule ? options.schedule(number) : 1);
        optimiser.zero_grad();
        const bool several = all.several() || options.accumulate > 1;
        double sum_of_losses = 0;
        int64_t tokens = 0;
        for (int64_t part = 0; part < options.accumulate; ++part) {
            const StepResult result =
                forward_and_backward(step, number, now.lr, options.check_finite, several);
            now.loss = result.loss.item();
            tokens += result.tokens.value_or(0);
            sum_of_losses += now.loss * double(result.tokens.value_or(0));
            check(number > 1 || part > 0 || !checkpoint.active() || now.loss == expected,
                  "train: step 1 was computed twice from the same state, and the loss was {} and "
                  "then {}. It depends on something that is not in the checkpoint, perhaps a "
                  "generator (Rng), the position in the data, or a counter. Add it to the list: "
                  ".checkpoint = {{\"{}\", {{rng, batches, ...}}}}",
                  expected, now.loss, checkpoint.directory());
        }

        // The loss and the gradient of the whole batch.
        const Together::Step together = all.combine(sum_of_losses, tokens);
        if (several) {
            now.loss = together.loss;
            all.average(optimiser.parameters(), together.tokens);
        }

        // The update.
        optimiser.lr = now.lr;
        if (options.clip_norm > 0) {
            now.grad_norm = optimiser.step_clipped(options.clip_norm);
            check(std::isfinite(now.grad_norm), "train: the gradient of step {} has norm {}",
                  number, now.grad_norm);
        } else {
            optimiser.step();
        }
        optimiser.lr = rate.lr;

        // The report.
        now.step = number;
        loop.tokens += together.tokens;
        report.losses.push_back(now.loss);
        now.mean_loss += (now.loss - now.mean_loss) * std::max(0.02, 1.0 / double(number));
        now.seconds = seconds_before + std::chrono::duration<double>(Clock::now() - start).count();
        now.tokens_per_second = now.seconds > 0 ? double(loop.tokens) / now.seconds : 0;
        now.seconds_left = now.seconds / double(number) * double(now.steps - number);
        if (options.seconds > 0)
            now.seconds_left = std::clamp(options.seconds - now.seconds, 0.0, now.seconds_left);
        if (options.on_step) options.on_step(now);
        if (interval > 0 && (number % interval == 0 || number == now.steps)) validate();
        all.save(checkpoint, number, together.signal);
    }
    optimiser.zero_grad();
    checkpoint.finish(now.step);

    // The last state is validated too when training was stopped between two validations.
    report.validations = stopping.history();
    const bool validated =
        !report.validations.empty() && report.validations.back().step == now.step;
    if (interval > 0 && now.step > 0 && !validated) {
        validate();
        report.validations = stopping.history();
    }
    report.best = stopping.best();
    if (options.restore_best && report.best.step > 0) {
        stopping.restore_best();
        report.restored = true;
    }
    return report;
}

}  // namespace
}  // namespace heed
