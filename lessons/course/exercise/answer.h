// The file that a reader writes, as text: what it includes, and the program that judges it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// The text with comments and string literals replaced by spaces; lines stay where they are.
std::string without_comments(std::string_view source);

// One answer to an exercise, in a namespace of its own, so that a program can judge several.
struct Answer {
    std::string name;  // of the namespace
    std::string file;
};

// The source of a program that judges the answers, one after another: for the reader one, and for the
// tests the untouched task, the solution and all wrong answers. The includes of all files stand at the
// top, outside the namespaces. Errors of the compiler name the reader's file and line.
std::string judging_program(const std::vector<Answer>& answers, const std::string& judge_file);

// The source of a program that uses several answers: the includes of all, each answer in its
// namespace, and then `program`.
std::string joined_program(const std::vector<Answer>& answers, const std::string& program);

}  // namespace heed::course
