#include "nn/optim/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "autograd/base/error.h"

namespace heed::schedules {
namespace {

void check_steps(int64_t steps, const char* who) {
    check(steps > 0, "{}: expected a positive number of steps, got {}", who, steps);
}

}  // namespace

Schedule constant(double factor) {
    return [=](int64_t) { return factor; };
}

Schedule warm_up(int64_t steps) {
    check_steps(steps, "warm_up");
    return [=](int64_t step) { return std::min(1.0, double(step) / double(steps)); };
}

Schedule cosine(int64_t steps, double floor) {
    check_steps(steps, "cosine");
    return [=](int64_t step) {
        const double done = std::clamp(double(step - 1) / double(steps), 0.0, 1.0);
        return floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
    };
}

Schedule linear_decay(int64_t steps, double floor) {
    check_steps(steps, "linear_decay");
    return [=](int64_t step) {
        return 1 - (1 - floor) * std::clamp(double(step - 1) / double(steps), 0.0, 1.0);
    };
}

Schedule inverse_square_root(int64_t steps) {
    check_steps(steps, "inverse_square_root");
    return [=](int64_t step) {
        return std::min(double(step) / double(steps), std::sqrt(double(steps) / double(step)));
    };
}

Schedule noam(int64_t width, int64_t steps) {
    check(width > 0, "noam: expected a positive width, got {}", width);
    // min(step^-½, step steps^-1.5) = steps^-½ min(√(steps / step), step / steps)
    return product(constant(1 / std::sqrt(double(width) * double(steps))),
                   inverse_square_root(steps));
}

Schedule then(Schedule first, int64_t steps, Schedule second) {
    return [=](int64_t step) { return step <= steps ? first(step) : second(step - steps); };
}

Schedule product(Schedule a, Schedule b) {
    return [=](int64_t step) { return a(step) * b(step); };
}

}  // namespace heed::schedules
