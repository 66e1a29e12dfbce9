// A text in which every line tells of somebody whose name is new and returns three times:
//
//     kosire sees the cat. the dog likes kosire. the bird knows kosire. kosire hears the student.
//
// A name has six letters, consonants and vowels in turn, drawn at random: with 421,875 names, a table has
// seen almost none of those in the validation text.
#pragma once

#include <string>
#include <vector>

#include "lessons/23_language_model/data.h"
#include "lessons/23_language_model/model.h"
#include "lessons/course/lesson/lesson.h"

namespace heed::lesson23 {

// What a letter belongs to. The first letter of a name counts as ordinary text, since only what follows it
// can be known from it.
enum class LetterOf : signed char { text, new_name, returning_name };

struct NamedText {
    Characters characters;
    std::vector<LetterOf> valid;          // of each character of the validation text
    std::vector<std::size_t> beginnings;  // of the lines in the validation text
};
NamedText text_with_names(std::size_t length, Rng& rng);

// The mean of -ln p for each kind of letter, and for each letter of one line.
struct NameLosses {
    double text = 0, new_name = 0, returning_name = 0;
    std::vector<double> line;  // of the first line
};
// Of the model: each line is read from its beginning, with nothing before it.
NameLosses losses_of(const LanguageModel& model, const NamedText& text, int lines, int context);
// Of tables counted in the training text. For each kind the best of all contexts of at most 7 characters.
NameLosses losses_of_tables(const NamedText& text, int lines, int context);

// The losses while the model learns the text.
struct NameCurve {
    std::vector<double> at, new_name, returning_name;
};
NameCurve learn_names(course::AtCall lesson, const LanguageModel& model, const NamedText& text,
                      const Settings& settings);

}  // namespace heed::lesson23
