#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// Learns y = 2 x - 1 from noiseless points.
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

TEST_CASE("training learns, reports and puts the rate back") {
    Line line;
    std::vector<double> rates;
    int calls = 0;
    const TrainReport report = train(line.optimiser,
                                     {.steps = 100,
                                      .schedule = schedules::warm_up(4),
                                      .on_step =
                                          [&](const Progress& p) {
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

TEST_CASE("training stops when asked to, after the seconds given, and counts epochs") {
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
    CHECK(report.last.seconds < 1);
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
    CHECK_THROWS_WITH(train(line.optimiser, {.steps = 10}, bad_from(3)),
                      ContainsSubstring("train: the loss of step 3 is nan"));
    CHECK(line.optimiser.steps() == 2);
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

TEST_CASE("the progress line reads like a sentence") {
    Progress p{.step = 120,
               .steps = 1000,
               .mean_loss = 2.3141,
               .tokens_per_second = 1234567.2,
               .seconds_left = 66.2};
    CHECK(to_string(p) == "step 120/1000  loss 2.314  1,234,567 tokens/s  1:07 left");
    p.tokens_per_second = 0;
    p.seconds_left = 3601;
    CHECK(to_string(p) == "step 120/1000  loss 2.314  1:00:01 left");
}

// The whole of nn/ at once: a recurrent classifier tells sequences of odd and even sums apart.
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
