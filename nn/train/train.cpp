#include "nn/train/train.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "autograd/backward/backward.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/record/finite.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/buffers.h"

namespace heed {
namespace {

using StepFunction = std::function<StepResult(int64_t step)>;
using Clock = std::chrono::steady_clock;

// --- ranks --------------------------------------------------------------------------------------

// The loss of one update: the mean over all tokens of all ranks; their number; and the signal to
// stop that any rank has received, or 0.
struct BatchLoss {
    double loss = 0;
    int64_t tokens = 0;
    int signal = 0;
};

// What the ranks have to agree on. Without ranks, or with one, nothing is sent.
struct RankGroup {
    Ranks* ranks;

    bool has_others() const { return ranks && ranks->size() > 1; }
    bool is_rank_0() const { return !has_others() || ranks->rank() == 0; }

    // Throws on a rank that was called with other settings than rank 0 or found another checkpoint.
    void check_same_start(const Optimiser& optimiser, const TrainOptions& options, int64_t steps,
                          int64_t saved_step) const;

    bool any(bool own) const {
        double flag = own ? 1 : 0;
        if (has_others()) ranks->sum(&flag, 1);
        return flag > 0;
    }
    double from_rank_0(double value) const {
        if (has_others()) ranks->broadcast(&value, sizeof value);
        return value;
    }

    BatchLoss combine(double sum_of_losses, int64_t tokens) const {
        const int signal = has_others() ? StopSignals::received() : 0;
        double all[] = {sum_of_losses, double(tokens), double(signal == SIGINT),
                        double(signal == SIGTERM)};
        if (has_others()) ranks->sum(all, 4);
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
        if (!has_others()) return checkpoint.after(step);
        try {
            checkpoint.after(step, signal);
        } catch (const Interrupted&) {
            ranks->barrier();
            throw;
        }
    }
};

void RankGroup::check_same_start(const Optimiser& optimiser, const TrainOptions& options,
                                 int64_t steps, int64_t saved_step) const {
    if (!has_others()) return;
    double settings[] = {double(steps),
                         optimiser.lr,
                         options.clip_norm,
                         double(options.validate_every),
                         double(saved_step),
                         double(options.checkpoint.directory.empty()),
                         options.seconds,
                         double(bool(options.stop_requested)),
                         double(bool(options.validate))};
    const std::vector<double> own(std::begin(settings), std::end(settings));
    ranks->broadcast(settings, sizeof settings);
    check(
        saved_step == int64_t(settings[4]),
        "train: rank {} found a checkpoint of step {} and rank 0 one of step {}: the folder of the "
        "checkpoints must be one that all ranks see",
        ranks->rank(), saved_step, int64_t(settings[4]));
    check(std::equal(own.begin(), own.end(), settings),
          "train: rank {} was called with other options than rank 0 (steps, learning rate, "
          "clip_norm, validate, validate_every, checkpoint, seconds, stop_requested)",
          ranks->rank());
    broadcast(optimiser.parameters(), *ranks);
}

// --- the loop -----------------------------------------------------------------------------------

// One training. Each function below run() is one part of the loop.
struct Training {
    Optimiser& optimiser;
    const TrainOptions& options;
    const StepFunction& step;
    const RankGroup group{options.ranks};
    const double own_lr = optimiser.lr;  // the optimiser has it again at the end
    const Clock::time_point start = Clock::now();

    TrainReport report = {};
    TrainProgress& now = report.last;
    int64_t tokens = 0;         // of all steps so far
    double seconds_before = 0;  // of the training that is continued
    int64_t interval = 0;       // how many updates lie between two validations; 0: none
    std::optional<EarlyStopping> stopping = {};
    std::unique_ptr<Checkpoint> checkpoint = {};
    double first_loss = 0;  // of step 1, computed to see whether it can be computed again

    ~Training() { optimiser.lr = own_lr; }

    TrainReport run() {
        start_or_continue();
        while (now.step < now.steps && !should_stop()) {
            const int64_t number = now.step + 1;
            now.lr = own_lr * (options.schedule ? options.schedule(number) : 1);
            optimiser.zero_grad();
            const BatchLoss batch = loss_and_gradients(number);
            update(number);
            report_step(number, batch.tokens);
            if (interval > 0 && (number % interval == 0 || number == now.steps)) validate();
            group.save(*checkpoint, number, batch.signal);
        }
        finish();
        return std::move(report);
    }

    void start_or_continue();
    bool should_stop();
    BatchLoss loss_and_gradients(int64_t number);
    void update(int64_t number);
    void report_step(int64_t number, int64_t tokens_of_step);
    void validate();
    void finish();

    // What the loop itself needs to go on.
    template <class F>
    void visit_state(F&& f) {
        f("losses", report.losses), f("step", now.step), f("tokens", tokens);
        f("loss", now.loss), f("mean_loss", now.mean_loss), f("lr", now.lr);
        f("grad_norm", now.grad_norm), f("seconds", now.seconds);
        f("tokens_per_second", now.tokens_per_second);
    }
};

// --- before the first step ----------------------------------------------------------------------

int64_t count_steps(const TrainOptions& options) {
    const bool by_steps = options.steps > 0, by_epochs = options.epochs > 0;
    check(options.steps >= 0 && options.epochs >= 0 && by_steps != by_epochs,
          "train: expected a number of steps or of epochs, got steps = {} and epochs = {}",
          options.steps, options.epochs);
    check(by_steps || options.epoch_steps > 0,
          "train: with epochs, expected epoch_steps, the updates in one, got {}",
          options.epoch_steps);
    return by_steps ? options.steps : options.epochs * options.epoch_steps;
}

int64_t validation_interval(const TrainOptions& options, int64_t steps) {
    check(options.validate || (options.validate_every == 0 && options.patience == 0),
          "train: validate_every = {} and patience = {} need a function `validate`",
          options.validate_every, options.patience);
    if (!options.validate) return 0;
    if (options.validate_every > 0) return options.validate_every;
    return options.epochs > 0 ? options.epoch_steps : std::max<int64_t>(steps / 10, 1);
}

// Rank 0 takes the folder, then the others read what is in it.
std::unique_ptr<Checkpoint> open_checkpoint(CheckpointOptions options, const RankGroup& group) {
    std::unique_ptr<Checkpoint> checkpoint;
    if (group.is_rank_0()) checkpoint = std::make_unique<Checkpoint>(options);
    if (group.has_others()) group.ranks->barrier();
    options.writes = false;
    if (!group.is_rank_0()) checkpoint = std::make_unique<Checkpoint>(options);
    return checkpoint;
}

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

// Computes the loss of step 1 and restores the state. The loop then computes it again, and the two
// losses must be equal: otherwise the step depends on something that the checkpoint does not hold.
double loss_to_repeat(const Checkpoint& checkpoint, const StepFunction& step) {
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

void check_repeated(double loss, double first_loss, const Checkpoint& checkpoint) {
    check(
        loss == first_loss,
        "train: step 1 was computed twice from the same state, and the loss was {} and then {}. It "
        "depends on something that is not in the checkpoint, perhaps a generator (Rng), the "
        "position in the data, or a counter. Add it to the list: .checkpoint = {{\"{}\", {{rng, "
        "batches, ...}}}}",
        first_loss, loss, checkpoint.directory());
}

void Training::start_or_continue() {
    check(bool(step), "train: there is no function `step`");
    check_positive("train", {{"accumulate", options.accumulate}});
    now.steps = count_steps(options);
    check_not_negative("train", {{"seconds", options.seconds},
                                 {"clip_norm", options.clip_norm},
                                 {"validate_every", options.validate_every}});
    interval = validation_interval(options, now.steps);
    stopping.emplace(
        options.restored.empty() ? optimiser.parameters() : options.restored,
        EarlyStoppingOptions{.patience = options.patience, .min_delta = options.min_delta});

    CheckpointOptions saved = options.checkpoint;
    saved.state.insert(saved.state.begin(),
                       {SavedState(optimiser), SavedState(*this), SavedState(*stopping)});
    checkpoint = open_checkpoint(saved, group);
    compare_settings(*checkpoint, optimiser, options, now.steps);
    const int64_t saved_step = checkpoint->resume();
    group.check_same_start(optimiser, options, now.steps, saved_step);
    seconds_before = now.seconds;
    if (saved_step == 0 && checkpoint->active()) first_loss = loss_to_repeat(*checkpoint, step);
}

// --- one step -----------------------------------------------------------------------------------

bool Training::should_stop() {
    report.stopped_early = stopping->should_stop();
    report.stopped = report.stopped_early || (options.stop_requested && options.stop_requested()) ||
                     (options.seconds > 0 && now.seconds >= options.seconds);
    if (options.stop_requested || options.seconds > 0) report.stopped = group.any(report.stopped);
    return report.stopped;
}

void check_loss(const StepResult& result, int64_t number, double lr, bool check_finite) {
    const Tensor& loss = result.loss;
    check(loss.defined() && loss.numel() == 1,
          "train: the loss of step {} must be one number, got shape {}", number, ShapeOf{loss});
    check(std::isfinite(loss.item()), "train: the loss of step {} is {}; the learning rate is {}{}",
          number, loss.item(), lr,
          check_finite ? "; no operation made it of finite numbers, so it came with the data"
                       : "; with check_finite the operation that made it is named");
}

// The loss of one step, or of a part of it, computed and differentiated. The gradient of a part is
// that of the sum over its tokens.
StepResult forward_and_backward(const StepFunction& step, int64_t number, double lr,
                                bool check_finite, bool is_part) {
    std::optional<FiniteCheck> checked;
    if (check_finite) checked.emplace();
    try {
        StepResult result = step(number);
        check_loss(result, number, lr, check_finite);
        check(!is_part || result.tokens.value_or(-1) >= 0,
              "train: the loss of step {} is one of several, by ranks or by accumulation, and its "
              "weight is not known; return StepResult{{loss, tokens}} with the number of tokens "
              "that it is the mean of",
              number);
        const Tensor& loss = result.loss;
        backward(is_part ? loss * static_cast<double>(*result.tokens) : loss);
        return result;
    } catch (NotFinite& error) {
        error.put_before(fmt::format("train: in step {}, with the learning rate {}: ", number, lr));
        throw;
    }
}

// The loss of the whole batch, and its gradients, from all parts of it and all ranks.
BatchLoss Training::loss_and_gradients(int64_t number) {
    const bool in_parts = group.has_others() || options.accumulate > 1;
    double sum_of_losses = 0;
    int64_t tokens_of_rank = 0;
    for (int64_t part = 0; part < options.accumulate; ++part) {
        const StepResult result =
            forward_and_backward(step, number, now.lr, options.check_finite, in_parts);
        now.loss = result.loss.item();
        tokens_of_rank += result.tokens.value_or(0);
        sum_of_losses += now.loss * double(result.tokens.value_or(0));
        if (number == 1 && part == 0 && checkpoint->active())
            check_repeated(now.loss, first_loss, *checkpoint);
    }
    const BatchLoss batch = group.combine(sum_of_losses, tokens_of_rank);
    if (in_parts) {
        now.loss = batch.loss;
        group.average(optimiser.parameters(), batch.tokens);
    }
    return batch;
}

// Clipped, and with the learning rate of this step.
void Training::update(int64_t number) {
    optimiser.lr = now.lr;
    if (options.clip_norm > 0) {
        now.grad_norm = optimiser.step_clipped(options.clip_norm);
        check(std::isfinite(now.grad_norm), "train: the gradient of step {} has norm {}", number,
              now.grad_norm);
    } else {
        optimiser.step();
    }
    optimiser.lr = own_lr;
}

void Training::report_step(int64_t number, int64_t tokens_of_step) {
    now.step = number;
    tokens += tokens_of_step;
    report.losses.push_back(now.loss);
    now.mean_loss += (now.loss - now.mean_loss) * std::max(0.02, 1.0 / double(number));
    now.seconds = seconds_before + std::chrono::duration<double>(Clock::now() - start).count();
    now.tokens_per_second = now.seconds > 0 ? double(tokens) / now.seconds : 0;
    now.seconds_left = now.seconds / double(number) * double(now.steps - number);
    if (options.seconds > 0)
        now.seconds_left = std::clamp(options.seconds - now.seconds, 0.0, now.seconds_left);
    if (options.on_step) options.on_step(now);
}

void Training::validate() {
    const NoGrad no_grad;
    stopping->add(now.step, group.from_rank_0(options.validate()));
}

// --- after the last step ------------------------------------------------------------------------

void Training::finish() {
    optimiser.zero_grad();
    checkpoint->finish(now.step);

    // The last state is validated too when training was stopped between two validations.
    const std::vector<Validation>& history = stopping->history();
    const bool validated = !history.empty() && history.back().step == now.step;
    if (interval > 0 && now.step > 0 && !validated) validate();
    report.validations = history;
    report.best = stopping->best();
    if (options.restore_best && report.best.step > 0) {
        stopping->restore_best();
        report.restored = true;
    }
}

}  // namespace

TrainReport train(Optimiser& optimiser, const TrainOptions& options, const StepFunction& step) {
    try {
        return Training{optimiser, options, step}.run();
    } catch (const Interrupted&) {  // on all ranks, after the same step
        throw;
    } catch (const std::exception& error) {
        if (options.ranks && options.ranks->size() > 1) options.ranks->abandon(error.what());
        throw;
    }
}

// --- what is said of it -------------------------------------------------------------------------

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
    check_positive("print_every", {{"steps", steps.value}});
    return [=](const TrainProgress& progress) {
        if (progress.step % steps != 0 && progress.step != progress.steps) return;
        fmt::print("{}\n", to_string(progress));
        std::fflush(stdout);
    };
}

}  // namespace heed
