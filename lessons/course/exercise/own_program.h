// The programs that grow with the exercises. The reader's answers are joined to a check of the tape (./heed
// learn 3 --mine), a translator (11 --mine), an eye (16 --mine), a GPT (23 --mine) and a published model (./heed
// chat FILE --mine). Where there is no answer yet, our solution is used.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/workshop.h"

namespace heed::course {

struct OwnPart {
    std::string exercise;  // its name, "softmax_without_overflow"
    std::string what;      // "softmax"
    // In a program that can also run with mistakes: how the function of a namespace {} gets its place,
    // "norm = {}::my_rms_norm".
    std::string place{};
};

struct OwnProgram {
    std::string name;  // "tape", "translator", "eyes", "gpt" or "chat": lessons/mine/NAME.cpp
    std::vector<OwnPart> parts;  // in the order of the course
};

// Throws heed::Error for another name.
const OwnProgram& own_program(const std::string& name);

// The reader's file for an exercise that the reader has solved; empty otherwise.
using FileOf = std::function<std::string(const Exercise&)>;

// The source of the program. Throws heed::Error if one of its exercises is missing in `all`. With a folder
// for them, it has for each exercise our solution, without words, and then its wrong answers:
//
//     each_answer([&](const char* exercise, const char* words, auto&& put) { put(parts); ... });
std::string own_program_source(const OwnProgram& program, const std::vector<Exercise>& all,
                               const FileOf& file_of, const std::string& folder_of_mistakes = "");

// Compiles and runs it with these arguments. What it learns is kept in root/my, and its output goes to the
// terminal. Returns its exit status, 0 if the parts give what the library gives.
int run_own_program(const OwnProgram& program, const std::vector<Exercise>& all,
                    const FileOf& file_of, const Tools& tools, const std::string& root,
                    const std::vector<std::string>& arguments);

}  // namespace heed::course
