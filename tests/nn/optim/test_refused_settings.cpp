// Settings at the border of what is allowed: what lies just outside is refused.
#include "attention/attention.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("settings of optimisers and schedules just outside their range are refused", "[errors]") {
    Rng rng(1);
    const Linear model(2, 2, rng);
    CHECK_THROWS_WITH(Sgd(parameters(model), {.lr = 0.1, .momentum = 1}),
                      ContainsSubstring("momentum is 1; expected at least 0 and less than 1"));
    CHECK_NOTHROW(Sgd(parameters(model), {.lr = 0.1, .momentum = 0.999}));
    CHECK_THROWS_WITH(schedules::linear_decay(0), ContainsSubstring("linear_decay"));
    CHECK_THROWS_WITH(schedules::noam(0, 10),
                      ContainsSubstring("width is 0; expected a positive number"));
    for (const double start : {0.0, 1.0, -0.1, 1.1})
        CHECK_THROWS_WITH(schedules::one_cycle(10, {.pct_start = start}),
                          ContainsSubstring("pct_start"));
    CHECK_THROWS_WITH(print_every(0), ContainsSubstring("steps is 0; expected a positive number"));
    CHECK_THROWS_WITH(orthogonal({3}, rng), ContainsSubstring("at least 2 axes"));
    CHECK_THROWS_WITH(uniform_fan({2, 2}, 0, rng),
                      ContainsSubstring("fan is 0; expected a positive number"));
    AverageOfWeights average(parameters(model));
    CHECK_THROWS_WITH(average.averages(), ContainsSubstring("before the first update"));
    CHECK_THROWS_WITH(average.swap(), ContainsSubstring("before the first update"));
}

TEST_CASE("operations refuse a dilation of 0 and dtypes that differ", "[errors]") {
    const Tensor x = ones({1, 1, 4, 4}), w = ones({1, 1, 2, 2});
    CHECK_THROWS_WITH(conv2d(x, w, {}, {.dilation = {0, 1}}), ContainsSubstring("dilation"));
    CHECK_THROWS_WITH(conv2d(x, w, {}, {.dilation = {1, 0}}), ContainsSubstring("dilation"));
    const BlockPattern pattern(4, {.before = 1, .after = 1});
    const Tensor q = ones({1, 1, 4, 2}), k = ones({1, 1, 4, 2}, Dtype::float64);
    CHECK_THROWS_WITH(block_sparse_attention(q, k, q, pattern), ContainsSubstring("float64"));
}

TEST_CASE("the smallest along an axis has no more axes than the largest") {
    const Tensor x = tensor({3, 1, 2, 5, 4, 6}, {2, 3});
    CHECK(min_with_indices(x, 1).values.shape() == Shape{2});
    CHECK(min_with_indices(x, 1).indices.shape() == Shape{2});
    CHECK(max_with_indices(x, 1).values.shape() == Shape{2});
    CHECK(min_with_indices(x, 1, true).values.shape() == Shape{2, 1});
}

TEST_CASE("the running mean of equal losses is that loss") {
    Tensor w = scalar(1.0, Dtype::float64).set_requires_grad();
    Sgd optimiser({{"w", w}}, {.lr = 0});
    std::vector<double> means;
    train(
        optimiser,
        {.steps = 5, .on_step = [&](const TrainProgress& now) { means.push_back(now.mean_loss); }},
        [&](int64_t) {
            return StepResult{3.0 * w, 1};
        });
    REQUIRE(means.size() == 5);
    for (const double mean : means) CHECK(mean == Approx(3));
}
