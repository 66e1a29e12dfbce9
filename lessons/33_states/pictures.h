// The figures of the lesson.
#pragma once

#include <string>
#include <vector>

#include "lessons/33_states/experiment.h"

namespace heed::lesson33 {

// A cache that grows beside a state that does not, and how many numbers a layer of width 32 keeps in each.
void show_cache_and_state(course::AtCall lesson);

// What a state answers [2, 3]: of Ada and of Ben, after each of the three sentences.
course::HeatMap answers_map(const std::string& rule, const Tensor& read);

// Pairs written into a state of 32 x 32 numbers by each rule: errors and shares recognised against the number of
// pairs, and a table for 32 of them, whose keys are written once, and then again with new values.
struct Held {
    ReadBack once, again;
};
std::vector<Held> show_what_fits(course::AtCall lesson, const std::vector<Rule>& rules);
void claim_what_fits(course::AtCall lesson,
                     const std::vector<Held>& held);  // sum, decay, delta rule

// Recall and parity of all models, row by row, in two maps; the claims about them.
void show_results(course::AtCall lesson, const std::vector<Result>& results);
void claim_results(course::AtCall lesson, const std::vector<Result>& results);
// The delta rule below attention, and attention twice.
void claim_both(course::AtCall lesson, const Result& both, const Result& twice);

}  // namespace heed::lesson33
