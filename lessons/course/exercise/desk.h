// ./heed exercise as far as nothing has to be judged: the list, a task, hints, the solution. ./heed does this
// itself, so that no reader waits for a build to read a task.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lessons/course/exercise/exercise.h"

namespace heed::course {

// The words after ./heed exercise.
struct ExerciseRequest {
    std::string root, id;
    bool help = false, watch = false, hint = false, solution = false, reset = false;
    std::string mine{};                    // the program of --mine translator or --mine gpt
    std::vector<std::string> arguments{};  // after it
};

// Throws heed::Error at a word that is not known.
ExerciseRequest read_request(const std::string& root, const std::vector<std::string>& words);

// Does what was asked for and returns the exit status; nothing if a file of the reader has to be judged.
std::optional<int> serve_without_judge(const ExerciseRequest& request);

// The exercise that was asked for: 10.1, its name, or the next one of lesson 10.
const Exercise& wanted_exercise(const ExerciseRequest& request, const std::vector<Exercise>& all);

// The reader's file, in my/, which git ignores.
std::string file_of(const ExerciseRequest& request, const Exercise& exercise);

// Puts a file into my/. One of this name that is there already is kept under another name, which is said.
void put_into_my(const std::string& root, const std::string& name, const std::string& text);

// Puts the task there.
void begin_exercise(const ExerciseRequest& request, const Exercise& exercise);

void show_task(const Exercise& exercise);

// Whether the reader has written nothing yet, which it says then.
bool is_as_given(const ExerciseRequest& request, const Exercise& exercise);

// The hints that were shown before, and one more.
void show_hint(const ExerciseRequest& request, const Exercise& exercise);

// Notes what the reader has done; says so if it cannot be noted.
void note_event(const Exercise& exercise, const std::string& event);

}  // namespace heed::course
