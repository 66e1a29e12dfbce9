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

Schedule warm_up(Integer steps) {
    check_steps(steps, "warm_up");
    return [=](int64_t step) { return std::min(1.0, double(step) / double(steps)); };
}

Schedule cosine(Integer steps, double floor) {
    check_steps(steps, "cosine");
    return [=](int64_t step) {
        const double done = std::clamp(double(step - 1) / double(steps), 0.0, 1.0);
        return floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
    };
}

Schedule linear_decay(Integer steps, double floor) {
    check_steps(steps, "linear_decay");
    return [=](int64_t step) {
        return 1 - (1 - floor) * std::clamp(double(step - 1) / double(steps), 0.0, 1.0);
    };
}

Schedule step_decay(Integer every, double gamma) {
    check_steps(every, "step_decay");
    return [=](int64_t step) { return std::pow(gamma, double((step - 1) / every)); };
}

Schedule inverse_square_root(Integer steps) {
    check_steps(steps, "inverse_square_root");
    return [=](int64_t step) {
        return std::min(double(step) / double(steps), std::sqrt(double(steps) / double(step)));
    };
}

Schedule noam(Integer width, Integer steps) {
    check(width > 0, "noam: expected a positive width, got {}", width);
    // min(step^-½, step steps^-1.5) = steps^-½ min(√(steps / step), step / steps)
    return multiplied(constant(1 / std::sqrt(double(width) * double(steps))),
                      inverse_square_root(steps));
}

Schedule one_cycle(Integer steps, const OneCycleOptions& options) {
    check_steps(steps, "one_cycle");
    check(options.pct_start > 0 && options.pct_start < 1,
          "one_cycle: expected pct_start in (0, 1), got {}", options.pct_start);
    check(
        options.div_factor > 0 && std::isfinite(options.div_factor) && options.final_div_factor > 0,
        "one_cycle: expected positive factors, the first one finite, got {} and {}",
        options.div_factor, options.final_div_factor);
    check(options.pct_start * double(steps) > 1,
          "one_cycle: {} steps are too few for a rise over {} of them", steps, options.pct_start);
    const double first = 1 / options.div_factor, last = first / options.final_div_factor;
    // Updates counted from 0: the rate is highest at `peak` and lowest at `end`.
    const double peak = options.pct_start * double(steps) - 1, end = double(steps - 1);
    const auto along_cosine = [](double from, double to, double done) {
        return to + (from - to) / 2 * (1 + std::cos(std::numbers::pi * done));
    };
    return [=](int64_t step) {
        const double at = std::min(double(step - 1), end);
        return at <= peak ? along_cosine(first, 1, at / peak)
                          : along_cosine(1, last, (at - peak) / (end - peak));
    };
}

Schedule sequential(Schedule first, Integer steps, Schedule second) {
    check(first && second, "sequential: a schedule is not there");
    return [=](int64_t step) { return step <= steps ? first(step) : second(step - steps); };
}

Schedule multiplied(Schedule a, Schedule b) {
    check(a && b, "multiplied: a schedule is not there");
    return [=](int64_t step) { return a(step) * b(step); };
}

}  // namespace heed::schedules
