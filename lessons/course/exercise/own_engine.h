// The reader's own engine: the exercises that build on each other, from the tape to the cache,
// joined to a program that trains the GPT of lesson {language_model} (./heed learn 23 --mine).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/workshop.h"

namespace heed::course {

struct EnginePart {
    std::string exercise;  // "05.1"
    std::string name;      // "softmax"
};

// In the order of the course.
const std::vector<EnginePart>& engine_parts();

// The reader's file for an exercise that the reader has solved; empty otherwise.
using FileOf = std::function<std::string(const Exercise&)>;

// The source of the program. A part that the reader has not written is the solution of its
// exercise. Throws heed::Error if one of `all` is missing.
std::string own_engine_program(const std::vector<Exercise>& all, const FileOf& file_of);

// Compiles and runs it with these arguments; output goes to the terminal. Returns the exit status:
// 0 if it gives the same losses as the library's model.
int train_own_engine(const std::vector<Exercise>& all, const FileOf& file_of, const Tools& tools,
                     const std::vector<std::string>& arguments);

}  // namespace heed::course
