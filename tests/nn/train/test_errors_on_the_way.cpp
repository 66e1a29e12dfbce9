// An error that passes through other functions keeps its type and says where it arose; no exception of
// the standard library reaches the user; and what a checkpoint could not restore is refused at the
// start.
#include "autograd/base/input_file.h"
#include "nn/nn.h"
#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"
#include "tests/course/scratch.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

struct OwnError : Error {
    OwnError() : Error("an error of the program") { exit_status = 7; }
    int number = 42;
};

Tensor through(const std::function<Tensor(const Tensor&)>& f, const Tensor& x, int depth) {
    if (depth == 0) return f(x);
    return Sequential(Tanh{}, [&](const Tensor& in) { return through(f, in, depth - 1); })(x);
}

// f in Sequentials, in a checkpoint, in a training step.
template <class Thrown>
void check_passes(const std::function<Tensor(const Tensor&)>& f, const std::string& text) {
    Tensor w = parameter(ones({2}));
    for (int depth : {0, 1, 3}) {
        const auto call = [&](int way) {
            Sgd sgd({{"w", w}}, {.lr = 0.1});
            const std::function<Tensor()> step = [&] { return sum(through(f, w, depth)); };
            if (way == 0) step();
            if (way == 1) checkpoint([&](const std::vector<Tensor>&) { return step(); }, {w});
            if (way == 2) train(sgd, {.steps = 1}, [&](int64_t) { return StepResult{step()}; });
            if (way == 3) run_ranks(1, [&](Ranks&) { step(); });
        };
        for (int way : {0, 1, 2, 3}) {
            INFO("in " << depth << " Sequentials, way " << way);
            bool right = false;
            try {
                const FiniteCheck on;
                call(way);
            } catch (const Thrown& error) {
                right = true;
                const std::string message = error.what();
                CHECK_THAT(message, ContainsSubstring(text));
                std::size_t places = 0;
                const std::string place = "Sequential: layer 1: ";
                for (std::size_t at = 0; (at = message.find(place, at)) != std::string::npos; ++at)
                    ++places;
                CHECK(places == static_cast<std::size_t>(depth));
                if (way == 2 && std::is_same_v<Thrown, NotFinite>)
                    CHECK(message.rfind("train: in step 1, with the learning rate 0.1: ", 0) == 0);
                if constexpr (std::is_same_v<Thrown, OwnError>) {
                    CHECK(error.number == 42);
                    CHECK(error.exit_status == 7);
                }
            } catch (...) {
            }
            CHECK(right);
        }
    }
}

TEST_CASE("an error keeps its type on the way, and says where it arose", "[errors]") {
    check_passes<NotFinite>([](const Tensor& x) { return log(x * 0.0); }, "'log' gave -inf");
    check_passes<OwnError>([](const Tensor&) -> Tensor { throw OwnError(); },
                           "error of the program");
    check_passes<InputError>([](const Tensor&) -> Tensor { throw InputError("data.txt: line 3"); },
                             "data.txt: line 3");
    check_passes<Interrupted>(
        [](const Tensor&) -> Tensor { throw Interrupted("stopped by Ctrl-C", 2, true); },
        "stopped");
}

TEST_CASE("text put before an error or after it is escaped, and keeps the rest", "[errors]") {
    OwnError error;
    error.put_before("file \x1B[2J: ");
    error.put_after("; try again");
    CHECK(std::string(error.what()) == "file \\x1B[2J: an error of the program; try again");
    CHECK(error.exit_status == 7);
}

// Calls with an index, a size or a function that is not there.
TEST_CASE("no exception of the standard library reaches the user", "[errors]") {
    Rng rng(1);
    Tensor w = parameter(ones({2}));
    Adam adam({{"w", w}});
    Sequential net(Tanh{});
    metrics::ConfusionMatrix matrix(3);
    matrix.add({0, 1}, {0, 2});
    const Scratch scratch;
    const std::string long_name = scratch.path + "/" + std::string(5000, 'a');
    const std::vector<int> items{1, 2, 3};
    const TensorFunction none;
    const std::vector<std::pair<const char*, std::function<void()>>> calls{
        {"precision", [&] { matrix.precision(3); }},
        {"precision of -1", [&] { matrix.precision(-1); }},
        {"recall", [&] { matrix.recall(3); }},
        {"f1", [&] { matrix.f1(-1); }},
        {"pick",
         [&] {
             pick(items, {0, 3});
         }},
        {"pick of -1", [&] { pick(items, {-1}); }},
        {"kind", [] { Gru().kind(); }},
        {"hidden_size", [] { Lstm().hidden_size(); }},
        {"output_size", [] { Rnn().output_size(); }},
        {"a layer without cells",
         [] {
             Gru()(ones({1, 2, 3}));
         }},
        {"vjp", [&] { vjp(none, w, w); }},
        {"jvp", [&] { jvp(none, w, w); }},
        {"jacobian", [&] { jacobian(none, w); }},
        {"hvp", [&] { hvp(none, w, w); }},
        {"hessian", [&] { hessian(none, w); }},
        {"checkpoint", [&] { checkpoint({}, {w}); }},
        {"gradcheck", [&] { gradcheck({}, {w}); }},
        {"run_ranks", [] { run_ranks(2, nullptr); }},
        {"train", [&] { train(adam, {.steps = 1}, nullptr); }},
        {"scale_lr", [&] { adam.scale_lr({}, 2); }},
        {"set_weight_decay", [&] { adam.set_weight_decay({}, 2); }},
        {"sequential", [] { schedules::sequential({}, 3, schedules::constant())(1); }},
        {"multiplied", [] { schedules::multiplied(schedules::constant(), {})(1); }},
        {"BatchStream", [] { BatchStream<int>({}); }},
        {"a checkpoint with a long name", [&] { Checkpoint(CheckpointOptions(long_name)); }},
        {"Adam::load", [&] { adam.load(long_name); }},
        {"save_model", [&] { save_model(net, long_name); }},
        {"load_model", [&] { load_model(net, long_name); }},
        {"load_safetensors of a folder", [&] { load_safetensors(scratch.path); }},
    };
    for (const auto& [name, call] : calls) {
        INFO(name);
        CHECK_THROWS_AS(call(), Error);
    }
}

// --- what could not be restored ---------------------------------------------------------------------

struct Counter {
    std::string first, second;
    double a = 1;
    std::string b = "two";
    template <class F>
    void visit_state(F&& f) {
        f(first, a), f(second, b);
    }
};

TEST_CASE("a list in which a name occurs twice is refused before anything is saved", "[errors]") {
    const std::string twice = "SavedState: two variables have the name '0.x'; rename one of them";
    Counter same{"x", "x"}, different{"x", "y"};
    CHECK(error_of([&] { collect({same}); }) == twice);
    CHECK_NOTHROW(collect({different, different}));

    Tensor p = parameter(ones({2})), q = parameter(zeros({2}));
    Adam adam({{"x", p}, {"x", q}}, {.lr = 0.1});
    CHECK(error_of([&] { collect({adam}); }) == twice);
    Adam clash({{"x", p}, {"x.mean", q}}, {.lr = 0.1});  // x.mean is a running mean of x too
    CHECK_THAT(error_of([&] { collect({clash}); }), ContainsSubstring("'0.x.mean'"));
    AverageOfWeights average({{"x", p}, {"x", q}});
    CHECK(error_of([&] { collect({average}); }) == twice);

    const Scratch scratch;
    const std::string folder = scratch.path + "/run";
    CHECK(error_of([&] { Checkpoint checkpoint({folder, {same}}); }) == twice);
    CHECK_THAT(error_of([&] {
                   train(adam, {.steps = 2, .checkpoint = {folder}},
                         [&](int64_t) { return StepResult{sum(p * q)}; });
               }),
               ContainsSubstring("two variables have the name '0.x'"));
    CHECK_FALSE(std::filesystem::exists(folder));
}

// Layers of a user's own that change a buffer in every way there is.
enum class Change { assign, edit, view, replace, nested };
struct OwnLayer {
    Change change;
    Buffer mean = zeros({3});
    template <class F>
    void visit(F&& f) {
        f("mean", mean);
    }
    void follow(const Tensor& x) {
        const Tensor now = detach(heed::mean(x, 0));
        if (change == Change::assign) mean.assign(mean * 0.9 + now * 0.1);
        if (change == Change::edit) mean.edit<float>()[1] += 1;
        if (change == Change::view) detach(mean).edit<float>()[2] += 1;
        if (change == Change::replace) mean = mean * 0.9 + now * 0.1;
        if (change == Change::nested) {
            Tensor handle = mean;
            checkpoint(
                [&](const std::vector<Tensor>& in) { return handle.assign(now), in[0] * 1.0; },
                {x});
        }
    }
};

TEST_CASE("a buffer of a module of one's own is noticed, however it is changed", "[errors]") {
    for (Change change :
         {Change::assign, Change::edit, Change::view, Change::replace, Change::nested})
        for (bool copied : {false, true}) {
            INFO("change " << static_cast<int>(change) << ", copied " << copied);
            OwnLayer layer{change};
            if (copied) layer = copy_model(layer);
            Tensor w = parameter(ones({3}));
            const Tensor x = to_dtype(numbers({4, 3}), Dtype::float32);
            const auto run = [&](std::vector<SavedState> state) {
                const Scratch scratch;
                Sgd sgd({{"w", w}}, {.lr = 0.1});
                train(sgd, {.steps = 2, .checkpoint = {scratch.path + "/run", std::move(state)}},
                      [&](int64_t) {
                          layer.follow(x * w);
                          return StepResult{sum(square(w * x))};
                      });
            };
            CHECK_THAT(
                error_of([&] { run({}); }),
                ContainsSubstring("the step changes a buffer of shape [3] that is not in the "
                                  "checkpoint"));
            CHECK_NOTHROW(run({layer}));
        }
}

}  // namespace
}  // namespace heed
