#include "nn/optim/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "autograd/base/settings.h"

namespace heed::schedules {

Schedule constant(double factor) {
    return [=](int64_t) { return factor; };
}

Schedule warm_up(Integer steps) {
    check_positive("warm_up", {{"steps", steps.value}});
    return [=](int64_t step) { return std::min(1.0, double(step) / double(steps)); };
}

Schedule cosine(Integer steps, double floor) {
    check_positive("cosine", {{"steps", steps.value}});
    return [=](int64_t step) {
        const double done = std::clamp(double(step - 1) / double(steps), 0.0, 1.0);
        return floor + (1 - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
    };
}

Schedule linear_decay(Integer steps, double floor) {
    check_positive("linear_decay", {{"steps", steps.value}});
    return [=](int64_t step) {
        return 1 - (1 - floor) * std::clamp(double(step - 1) / double(steps), 0.0, 1.0);
    };
}

Schedule step_decay(Integer every, double gamma) {
    check_positive("step_decay", {{"every", every.value}});
    return [=](int64_t step) { return std::pow(gamma, double((step - 1) / every)); };
}

Schedule inverse_square_root(Integer steps) {
    check_positive("inverse_square_root", {{"steps", steps.value}});
    return [=](int64_t step) {
        return std::min(double(step) / double(steps), std::sqrt(double(steps) / double(step)));
    };
}

Schedule noam(Integer width, Integer steps) {
    check_positive("noam", {{"width", width.value}, {"steps", steps.value}});
    // min(step^-½, step steps^-1.5) = steps^-½ min(√(steps / step), step / steps)
    return multiplied(constant(1 / std::sqrt(double(width) * double(steps))),
                      inverse_square_root(steps));
}

Schedule one_cycle(Integer steps, const OneCycleOptions& options) {
    const auto& [pct_start, div_factor, final_div_factor] = options;
    check_positive("one_cycle", {{"steps", steps.value},
                                 {"pct_start", pct_start},
                                 {"div_factor", div_factor},
                                 {"final_div_factor", final_div_factor}});
    check(pct_start < 1, "one_cycle: pct_start is {}; expected less than 1", pct_start);
    check(std::isfinite(div_factor), "one_cycle: div_factor is {}; expected a finite number",
          div_factor);
    check(pct_start * double(steps) > 1,
          "one_cycle: {} steps are too few for a rise over {} of them", steps, pct_start);
    const double first = 1 / div_factor, last = first / final_div_factor;
    // Updates counted from 0: the rate is highest at `peak` and lowest at `end`.
    const double peak = pct_start * double(steps) - 1, end = double(steps - 1);
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

Schedule warm_up_cosine(Integer rise, Integer steps, double floor) {
    return sequential(warm_up(rise), rise,
                      cosine(std::max<int64_t>(steps - rise, 1), floor));  // it ends below 1
}

Schedule multiplied(Schedule a, Schedule b) {
    check(a && b, "multiplied: a schedule is not there");
    return [=](int64_t step) { return a(step) * b(step); };
}

}  // namespace heed::schedules
