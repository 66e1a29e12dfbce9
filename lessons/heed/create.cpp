// ./heed new lesson NAME, workshop NAME, exercise LESSON/NAME, figure LESSON/NAME: a skeleton from lessons/heed/skeleton
// that already passes the tests. In it, @NAME@ and its like stand for what is different each time.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "autograd/base/error.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/report/files.h"
#include "lessons/heed/commands.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;
using Values = std::map<std::string, std::string>;

constexpr const char* usage_of_new =
    "./heed new lesson NAME | workshop NAME | exercise LESSON/NAME | figure LESSON/NAME, for example\n"
    "./heed new lesson circuits, ./heed new exercise 10_scores/softer_scores";

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    write_file(path.string(), text);
}

// A name of a file: small letters, digits and underlines.
void check_name(const std::string& name) {
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::islower(c) || std::isdigit(c) || c == '_';
    });
    check(name.size() <= 60, "new: expected a name of at most 60 letters, found {}", name.size());
    check(plain, "new: expected a name of small letters, digits and _, found '{}'", name);
}

// "softer_scores" as a title: "Softer scores".
std::string title_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(name[0]));
    return name;
}

void copy_skeleton(const Place& place, const std::string& file, const fs::path& to,
                   const Values& values) {
    if (fs::exists(to)) fail("{}: is there already", to.string());
    std::string text = text_of(place.root + "/lessons/heed/skeleton/" + file + ".txt");
    check(!text.empty(), "new: lessons/heed/skeleton/{}.txt: cannot be read", file);
    for (const auto& [key, value] : values) {
        const std::string mark = "@" + key + "@";
        for (std::size_t at; (at = text.find(mark)) != std::string::npos;)
            text.replace(at, mark.size(), value);
    }
    write(to, text);
    fmt::print("{}\n", fs::relative(to, place.root).string());
}

// A file that was there before and is changed.
void say_changed(const Place& place, const fs::path& file, const char* what) {
    fmt::print("{}: {}\n", fs::relative(file, place.root).string(), what);
}

std::string folder_of_exercises(const Place& place, const std::string& lesson) {
    return place.root + "/lessons/" + lesson + "/exercises";
}

void new_exercise(const Place& place, const std::string& lesson, const std::string& name) {
    int number = 1;
    const fs::path folder = folder_of_exercises(place, lesson);
    if (fs::exists(folder))
        for (const auto& entry : fs::directory_iterator(folder))
            number = std::max(number, std::atoi(entry.path().filename().c_str()) + 1);
    for (const auto& entry : fs::recursive_directory_iterator(place.root + "/lessons"))
        if (entry.is_directory() && entry.path().parent_path().filename() == "exercises") {
            const std::string other = entry.path().filename().string();
            if (other.substr(other.find('_') + 1) == name && name != "mean")
                fail("new: there is an exercise {} already: {}", name,
                     fs::relative(entry.path(), place.root).string());
        }
    const Values values{{"TITLE", title_of(name)}};
    for (const char* file : {"task.h", "solution.h", "judge.cpp", "hints.md", "wrong.txt"})
        copy_skeleton(place, std::string("exercise/") + file,
                      folder / fmt::format("{}_{}", number, name) / file, values);
}

Values values_of(const std::string& lesson, const std::string& figure) {
    const LessonNumber number = LessonNumber::from(lesson);
    const char* kind = number.workshop ? "workshop" : "lesson";
    return {{"SPACE", kind + (number.workshop ? std::to_string(number.number) : number.padded())},
            {"NUMBER", fmt::format(".{} = {}", number.workshop ? kind : "number", number.number)},
            {"SHORT", number.typed()},
            {"NAME", lesson.substr(lesson.find('_') + 1)},
            {"FIGURE", figure}};
}

// The figure's place in the text is above the closing sections.
void new_figure(const Place& place, const std::string& lesson, const std::string& name) {
    const fs::path page = fs::path(place.root) / "lessons" / lesson / "lesson.cpp";
    std::string text = text_of(page);
    const std::size_t at = text.find("//! ## What this does not show");
    if (at == std::string::npos)
        fail("{}: expected the section 'What this does not show'", page.string());
    copy_skeleton(place, "live.cpp", page.parent_path() / ("live_" + name + ".cpp"),
                  values_of(lesson, name));
    write(page, text.insert(at, fmt::format("//! ![{}.](live:{})\n//!\n", title_of(name), name)));
    say_changed(place, page, "the figure's place in the text");
}

// The last lesson of the path, or the last workshop; its number is one more than the one before.
void new_lesson(const Place& place, std::string name, bool workshop) {
    if (name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0]))) name = name.substr(3);
    check_name(name);
    const std::vector<ListedLesson> all = course_lessons(place.root);
    check(!find_lesson(all, name), "new: there is a lesson {} already", name);
    LessonNumber number = workshop ? LessonNumber::of_workshop(1) : LessonNumber(1);
    for (const ListedLesson& lesson : all)
        if (lesson.number().workshop == workshop) number.number = lesson.number().number + 1;
    const std::string folder = number.file() + "_" + name;
    const fs::path to = fs::path(place.root) / "lessons" / folder;
    for (const char* file : {"lesson.cpp", "live.cpp", "spread.json"})
        copy_skeleton(place, file, to / file, values_of(folder, name));
    new_exercise(place, folder, "mean");

    const std::string list = place.root + "/lessons/course.toml";
    std::string text = text_of(list);
    const std::size_t workshops = text.find("\n[[part]]\ntitle = \"Workshops\"\n");
    const std::string entry = fmt::format(
        "\n[[part.lesson]]\nfolder = \"{}\"\nsentence = \"{}.\"\nseconds = 1\n"
        "needs = \"autograd\"\n",
        folder, title_of(name));
    write(list, text.insert(workshop ? text.size() : std::min(workshops, text.size()), entry));
    const std::string page = place.root + "/lessons/README.md", begin = "<!-- course: begin -->\n",
                      end = "<!-- course: end -->";
    text = text_of(page);
    const std::size_t from = text.find(begin) + begin.size(), until = text.find(end);
    if (from < until && until != std::string::npos) {
        write(page, text.replace(from, until - from, course_table(place.root)));
        say_changed(place, page, "the table");
    }
    say_changed(place, list, "an entry; CONTRIBUTING.md says what comes next");
}

}  // namespace

int create(const Place& place, const Words& words) {
    check(words.size() == 2, "new: expected {}", usage_of_new);
    const std::string& kind = words[0];
    if (kind == "lesson" || kind == "workshop")
        return new_lesson(place, words[1], kind == "workshop"), 0;
    check(kind == "exercise" || kind == "figure", "new: expected {}", usage_of_new);
    const std::size_t slash = words[1].find('/');
    const std::vector<ListedLesson> all = course_lessons(place.root);
    check(slash != std::string::npos, "new: expected LESSON/NAME, found '{}'", words[1]);
    const ListedLesson* lesson = find_lesson(all, words[1].substr(0, slash));
    if (!lesson)
        fail("new: there is no lesson '{}'; ./heed lists all lessons", words[1].substr(0, slash));
    const std::string name = words[1].substr(slash + 1);
    check_name(name);
    if (kind == "exercise")
        new_exercise(place, lesson->folder, name);
    else
        new_figure(place, lesson->folder, name);
    return 0;
}

}  // namespace heed::course
