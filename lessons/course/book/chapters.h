// What the book consists of: the lessons, and the source of the libraries as chapters, one folder each.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"

namespace heed::course {

struct LessonPage {
    std::string folder, title, source;  // 10_scores; the text of its lesson.cpp
    std::string file() const { return folder + ".html"; }
    LessonNumber number() const { return LessonNumber::from(folder); }
    std::string name() const { return folder.substr(folder.find('_') + 1); }  // scores
};

// Those below root/lessons, in their order.
std::vector<LessonPage> lessons_in(const std::string& root);

struct Chapter {
    std::string folder;              // autograd/tensor
    std::vector<std::string> files;  // in reading order
    std::string file() const;        // of its page
};

// A library's own header names its folders in reading order, and the header of a folder its files. Each .cpp
// follows its header.
std::vector<Chapter> chapters_in(const std::string& root);

// The first sentence of the comment at the top of a source file; empty if there is none.
std::string first_sentence(const std::string& source);

// The bytes of a file; empty if it cannot be read.
std::string contents(const std::string& path);

}  // namespace heed::course
