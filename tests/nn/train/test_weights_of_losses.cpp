// A batch in one piece, divided among ranks, and in accumulated parts: each token counts the same, so the
// training is the same up to rounding, however unequal the parts.
#include <cmath>

#include "nn/nn.h"
#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

void hold(bool condition, const char* what) {  // on ranks other than 0 there is no test program
    if (!condition) fail("does not hold: {}", what);
}

constexpr int rows = 8, classes = 4, ignored = -100;

// Rows with labels, of which many are ignored; a batch for each step.
struct Batches {
    std::vector<Tensor> x;
    std::vector<Indices> labels;
    Batches(int steps, double share, uint64_t seed) {
        Rng rng(seed);
        for (int step = 0; step < steps; ++step) {
            x.push_back(normal({rows, 3}, 0, 1, rng, Dtype::float64));
            std::vector<int> ids(rows);
            for (int& id : ids)
                id = rng.chance(share) ? static_cast<int>(rng.below(classes)) : ignored;
            labels.push_back(Indices(ids));
        }
    }
};

struct Outcome {
    std::vector<double> losses, norms, weights;
};

// The cuts of a batch: part p of a rank has the rows from cuts[p] to cuts[p + 1].
Outcome train_in_parts(const Batches& data, Ranks& ranks, const std::vector<int64_t>& cuts) {
    Rng rng(1);
    Sequential net(Linear(3, 5, rng), Tanh{}, Linear(5, classes, rng));
    to_dtype(net, Dtype::float64);
    Adam adam(parameters(net), {.lr = 0.02});
    const auto steps = static_cast<int64_t>(data.x.size());
    const auto parts = static_cast<int64_t>(cuts.size() - 1) / ranks.size();
    Outcome outcome;
    int64_t part = 0;
    const TrainReport report =
        train(adam,
              {.steps = steps,
               .accumulate = parts,
               .clip_norm = 0.3,
               .on_step = [&](const TrainProgress& p) { outcome.norms.push_back(p.grad_norm); },
               .ranks = &ranks},
              [&](int64_t number) {
                  const int64_t at = ranks.rank() * parts + part++ % parts;
                  const Tensor x = slice(data.x[number - 1], 0, cuts[at], cuts[at + 1]);
                  const Indices labels = slice(data.labels[number - 1], 0, cuts[at], cuts[at + 1]);
                  int64_t tokens = 0;
                  for (int label : labels) tokens += label != ignored;
                  return StepResult{cross_entropy(net(x), labels), tokens};
              });
    outcome.losses = report.losses;
    for (const Parameter& p : parameters(net))
        for (double w : p.tensor.to_vector()) outcome.weights.push_back(w);
    return outcome;
}

bool close(const std::vector<double>& a, const std::vector<double>& b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i) same = std::abs(a[i] - b[i]) < 1e-9;
    return same;
}

TEST_CASE("one rank, unequal ranks and accumulated parts train alike", "[ranks]") {
    struct Division {
        int ranks;
        std::vector<int64_t> cuts;
    };
    const std::vector<Division> divisions{
        {1, {0, 8}},    {1, {0, 2, 4, 6, 8}}, {1, {0, 1, 2, 7, 8}}, {2, {0, 4, 8}},
        {2, {0, 1, 8}}, {3, {0, 1, 6, 8}},    {2, {0, 3, 4, 5, 8}}, {3, {0, 1, 2, 4, 5, 7, 8}},
    };
    for (const double share :
         {1.0, 0.5, 0.2})  // with 0.2 some parts have no token, and some batches
        for (const Division& division : divisions) {
            INFO("share " << share << ", " << division.ranks << " ranks, "
                          << division.cuts.size() - 1 << " parts");
            const Batches data(12, share, 5);
            SingleRank alone;
            const Outcome expected = train_in_parts(data, alone, {0, rows});
            Outcome found;
            run_ranks(division.ranks, [&](Ranks& ranks) {
                const Outcome here = train_in_parts(data, ranks, division.cuts);
                hold(close(here.weights, expected.weights), "the weights");
                if (ranks.rank() == 0) found = here;
            });
            CHECK(close(found.losses, expected.losses));
            CHECK(close(found.norms, expected.norms));
            CHECK(close(found.weights, expected.weights));
        }
}

TEST_CASE("two ranks with 1 and 3 tokens: the gradient is that of the mean over 4", "[ranks]") {
    run_ranks(2, [](Ranks& ranks) {
        // Σ c w / n over a rank's tokens, with c = 1 on rank 0 and c = -1, 0, 1 ... on rank 1.
        Tensor w = parameter(scalar(1, Dtype::float64));
        const Tensor c =
            ranks.rank() == 0 ? tensor({1}, Dtype::float64) : tensor({-1, 0, 1}, Dtype::float64);
        backward(mean(c * w));
        average_gradients({{"w", w}}, ranks, c.numel());
        hold(w.grad().item() == 0.25, "(1 - 1 + 0 + 1) / 4");
        w.clear_grad();
        backward(mean(c * w));
        sum_gradients({{"w", w}}, ranks, double(c.numel()));
        hold(w.grad().item() == 1, "1 - 1 + 0 + 1");
    });
    // Labels of which one counts here and three there.
    run_ranks(2, [](Ranks& ranks) {
        Tensor logits = parameter(zeros({2}, Dtype::float64));
        Sgd sgd({{"logits", logits}}, {.lr = 1});
        const Indices labels = ranks.rank() == 0 ? Indices{0, -1, -1} : Indices{1, 1, 0};
        train(sgd, {.steps = 1, .ranks = &ranks}, [&](int64_t) {
            const Tensor all = expand(logits, {3, 2});
            return StepResult{cross_entropy(all, labels, {.ignored_index = -1}),
                              ranks.rank() == 0 ? 1 : 3};
        });
        hold(std::abs(logits.at({0})) < 1e-15, "two labels of each class");
    });
    SUCCEED();
}

TEST_CASE("a batch of any size is divided among the ranks, each row once", "[ranks]") {
    for (int size : {1, 2, 3, 5})
        for (int64_t count = size; count < 12; ++count)
            run_ranks(size, [&](Ranks& ranks) {
                const Tensor own = part_of(arange(0, double(count), 1, Dtype::float64), ranks);
                std::vector<double> seen(count);
                for (double row : own.to_vector()) seen[static_cast<std::size_t>(row)] += 1;
                ranks.sum(seen.data(), count);
                hold(seen == std::vector<double>(count, 1.0), "each row once");
                hold(std::abs(own.size(0) - count / size) <= 1, "equal parts");
            });
    SUCCEED();
}

TEST_CASE("parts without a number of tokens are refused", "[errors]") {
    Tensor w = parameter(ones({2}));
    Sgd sgd({{"w", w}}, {.lr = 0.1});
    const auto step = [&](int64_t) { return StepResult{sum(w * w)}; };
    CHECK_THROWS_WITH(train(sgd, {.steps = 2, .accumulate = 3}, step),
                      ContainsSubstring("train: the loss of step 1 is one of several") &&
                          ContainsSubstring("return StepResult{loss, tokens}"));
    CHECK_THROWS_WITH(train(sgd, {.steps = 2, .accumulate = 0}, step),
                      "train: accumulate is 0; expected a positive number");
    CHECK_THROWS_WITH(train(sgd, {.steps = 2}, nullptr), "train: there is no function `step`");
    SingleRank alone;
    CHECK_THROWS_WITH(average_gradients({{"w", w}}, alone, -1),
                      "average_gradients: tokens is -1; expected 0 or more");
    CHECK(train(sgd, {.steps = 2}, step).losses.size() == 2);
}

TEST_CASE("inside of on_step and validate the optimiser has its own learning rate") {
    Tensor w = parameter(ones({2}));
    Sgd sgd({{"w", w}}, {.lr = 0.1});
    int seen = 0;
    const auto own = [&] {
        CHECK(sgd.lr == 0.1);
        return double(++seen);
    };
    train(sgd,
          {.steps = 4,
           .schedule = schedules::warm_up(8),
           .on_step = [&](const TrainProgress&) { own(); },
           .validate = own,
           .validate_every = 1},
          [&](int64_t) { return StepResult{sum(w * w)}; });
    CHECK(seen == 8);
}

}  // namespace
}  // namespace heed
