// ./heed and ./heed help: one screen each. Where the window is too low for a line a lesson, the lessons stand
// side by side, by their short names; where it is lower still, there is a line for each part.
#include <fmt/format.h>

#include <algorithm>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/records.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "lessons/course/story/telling.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"
#include "lessons/heed/commands.h"

namespace heed::course {
namespace {

constexpr const char* commands =
    "Commands\n"
    "  ./heed learn [N]             run lesson N, or the first one that is not done\n"
    "  ./heed exercise [ID]         write a part yourself and have it judged (10.1); or list them "
    "all\n"
    "  ./heed experiment [NAME]     a hypothesis of your own, judged by twenty seeds; or list them\n"
    "  ./heed progress              what you have run, written and guessed (--csv, --html)\n"
    "  ./heed book [N]              write the course, or lesson N, as pages for a browser\n"
    "  ./heed gradcheck [FILTER]    check all gradients numerically (--order 2, --list, --ulp)\n"
    "  ./heed chat MODEL            talk with a published model, a GGUF file or a folder (--mine)\n"
    "  ./heed run FILE.cpp [ARGS]   compile and run a file of your own\n"
    "  ./heed new KIND NAME         begin a lesson, an exercise or a figure of your own\n"
    "  ./heed test [FILTER]         build and run all tests\n"
    "  ./heed bench [FILTER]        run the benchmarks (--against pytorch compares)\n"
    "  ./heed help                  list the commands and their options\n"
    "  ./heed --version             the version and the commit\n";

constexpr const char* short_commands =
    "Commands\n"
    "  ./heed learn [N], exercise [ID], experiment [NAME], progress, book [N], gradcheck [FILTER], "
    "chat MODEL, run FILE.cpp, new KIND NAME, test, bench. ./heed help explains them.\n";

constexpr const char* options =
    "\n"
    "Options of every lesson\n"
    "  --quick          a short run of a few seconds\n"
    "  --seed N         the seed of all random numbers\n"
    "  --threads N      the number of threads\n"
    "  --data PATH      your own data, in the format that --help of the lesson gives\n"
    "  --out DIR        the folder for results.json, report.html and the figures (out/NN_name)\n"
    "  --save FILE      save the trained model\n"
    "  --load FILE      load a trained model instead of training one\n"
    "  --repeat N       run with N seeds and show the spread of each claim\n"
    "  --resume DIR     go on with a run that was stopped; DIR is its --out\n"
    "  --no-predict     ask no questions before the run\n"
    "  --no-text        print only what is measured, as into a file or a pipe\n"
    "  --with-text      print the text of the lesson there, too\n"
    "  --help           list all options of this lesson\n"
    "\n"
    "A test FILTER is a Catch2 test spec, such as '[grad]' or 'matmul*'. Tags in use: [grad] "
    "[laws] [parity] [errors] [lesson] [data].\n"
    "Exit status: 0 if all claims, checks and tests hold; 1 if one does not; 2 if the command or "
    "its input is wrong.\n"
    "HEED_NO_INSTALL=1 installs nothing and prints the line to run instead. NO_COLOR=1 shows no "
    "colours; the lines of a plot are letters then.\n";

std::string time_taken(int seconds) {
    if (seconds < 60) return seconds < 1 ? "under 1 s" : fmt::format("{} s", seconds);
    return seconds % 60 == 0 ? fmt::format("{} min", seconds / 60)
                             : fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

// A tick if it is done, the title, the time it takes, and how many of its exercises are written.
struct Row {
    bool done;
    LessonNumber number;
    std::string title, time;
};

std::vector<Row> rows_of(const std::string& root) {
    const auto passed = passed_lessons(root);
    const auto solved = solved_exercises(root);
    std::vector<Row> rows;
    for (const ListedLesson& lesson : course_lessons(root)) {
        Row row{false, lesson.number(), lesson_title(root, lesson), about(lesson.seconds)};
        if (const auto run = passed.find(lesson.name()); run != passed.end()) {
            row.done = run->second.full;
            row.time = time_taken(static_cast<int>(run->second.seconds + 0.5)) +
                       (row.done ? "" : " in quick mode");
        }
        if (const auto count = solved.find(row.number); count != solved.end())
            row.time += fmt::format(", {} written", count->second);
        rows.push_back(row);
    }
    return rows;
}

std::string lesson_list(const std::string& root, int width) {
    const std::vector<Row> rows = rows_of(root);
    int longest = 0;
    for (const Row& row : rows) longest = std::max(longest, display_width(row.title));
    std::string list;
    for (const Row& row : rows) {
        if (row.number == LessonNumber::of_workshop(1)) list += "Workshops, beside the path\n";
        const std::string head =
            fmt::format("  {} {:<3} {}", row.done ? "✓" : " ", row.number.padded(), row.title);
        const std::string gap(longest - display_width(row.title) + 3, ' ');
        if (longest + 35 <= width)
            list += head + gap + row.time + "\n";
        else if (display_width(head) + display_width(row.time) + 3 <= width)
            list += fmt::format("{} ({})\n", head, row.time);
        else
            list += fmt::format("{}\n        ({})\n", head, row.time);
    }
    return list;
}

// The lessons by their short names, in columns: "✓ 17 query key value".
std::string lesson_columns(const std::string& root, int width) {
    const auto passed = passed_lessons(root);
    Words names;
    int widest = 0;
    for (const ListedLesson& lesson : course_lessons(root)) {
        const auto run = passed.find(lesson.name());
        std::string name = shorten(lesson.name(), 17);
        std::replace(name.begin(), name.end(), '_', ' ');
        names.push_back(fmt::format("  {} {} {}",
                                    run != passed.end() && run->second.full ? "✓" : " ",
                                    lesson.number().padded(), name));
        widest = std::max(widest, display_width(names.back()));
    }
    const std::size_t columns =
                          static_cast<std::size_t>(std::clamp(width / std::max(widest, 1), 1, 4)),
                      rows = (names.size() + columns - 1) / columns;
    std::string list;
    for (std::size_t row = 0; row < rows; ++row) {
        std::string line;
        for (std::size_t i = row; i < names.size(); i += rows)
            line += i + rows < names.size() ? pad(names[i], widest) : names[i];
        list += line + "\n";
    }
    return list;
}

// The parts, a line each, with a tick or a dot for each lesson: "  09-13  Soft attention      ✓✓···".
std::string part_list(const std::string& root, int width) {
    const auto passed = passed_lessons(root);
    std::string list;
    for (const CoursePart& part : course_parts(root)) {
        if (part.lessons.empty()) continue;
        const std::string first = part.lessons.front().number().padded(),
                          last = part.lessons.back().number().padded();
        std::string marks;
        for (const ListedLesson& lesson : part.lessons) {
            const auto run = passed.find(lesson.name());
            marks += run != passed.end() && run->second.full ? "✓" : "·";
        }
        const int room = width < 50 ? 18 : 26;
        const std::string title = shorten(part.title.empty() ? "Lessons" : part.title, room);
        list += fmt::format("  {} {} {}\n", pad(first == last ? first : first + "-" + last, 6),
                            pad(title, room), marks);
    }
    return list;
}

// What comes next, how long it takes, and how far the reader is.
std::string next_line(const std::string& root) {
    std::vector<ListedLesson> all = course_lessons(root);  // of the path
    std::erase_if(all, [](const ListedLesson& lesson) { return lesson.number().workshop; });
    const auto passed = passed_lessons(root);
    const auto is_done = [&](const ListedLesson& lesson) {
        const auto run = passed.find(lesson.name());
        return run != passed.end() && run->second.full;
    };
    const auto done = std::count_if(all.begin(), all.end(), is_done);
    const auto next = std::find_if_not(all.begin(), all.end(), is_done);
    if (next == all.end()) return "All lessons are done.\n";
    int words = 0;
    for (const Passage& passage : passages_of(source_of_lesson(next->number()), next->name()))
        words += words_in(passage.text);
    return fmt::format(
        "Next: ./heed learn {} ({} min to read, {} to compute). {} of {} lessons are done.\n",
        next->number(), minutes_to_read(words), about(next->seconds), done, all.size());
}

std::string predictions(const std::string& root) {
    const Calibration all = calibration(root);
    if (all.made == 0) return "";
    const std::string verdict = all.verdict();
    return fmt::format("Your predictions: {} made, {:.0f} % right; you were {:.0f} % sure{}\n",
                       all.made, 100 * all.right / all.made, 100 * all.sure / all.made,
                       verdict.empty() ? "" : ": " + verdict);
}

}  // namespace

int home(const std::string& root) {
    const Screen screen = screen_of_stdout();
    const auto page = [&](const std::string& lessons, const char* what_else) {
        return fitted(
            "heed: attention, from one derivative to a Transformer.\n"
            "A deep-learning engine in C++20, to be read, and a course built on it.\n"
            "\n" +
                lessons + next_line(root) + predictions(root) + "\n" + what_else,
            screen.limit());
    };
    std::string text =
        page("Lessons\n" + lesson_list(root, screen.window ? screen.width : 100) + "\n", commands);
    if (screen.window && std::count(text.begin(), text.end(), '\n') >= screen.height)
        text = page(lesson_columns(root, screen.width) + "\n", short_commands);
    if (screen.window && std::count(text.begin(), text.end(), '\n') >= screen.height)
        text = fitted("heed: attention, from one derivative to a Transformer.\n\n" +
                          part_list(root, screen.width) + "\n" + next_line(root) +
                          predictions(root) + "\n./heed help lists the commands.\n",
                      screen.limit());
    fmt::print("{}", text);
    return 0;
}

int help() {
    print_in_pages(fitted(std::string(commands) + options, screen_of_stdout().limit()));
    return 0;
}

}  // namespace heed::course
