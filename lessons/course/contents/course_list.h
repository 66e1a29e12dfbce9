// The list of the course, lessons/course.toml: its parts, and of each lesson the folder, a sentence, the
// time it takes and what it needs. Everything that counts or lists lessons reads it here.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"

namespace heed::course {

struct ListedLesson {
    std::string folder{};    // 10_scores
    std::string sentence{};  // what one learns
    std::string needs{};     // the highest library it uses: autograd, nn or attention
    int seconds = 0;         // of a full run on two cores

    LessonNumber number() const;  // 10
    std::string program() const;  // lesson_10
    std::string name() const;     // scores
};

struct CoursePart {
    std::string title{};
    std::vector<ListedLesson> lessons{};

    bool workshops() const;  // lessons beside the path, in any order
};

// Of the tree below `root`. Throws heed::Error with the line if the file is damaged.
std::vector<CoursePart> course_parts(const std::string& root);
std::vector<ListedLesson> course_lessons(const std::string& root);  // of all parts, in their order

// What follows lesson `number` on the path; null after its last lesson and after a workshop.
const ListedLesson* lesson_after(const std::vector<ListedLesson>& lessons, LessonNumber number);

// The lesson called "11", "W3", "translation" or "11_translation"; null if there is none.
const ListedLesson* find_lesson(const std::vector<ListedLesson>& lessons,
                                const std::string& wanted);

// The title in the first line of its text, "//! # Which score function?"; empty without a text.
std::string lesson_title(const std::string& root, const ListedLesson& lesson);

// "about 45 s", "about 3 min"
std::string about(int seconds);

// The table of lessons/README.md.
std::string course_table(const std::string& root);

// $HEED_HOME, the tree the reader works in; empty if it is not set.
std::string home_folder();

}  // namespace heed::course
