// The source of a lesson as passages: text, and the code below it. Text stands in lines that begin
// with //!; a line "//! ## Title" begins a section.
//
//     //! # Which score function?          the title of the lesson
//     //!
//     //! The introduction.                passage 1, of no section
//
//     #include <cmath>
//
//     //! ## Six formulas
//     //!
//     //! Text.                            passage 2
//     Tensor by_hand(...) {
//         ...
//         //! More text.                   passage 3, of the same section
//         ...
//
// A line "//! {code model.cpp train_classifier}" of the text puts a function of another file above the code of
// its passage: of a file of the lesson's folder, or of lessons/. So a page shows the training that it speaks of,
// wherever this stands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/contents/lesson_number.h"

namespace heed::course {

struct Passage {
    std::string section;   // the title of its section; empty for the introduction
    bool first = false;    // whether it is the first of its section
    bool named = false;    // whether the code of its section calls lesson.heading(title)
    bool closing = false;  // from the section "What this does not show" on: shown after the run
    std::string text;      // Markdown, without the titles, with numbers (contents/woven.h)
    std::string code;      // what {code} names, then from here to the next text; none if closing
    int code_line = 0;     // the line after the text: results of later lines come after this text
    std::string
        written{};  // the text with names in braces instead of numbers, as it stands in the source
};

// The title of the first section that is shown after the run. Every lesson has it.
inline constexpr std::string_view closing_title = "What this does not show";

// The name of the lesson tells whose claims the text names. Without one braces are left as they are.
std::vector<Passage> passages_of(std::string_view source, const std::string& lesson);

// The titles of the sections, in their order.
std::vector<std::string> titles_of(const std::vector<Passage>& passages);

// The definition of a function in a source, with the comment above it, from the first to the last line. Empty if
// there is none that begins in the first column.
std::string definition_in(const std::string& source, const std::string& function);

// Functions, structs and the like: what stands between empty lines, with whatever is indented below.
std::vector<std::string> declarations_in(const std::string& code);

// Whether a declaration only runs the experiment and shows what came out.
bool only_runs(const std::string& declaration);

// The declarations that do more: they are what the passage explains.
std::string idea_of(const std::string& code);

// lessons/NN_name/lesson.cpp below $HEED_HOME, or below the tree this program was built from. Empty
// if there is no such file.
std::string source_of_lesson(LessonNumber number);

}  // namespace heed::course
