// Training in several processes: sums around the ring, the losses of one process on the whole batch,
// and what happens when a rank ends.
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "autograd/base/parallel.h"
#include "nn/nn.h"
#include "nn/train/ranks.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

// On ranks other than 0 there is no test program: a check that fails there is an exception, which
// run_ranks() throws again here.
void hold(bool condition, const char* what) {
    if (!condition) fail("does not hold: {}", what);
}

// Whether the numbers have the bits of rank 0.
bool same_bits(Ranks& ranks, const std::vector<double>& own) {
    std::vector<double> first = own;
    ranks.broadcast(first.data(), first.size() * sizeof(double));
    return own.empty() || std::memcmp(first.data(), own.data(), own.size() * sizeof(double)) == 0;
}

// A small network with noise as data. The generator has the same state on every rank; the initial
// values of the network have not.
struct Example {
    Rng rng{3};
    Sequential net;
    AdamW optimiser;

    explicit Example(uint64_t seed)
        : net(make(Rng(seed))), optimiser(parameters(net), {.lr = 0.01}) {}
    static Sequential make(Rng own) {
        return Sequential(Linear(3, 8, own), Tanh{}, Linear(8, 2, own));
    }

    StepResult step(Ranks& ranks) {
        const Tensor x = normal({12, 3}, 0, 1, rng);
        const Tensor y = concat({sum(square(x), 1, true), slice(x, 1, 0, 1)}, 1);
        const Tensor own = part_of(x, ranks);
        return {mse(net(own), part_of(y, ranks)), own.size(0)};
    }
    TrainReport train_on(Ranks& ranks, TrainOptions options) {
        options.ranks = &ranks;
        return train(optimiser, options, [&](int64_t) { return step(ranks); });
    }
    std::vector<double> weights() {
        std::vector<double> all;
        for (const Parameter& p : parameters(net))
            for (double w : p.tensor.to_vector()) all.push_back(w);
        return all;
    }
};

}  // namespace

TEST_CASE("ranks: sums are those of all ranks, with the same bits on every rank", "[ranks]") {
    for (int size : {1, 2, 3, 5})
        for (int64_t count : {0, 1, 2, 7, 100'000}) {
            INFO(size << " ranks, " << count << " numbers");
            int64_t expected_bytes = 0;
            const int64_t sent = run_ranks(size, [&](Ranks& ranks) {
                std::vector<double> x(count);
                for (int64_t i = 0; i < count; ++i) x[i] = std::sin(double(i) + ranks.rank() * 0.7);
                ranks.sum(x.data(), count);
                for (int64_t i = 0; i < count; ++i) {
                    double total = 0;
                    for (int r = 0; r < size; ++r) total += std::sin(double(i) + r * 0.7);
                    hold(std::abs(x[i] - total) <= 1e-14 * size, "the sum");
                }
                expected_bytes = ranks.bytes_sent();
                hold(same_bits(ranks, x), "the same bits");
                std::vector<float> y(count, float(ranks.rank() + 1));
                ranks.sum(y.data(), count);
                for (float v : y) hold(v == float(size * (size + 1) / 2), "the sum of floats");
                ranks.barrier();
                const int64_t before = ranks.bytes_sent();  // the last rank passes nothing on
                char ten[10] = {};
                ranks.broadcast(ten, sizeof ten);
                hold(ranks.bytes_sent() - before == (ranks.rank() < size - 1 ? 10 : 0),
                     "the bytes");
            });
            CHECK(sent >= expected_bytes);
            if (count % size == 0)
                CHECK(expected_bytes == 2 * (size - 1) * (count / size) * int64_t(sizeof(double)));
        }
}

TEST_CASE("ranks: the losses are those of one process on the whole batch", "[ranks]") {
    const TrainOptions options{
        .steps = 40, .clip_norm = 0.5, .schedule = schedules::cosine(40, 0.1)};
    Example alone(1);
    SingleRank single;
    const TrainReport expected = alone.train_on(single, options);
    CHECK(expected.last.grad_norm > 0.5);  // clipping takes part
    for (int size : {2, 3, 4}) {
        Example example(1);
        TrainReport report;
        run_ranks(size, [&](Ranks& ranks) {
            // Other ranks start with other values: training must give them those of rank 0.
            Example other(7);
            Example& own = ranks.rank() == 0 ? example : other;
            const TrainReport here = own.train_on(ranks, options);
            hold(same_bits(ranks, own.weights()), "the same parameters");
            hold(same_bits(ranks, here.losses), "the same losses");
            if (ranks.rank() == 0) report = here;
        });
        REQUIRE(report.losses.size() == 40);
        for (std::size_t i = 0; i < 40; ++i)
            CHECK(report.losses[i] == Approx(expected.losses[i]).epsilon(1e-5));
        CHECK(report.last.grad_norm == Approx(expected.last.grad_norm).epsilon(1e-5));
        const auto mine = example.weights(), theirs = alone.weights();
        for (std::size_t i = 0; i < mine.size(); ++i)
            CHECK(mine[i] == Approx(theirs[i]).epsilon(1e-4).margin(1e-5));
    }
}

TEST_CASE("ranks: the mean of gradients counts a rank without gradient as 0", "[ranks]") {
    run_ranks(2, [](Ranks& ranks) {
        Tensor a = parameter(tensor({1, 2}, {2})), b = parameter(tensor({3}, {1})),
               c = parameter(scalar(5, Dtype::float64));
        const std::vector<Parameter> all{{"a", a}, {"b", b}, {"c", c}};
        Sgd optimiser(all, {.lr = 1});
        if (ranks.rank() == 0)
            backward(sum(a * 3.0));
        else
            backward(to_dtype(sum(a), Dtype::float64) + c * 4.0);
        average_gradients(all, ranks);
        hold(a.grad().to_vector() == std::vector<double>{2, 2}, "(3 + 1) / 2");
        hold(!b.grad().defined(), "no gradient anywhere");
        hold(c.grad().item() == 2, "(0 + 4) / 2");
    });
    SUCCEED();
}

TEST_CASE("ranks: what one of them decides, all do", "[ranks]") {
    int64_t steps = 0;
    int calls = 0;
    double best = 0;
    run_ranks(3, [&](Ranks& ranks) {
        Example example(1);
        const TrainReport report = example.train_on(
            ranks, {.steps = 50,
                    .stop_requested = [&] { return ranks.rank() == 2 && ++calls > 7; },
                    .validate = [&] { return ranks.rank() + 1.0; },
                    .validate_every = 2});
        hold(report.stopped, "stopped");
        if (ranks.rank() == 0) steps = report.last.step, best = report.best.value;
        hold(same_bits(ranks, {double(report.last.step), report.best.value}), "the same end");
    });
    CHECK(steps == 7);
    CHECK(best == 1);
}

TEST_CASE("ranks: mistakes are named", "[ranks][errors]") {
    const auto error = [](int size, const std::function<void(Ranks&)>& body) -> std::string {
        try {
            run_ranks(size, body);
        } catch (const Error& e) {
            return e.what();
        }
        return "none";
    };
    CHECK_THAT(error(0, [](Ranks&) {}), ContainsSubstring("size is 0; expected a positive number"));
    CHECK_THAT(error(2,
                     [](Ranks& ranks) {
                         part_of(zeros({1, 2}), ranks);
                     }),
               ContainsSubstring("[1, 2]") && ContainsSubstring("each of 2 ranks"));
    CHECK_THAT(error(2,
                     [](Ranks& ranks) {
                         Rng rng(1);
                         Linear layer(2, 2 + ranks.rank(), rng);
                         broadcast(parameters(layer), ranks);
                     }),
               ContainsSubstring("other parameters than rank 0"));
    CHECK_THAT(error(3,
                     [](Ranks& ranks) {
                         Example example(1);
                         example.train_on(ranks, {.steps = 3 + ranks.rank() / 2});
                     }),
               ContainsSubstring("rank 2 of 3") && ContainsSubstring("other options"));
}

TEST_CASE("ranks: when one throws or is killed, all end with a message that names it", "[ranks]") {
    for (const int how : {0, 1, 2}) {
        const Scratch scratch;
        const std::string folder = scratch.path + "/run";
        const auto training = [&](int64_t dies_in) {
            Example example(1);
            TrainReport report;
            run_ranks(3, [&](Ranks& ranks) {
                Example own(1);
                Example& mine = ranks.rank() == 0 ? example : own;
                const TrainReport here =
                    train(mine.optimiser,
                          {.steps = 20,
                           .checkpoint = {folder, {mine.rng}, {.seconds = 0, .steps = 5}},
                           .ranks = &ranks},
                          [&](int64_t step) {
                              if (step == dies_in && ranks.rank() == 1) {
                                  if (how == 0) fail("the disk with the data is gone");
                                  if (how == 1) raise(SIGKILL);
                                  if (how == 2) raise(SIGTERM);
                              }
                              return mine.step(ranks);
                          });
                if (ranks.rank() == 0) report = here;
            });
            return std::pair(report.losses, example.weights());
        };
        std::string message = "none";
        try {
            training(13);
        } catch (const Error& error) {
            message = error.what();
        }
        INFO(message);
        if (how == 0)
            CHECK_THAT(message, ContainsSubstring("rank 1 of 3") && ContainsSubstring("disk with"));
        if (how == 1) CHECK_THAT(message, ContainsSubstring("rank 1 of 3 was killed by signal 9"));
        if (how == 2)
            CHECK_THAT(message, ContainsSubstring("SIGTERM after step 13; saved in " + folder));
        const NamedState saved = load_state(folder + "/checkpoint.safetensors");
        CHECK(saved.texts.at("step") == (how == 2 ? "13" : "10"));
        const auto [losses, weights] = training(-1);  // goes on
        fs::remove_all(folder);
        const auto [expected, in_one_go] = training(-1);
        CHECK(losses == expected);
        CHECK(weights == in_one_go);
    }
}

TEST_CASE("ranks: a folder that only rank 0 sees is noticed", "[ranks][errors]") {
    const Scratch scratch;
    const auto training = [&](bool shared) {
        run_ranks(2, [&](Ranks& ranks) {
            Example example(1);
            const std::string folder =
                scratch.path + (shared || ranks.rank() == 0 ? "/run" : "/elsewhere");
            train(example.optimiser,
                  {.steps = 5, .checkpoint = {folder, {example.rng}}, .ranks = &ranks},
                  [&](int64_t) { return example.step(ranks); });
        });
    };
    training(true);
    CHECK_FALSE(fs::exists(scratch.path + "/elsewhere"));
    CHECK_THROWS_WITH(
        training(false),
        ContainsSubstring("rank 1 found a checkpoint of step 0 and rank 0 one of step 5"));
}
