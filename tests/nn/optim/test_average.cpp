#include <cstdio>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// A parameter of two numbers that takes given values one after another.
struct Path {
    Tensor w = zeros({2}, Dtype::float64).set_requires_grad();
    std::vector<Parameter> parameters() const { return {{"w", w}}; }
    void set(double a, double b) { w.assign(tensor({a, b}, Dtype::float64)); }
};

}  // namespace

TEST_CASE("the plain average is the mean of all updates") {
    Path path;
    AverageOfWeights mean(path.parameters());
    for (double a : {1.0, 2.0, 6.0}) {
        path.set(a, -a);
        mean.update();
    }
    CHECK(mean.updates() == 3);
    CHECK(mean.averages()[0].tensor.at({0}) == Approx(3));
    CHECK(mean.averages()[0].tensor.at({1}) == Approx(-3));
    CHECK(path.w.at({0}) == 6);  // the weights are their own
}

TEST_CASE("the exponential average starts with the first weights") {
    Path path;
    AverageOfWeights ema(path.parameters(), {.ema_decay = 0.9});
    double expected = 0;
    for (int i = 0; i < 5; ++i) {
        path.set(i + 1, 0);
        ema.update();
        expected = i == 0 ? 1 : 0.9 * expected + 0.1 * (i + 1);
        CHECK(ema.averages()[0].tensor.at({0}) == Approx(expected).epsilon(1e-14));
    }
}

TEST_CASE("averages are exchanged with the weights and back") {
    Path path;
    AverageOfWeights mean(path.parameters());
    CHECK_THROWS_WITH(mean.swap(), ContainsSubstring("before the first update"));
    path.set(1, 1);
    mean.update();
    path.set(3, 5);
    mean.update();
    {
        const auto in_use = mean.use();
        CHECK(path.w.to_vector() == std::vector<double>{2, 3});
        CHECK(mean.averages()[0].tensor.to_vector() == std::vector<double>{2, 3});
        CHECK(path.w.requires_grad());
        CHECK_THROWS_WITH(mean.update(), ContainsSubstring("averages are in use"));
    }
    CHECK(path.w.to_vector() == std::vector<double>{3, 5});
    CHECK(!mean.swapped());
}

TEST_CASE("a saved average is a file of the model, and averaging goes on from it") {
    const std::string file = "nn_test_average.safetensors";
    Rng rng(1);
    Linear model(2, 3, rng);
    AverageOfWeights straight(parameters(model)), paused(parameters(model));
    const auto change = [&](double to) { model.weight.assign(full({3, 2}, to)); };
    for (double value : {1.0, 5.0}) {
        change(value);
        straight.update();
        paused.update();
    }
    paused.save(file);
    Linear loaded(2, 3, rng);
    load_model(loaded, file);
    CHECK(loaded.weight.at({0, 0}) == 3);

    AverageOfWeights resumed(parameters(model));
    resumed.load(file);
    CHECK(resumed.updates() == 2);
    change(9);
    straight.update();
    resumed.update();
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(largest_difference(straight.averages()[i].tensor, resumed.averages()[i].tensor) == 0);

    save_model(model, file);
    CHECK_THROWS_WITH(resumed.load(file),
                      file + ": not an average of weights: its metadata has no 'average_updates'");
    std::remove(file.c_str());
    CHECK_THROWS_WITH(AverageOfWeights({{"w", ones({1})}}, {.ema_decay = 1}),
                      "AverageOfWeights: ema_decay is 1; expected at least 0 and less than 1");
    CHECK_THROWS_WITH(AverageOfWeights({}), "AverageOfWeights: there are no parameters");
}
