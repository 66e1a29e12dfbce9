// The course as a book: pages that a browser opens by double click, without a network.
//
//     index.html              the lessons and the chapters of the source
//     10_scores.html          a lesson: text, formulas, code, and the figures, tables and claims of the
//                             reader's own run if there is one in out/10_scores, or else of a quick
//                             run in out/quick/10_scores; its exercises
//     exercises.html          a list of all exercises (exercise_pages.h)
//     glossary.html           the terms that the lessons define (glossary.h)
//     source_nn_layers.html   a chapter of the source: one folder of the libraries
//     search.js               what the search of every page looks through (search.h)
//
// chapters.h says what there is to write, lesson_body.h is the inside of a lesson's page, index_page.h that
// of the contents. epub.h makes one file of them, with plain_html.h and zip.h.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"

namespace heed::course {

struct BookFolders {
    std::string root;                 // the tree of heed
    std::string runs = "out";         // where the lessons leave their results
    std::string out = "out/book";     // where the pages go
    std::string quick = "out/quick";  // the results of quick runs, for lessons without others
};

// Writes all pages, or those of some lessons. Returns their names. Throws heed::Error if there is no
// such lesson or a page cannot be written.
std::vector<std::string> write_book(const BookFolders& folders,
                                    const std::vector<LessonNumber>& wanted = {});

// All lessons, the exercises and the glossary as one page to print: print.html beside the others. Code, hints
// and solutions that are folded stay folded. Returns its path.
std::string write_print_page(const BookFolders& folders);

}  // namespace heed::course
