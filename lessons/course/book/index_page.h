// The first page of the book: where to begin or go on, the parts of the course with their lessons, and the
// chapters of the source.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/book/book.h"
#include "lessons/course/book/chapters.h"
#include "lessons/course/exercise/exercise.h"

namespace heed::course {

// How long the text takes to read, from its words: 200 a minute.
int reading_minutes(const LessonPage& lesson);

// 5 as "V".
std::string roman(int number);

std::string index_html(const std::vector<LessonPage>& lessons, const std::vector<Chapter>& chapters,
                       const std::vector<Exercise>& all, const BookFolders& folders);

}  // namespace heed::course
