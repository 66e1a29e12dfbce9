#include "lessons/course/report/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "autograd/base/error.h"
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

Expectation anything() { return {-infinity, infinity, false, ""}; }

Expectation is_true() { return {1, 1, false, "true", true}; }

Claim check_claim(std::string name, std::string text, double measured, Expectation expected) {
    const bool holds =
        expected.words.empty() || (std::isfinite(measured) && expected.holds(measured));
    return {std::move(name), std::move(text), measured, std::move(expected), holds};
}

bool has_bar(const Claim& claim) { return !claim.expected.words.empty(); }

void check_name(const Claim& claim, const std::vector<Claim>& before) {
    const std::string& name = claim.name;
    check(name.size() >= 2 && name.size() <= 30 && name[0] >= 'a' && name[0] <= 'z' &&
              name.back() != '-' &&
              name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos,
          "claim '{}': expected a name of 2 to 30 small letters, digits and hyphens", name);
    for (const Claim& other : before) {
        check(other.name != name, "claim '{}': there is already a claim of this name", name);
        check(other.text != claim.text, "claim '{}': claim '{}' has the same text, '{}'", name,
              other.name, other.text);
    }
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
