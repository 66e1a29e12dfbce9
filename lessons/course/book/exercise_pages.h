// The exercises in the book: at the end of a lesson's page the tasks with their hints and solutions,
// folded until the reader asks for them, and a page with the list of all.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/book/chapters.h"
#include "lessons/course/exercise/exercise.h"

namespace heed::course {

// The sections at the end of a lesson's page; empty if the lesson has no exercise. `root` holds the
// record of what the reader has solved.
std::string lesson_exercises_html(const std::vector<Exercise>& all, LessonNumber lesson,
                                  const std::string& root);

// The id of its heading there.
std::string anchor_of_exercise(const Exercise& exercise);

// The body of exercises.html.
std::string exercise_list_html(const std::vector<Exercise>& all,
                               const std::vector<LessonPage>& lessons, const std::string& root);

}  // namespace heed::course
