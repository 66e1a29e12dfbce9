#include "lessons/course/contents/course_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "autograd/base/error.h"

namespace heed::course {
namespace {

// The value of a line `key = "text"` or `key = 12`; false if the line has another key.
bool value_of(const std::string& line, const std::string& key, std::string& value) {
    if (!line.starts_with(key + " = ")) return false;
    value = line.substr(key.size() + 3);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
    return true;
}

}  // namespace

LessonNumber ListedLesson::number() const { return LessonNumber::from(folder); }
std::string ListedLesson::program() const { return "lesson_" + number().file(); }
std::string ListedLesson::name() const { return folder.substr(folder.find('_') + 1); }

bool CoursePart::workshops() const { return !lessons.empty() && lessons.front().number().workshop; }

std::vector<CoursePart> course_parts(const std::string& root) {
    const std::string path = root + "/lessons/course.toml";
    std::ifstream file(path);
    check(file.is_open(), "{}: cannot be opened", path);
    std::vector<CoursePart> parts;
    int number = 0;
    for (std::string line, value; std::getline(file, line);) {
        ++number;
        if (line.empty() || line[0] == '#') continue;
        const bool in_part = !parts.empty(), in_lesson = in_part && !parts.back().lessons.empty();
        if (line == "[[part]]")
            parts.emplace_back();
        else if (line == "[[part.lesson]]" && in_part)
            parts.back().lessons.emplace_back();
        else if (in_part && !in_lesson && value_of(line, "title", value))
            parts.back().title = value;
        else if (in_lesson && value_of(line, "folder", value))
            parts.back().lessons.back().folder = value;
        else if (in_lesson && value_of(line, "sentence", value))
            parts.back().lessons.back().sentence = value;
        else if (in_lesson && value_of(line, "needs", value))
            parts.back().lessons.back().needs = value;
        else if (in_lesson && value_of(line, "seconds", value))
            parts.back().lessons.back().seconds = std::atoi(value.c_str());
        else
            fail("{}: line {}: expected [[part]], [[part.lesson]] or one of their keys", path,
                 number);
    }
    return parts;
}

std::vector<ListedLesson> course_lessons(const std::string& root) {
    std::vector<ListedLesson> all;
    for (const CoursePart& part : course_parts(root))
        all.insert(all.end(), part.lessons.begin(), part.lessons.end());
    return all;
}

const ListedLesson* find_lesson(const std::vector<ListedLesson>& lessons,
                                const std::string& wanted) {
    for (const ListedLesson& lesson : lessons) {
        const LessonNumber number = lesson.number();
        if (wanted == number.typed() || wanted == number.padded() || wanted == number.file() ||
            wanted == lesson.name() || wanted == lesson.folder)
            return &lesson;
    }
    return nullptr;
}

const ListedLesson* lesson_after(const std::vector<ListedLesson>& lessons, LessonNumber number) {
    for (std::size_t i = 0; i + 1 < lessons.size(); ++i)
        if (lessons[i].number() == number)
            return lessons[i + 1].number().workshop ? nullptr : &lessons[i + 1];
    return nullptr;
}

std::string lesson_title(const std::string& root, const ListedLesson& lesson) {
    std::ifstream file(root + "/lessons/" + lesson.folder + "/lesson.cpp");
    std::string line;
    std::getline(file, line);
    return line.starts_with("//! # ") ? line.substr(6) : "";
}

std::string about(int seconds) {
    if (seconds < 90) return fmt::format("about {} s", seconds);
    return fmt::format("about {} min", (seconds + 30) / 60);
}

std::string course_table(const std::string& root) {
    const std::vector<ListedLesson> all = course_lessons(root);
    const auto workshops = std::count_if(all.begin(), all.end(), [](const ListedLesson& lesson) {
        return lesson.number().workshop;
    });
    std::string table = fmt::format(
        "{} lessons, to be read in their order, and {} workshops (W1, W2, ...) for readers who want "
        "to know more:\n\n| | lesson | what you learn |\n| --- | --- | --- |\n",
        std::ssize(all) - workshops, workshops);
    for (const CoursePart& part : course_parts(root)) {
        table += fmt::format("| | **{}** | |\n", part.title);
        for (const ListedLesson& lesson : part.lessons)
            table += fmt::format("| {} | [{}]({}/lesson.cpp) | {} |\n", lesson.number().padded(),
                                 lesson_title(root, lesson), lesson.folder, lesson.sentence);
    }
    return table;
}

std::string home_folder() {
    const char* value = std::getenv("HEED_HOME");
    return value ? value : "";
}

}  // namespace heed::course
