// The exercises of the course. lessons/NN_name/exercises/K_name/ holds one:
//
//     task.h       what to write: a text in lines that begin with //!, and functions without a body
//     solution.h   one way to write it
//     judge.cpp    what must hold (judge.h)
//     hints.md     three hints, each under a heading; each says more than the one before
//     wrong.txt    wrong answers that people give, as edits of the solution (wrong.h)
#pragma once

#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"

namespace heed::course {

struct Exercise {
    LessonNumber lesson{};
    int number = 0;
    std::string name;    // "scaled_scores" of 1_scaled_scores
    std::string folder;  // its path
    std::string title;   // the first line of task.h
    int level = 1;       // 1 to 3
    int minutes = 10;

    std::string id() const;         // "10.1", "W3.1"
    std::string file_name() const;  // "10_1_scaled_scores.h", the reader's file in my/
};

// All exercises under root/lessons, in the order of the course. Throws heed::Error if one is not
// complete.
std::vector<Exercise> exercises(const std::string& root);

// The text of the task, in Markdown.
std::string task_text(const Exercise& exercise);
std::string task_file(const Exercise& exercise);  // all of task.h, as the reader gets it

std::vector<std::string> hints(const Exercise& exercise);

}  // namespace heed::course
