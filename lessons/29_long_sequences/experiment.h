// What the lesson measures and draws besides its own few lines: tables and plots.
#pragma once

#include <map>
#include <vector>

#include "lessons/29_long_sequences/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson29 {

// Exact attention and a window, forward and backward, at doubling lengths: scores, milliseconds, bytes.
void show_cost(course::AtCall lesson, int64_t longest);

// The relative error |y - exact| / |exact| of each kind that stands for exact attention, for queries and
// keys of the given size (the larger, the sharper the weights), at T = 256 with heads of width 16.
struct Errors {
    double performer_few, performer_many;  // 16 and 256 features
    double window;                         // 32 to each side
    double reformer_one, reformer_eight;   // hashes; against exact attention with shared keys
};
Errors errors_of(double size, uint64_t seed);

// Which laws each kind of attention obeys: the names of the laws by kind.
void show_laws(course::AtCall lesson);
bool obeys(Kind kind, const char* law, uint64_t seed);
// The smallest weight that a kind gives to any of five keys, for random queries and keys.
double smallest_weight(Kind kind, uint64_t seed);

// The accuracy of each of these kinds on a task, for every seed; show_accuracies() draws the table.
using Accuracies = std::map<Kind, std::vector<double>>;
Accuracies accuracies_of(const std::vector<Kind>& which, Task task, const Sizes& sizes, int steps,
                         int seeds, uint64_t seed);
void show_accuracies(course::AtCall lesson, const Accuracies& near, const Accuracies& far,
                     const Sizes& sizes);

// --data: classifies the reader's labelled texts with each kind.
void run_on_own_texts(course::AtCall lesson, int epochs, int longest);

}  // namespace heed::lesson29
