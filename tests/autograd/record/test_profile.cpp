#include <chrono>
#include <thread>

#include "autograd/autograd.h"
#include "autograd/record/profile.h"
#include "tests/catch.h"

namespace heed {
namespace {

double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_CASE("a profile knows operations, their calls, and all of the time", "[profile]") {
    Rng rng(1);
    const Tensor w = normal({8, 8}, 0, 1, rng).set_requires_grad(), x = normal({4, 8}, 0, 1, rng);
    const auto start = std::chrono::steady_clock::now();
    Profile profile;
    double total = 0;
    for (int i = 0; i < 3; ++i) {
        backward(sum(tanh(linear(x, w)) * linear(x, w)));
        profile.mark("");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        profile.mark("pause");
    }
    const double elapsed = since(start);
    const auto& times = profile.times();
    CHECK(times.at("linear").calls == 6);
    CHECK(times.at("tanh").calls == 3);
    CHECK(times.at("linear").forward > 0);
    CHECK(times.at("linear").backward > 0);
    CHECK(times.at("leaf").calls == 0);  // it was made before
    CHECK(times.at("pause").forward >= 0.06);
    CHECK(times.at("pause").backward == 0);
    CHECK(times.count("") == 0);
    for (const auto& [name, time] : times) total += time.forward + time.backward;
    CHECK(total <= elapsed);
    CHECK(total >= 0.06);
}

TEST_CASE("a profile ends with its life, and one within another gives way again", "[profile]") {
    const Tensor w = ones({2}).set_requires_grad();
    Profile outer;
    {
        Profile inner;
        exp(w);
        CHECK(inner.times().count("exp") == 1);
    }
    CHECK(outer.times().count("exp") == 0);
    tanh(w);
    CHECK(outer.times().at("tanh").calls == 1);
}

}  // namespace
}  // namespace heed
