#include <functional>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// Learns y = 2 x - 1 from points without noise.
struct Line {
    Rng rng{5};
    Linear model{1, 1, rng};
    Sgd optimiser{parameters(model), {.lr = 0.3}};
    StepResult step() {
        const Tensor x = uniform({16, 1}, -1, 1, rng);
        return {mse(model(x), x * 2.0 - 1.0), 16};
    }
};

struct Parity {
    Embedding table;
    Gru gru;
    Linear output;
    template <class F>
    void visit(F&& f) {
        f("table", table);
        f("gru", gru);
        f("output", output);
    }
};

}  // namespace

TEST_CASE("training learns, reports, and leaves the learning rate as it was") {
    Line line;
    std::vector<double> rates;
    int calls = 0;
    const TrainReport report = train(line.optimiser,
                                     {.steps = 100,
                                      .schedule = schedules::warm_up(4),
                                      .on_step =
                                          [&](const TrainProgress& p) {
                                              ++calls;
                                              rates.push_back(p.lr);
                                              CHECK(p.step == calls);
                                              CHECK(p.steps == 100);
                                          }},
                                     [&](int64_t) { return line.step(); });
    CHECK(line.model.weight.item() == Approx(2).epsilon(0.01));
    CHECK(line.model.bias.item() == Approx(-1).epsilon(0.01));
    CHECK(calls == 100);
    CHECK(rates[0] == Approx(0.075));
    CHECK(rates[99] == Approx(0.3));
    CHECK(line.optimiser.lr == 0.3);
    CHECK(report.losses.size() == 100);
    CHECK(report.last.loss < 1e-3);
    CHECK(report.last.tokens_per_second > 0);
    CHECK(!report.stopped);
}

TEST_CASE("training stops on request and after the given time, and counts epochs") {
    Line line;
    const auto step = [&](int64_t) { return line.step(); };
    int asked = 0;
    TrainReport report =
        train(line.optimiser, {.steps = 100, .stop_requested = [&] { return ++asked > 7; }}, step);
    CHECK(report.stopped);
    CHECK(report.last.step == 7);
    report = train(line.optimiser, {.epochs = 3, .epoch_steps = 5}, step);
    CHECK(report.last.step == 15);
    report = train(line.optimiser, {.steps = 1'000'000'000, .seconds = 0.05}, step);
    CHECK(report.stopped);
    CHECK(report.last.step < 1'000'000'000);  // how soon depends on what else the machine does
    CHECK(report.last.seconds >= 0.05);
}

TEST_CASE("clipping bounds the step") {
    Line line;
    line.optimiser.lr = 1;
    const std::vector<double> before = line.model.weight.to_vector();
    const TrainReport report = train(line.optimiser, {.steps = 1, .clip_norm = 1e-3},
                                     [&](int64_t) { return line.step(); });
    CHECK(report.last.grad_norm > 1e-3);
    CHECK(std::abs(line.model.weight.item() - before[0]) <= 1.001e-3);
}

TEST_CASE("a loss that is not a finite number stops training with the step", "[errors]") {
    Line line;
    const auto bad_from = [&](int64_t first) {
        return [&line, first](int64_t number) {
            StepResult result = line.step();
            if (number >= first) result.loss = result.loss * nan_value;
            return result;
        };
    };
    CHECK_THROWS_WITH(
        train(line.optimiser, {.steps = 10, .check_finite = false}, bad_from(3)),
        ContainsSubstring("train: the loss of step 3 is nan") &&
            ContainsSubstring("; with check_finite the operation that made it is named"));
    CHECK(line.optimiser.steps() == 2);
    CHECK_THROWS_WITH(train(line.optimiser, {.steps = 10}, bad_from(3)),
                      ContainsSubstring("train: the loss of step 3 is nan") &&
                          ContainsSubstring("; no operation made it of finite numbers"));
    CHECK(line.optimiser.steps() == 4);
    const auto log_of_zero = [&line](int64_t) {
        StepResult result = line.step();
        result.loss = result.loss + log(sum(line.model.weight * 0.0));
        return result;
    };
    CHECK_THROWS_WITH(
        train(line.optimiser, {.steps = 1}, log_of_zero),
        ContainsSubstring("train: in step 1, with the learning rate ") &&
            ContainsSubstring("finite check: 'log' gave -inf at [] of its result []"));
    // A finite loss whose gradient is not: the operation is named before the parameters are spoilt.
    const auto bad_gradient = [&line](int64_t) {
        StepResult result = line.step();
        result.loss = result.loss + sqrt(sum(line.model.weight * 0.0));
        return result;
    };
    CHECK_THROWS_WITH(train(line.optimiser, {.steps = 1}, bad_gradient),
                      ContainsSubstring("the backward pass of 'sqrt' gave inf"));
    CHECK(line.optimiser.steps() == 4);
    CHECK(std::isfinite(line.model.weight.item()));
    CHECK_THROWS_WITH(train(line.optimiser, {.steps = 1},
                            [&](int64_t) {
                                return StepResult{line.model(zeros({2, 1})), 2};
                            }),
                      "train: the loss of step 1 must be one number, got shape [2, 1]");
    CHECK_THROWS_WITH(
        train(line.optimiser, {}, bad_from(1)),
        "train: expected a number of steps or of epochs, got steps = 0 and epochs = 0");
    CHECK_THROWS_WITH(train(line.optimiser, {.epochs = 2}, bad_from(1)),
                      ContainsSubstring("expected epoch_steps"));
}

namespace {

// Validation values in a given order; remembers the weight at each.
struct Script {
    std::vector<double> values;
    std::vector<double> weights = {};
    std::function<double()> on(const Line& line) {
        return [this, &line] {
            CHECK(!grad_enabled());
            weights.push_back(line.model.weight.item());
            return values.at(weights.size() - 1);
        };
    }
};

}  // namespace

TEST_CASE("training stops early and restores the best weights") {
    Line line;
    Script script{{0.9, 0.5, 0.7, 0.6, 0.55, 0.1}};
    const TrainReport report =
        train(line.optimiser,
              {.steps = 100, .validate = script.on(line), .validate_every = 4, .patience = 3},
              [&](int64_t) { return line.step(); });
    CHECK(report.stopped);
    CHECK(report.stopped_early);
    CHECK(report.last.step == 20);
    CHECK(report.validations.size() == 5);
    CHECK(report.best.step == 8);
    CHECK(report.best.value == 0.5);
    CHECK(report.restored);
    CHECK(line.model.weight.item() == script.weights[1]);
    CHECK_THAT(to_string(report), ContainsSubstring("20 steps in "));
    CHECK_THAT(to_string(report),
               ContainsSubstring("; best validation 0.5 at step 8, restored; stopped early"));
}

TEST_CASE("training without patience validates to the end, and may keep the last weights") {
    Line line;
    Script script{{0.3, 0.2, 0.4, 0.9}};
    const TrainReport report = train(
        line.optimiser,
        {.steps = 10, .validate = script.on(line), .validate_every = 3, .restore_best = false},
        [&](int64_t) { return line.step(); });
    CHECK(!report.stopped);
    CHECK(report.validations.back().step == 10);
    CHECK(report.best.step == 6);
    CHECK(!report.restored);
    CHECK(line.model.weight.item() == script.weights[3]);

    // Every epoch by default, every tenth of the steps otherwise; also where training is stopped.
    Script epochs{{3, 2, 1}};
    CHECK(train(line.optimiser, {.epochs = 3, .epoch_steps = 5, .validate = epochs.on(line)},
                [&](int64_t) { return line.step(); })
              .best.step == 15);
    Script tenths{std::vector<double>(10, 1.0)};
    int asked = 0;
    const TrainReport stopped = train(
        line.optimiser,
        {.steps = 50, .stop_requested = [&] { return ++asked > 12; }, .validate = tenths.on(line)},
        [&](int64_t) { return line.step(); });
    CHECK(stopped.validations.size() == 3);
    CHECK(stopped.validations.back().step == 12);
    CHECK_THROWS_WITH(
        train(line.optimiser, {.steps = 1, .patience = 2}, [&](int64_t) { return line.step(); }),
        "train: validate_every = 0 and patience = 2 need a function `validate`");
}

TEST_CASE("early stopping in a loop of one's own") {
    Tensor w = zeros({1}).set_requires_grad();
    EarlyStopping stopping({{"w", w}}, {.patience = 2, .min_delta = 0.1});
    stopping.restore_best();  // nothing yet
    const std::vector<double> values{nan_value, 1.0, 0.95, 0.5, nan_value, 0.45};
    const std::vector<bool> improved{false, true, false, true, false, false};
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(!stopping.should_stop());
        w.assign(full({1}, double(i)));
        CHECK(stopping.add(static_cast<int64_t>(i) + 1, values[i]) == improved[i]);
    }
    CHECK(stopping.should_stop());
    CHECK(stopping.best().step == 4);
    CHECK(stopping.history().size() == 6);
    stopping.restore_best();
    CHECK(w.item() == 3);
    CHECK_THROWS_WITH(EarlyStopping({}, {.patience = -1}),
                      "EarlyStopping: patience is -1; expected 0 or more");
}

TEST_CASE("the progress line gives step, loss, speed and remaining time") {
    TrainProgress p{.step = 120,
                    .steps = 1000,
                    .mean_loss = 2.3141,
                    .tokens_per_second = 1234567.2,
                    .seconds_left = 66.2};
    CHECK(to_string(p) == "step 120/1000  loss 2.314  1,234,567 tokens/s  1:07 left");
    p.tokens_per_second = 0;
    p.seconds_left = 3601;
    CHECK(to_string(p) == "step 120/1000  loss 2.314  1:00:01 left");
}

// All of nn/ together: a recurrent classifier learns whether the sum of a sequence is odd or even.
TEST_CASE("a small recurrent model learns parity") {
    Rng rng(2);
    Parity model{Embedding(3, 8, rng, 0), Gru(8, 16, {}, rng), Linear(16, 2, rng)};
    const auto sample_batch = [&] {
        std::vector<std::vector<int>> bits(32);
        std::vector<int> labels;
        for (auto& row : bits) {
            row.resize(1 + rng.below(6));
            int ones = 0;
            for (int& bit : row) ones += (bit = 1 + static_cast<int>(rng.below(2))) - 1;
            labels.push_back(ones % 2);
        }
        return std::pair(pad_sequences(bits), Indices(labels));
    };
    const auto logits = [&](const PaddedBatch& batch) {
        return model.output(model.gru(model.table(batch.ids), batch.lengths).states[0].hidden);
    };
    Adam optimiser(parameters(model), {.lr = 0.02});
    train(optimiser, {.steps = 300, .clip_norm = 1}, [&](int64_t) {
        const auto [batch, labels] = sample_batch();
        return StepResult{cross_entropy(logits(batch), labels), batch.tokens()};
    });
    const auto [batch, labels] = sample_batch();
    CHECK(argmax(logits(batch)) == labels);
}
