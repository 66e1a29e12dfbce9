// Claims: what a lesson states, held against what it measured a moment ago.
//
//     lesson.claim("unseen sentences translated exactly", accuracy, at_least(0.95));
//
// A measurement that is not a number, or infinite, never holds.
#pragma once

#include <string>

namespace heed::course {

// What a measured number is expected to be, and the same in words.
struct Expectation {
    double low, high;
    bool open;  // the two ends themselves do not count
    std::string words;
    bool truth = false;  // a yes or no, measured as 1 or 0

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
    double measured;
    Expectation expected;
    bool holds;
};

Claim hold(std::string text, double measured, Expectation expected);

// The measurement as text, with enough digits to see on which side of the bound it lies: a claim of
// "at least 0.95" that fails never reads "0.95".
std::string measured_text(const Claim& claim);

}  // namespace heed::course
