// What the lesson measures besides the ideas on its page.
#pragma once

#include <string>
#include <vector>

#include "lessons/38_published/model.h"
#include "lessons/course/course.h"

namespace heed::lesson38 {

// A claim. In a quick run, and for the reader's own file, it is only recorded: its bar is that of the small
// model, fully trained.
void finding(course::AtCall lesson, const Subject& subject, const std::string& name,
             const std::string& text, double measured, course::Expectation expected);

std::string one_line(const std::string& text);  // with a space for a newline

// --- part by part -------------------------------------------------------------------------------

// A table: each part, the lesson or exercise in which the reader writes it, its share of the weights.
void show_parts(course::AtCall lesson, const Subject& subject);

// --- random strings, twice ----------------------------------------------------------------------

struct Twice {
    Indices in, out;           // [B, first + 2 n]; out has -1 wherever the token cannot be known
    int64_t first = 0, n = 0;  // the tokens before the string, and those of the string
};
Twice draw_twice(const Subject& subject, int64_t rows, Rng& rng);

// --- precision ----------------------------------------------------------------------------------

bool in_blocks_of_32(const LanguageModel& model);    // the inputs of all layers
double bytes_a_token(const LanguageModel& model);    // of the weights that a decoding step reads
double tokens_a_second(const LanguageModel& model);  // decoding, one text; the median of some steps
double bytes_a_second();                             // that memory delivers to a sum of floats

// --- adapters -----------------------------------------------------------------------------------

// Trains what is not frozen, on random rows of the other text.
void train_on_other(course::AtCall lesson, LanguageModel& model, const Subject& subject, Rng rng);

}  // namespace heed::lesson38
