// Training that is stopped and goes on: with the same bits for every optimiser and schedule; with
// whole checkpoints when the disk is full; refused when a checkpoint is damaged or of another
// training; ended in good order by signals. tests/lessons/test_survival.cpp kills real programs.
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>

#include "attention/hard/baselines.h"
#include "nn/nn.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

using OptimiserMaker = std::function<std::unique_ptr<Optimiser>(const Sequential&)>;

const std::vector<std::pair<std::string, OptimiserMaker>> optimisers{
    {"sgd",
     [](const Sequential& net) { return std::make_unique<Sgd>(parameters(net), SgdOptions{0.1}); }},
    {"sgd, momentum and nesterov",
     [](const Sequential& net) {
         return std::make_unique<Sgd>(parameters(net), SgdOptions{0.05, 0.9, true, 1e-3});
     }},
    {"adam",
     [](const Sequential& net) {
         return std::make_unique<Adam>(parameters(net), AdamOptions{.lr = 0.01});
     }},
    {"adamw, groups",
     [](const Sequential& net) {
         auto adamw = std::make_unique<AdamW>(
             parameters(net), AdamWOptions{.lr = 0.01, .decays = [](const Parameter& p) {
                                               return p.tensor.dim() == 2;
                                           }});
         adamw->scale_lr([](const Parameter& p) { return p.tensor.dim() == 1; }, 2);
         return adamw;
     }},
    {"rmsprop",
     [](const Sequential& net) {
         return std::make_unique<RmsProp>(parameters(net), RmsPropOptions{.lr = 0.005});
     }},
    {"rmsprop, momentum",
     [](const Sequential& net) {
         return std::make_unique<RmsProp>(parameters(net),
                                          RmsPropOptions{.lr = 0.002, .momentum = 0.8});
     }},
};

constexpr int64_t all_steps = 24;

const std::vector<std::pair<std::string, Schedule>> all_schedules{
    {"none", {}},
    {"warm-up and cosine",
     schedules::sequential(schedules::warm_up(5), 5, schedules::cosine(all_steps - 5, 0.1))},
    {"one cycle", schedules::one_cycle(all_steps)},
    {"step decay", schedules::step_decay(7)},
    {"noam", schedules::noam(16, 5)},
};

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Killed {};  // what the step throws, in place of a SIGKILL

// A training with everything that has a state. Each object stands for a process.
struct Training {
    Rng rng{7};
    Sequential net{Linear(3, 8, rng), BatchNorm1d(8), Relu{}, Dropout(0.3), Linear(8, 2, rng)};
    std::unique_ptr<Optimiser> optimiser;
    TensorDataset<Tensor, Tensor> data{normal({20, 3}, 0, 1, rng), normal({20, 2}, 0, 1, rng)};
    DataLoader<Tensor, Tensor> loader{data, {.batch_size = 6, .shuffle = true}, rng};
    BatchStream<std::vector<int>> stream{[this] {
        return bucket_batches({3, 1, 4, 1, 5, 9, 2, 6}, {.batch_size = 3}, rng);
    }};
    AverageOfWeights average{saved_tensors(net), {.ema_decay = 0.9}};
    MovingAverage moving;
    std::vector<double> curve;
    int64_t calls = 0;

    explicit Training(const OptimiserMaker& make) : optimiser(make(net)) {}

    TrainOptions options(const Schedule& schedule) {
        return {.steps = all_steps,
                .clip_norm = 1,
                .schedule = schedule,
                .on_step = [&](const TrainProgress& p) { curve.push_back(p.mean_loss); },
                .validate =
                    [&] { return mean(square(net(data.x, Mode::evaluation()) - data.y)).item(); },
                .validate_every = 5,
                .restored = saved_tensors(net)};
    }
    std::vector<SavedState> state() { return {net, rng, loader, stream, average, moving, curve}; }

    StepResult step(int64_t number, int64_t killed_at) {
        ++calls;
        if (number == killed_at) throw Killed{};
        const auto batch = loader.next();
        const double factor = 1 + 0.01 * static_cast<double>(stream.next()[0]) + 0.1 * moving.value;
        const Tensor loss = mean(square(net(batch.x, Mode::training(rng)) - batch.y)) * factor;
        if (number > 1) average.update();
        moving.update(detach(loss));
        return {loss, batch.size()};
    }
    TrainReport run(const Schedule& schedule, const CheckpointOptions& checkpoint = {},
                    int64_t killed_at = 0) {
        TrainOptions how = options(schedule);
        how.checkpoint = checkpoint;
        return train(*optimiser, how, [&](int64_t number) { return step(number, killed_at); });
    }
    // Everything it ends with.
    NamedState end() {
        std::vector<SavedState> all = state();
        all.push_back(*optimiser);
        return collect(all);
    }
};

bool same_bits(const Tensor& a, const Tensor& b) {
    if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
    const auto bytes = static_cast<std::size_t>(a.numel()) * (a.dtype() == Dtype::float32 ? 4 : 8);
    const void* of[2];
    for (int i : {0, 1}) {
        const Tensor& x = i == 0 ? a : b;
        of[i] = x.dtype() == Dtype::float32 ? static_cast<const void*>(x.data<float>())
                                            : x.data<double>();
    }
    return bytes == 0 || std::memcmp(of[0], of[1], bytes) == 0;
}

// The names of what differs.
std::string differences(const NamedState& a, const NamedState& b) {
    std::string names;
    for (const auto& [name, x] : a.tensors)
        if (!b.tensors.count(name) || !same_bits(x, b.tensors.at(name))) names += name + " ";
    for (const auto& [name, x] : a.texts)
        if (!b.texts.count(name) || b.texts.at(name) != x) names += name + " ";
    if (a.tensors.size() != b.tensors.size() || a.texts.size() != b.texts.size())
        names += "(numbers of variables)";
    return names;
}

bool same_report(const TrainReport& a, const TrainReport& b) {
    bool same = a.losses == b.losses && a.validations.size() == b.validations.size() &&
                a.best.step == b.best.step && a.best.value == b.best.value &&
                a.last.mean_loss == b.last.mean_loss && a.last.step == b.last.step &&
                a.last.lr == b.last.lr && a.last.grad_norm == b.last.grad_norm &&
                a.restored == b.restored && a.stopped == b.stopped;
    for (std::size_t i = 0; same && i < a.validations.size(); ++i)
        same = a.validations[i].step == b.validations[i].step &&
               a.validations[i].value == b.validations[i].value;
    return same;
}

}  // namespace

TEST_CASE("a training that is stopped goes on with the same bits", "[checkpoint]") {
    for (const auto& [name, maker] : optimisers)
        for (const auto& [schedule_name, schedule] : all_schedules) {
            INFO(name << ", schedule " << schedule_name);
            Training whole(maker);
            const TrainReport expected = whole.run(schedule);
            const NamedState end = whole.end();

            const Scratch scratch;
            // Saved after steps 4, 8, ...; killed three times, once before the first checkpoint.
            int kills = 0;
            for (int64_t killed_at : {3, 4, 13, 24, 0}) {
                Training part(maker);
                const CheckpointOptions checkpoint(scratch.path + "/run", part.state(),
                                                   {.seconds = 0, .steps = 4});
                try {
                    const TrainReport report = part.run(schedule, checkpoint, killed_at);
                    REQUIRE(killed_at == 0);
                    CHECK(same_report(report, expected));
                    CHECK(differences(end, part.end()) == "");
                    CHECK(part.calls == all_steps - 20);  // the rest came from the checkpoint
                } catch (const Killed&) {
                    ++kills;
                }
            }
            CHECK(kills == 4);

            // A finished training is only loaded.
            Training again(maker);
            const TrainReport report = again.run(schedule, {scratch.path + "/run", again.state()});
            CHECK(again.calls == 0);
            CHECK(same_report(report, expected));
            CHECK(differences(end, again.end()) == "");
        }
}

TEST_CASE("early stopping goes on with what it has counted", "[checkpoint]") {
    const auto values = [](int64_t step) { return step < 9 ? 1.0 / double(step) : 1.0; };
    const auto run = [&](const CheckpointOptions& checkpoint, int64_t killed_at, Tensor& w) {
        w = parameter(zeros({1}));
        Sgd sgd({{"w", w}}, {.lr = 0.1});
        int64_t done = 0;
        TrainOptions options{.steps = 100,
                             .on_step = [&](const TrainProgress& p) { done = p.step; },
                             .validate = [&] { return values(done); },
                             .validate_every = 2,
                             .patience = 4};
        options.checkpoint = checkpoint;
        return train(sgd, options, [&](int64_t number) {
            if (number == killed_at) throw Killed{};
            return StepResult{square(w - 1.0), 1};
        });
    };
    Tensor expected_w, w;
    const TrainReport expected = run({}, 0, expected_w);
    REQUIRE(expected.stopped_early);
    REQUIRE(expected.best.step == 8);
    const Scratch scratch;
    const CheckpointOptions checkpoint(scratch.path, {}, {.seconds = 0, .steps = 3});
    CHECK_THROWS_AS(run(checkpoint, 13, w), Killed);
    const TrainReport report = run(checkpoint, 0, w);
    CHECK(report.stopped_early);
    CHECK(same_report(report, expected));
    CHECK(same_bits(w, expected_w));
    CHECK(same_report(run(checkpoint, 1, w), expected));  // finished: loaded
    CHECK(same_bits(w, expected_w));
}

TEST_CASE("a loop of one's own goes on with the same bits", "[checkpoint]") {
    struct Loop {
        Rng rng{4};
        Linear model{2, 1, rng};
        Adam adam{parameters(model), {.lr = 0.1}};
        double sum = 0;
        void run(const CheckpointOptions& options, int64_t killed_at) {
            Checkpoint checkpoint(options);
            for (int64_t step : checkpoint.steps(10)) {
                if (step == killed_at) throw Killed{};
                const Tensor loss = mse(model(normal({4, 2}, 0, 1, rng)), zeros({4, 1}));
                adam.zero_grad();
                backward(loss);
                adam.lr *= 0.9;
                adam.step();
                sum += loss.item();
            }
        }
    };
    Loop whole;
    whole.run({}, 0);
    const Scratch scratch;
    for (int64_t killed_at : {2, 5, 8, 0}) {
        Loop part;
        const CheckpointOptions options(scratch.path, {part.adam, part.rng, part.sum},
                                        {.seconds = 0, .steps = 1});
        try {
            part.run(options, killed_at);
        } catch (const Killed&) {
            continue;
        }
        CHECK(part.sum == whole.sum);
        CHECK(part.adam.lr == whole.adam.lr);
        CHECK(same_bits(part.model.weight, whole.model.weight));
        CHECK(part.rng.next() == whole.rng.next());
    }
}

// --- what is forgotten is noticed ------------------------------------------------------------------

TEST_CASE("a state that the list forgets is noticed at the first step", "[checkpoint][errors]") {
    const auto message = [](std::size_t forgotten) {
        const Scratch scratch;
        Training training(optimisers[2].second);
        std::vector<SavedState> state = training.state();
        state.erase(state.begin() + static_cast<std::ptrdiff_t>(forgotten));
        return error_of([&] { training.run({}, {scratch.path, state}); });
    };
    const std::string twice = "train: step 1 was computed twice from the same state";
    CHECK_THAT(message(0), ContainsSubstring("the step changes a buffer of shape [8] that is not "
                                             "in the checkpoint"));  // the model
    CHECK_THAT(message(1), ContainsSubstring(twice));  // the generator, used by dropout
    CHECK_THAT(message(2), ContainsSubstring(twice));  // the loader
    CHECK_THAT(message(3), ContainsSubstring(twice));  // the stream
    CHECK_THAT(message(5), ContainsSubstring(twice));  // the moving average
}

// --- the state -------------------------------------------------------------------------------------

namespace {

struct All {
    double big = 1e300, tiny = 5e-324, minus_zero = -0.0, third = 1.0 / 3;
    double inf = std::numeric_limits<double>::infinity();
    float single = 0.1f;
    int64_t least = std::numeric_limits<int64_t>::min();
    uint64_t most = std::numeric_limits<uint64_t>::max();
    int count = -5;
    bool yes = true, no = false;
    std::string text = "a b\n나 \"x\" \\";
    std::vector<double> curve{1, -0.0, 1e-310}, none, odd{1, NAN, -INFINITY};
    std::vector<int> order{3, 1, 2, std::numeric_limits<int>::min()}, empty;
    std::vector<std::vector<int>> batches{{1, 2}, {}, {3}};
    Tensor x = tensor({1, 2, 3}, {3, 1}), wide = tensor({1e-300}, Dtype::float64);
    Rng rng{3};
    template <class F>
    void visit_state(F&& f) {
        f("big", big), f("tiny", tiny), f("minus_zero", minus_zero), f("third", third);
        f("inf", inf), f("single", single), f("least", least), f("most", most);
        f("count", count), f("yes", yes), f("no", no), f("text", text), f("curve", curve);
        f("none", none), f("odd", odd), f("order", order), f("empty", empty);
        f("batches", batches), f("x", x), f("wide", wide), f("rng", rng);
        f.same("width", "64");
    }
};

}  // namespace

TEST_CASE("every kind of state is restored to the bit", "[checkpoint]") {
    All one, other;
    one.rng.normal();  // leaves a spare number
    // Laid out by hand: twenty values in two lines.
    // clang-format off
    other = All{1, 1, 1, 1, 1, 1, 1, 1, 1, false, true, "", {}, {5}, {}, {}, {7}, {}, zeros({3, 1}),
                zeros({1}, Dtype::float64)};
    // clang-format on
    const Scratch scratch;
    save_state(scratch.path + "/state", collect({one}));
    restore({other}, load_state(scratch.path + "/state"), "here");
    CHECK(differences(collect({one}), collect({other})) == "");
    CHECK(std::signbit(other.minus_zero));
    CHECK(other.batches == one.batches);
    CHECK(other.order == one.order);
    CHECK(std::isnan(other.odd[1]));
    CHECK(other.rng.normal() == one.rng.normal());
    CHECK(other.rng.next() == one.rng.next());
}

TEST_CASE("a state that does not fit is refused by name", "[checkpoint][errors]") {
    double a = 1, b = 2;
    Tensor x = zeros({2}), y = zeros({3});
    const NamedState saved = collect({a, x});
    CHECK(error_of([&] { restore({b}, saved, "here"); }) ==
          "here: 2 variables were saved, but the state that is to be restored has 1");
    CHECK(error_of([&] { restore({b, x, a}, saved, "here"); }) == "here: '2' is missing");
    CHECK(error_of([&] {
              restore({b, y}, saved, "here");
          }) == "here: '1': expected shape [3], found [2]");
    bool flag = false;
    CHECK_THAT(error_of([&] {
                   restore({flag, x}, saved, "here");
               }),
               ContainsSubstring("here: '0': expected true or false, found "));
    Sgd sgd({{"w", parameter(zeros({1}))}}, {.lr = 1});
    Sgd other({{"w", parameter(zeros({1}))}}, {.lr = 1, .momentum = 0.5});
    CHECK_THAT(error_of([&] { restore({other}, collect({sgd}), "here"); }),
               ContainsSubstring("here: '0.optimiser' was 'sgd, momentum 0, nesterov false' and is "
                                 "'sgd, momentum 0.5, nesterov false' now"));
}

// --- another training ------------------------------------------------------------------------------

namespace {

// A small training with a checkpoint in the folder; the options can be changed.
TrainReport small_training(const std::string& folder,
                           const std::function<void(TrainOptions&)>& change, double lr = 0.1,
                           int64_t killed_at = 0) {
    Tensor w = parameter(zeros({2}));
    Sgd sgd({{"w", w}}, {.lr = lr});
    TrainOptions options{.steps = 6};
    options.checkpoint = CheckpointOptions(folder, {}, {.seconds = 0, .steps = 1});
    if (change) change(options);
    return train(sgd, options, [&](int64_t number) {
        if (number == killed_at) throw Killed{};
        return StepResult{sum(square(w - 1.0)), 1};
    });
}

}  // namespace

TEST_CASE("the checkpoint of another training is refused by what differs", "[checkpoint][errors]") {
    const Scratch scratch;
    CHECK_THROWS_AS(small_training(scratch.path, {}, 0.1, 4), Killed);
    const std::string path = scratch.path + "/checkpoint.safetensors";
    const auto message = [&](const std::function<void(TrainOptions&)>& change, double lr = 0.1) {
        return error_of([&] { small_training(scratch.path, change, lr); });
    };
    CHECK(message([](TrainOptions& o) { o.steps = 8; }) ==
          path +
              ": this is another training: the number of steps was 6, now it is 8; remove the "
              "folder to start anew");
    CHECK_THAT(message({}, 0.2), ContainsSubstring("the learning rate was 0.1, now it is 0.2"));
    CHECK_THAT(message([](TrainOptions& o) { o.clip_norm = 1; }),
               ContainsSubstring("clip_norm was 0, now it is 1"));
    CHECK_THAT(message([](TrainOptions& o) { o.schedule = schedules::linear_decay(6, 0.5); }),
               ContainsSubstring("the schedule's factor in the middle was 1, now it is "));
    double number = 0;
    CHECK_THAT(message([&](TrainOptions& o) { o.checkpoint.state = {number}; }),
               ContainsSubstring(path + ": '3' is missing"));
    CHECK(small_training(scratch.path, {}).losses.size() == 6);  // nothing was spoilt
}

TEST_CASE("two trainings cannot use one folder at the same time", "[checkpoint][errors]") {
    const Scratch scratch;
    {
        const Checkpoint first(CheckpointOptions(scratch.path + "/run"));
        CHECK(error_of([&] { Checkpoint second(CheckpointOptions(scratch.path + "/run/")); }) ==
              scratch.path + "/run: another training uses this folder for its checkpoints");
    }
    const Checkpoint third(CheckpointOptions(scratch.path + "/run"));
    const std::string file = scratch.file("plain", "text");
    CHECK_THAT(error_of([&] { Checkpoint checkpoint{CheckpointOptions(file)}; }),
               ContainsSubstring(file + ": cannot be made: "));
}

// --- damage ----------------------------------------------------------------------------------------

TEST_CASE("a damaged checkpoint is refused by name", "[checkpoint][errors]") {
    const Scratch scratch;
    small_training(scratch.path, {});
    const std::string path = scratch.path + "/checkpoint.safetensors";
    const std::string whole = bytes_of(path);
    const NamedState state = load_state(path);
    std::size_t refused = 0, harmless = 0;
    const auto is_refused = [&](const std::string& bytes) {
        scratch.file("checkpoint.safetensors", bytes);
        const std::string message =
            error_of([&] { Checkpoint checkpoint(CheckpointOptions(scratch.path)); });
        if (message == "no error") return false;
        INFO(message);
        CHECK(message.starts_with(path + ": "));
        CHECK(message.ends_with("; remove the file to start anew"));
        ++refused;
        return true;
    };
    for (std::size_t length = 0; length < whole.size(); ++length) {
        INFO("cut to " << length);
        CHECK(is_refused(whole.substr(0, length)));
    }
    CHECK(is_refused(whole + '\0'));
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int bit : {0, 1, 5, 7}) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
            INFO("byte " << at << ", bit " << bit);
            if (is_refused(bytes)) continue;
            CHECK(differences(state, load_state(path)) == "");  // white space of the header
            ++harmless;
        }
    CHECK(refused > 4 * whole.size());
    CHECK(harmless < whole.size() / 20);
    scratch.file("checkpoint.safetensors", whole);
    CHECK_NOTHROW(Checkpoint(CheckpointOptions(scratch.path)));
}

// --- the disk is full ------------------------------------------------------------------------------

namespace {

// While it exists, no file of this process can be longer than this: writing more fails, as on a full
// disk.
class FullDisk {
  public:
    explicit FullDisk(std::size_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, signal_);
    }

  private:
    void (*signal_)(int);
    rlimit before_{};
};

}  // namespace

TEST_CASE("with a full disk the old file stays whole, and the error is said",
          "[checkpoint][errors]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/model";
    const auto of = [](double value) {
        return Safetensors{{{"x", full({30'000}, value)}}, {{"value", fmt::format("{}", value)}}};
    };
    save_safetensors(path, of(1));
    const std::string before = bytes_of(path);
    std::size_t failed = 0;
    for (std::size_t bytes = 0; bytes < before.size() + 3000; bytes += bytes < 200 ? 1 : 1999) {
        std::string message;
        {
            const FullDisk full_disk(bytes);
            message = error_of([&] { save_safetensors(path, of(2)); });
        }
        INFO(bytes << " bytes: " << message);
        if (bytes >= before.size()) {
            CHECK(message == "no error");
            continue;
        }
        ++failed;
        CHECK(message.starts_with(path + ": cannot be written: "));
        CHECK(message.ends_with("; the file of before is unchanged"));
        CHECK(bytes_of(path) == before);
        CHECK_FALSE(fs::exists(path + ".tmp"));
    }
    CHECK(failed > 250);
    CHECK(load_safetensors(path).metadata.at("value") == "2");
}

TEST_CASE("training goes on when a checkpoint cannot be written", "[checkpoint][errors]") {
    const Scratch scratch;
    const std::vector<double> expected = small_training(scratch.path + "/a", {}).losses;
    std::vector<std::string> problems;
    std::unique_ptr<FullDisk> full_disk;
    const auto change = [&](TrainOptions& options) {
        options.checkpoint.on_problem = [&](const std::string& text) { problems.push_back(text); };
        options.on_step = [&](const TrainProgress& p) {
            if (p.step == 3) full_disk = std::make_unique<FullDisk>(100);
            if (p.step == 5) full_disk.reset();
        };
    };
    CHECK(small_training(scratch.path + "/b", change).losses == expected);
    REQUIRE(problems.size() == 2);  // after steps 3 and 4
    CHECK_THAT(
        problems[0],
        ContainsSubstring("train: no checkpoint was written, training goes on: " + scratch.path +
                          "/b/checkpoint.safetensors: cannot be "
                          "written: "));

    // Killed while the disk was full: it goes on at the last whole checkpoint.
    problems.clear();
    full_disk.reset();
    CHECK_THROWS_AS(small_training(scratch.path + "/c", change, 0.1, 5), Killed);
    full_disk.reset();
    CHECK(problems.size() == 2);
    CHECK(Checkpoint(CheckpointOptions(scratch.path + "/c")).saved_step() == 2);
    CHECK(small_training(scratch.path + "/c", {}).losses == expected);
}

// --- signals ---------------------------------------------------------------------------------------

namespace {

volatile std::sig_atomic_t own_handler_called = 0;
void own_handler(int) { own_handler_called = own_handler_called + 1; }

}  // namespace

TEST_CASE("a signal saves, ends the loop, and the training goes on with the same bits",
          "[checkpoint]") {
    const Scratch scratch;
    const std::vector<double> expected = small_training(scratch.path + "/a", {}).losses;
    for (const int signal : {SIGINT, SIGTERM}) {
        own_handler_called = 0;
        void (*before)(int) = std::signal(signal, own_handler);
        const std::string folder = fmt::format("{}/{}", scratch.path, signal);
        const auto stop_at_4 = [&](TrainOptions& options) {
            options.checkpoint.times.steps = 0;
            options.on_step = [=](const TrainProgress& p) {
                if (p.step == 4) std::raise(signal);
            };
        };
        try {
            small_training(folder, stop_at_4);
            FAIL("the training was not stopped");
        } catch (const Interrupted& stopped) {
            CHECK(stopped.signal == signal);
            CHECK(stopped.exit_status == 128 + signal);
            CHECK(stopped.what() == fmt::format("train: stopped by {} after step 4; saved in {}; "
                                                "run the program again to go on",
                                                signal == SIGINT ? "Ctrl-C" : "SIGTERM", folder));
        }
        CHECK(own_handler_called == 0);
        CHECK(small_training(folder, {}).losses == expected);
        std::raise(signal);  // the handler of before is back
        CHECK(own_handler_called == 1);
        std::signal(signal, before);
    }
}

TEST_CASE("a signal is neither lost nor swallowed", "[checkpoint]") {
    own_handler_called = 0;
    void (*before)(int) = std::signal(SIGTERM, own_handler);
    {
        const StopSignals signals;
        CHECK(StopSignals::received() == 0);
        {
            const StopSignals inner;
            std::raise(SIGTERM);
        }
        CHECK(StopSignals::received() == SIGTERM);
        CHECK(own_handler_called == 0);
    }
    CHECK(own_handler_called == 1);  // nobody took it
    {
        const StopSignals signals;
        std::raise(SIGTERM);
        std::raise(SIGTERM);  // the second one is not held back
        CHECK(own_handler_called == 2);
        StopSignals::taken();
    }
    CHECK(own_handler_called == 2);
    std::signal(SIGTERM, SIG_IGN);
    {
        const StopSignals signals;
        std::raise(SIGTERM);
        CHECK(StopSignals::received() == 0);
    }
    std::signal(SIGTERM, before);
}

TEST_CASE("a signal while the disk is full says which checkpoint is left", "[checkpoint][errors]") {
    const Scratch scratch;
    std::unique_ptr<FullDisk> full_disk;
    const std::string message = error_of([&] {
        small_training(scratch.path, [&](TrainOptions& options) {
            options.on_step = [&](const TrainProgress& p) {
                if (p.step != 4) return;
                full_disk = std::make_unique<FullDisk>(50);
                std::raise(SIGINT);
            };
        });
    });
    full_disk.reset();
    CHECK_THAT(message,
               ContainsSubstring("stopped by Ctrl-C after step 4, which could not be saved: "));
    CHECK_THAT(message, ContainsSubstring("The checkpoint in " + scratch.path + " is of step 3"));
    CHECK(small_training(scratch.path, {}).losses.size() == 6);
}
