#include "lessons/course/book/index_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/records.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "lessons/course/story/telling.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

std::string page_link(const std::string& file, const std::string& text) {
    return fmt::format("<a href=\"{}\">{}</a>", escape(file), markup_to_html(text));
}

std::string counted(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// A figure of the reader's own run, or else of ours, which the tree keeps for README.md; empty if it is
// not there.
std::string picture(const BookFolders& folders, const LessonPage& lesson, const std::string& yours,
                    const std::string& ours, const std::string& about) {
    std::string svg = contents(fmt::format("{}/{}/{}", folders.runs, lesson.folder, yours));
    const bool own = !svg.empty(),
               recorded = own && lesson_records(folders.root).contains(lesson.name());
    if (!own) svg = contents(fmt::format("{}/lessons/{}/{}", folders.root, lesson.folder, ours));
    svg = svg.substr(std::min(svg.find("<svg"), svg.size()));
    if (const std::size_t style = svg.find("<style>"); style != std::string::npos)
        svg.erase(style, svg.find("</style>") + 8 - style);  // the page has it
    if (svg.empty()) return "";
    if (svg.find("<desc>") == std::string::npos)
        svg.insert(svg.find('>') + 1, "<desc>" + escape(about) + "</desc>");
    return fmt::format(
        "<figure>\n<div class=\"panels\">\n<div class=\"panel\">\n{}</div>\n</div>\n"
        "<figcaption>{} From {} run of {}.</figcaption>\n</figure>\n",
        svg, about,
        recorded ? "your"
        : own    ? "a"
                 : "our",
        page_link(lesson.file(), lesson.number().titled()));
}

const LessonPage* page_of(const std::vector<LessonPage>& lessons, const ListedLesson& listed) {
    const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const LessonPage& page) {
        return page.folder == listed.folder;
    });
    return found == lessons.end() ? nullptr : &*found;
}

// Facts with a dot between two of them. A narrow page may break the line at a dot and not inside a fact.
std::string whole_items(const std::string& facts) {
    const std::string dot = " <i>·</i> ";
    std::string items = "<span class=\"whole\">";
    for (std::size_t at = 0; at < facts.size();) {
        const std::size_t end = std::min(facts.find(dot, at), facts.size());
        items += facts.substr(at, end - at);
        if (end < facts.size()) items += "</span>" + dot + "<span class=\"whole\">";
        at = end + dot.size();
    }
    return items + "</span>";
}

// "12 min to read, about 25 s to compute"
std::string minutes_of(const LessonPage& lesson, const ListedLesson& listed) {
    return fmt::format("{} min to read <i>·</i> {} to compute", reading_minutes(lesson),
                       about(listed.seconds));
}

// One lesson: its title, a sentence, and what the reader has done of it.
std::string entry(const LessonPage& lesson, const ListedLesson& listed, std::size_t exercises,
                  std::size_t solved, const Passed* passed) {
    std::string facts = minutes_of(lesson, listed);
    if (exercises > 0)
        facts += " <i>·</i> " + (solved > 0 ? fmt::format("{} of {} solved", solved,
                                                          counted(exercises, "exercise"))
                                            : counted(exercises, "exercise"));
    const bool done = passed && passed->full;
    if (passed) facts += done ? " <i>·</i> <b>✓ done</b>" : " <i>·</i> run in quick mode";
    return fmt::format(
        "<li{}><span class=\"number\">{}</span> {}<br/>{}<br/><small>{}</small></li>\n",
        done ? " class=\"done\"" : "", listed.number(), page_link(lesson.file(), lesson.title),
        markup_to_html(listed.sentence), whole_items(facts));
}

}  // namespace

int reading_minutes(const LessonPage& lesson) {
    int words = 0;
    for (const Passage& passage : passages_of(lesson.source, lesson.name()))
        words += words_in(passage.text);
    return minutes_to_read(words);
}

std::string roman(int number) {
    if (number == 0) return "0";
    std::string out;
    for (const auto& [value, letters] : {std::pair(10, "X"), std::pair(9, "IX"), std::pair(5, "V"),
                                         std::pair(4, "IV"), std::pair(1, "I")})
        for (; number >= value; number -= value) out += letters;
    return out;
}

std::string index_html(const std::vector<LessonPage>& lessons, const std::vector<Chapter>& chapters,
                       const std::vector<Exercise>& all, const BookFolders& folders) {
    const std::vector<CoursePart> parts = course_parts(folders.root);
    const std::map<std::string, Passed> passed = passed_lessons(folders.root);
    const std::map<LessonNumber, int> solved = solved_exercises(folders.root);
    const auto passed_one = [&](const ListedLesson& listed) -> const Passed* {
        const auto found = passed.find(listed.name());
        return found == passed.end() ? nullptr : &found->second;
    };

    // Where to begin: the first lesson that is not done.
    std::string body =
        "<p>Attention, from one derivative to a Transformer, and on to images, graphs, speech and "
        "long sequences. Each lesson is a program: what it says is measured when it runs, and the "
        "figures on its page are those of your run as soon as there is one. Each uses what the lessons before it have "
        "explained.</p>\n";
    std::size_t done = 0, listed_lessons = 0;
    const ListedLesson* next = nullptr;
    for (const CoursePart& part : parts)
        for (const ListedLesson& listed : part.lessons) {
            const Passed* run = passed_one(listed);
            if (listed.number().workshop) continue;
            ++listed_lessons;
            done += run && run->full;
            if (!next && !(run && run->full)) next = &listed;
        }
    if (const LessonPage* page = next ? page_of(lessons, *next) : nullptr)
        body += fmt::format(
            "<p class=\"begin\"><strong>{}</strong> {}<br/><small>{}</small></p>\n",
            done == 0 ? "Begin here:" : "Go on here:",
            page_link(page->file(), fmt::format("{}. {}", next->number().titled(), page->title)),
            whole_items(
                minutes_of(*page, *next) +
                fmt::format(" <i>·</i> <code>./heed learn {}</code> runs it in front of you",
                            next->number())));
    std::size_t solved_in_all = 0;
    for (const auto& [lesson, count] : solved) solved_in_all += static_cast<std::size_t>(count);
    if (done + solved_in_all > 0)
        body += fmt::format("<p class=\"facts\">Done: {} of {} <i>·</i> {} of {}</p>\n", done,
                            counted(listed_lessons, "lesson"), solved_in_all,
                            counted(all.size(), "exercise"));

    body += "<h2 id=\"lessons\">Lessons</h2>\n";
    int number = -1;  // part 0 is before the others
    for (const CoursePart& part : parts) {
        ++number;
        body += fmt::format("<h3 id=\"part-{}\">{}{}</h3>\n", number,
                            part.workshops() ? "" : roman(number) + ". ", escape(part.title));
        if (part.workshops())
            body +=
                "<p>For readers who want to know more. Each can be read by itself, and the "
                "lessons say which workshop continues from them.</p>\n";
        body += "<ul class=\"lessons\">\n";
        for (const ListedLesson& listed : part.lessons) {
            const LessonPage* page = page_of(lessons, listed);
            if (!page) continue;
            const auto exercises = static_cast<std::size_t>(std::count_if(
                all.begin(), all.end(),
                [&](const Exercise& exercise) { return exercise.lesson == listed.number(); }));
            const auto mine = solved.find(listed.number());
            body += entry(*page, listed, exercises,
                          mine == solved.end() ? 0 : static_cast<std::size_t>(mine->second),
                          passed_one(listed));
        }
        body += "</ul>\n";
    }
    body += "<p>" + page_link("exercises.html", "Exercises") +
            " lists all tasks of the lessons, and " + page_link("glossary.html", "Glossary") +
            " the terms with the sections that explain them.</p>\n";

    body += "<h2 id=\"results\">What comes out</h2>\n";
    for (const LessonPage& lesson : lessons) {
        if (lesson.number() == LessonNumber(11))
            body += picture(folders, lesson, "alignment_1.svg", "alignment.svg",
                            "Where a translator looks in the Korean sentence while it writes each "
                            "English word. Nobody told it the outlined alignment.");
        if (lesson.number() == LessonNumber(21))
            body += picture(folders, lesson, "gradient_by_distance.svg", "gradients.svg",
                            "How much a result depends on an input that many steps back, before "
                            "training.");
    }

    body += "<h2 id=\"source\">The source</h2>\n<ul class=\"contents\">\n";
    for (const Chapter& chapter : chapters)
        body += fmt::format("<li>{} <small>{}</small></li>\n",
                            page_link(chapter.file(), chapter.folder),
                            counted(chapter.files.size(), "file"));
    return body + "</ul>\n";
}

}  // namespace heed::course
