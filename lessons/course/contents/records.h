// What the reader has done, from the records that runs leave in .heed/ (report/files.h). Damaged lines
// are passed over: a record that cannot be read must not keep anybody from a lesson.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"

namespace heed::course {

// The text of .heed/NAME; empty if there is none yet. Throws InputError if something else than a record stands there.
std::string record_text(const std::string& root, const std::string& name);

// Calls f with the fields of each sound line of .heed/experiments.tsv (exercise/open_experiment.h): name, date,
// version, first seed, by, seeds, kept, luck, hypothesis.
void for_each_experiment(const std::string& root,
                         const std::function<void(const std::vector<std::string>&)>& f);

// How many lines of each record cannot be read: {{"exercises.tsv", 2}}. ./heed progress tells.
std::map<std::string, int> damaged_lines(const std::string& root);

// The runs of one lesson in which all claims held.
struct Passed {
    bool full = false;   // there was one in full: the lesson is done
    double seconds = 0;  // of the last one; a full run counts before a quick one
};

// By the name of the lesson, because lessons may get other numbers.
std::map<std::string, Passed> passed_lessons(const std::string& root);

// All that the records say about a lesson.
struct LessonRecord {
    int quick = 0, full = 0;   // runs
    std::string last{};        // the day of the last one, 2025-11-20
    int held = 0, claims = 0;  // of it
    double seconds = 0;        // of it
    int guesses = 0, right = 0;
};
std::map<std::string, LessonRecord> lesson_records(const std::string& root);  // by its name

// All that they say about an exercise.
struct ExerciseRecord {
    int tried = 0, hints = 0;  // before it was solved, and after
    std::string solved{};      // the day on which it was for the first time; empty if it is not
};
std::map<std::string, ExerciseRecord> exercise_records(const std::string& root);  // by its name

// What the reader's own programs have reached (lessons/mine), by its name: the first time, and what was measured.
struct Milestone {
    std::string date{}, commit{}, measured{};  // 2025-11-20, 8a3201b, "0.955"
};
std::map<std::string, Milestone> milestones(const std::string& root);

// How many exercises of each lesson, by its number, are solved.
std::map<LessonNumber, int> solved_exercises(const std::string& root);

// The reader's predictions: how many, the share that was right, and how sure the reader was. Only the first
// answer to a question counts, because on a second run the reader knows the result. Of n guesses with
// confidences p, well calibrated ones have sum p right, with a standard deviation of sqrt(sum p (1 - p)).
struct Calibration {
    int made = 0;
    double right = 0, sure = 0, variance = 0;

    // From eight guesses on, a deviation of more than two standard deviations: "too sure".
    std::string verdict() const;
};
Calibration calibration(const std::string& root);

}  // namespace heed::course
