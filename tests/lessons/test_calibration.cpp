// Workshop W4: the weather's true probabilities, and what is measured about forecasts.
#include <cmath>

#include "lessons/w4_calibration/data.h"
#include "lessons/w4_calibration/experiment.h"
#include "tests/catch.h"

namespace heed::workshop4 {
namespace {

TEST_CASE("weather: the true probabilities are those of Bayes' rule", "[lesson]") {
    Rng rng(3);
    const Climate climate(rng);
    const Days days = climate.days(5, rng);
    const Tensor p = climate.probabilities(days.x);
    REQUIRE(p.shape() == Shape{5, outcomes});
    for (int i = 0; i < 5; ++i) {
        double joint[outcomes], sum = 0;
        for (int c = 0; c < outcomes; ++c) {
            joint[c] = 0;
            for (int k = 0; k < patterns; ++k) {
                double apart = 0;
                for (int m = 0; m < measurements; ++m)
                    apart +=
                        std::pow(days.x.at({i, m}) - climate.centre.at({c * patterns + k, m}), 2);
                joint[c] += how_often[c] * std::exp(-apart / 2) / patterns;
            }
            sum += joint[c];
        }
        for (int c = 0; c < outcomes; ++c) CHECK(p.at({i, c}) == Approx(joint[c] / sum));
    }
}

TEST_CASE("weather: outcomes come as often as their true probabilities say", "[lesson]") {
    Rng rng(4);
    const Climate climate(rng);
    const int count = 20000;
    const Days days = climate.days(count, rng);
    const Tensor p = climate.probabilities(days.x);
    for (int c = 0; c < outcomes; ++c) {
        // On the days with p above 0.5, and on all days: within four standard errors.
        for (double above : {-1.0, 0.5}) {
            double expected = 0, came = 0, variance = 0;
            for (int i = 0; i < count; ++i) {
                const double q = p.at({i, c});
                if (q <= above) continue;
                expected += q, variance += q * (1 - q), came += days.outcome[i] == c;
            }
            CHECK(std::abs(came - expected) < 4 * std::sqrt(variance));
            CHECK(variance > 10);
        }
        CHECK(mean(select(p, 1, c)).item() == Approx(how_often[c]).margin(0.02));
    }
}

TEST_CASE("weather: confidence, accuracy, and a training that uses the first days only",
          "[lesson]") {
    const Tensor p = tensor({0.5, 0.3, 0.2, 0.1, 0.1, 0.8}, {2, 3}, Dtype::float64);
    Sureness sure = sureness(p, {0, 1});
    CHECK(sure.confidence == std::vector<double>{0.5, 0.8});
    CHECK(sure.right == std::vector<bool>{true, false});
    CHECK(sure.mean_confidence() == Approx(0.65));
    CHECK(sure.accuracy() == 0.5);
    sure.append(sure);
    CHECK(sure.right.size() == 4);

    Rng rng(5);
    World world(rng);
    CHECK(world.train.x.size(0) == 10000);
    CHECK(world.truth.shape() == Shape{4000, outcomes});
    const Tensor before = logits_of(trained(world, 40, 0, 10, 1), world.test.x);
    world.train.x = slice(world.train.x, 0, 0, 40);  // nothing else is needed
    CHECK(max(abs(logits_of(trained(world, 40, 0, 10, 1), world.test.x) - before)).item() == 0);
    CHECK(max(abs(logits_of(trained(world, 40, 0.1, 10, 1), world.test.x) - before)).item() > 0);
}

}  // namespace
}  // namespace heed::workshop4
