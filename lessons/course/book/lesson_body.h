// The text of a lesson with the results of a run: what a page of the book, a chapter of the ePub and a
// printed chapter have inside.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/book/book.h"
#include "lessons/course/book/chapters.h"
#include "lessons/course/contents/woven.h"
#include "lessons/course/exercise/exercise.h"

namespace heed::course {

// Where the reader has not run the lesson, our kept runs and the captions of what a run would show stand in place of
// its results (kept_results.h).
std::string lesson_body(const LessonPage& lesson, const std::vector<Exercise>& all,
                        const BookFolders& folders);

// The results of a run, from its report.html: what comes after passage 1, 2, ..., and at last the
// predictions and claims. Empty if the text has another number of passages now than it had then.
struct RunResults {
    std::string facts;
    std::vector<std::string> after;
    std::string end;
};
// The numbers of a run by the names of its claims, from its results.json; none if the file is damaged or older than
// names.
Measured measured_in(const std::string& results);

RunResults results_in(const std::string& report, std::size_t passages);

}  // namespace heed::course
