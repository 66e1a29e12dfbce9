// Lesson 05: the tape.
#include <cmath>

#include "lessons/05_probabilities/tape.h"
#include "tests/catch.h"

namespace heed::lesson05 {
namespace {

TEST_CASE("probabilities: the tape differentiates sums, differences, exponentials and logarithms",
          "[lesson]") {
    const auto f = [](auto x, auto y) { return ln(exp(x) + exp(y - x)) - y; };
    Tape tape;
    const Taped x{&tape, 0.4, tape.write()}, y{&tape, -1.2, tape.write()};
    const std::vector<double> g = tape.backward(f(x, y).line);
    const double a = std::exp(0.4), b = std::exp(-1.6);
    CHECK(g[0] == Approx((a - b) / (a + b)));
    CHECK(g[1] == Approx(b / (a + b) - 1));
}

}  // namespace
}  // namespace heed::lesson05
