// The search over the book. search.js lies beside the pages and holds the text of each of their sections;
// pages/book.js reads it when the reader begins to type, and finds the sections with all words.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/book/chapters.h"
#include "lessons/course/book/glossary.h"
#include "lessons/course/exercise/exercise.h"

namespace heed::course {

struct SearchEntry {
    std::string address;              // 10_scores.html#ways-to-compare
    std::string place;                // "Lesson 10. Which score function?"
    std::string title;                // of the section
    std::string text;                 // plain, formulas as Unicode
    std::vector<std::string> also{};  // other names of what it explains
};

// The sections of the lessons, the exercises, the terms, and the comments of the source.
std::vector<SearchEntry> search_entries(const std::vector<LessonPage>& lessons,
                                        const std::vector<Chapter>& chapters,
                                        const std::vector<Exercise>& exercises,
                                        const std::vector<Term>& terms, const std::string& root);

// As a script, because a page opened by double click may load a script, but no data.
std::string search_script(const std::vector<SearchEntry>& entries);

}  // namespace heed::course
