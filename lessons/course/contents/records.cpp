#include "lessons/course/contents/records.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "autograd/base/input_file.h"

namespace heed::course {
namespace {

using Fields = std::vector<std::string>;

// Calls f with the fields of each line of .heed/NAME that has `count` of them.
void for_each_line(const std::string& root, const std::string& name, std::size_t count,
                   const std::function<void(const Fields&)>& f) {
    std::istringstream lines(record_text(root, name));
    for (std::string line; std::getline(lines, line);) {
        Fields fields{""};
        for (const char c : line)
            if (c == '\t')
                fields.emplace_back();
            else
                fields.back() += c;
        if (fields.size() == count) f(fields);
    }
}

bool is_whole(const std::string& text) {
    return !text.empty() && text.size() < 10 &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// What a record calls a lesson: "11", "W3".
bool is_lesson(const std::string& text) {
    return is_whole(text.starts_with("W") ? text.substr(1) : text);
}

// Digits, and digits after a point: neither inf nor 1e999.
bool is_decimal(const std::string& text) {
    const std::size_t point = text.find('.');
    return is_whole(text.substr(0, point)) &&
           (point == std::string::npos || is_whole(text.substr(point + 1)));
}

// Lesson, name, date, seconds, claims that held, claims, quick or full.
bool is_run(const Fields& run) {
    return is_lesson(run[0]) && is_decimal(run[3]) && is_whole(run[4]) && is_whole(run[5]) &&
           (run[6] == "full" || run[6] == "quick");
}

// Lesson, question, guess, confidence in percent, truth, right (1 or 0), date.
bool is_guess(const Fields& guess) {
    return is_decimal(guess[3]) && std::atof(guess[3].c_str()) <= 100 &&
           (guess[5] == "0" || guess[5] == "1");
}

// ID, name, date, event.
bool is_event(const Fields& event) {
    return !event[1].empty() && (event[3] == "tried" || event[3] == "hint" || event[3] == "solved");
}

// As record_run() of exercise/open_experiment.h writes it; small numbers have an exponent.
bool is_experiment(const Fields& run) {
    const auto is_number = [](const std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return !text.empty() && *end == '\0' && std::isfinite(value);
    };
    return !run[0].empty() && is_whole(run[3]) && run[3] != "0" && is_number(run[4]) &&
           is_whole(run[5]) && is_whole(run[6]) && is_number(run[7]);
}

}  // namespace

std::string record_text(const std::string& root, const std::string& name) {
    const std::string path = root + "/.heed/" + name;
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) ? read_regular_file(path) : "";
}

void for_each_experiment(const std::string& root, const std::function<void(const Fields&)>& f) {
    for_each_line(root, "experiments.tsv", 9, [&](const Fields& run) {
        if (is_experiment(run)) f(run);
    });
}

std::map<std::string, int> damaged_lines(const std::string& root) {
    struct Kind {
        const char* name;
        std::size_t count;
        bool (*is_sound)(const Fields&);
    };
    const Kind kinds[] = {
        {"progress.tsv", 7, is_run},
        {"predictions.tsv", 7, is_guess},
        {"exercises.tsv", 4, is_event},
        {"experiments.tsv", 9, is_experiment},
        {"milestones.tsv", 4, [](const Fields& line) { return !line[0].empty(); }}};
    std::map<std::string, int> all;
    for (const Kind& kind : kinds) {
        std::istringstream lines(record_text(root, kind.name));
        int damaged = 0;
        for (std::string line; std::getline(lines, line);) ++damaged;
        for_each_line(root, kind.name, kind.count,
                      [&](const Fields& fields) { damaged -= kind.is_sound(fields); });
        if (damaged > 0) all[kind.name] = damaged;
    }
    return all;
}

std::map<std::string, Passed> passed_lessons(const std::string& root) {
    std::map<std::string, Passed> all;
    for_each_line(root, "progress.tsv", 7, [&](const Fields& run) {
        if (!is_run(run) || std::atoi(run[5].c_str()) == 0 || run[4] != run[5]) return;
        Passed& lesson = all[run[1]];
        const bool full = run[6] == "full";
        if (full || !lesson.full) lesson.seconds = std::atof(run[3].c_str());
        lesson.full = lesson.full || full;
    });
    return all;
}

std::map<std::string, LessonRecord> lesson_records(const std::string& root) {
    std::map<std::string, LessonRecord> all;
    std::map<LessonNumber, std::string> names;
    for_each_line(root, "progress.tsv", 7, [&](const Fields& run) {
        if (!is_run(run)) return;
        LessonRecord& lesson = all[run[1]];
        names[LessonNumber::from(run[0])] = run[1];
        ++(run[6] == "full" ? lesson.full : lesson.quick);
        lesson.last = run[2].substr(0, 10);
        lesson.seconds = std::atof(run[3].c_str());
        lesson.held = std::atoi(run[4].c_str());
        lesson.claims = std::atoi(run[5].c_str());
    });
    std::set<std::pair<std::string, std::string>> seen;  // only the first answer counts
    for_each_line(root, "predictions.tsv", 7, [&](const Fields& guess) {
        const auto name = names.find(LessonNumber::from(guess[0]));
        if (name == names.end() || !seen.emplace(guess[0], guess[1]).second) return;
        ++all[name->second].guesses;
        all[name->second].right += guess[5] == "1";
    });
    return all;
}

std::map<std::string, ExerciseRecord> exercise_records(const std::string& root) {
    std::map<std::string, ExerciseRecord> all;
    for_each_line(root, "exercises.tsv", 4, [&](const Fields& event) {
        ExerciseRecord& exercise = all[event[1]];
        exercise.tried += event[3] == "tried";
        exercise.hints += event[3] == "hint";
        if (event[3] == "solved" && exercise.solved.empty())
            exercise.solved = event[2].substr(0, 10);
    });
    return all;
}

std::map<std::string, Milestone> milestones(const std::string& root) {
    std::map<std::string, Milestone> all;
    for_each_line(root, "milestones.tsv", 4, [&](const Fields& line) {
        all.emplace(line[0], Milestone{line[1].substr(0, 10), line[2], line[3]});
    });
    return all;
}

std::map<LessonNumber, int> solved_exercises(const std::string& root) {
    std::set<std::pair<std::string, std::string>> counted;
    std::map<LessonNumber, int> all;
    // ID, name, date, event. An exercise is counted once, however often it is solved.
    for_each_line(root, "exercises.tsv", 4, [&](const Fields& event) {
        if (event[3] == "solved" && counted.emplace(event[0], event[1]).second)
            ++all[LessonNumber::from(event[0])];
    });
    return all;
}

std::string Calibration::verdict() const {
    const double off = right - sure;
    if (made < 8 || off * off <= 4 * variance) return "";
    return off < 0 ? "too sure" : "not sure enough";
}

Calibration calibration(const std::string& root) {
    std::set<std::pair<std::string, std::string>> seen;
    Calibration all;
    for_each_line(root, "predictions.tsv", 7, [&](const Fields& guess) {
        if (!is_guess(guess) || !seen.emplace(guess[0], guess[1]).second) return;
        const double p = std::atof(guess[3].c_str()) / 100;
        ++all.made;
        all.right += guess[5] == "1";
        all.sure += p;
        all.variance += p * (1 - p);
    });
    return all;
}

}  // namespace heed::course
