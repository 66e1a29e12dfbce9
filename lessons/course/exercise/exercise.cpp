#include "lessons/course/exercise/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "lessons/course/contents/references.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// The folders in `path` whose names are a number, an underline and a name, by their numbers.
std::vector<std::pair<LessonNumber, fs::path>> numbered(const fs::path& path) {
    std::vector<std::pair<LessonNumber, fs::path>> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(path, none)) {
        const std::string name = entry.path().filename().string();
        const LessonNumber number = LessonNumber::from(name);
        if (entry.is_directory() && name.starts_with(number.file() + "_"))
            found.emplace_back(number, entry.path());
        else if (entry.is_directory() && name.starts_with(number.typed() + "_"))
            found.emplace_back(number, entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

Exercise read(LessonNumber lesson, int number, const fs::path& folder) {
    const std::string name = folder.filename().string();
    Exercise exercise{lesson, number, name.substr(name.find('_') + 1), folder.string(), {}, 0, 0};
    for (const char* file : {"task.h", "solution.h", "judge.cpp", "hints.md", "wrong.txt"})
        check(fs::exists(folder / file), "{}: there is no {}", exercise.folder, file);
    const std::string text = task_text(exercise);
    std::smatch found;
    check(std::regex_search(text, found, std::regex("^# ([^\n]+)\n")),
          "{}/task.h: expected a first line '//! # Title'", exercise.folder);
    exercise.title = found[1];
    check(std::regex_search(text, found, std::regex("Level ([123]) of 3, about ([0-9]+) minutes")),
          "{}/task.h: expected a line '//! Level N of 3, about M minutes.'", exercise.folder);
    exercise.level = std::stoi(found[1]);
    exercise.minutes = std::stoi(found[2]);
    check(hints(exercise).size() == 3, "{}/hints.md: expected three hints, found {}",
          exercise.folder, hints(exercise).size());
    return exercise;
}

}  // namespace

std::string Exercise::id() const { return fmt::format("{}.{}", lesson.padded(), number); }

std::string Exercise::file_name() const {
    return fmt::format("{}_{}_{}.h", lesson.file(), number, name);
}

std::vector<Exercise> exercises(const std::string& root) {
    std::vector<Exercise> all;
    for (const auto& [lesson, path] : numbered(fs::path(root) / "lessons"))
        for (const auto& [number, folder] : numbered(path / "exercises"))
            all.push_back(read(lesson, number.number, folder));
    return all;
}

std::string task_file(const Exercise& exercise) {
    return with_numbers(read_regular_file(exercise.folder + "/task.h"));
}

std::string task_text(const Exercise& exercise) {
    std::istringstream lines(task_file(exercise));
    std::string text;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("//!"))
            text += line.substr(std::min<std::size_t>(4, line.size())) + "\n";
    return text;
}

std::vector<std::string> hints(const Exercise& exercise) {
    std::istringstream lines(with_numbers(read_regular_file(exercise.folder + "/hints.md")));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## "))
            all.emplace_back();
        else if (!all.empty())
            all.back() += line + "\n";
    }
    return all;
}

}  // namespace heed::course
