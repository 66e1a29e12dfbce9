// The file that a reader writes, and the programs that it becomes a part of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

// The text with comments and string literals replaced by spaces; lines stay where they are.
std::string without_comments(std::string_view source);

// One answer to an exercise.
struct Answer {
    std::string name;     // of the namespace that it gets, so that a program can have several
    std::string file;     // the reader's
    std::string judge{};  // judge.cpp of the exercise; joined_program needs none
};

// The source of a program that judges one of these answers, the one that its argument names. Each is
// included together with its judge, in a namespace; what they include themselves is included before,
// outside of the namespaces. Macros of an answer end with it. Errors of the compiler name the reader's file and line.
std::string judging_program(const std::vector<Answer>& answers);

// The source of a program that uses several answers: each in its namespace, without judges, and then
// `program`.
std::string joined_program(const std::vector<Answer>& answers, const std::string& program);

}  // namespace heed::course
