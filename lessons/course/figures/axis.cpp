#include "lessons/course/figures/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// 10⁻⁵ and not 1e-05. From 0.01 to 1000 as a number.
std::string power_of_ten(int exponent) {
    if (exponent >= -2 && exponent <= 3) return number(std::pow(10.0, exponent));
    constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = "10";
    for (const char digit : std::to_string(exponent))
        text += digit == '-' ? "⁻" : digits[digit - '0'];
    return text;
}

// 1, 2 or 5 times a power of ten.
std::string round_label(int factor, int exponent) {
    if (exponent >= -4 && exponent <= 5) return number(factor * std::pow(10.0, exponent));
    return (factor == 1 ? "" : std::to_string(factor) + "·") + power_of_ten(exponent);
}

// The smallest of 1, 2, 5 times a power of ten that is not below the rough step.
double round_step(double rough) {
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * 0.999) return factor * power;
    }
    return 10 * power;
}

void add_linear_ticks(Axis& axis, int wanted, bool widen) {
    const double step = round_step((axis.high - axis.low) / std::max(1, wanted));
    const double slack = 1e-9 * step;
    if (widen) {
        axis.low = step * std::floor(axis.low / step + 1e-9);
        axis.high = step * std::ceil(axis.high / step - 1e-9);
    }
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    for (double i = std::ceil((axis.low - slack) / step); i * step <= axis.high + slack; ++i) {
        const double tick = i == 0 ? 0 : i * step;  // never -0
        axis.ticks.push_back(tick);
        axis.labels.push_back(decimals == 0  ? number(tick)
                              : decimals > 5 ? number(tick, 3)
                                             : fmt::format("{:.{}f}", tick, decimals));
    }
}

void add_log_ticks(Axis& axis, int wanted, bool widen) {
    const double first = std::log10(axis.low), last = std::log10(axis.high);
    if (widen) {
        axis.low = std::pow(10.0, std::floor(first + 1e-9));
        axis.high = std::pow(10.0, std::ceil(last - 1e-9));
    }
    const double from = std::ceil(std::log10(axis.low) - 1e-9);
    const double to = std::floor(std::log10(axis.high) + 1e-9);
    // There are few powers of ten in this range, so 2 and 5 times a power are ticks too.
    if (to - from < 1 || 2 * std::log10(axis.high / axis.low) <= wanted) {
        for (double exponent = from - 1; exponent <= to; ++exponent)
            for (const int factor : {1, 2, 5}) {
                const double tick = factor * std::pow(10.0, exponent);
                if (tick < axis.low * (1 - 1e-9) || tick > axis.high * (1 + 1e-9)) continue;
                axis.ticks.push_back(tick);
                axis.labels.push_back(round_label(factor, static_cast<int>(exponent)));
            }
        if (axis.ticks.size() > 1) return;
        axis.ticks.clear();
        axis.labels.clear();
        add_linear_ticks(axis, wanted, false);  // hardly one of them: a narrow range
        return;
    }
    const double every = std::max(1.0, std::ceil((to - from) / std::max(1, wanted)));
    for (double exponent = from; exponent <= to; exponent += every) {
        axis.ticks.push_back(std::pow(10.0, exponent));
        axis.labels.push_back(power_of_ten(static_cast<int>(exponent)));
    }
}

}  // namespace

double Axis::position(double value) const {
    if (!std::isfinite(value) || (log && value <= 0))
        return std::numeric_limits<double>::quiet_NaN();
    return log ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
               : (value - low) / (high - low);
}

Axis make_axis(double low, double high, bool log, int wanted, bool widen) {
    Axis axis{low, high, log, {}, {}};
    if (!(axis.high > axis.low)) {  // one value or none: widen the range around it
        const double middle = std::isfinite(low) ? low : 1;
        const double room = middle == 0 ? 1 : 0.5 * std::fabs(middle);
        axis.low = middle - room;
        axis.high = middle + room;
    }
    if (log && axis.low <= 0) axis.low = axis.high > 0 ? axis.high / 10 : 0.1;
    if (log && axis.high <= axis.low) axis.high = 10 * axis.low;
    if (log) {
        add_log_ticks(axis, wanted, widen);
    } else {
        add_linear_ticks(axis, wanted, widen);
    }
    return axis;
}

}  // namespace heed::course
