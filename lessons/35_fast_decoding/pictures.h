// The figures and tables of the lesson, and the claims about them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/35_fast_decoding/experiment.h"

namespace heed::lesson35 {

// The formula of a pass: weights, bytes of each, tokens, bytes and operations a second -> seconds.
using SecondsOfPass = std::function<double(double, double, double, double, double)>;

// Tokens a second by the formula, against the tokens in a pass, for weights of 2 and of half a byte.
void show_roofline(course::AtCall lesson, const SecondsOfPass& seconds);
// This machine: how much faster one token becomes with fewer bits, and the floats with more tokens in a pass.
void show_machine(course::AtCall lesson, const Timed& timed, const SecondsOfPass& seconds);

// The error of rows that were rounded to 8 and to 4 bits: without and with a large weight, with one step for the
// row and with one for each group.
struct Errors {
    double eight = 0, four = 0;
};
struct Rounded {
    Errors plain, plain_groups, spoiled, spoiled_groups;
};
void show_rounded(course::AtCall lesson, const Rounded& errors);
void claim_rounded(course::AtCall lesson, const Rounded& errors);

// The losses of a model with floats, with 8 and 4 bits in groups, and with 4 bits and one step a matrix.
void show_losses(course::AtCall lesson, double floats, double eight, double four, double one_step);

// What is kept, refused and missing of the likeliest characters, of all others together, and in all.
void show_two(course::AtCall lesson, const lesson23::Characters& text, const Place& at);

// How far the counts of each rule are from the target, in standard deviations.
void show_rules(course::AtCall lesson, int samples, double naive, double right, double pairs);

// What was guessed in each pass, what was accepted, and what the target wrote itself.
void show_passes(course::AtCall lesson, const lesson23::Characters& text,
                 const std::vector<int>& prompt, const std::vector<Pass>& passes);

// The expected and the counted number of tokens that a pass gives, against the length of the draft, and how much faster
// decoding becomes.
void show_tokens(course::AtCall lesson, const std::vector<double>& lengths,
                 const std::vector<double>& counted_tokens, const std::vector<double>& formula);
void claim_accepted(course::AtCall lesson, const Drafting& four, const Drafting& greedy,
                    double over_formula, double eight_over_formula);

}  // namespace heed::lesson35
