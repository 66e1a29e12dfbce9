// Claims: statements of a lesson that are checked against what it has just measured.
//
//     lesson.claim("unseen sentences translated exactly", accuracy, at_least(0.95));
//
// A claim never holds if the measurement is infinite or not a number.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

// The expected range of a measured number, and the same in words.
struct Expectation {
    double low = 0, high = 0;
    bool open = false;  // the two bounds themselves are excluded
    std::string words;
    bool truth = false;  // the measurement is true (1) or false (0)

    bool holds(double measured) const;
};

Expectation at_least(double bound);
Expectation at_most(double bound);
Expectation more_than(double bound);
Expectation less_than(double bound);
Expectation between(double low, double high);
Expectation equals(double value, double tolerance = 0);
Expectation is_true();

struct Claim {
    std::string text;
    double measured = 0;
    Expectation expected;
    bool holds = false;
    std::vector<double>
        other_seeds{};  // what other seeds measured, in increasing order; or nothing
};

// Compares a measurement with what was expected.
Claim check_claim(std::string text, double measured, Expectation expected);

// The measurement as text, with enough digits to show on which side of the bound it is: a claim of
// "at least 0.95" that fails is never printed as "0.95".
std::string measured_text(const Claim& claim);

}  // namespace heed::course
