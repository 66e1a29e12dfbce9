#include "lessons/course/report/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

bool Expectation::holds(double measured) const {
    return open ? low < measured && measured < high : low <= measured && measured <= high;
}

Expectation at_least(double bound) { return {bound, infinity, false, "at least " + number(bound)}; }

Expectation at_most(double bound) { return {-infinity, bound, false, "at most " + number(bound)}; }

Expectation more_than(double bound) {
    return {bound, infinity, true, "more than " + number(bound)};
}

Expectation less_than(double bound) {
    return {-infinity, bound, true, "less than " + number(bound)};
}

Expectation between(double low, double high) {
    return {low, high, false, fmt::format("between {} and {}", number(low), number(high))};
}

Expectation equals(double value, double tolerance) {
    const std::string words =
        tolerance == 0 ? fmt::format("exactly {}", number(value))
                       : fmt::format("{} to within {}", number(value), number(tolerance));
    return {value - tolerance, value + tolerance, false, words};
}

Expectation is_true() { return {1, 1, false, "true", true}; }

Claim check_claim(std::string text, double measured, Expectation expected) {
    const bool holds = std::isfinite(measured) && expected.holds(measured);
    return {std::move(text), measured, std::move(expected), holds};
}

std::string measured_text(const Claim& claim) {
    if (claim.expected.truth && claim.measured == 1) return "true";
    if (claim.expected.truth && claim.measured == 0) return "false";
    const auto equals_a_bound = [&](const std::string& text) {
        return text == number(claim.expected.low) || text == number(claim.expected.high);
    };
    std::string text = number(claim.measured);
    if (claim.holds && number(claim.expected.low) == number(claim.expected.high)) return text;
    for (int digits = 5; digits <= 17 && equals_a_bound(text); ++digits) {
        if (claim.measured == claim.expected.low || claim.measured == claim.expected.high) break;
        text = number(claim.measured, digits);
    }
    return text;
}

}  // namespace heed::course
