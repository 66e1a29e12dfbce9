#include "lessons/course/book/exercise_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "autograd/base/input_file.h"
#include "lessons/course/exercise/record.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/story/highlight.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

std::string facts_html(const Exercise& exercise) {
    return fmt::format(
        "<p class=\"facts\"><code>./heed exercise {}</code> <i>·</i> level {} of 3 <i>·</i> about "
        "{} minutes</p>\n",
        exercise.id(), exercise.level, exercise.minutes);
}

std::string folded(const std::string& title, const std::string& body) {
    return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", title, body);
}

std::string code_html(const std::string& title, const std::string& source, bool open) {
    std::string code;
    for (const Passage& passage : passages_of("//! .\n" + source, "")) code += passage.code;
    return fmt::format(
        "<details class=\"code\"{}>\n<summary>{}</summary>\n<pre>{}</pre>\n</details>\n",
        open ? " open=\"\"" : "", title, highlighted(code));
}

// The task without its title and the line with its level, which facts_html() shows.
std::string task_prose(const Exercise& exercise) {
    std::istringstream lines(task_text(exercise));
    std::string text;
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("# ") && !line.starts_with("Level ")) text += line + "\n";
    return text;
}

std::string tick(const Exercise& exercise, const std::string& root) {
    return solved(root, exercise) ? " <small class=\"good\">✓ solved</small>" : "";
}

std::string exercise_html(const Exercise& exercise, const std::string& root) {
    std::string body =
        fmt::format("<h3 id=\"{}\">{} {}{}</h3>\n", anchor_of_exercise(exercise), exercise.id(),
                    markup_to_html(exercise.title), tick(exercise, root)) +
        facts_html(exercise) + prose_html(task_prose(exercise)) +
        code_html("What is given", task_file(exercise), true);
    int number = 0;
    for (const std::string& hint : hints(exercise))
        body += folded(fmt::format("Hint {}", ++number), prose_html(hint));
    return body + code_html("One way to write it",
                            read_regular_file(exercise.folder + "/solution.h"), false);
}

}  // namespace

std::string anchor_of_exercise(const Exercise& exercise) {
    return fmt::format("exercise-{}-{}", exercise.lesson.typed(), exercise.number);
}

std::string lesson_exercises_html(const std::vector<Exercise>& all, LessonNumber lesson,
                                  const std::string& root) {
    std::string body;
    for (const Exercise& exercise : all)
        if (exercise.lesson == lesson) body += exercise_html(exercise, root);
    if (body.empty()) return "";
    return "<h2 id=\"exercises\">Exercises</h2>\n"
           "<p>The command copies the task into a file of your own, compiles it and judges it. It "
           "is done on a terminal, because a page cannot compile C++.</p>\n" +
           body;
}

std::string exercise_list_html(const std::vector<Exercise>& all,
                               const std::vector<LessonPage>& lessons, const std::string& root) {
    const auto done =
        std::count_if(all.begin(), all.end(), [&](const Exercise& e) { return solved(root, e); });
    std::string body = fmt::format(
        "<p>{} exercises, of which you have solved {}. Each is written in a file of your own and "
        "judged by a command, such as <code>./heed exercise 02.1</code>.</p>\n",
        all.size(), done);
    for (const LessonPage& lesson : lessons) {
        std::string rows;
        for (const Exercise& exercise : all) {
            if (exercise.lesson != lesson.number()) continue;
            const bool is_solved = solved(root, exercise);
            rows += fmt::format(
                "<li{}><span class=\"number\">{}</span> <a href=\"{}#{}\">{}</a><br/>"
                "<small>level {} of 3 <i>·</i> {} min{}</small></li>\n",
                is_solved ? " class=\"done\"" : "", exercise.id(), escape(lesson.file()),
                anchor_of_exercise(exercise), markup_to_html(exercise.title), exercise.level,
                exercise.minutes, is_solved ? " <i>·</i> <b>✓ solved</b>" : "");
        }
        if (!rows.empty())
            body += fmt::format(
                "<h2 id=\"lesson-{0}\">{0}. {1}</h2>\n<ul class=\"lessons\">\n{2}</ul>\n",
                lesson.number().typed(), markup_to_html(lesson.title), rows);
    }
    return body;
}

}  // namespace heed::course
