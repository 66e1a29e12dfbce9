// Claims: statements of a lesson that are checked against what it has just measured.
//
//     lesson.claim("exact-match", "unseen sentences translated exactly", accuracy, at_least(0.95));
//
// A claim never holds if the measurement is infinite or not a number. By its name a text gives its number
// (contents/woven.h), and the numbers of other seeds are kept (other_seeds.h). A measurement that is only recorded
// has no bar, so nothing is expected of it.
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
Expectation anything();  // of a measurement that is only recorded; it has no words

struct Claim {
    std::string name;  // exact-match: small letters, digits and hyphens
    std::string text;
    double measured = 0;
    Expectation expected;  // without words if nothing is expected
    bool holds = false;
    std::vector<double>
        other_seeds{};   // what other seeds measured, in increasing order; or nothing
    bool quick = false;  // all of them, and this one, in quick runs
};

// Compares a measurement with what was expected.
Claim check_claim(std::string name, std::string text, double measured, Expectation expected);

// Whether it is a claim. It is not if nothing is expected.
bool has_bar(const Claim& claim);

// Throws heed::Error if the name is not made of 2 to 30 small letters, digits and hyphens, or if it or the text is
// that of one of `before`.
void check_name(const Claim& claim, const std::vector<Claim>& before);

// The measurement as text, with enough digits to show on which side of the bound it is: a claim of
// "at least 0.95" that fails is never printed as "0.95".
std::string measured_text(const Claim& claim);

}  // namespace heed::course
