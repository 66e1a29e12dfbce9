#include "lessons/course/book/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "autograd/base/error.h"
#include "lessons/course/book/chapters.h"
#include "lessons/course/book/exercise_pages.h"
#include "lessons/course/book/glossary.h"
#include "lessons/course/book/index_page.h"
#include "lessons/course/book/lesson_body.h"
#include "lessons/course/book/plain_html.h"
#include "lessons/course/book/search.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/live/web_module.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/report/files.h"
#include "lessons/course/report/page.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/highlight.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// --- Pages.

std::string link(const std::string& file, const std::string& text) {
    return fmt::format("<a href=\"{}\">{}</a>", escape(file), markup_to_html(text));
}

// The list of a page's sections: beside the text where the window is wide, folded above it where it is
// not. Empty if there are fewer than two.
std::string parts_of(const std::string& body) {
    constexpr std::string_view mark = "<h2 id=\"";
    std::string list;
    int count = 0;
    for (std::size_t at = 0; (at = body.find(mark, at)) != std::string::npos; ++count) {
        at += mark.size();
        const std::size_t quote = body.find('"', at), end = body.find("</h2>", at);
        list += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", body.substr(at, quote - at),
                            body.substr(quote + 2, end - quote - 2));
    }
    if (count < 2) return "";
    return fmt::format(
        "<nav class=\"parts\" aria-label=\"Sections of this page\">\n<details>\n"
        "<summary>On this page</summary>\n<ol>\n{}</ol>\n</details>\n</nav>\n",
        list);
}

// What stands around the body of a page.
struct Frame {
    std::string place{};   // where in the book it is
    std::string beside{};  // small links to the page before and after, at the top
    std::string links{};   // and with their titles, at the end
};

std::string page(const std::string& title, const Frame& frame, const std::string& body) {
    const std::string html = fill(page_file("book.html"), {{"title", markup_to_html(title)},
                                                           {"place", frame.place},
                                                           {"beside", frame.beside},
                                                           {"parts", parts_of(body)},
                                                           {"body", body},
                                                           {"links", frame.links}});
    return page_html(title, html, page_file("book.css"), page_file("book.js"));
}

// The links from one of several pages in a row to its neighbours.
template <class Page>
Frame between_pages(const std::string& place, const std::vector<Page>& pages, std::size_t at,
                    std::string (*name)(const Page&)) {
    Frame frame{place};
    std::string before, after;
    if (at > 0) {
        before = fmt::format("<a href=\"{}\" rel=\"prev\" title=\"{}\">← before</a> ",
                             pages[at - 1].file(), escape(name(pages[at - 1])));
        frame.links += link(pages[at - 1].file(), "← " + name(pages[at - 1]));
    }
    if (at + 1 < pages.size()) {
        after = fmt::format("<a href=\"{}\" rel=\"next\" title=\"{}\">next →</a>",
                            pages[at + 1].file(), escape(name(pages[at + 1])));
        frame.links += link(pages[at + 1].file(), name(pages[at + 1]) + " →");
    }
    frame.beside = "<p>" + before + after + "</p>";
    return frame;
}

std::string name_of(const LessonPage& page) { return page.title; }
std::string name_of(const Chapter& chapter) { return chapter.folder; }

// "Lesson 17 · part V, Queries, keys, values", "Workshop W3"
std::string place_of(const LessonPage& lesson, const std::string& root) {
    const std::string place = lesson.number().titled();
    if (!fs::exists(root + "/lessons/course.toml")) return place;
    int number = -1;
    for (const CoursePart& part : course_parts(root)) {
        ++number;
        for (const ListedLesson& listed : part.lessons)
            if (listed.folder == lesson.folder && part.workshops())
                return fmt::format("<a href=\"index.html#part-{}\">{}</a>", number, place);
            else if (listed.folder == lesson.folder)
                return fmt::format("{} <i>·</i> <a href=\"index.html#part-{}\">part {}, {}</a>",
                                   place, number, roman(number), escape(part.title));
    }
    return place;
}

std::string chapter_body(const Chapter& chapter, const std::string& root) {
    std::string list, body;
    for (const std::string& file : chapter.files) {
        const std::string path = chapter.folder + "/" + file;
        const std::string source = contents(root + "/" + path);
        const std::string link = fmt::format("<a href=\"#{}\">{}</a>", anchor_of(file), file);
        const std::string sentence = first_sentence(source);
        if (sentence.empty() && file.ends_with(".cpp") &&
            !list.empty())  // in the row of its header
            list.insert(list.rfind("</dt>"), " " + link);
        else
            list += fmt::format("<dt>{}</dt>\n<dd>{}</dd>\n", link, markup_to_html(sentence));
        body += fmt::format(
            "<section class=\"source\">\n<h2 id=\"{}\">{}</h2>\n<pre>{}</pre>\n</section>\n",
            anchor_of(file), escape(path), highlighted(source));
    }
    return "<dl class=\"files\">\n" + list + "</dl>\n" + body;
}

}  // namespace

std::vector<std::string> write_book(const BookFolders& folders,
                                    const std::vector<LessonNumber>& wanted) {
    const std::vector<LessonPage> lessons = lessons_in(folders.root);
    const std::vector<Chapter> chapters = chapters_in(folders.root);
    check(!lessons.empty(), "book: there are no lessons in {}/lessons", folders.root);
    const std::vector<Exercise> all = exercises(folders.root);
    for (const LessonNumber& number : wanted)
        check(std::any_of(lessons.begin(), lessons.end(),
                          [&](const LessonPage& lesson) { return lesson.number() == number; }),
              "book: there is no lesson {}", number);
    std::vector<std::string> written;
    make_folder(folders.out);
    const auto write = [&](const std::string& file, const std::string& text) {
        write_file(folders.out + "/" + file, text);
        written.push_back(file);
    };
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        if (!wanted.empty() &&
            std::find(wanted.begin(), wanted.end(), lessons[i].number()) == wanted.end())
            continue;
        const std::string place = place_of(lessons[i], folders.root);
        write(lessons[i].file(), page(lessons[i].title, between_pages(place, lessons, i, &name_of),
                                      lesson_body(lessons[i], all, folders)));
    }
    copy_web_module(folders.out);
    if (!wanted.empty()) return written;
    for (std::size_t i = 0; i < chapters.size(); ++i)
        write(
            chapters[i].file(),
            page(chapters[i].folder,
                 between_pages(fmt::format("The source, chapter {} of {}", i + 1, chapters.size()),
                               chapters, i, &name_of),
                 chapter_body(chapters[i], folders.root)));
    const std::vector<Term> terms = glossary_of(folders.root);
    write("exercises.html", page("Exercises", {"What to write yourself"},
                                 exercise_list_html(all, lessons, folders.root)));
    write("glossary.html", page("Glossary", {"The terms of the course"}, glossary_html(terms)));
    write_file(folders.out + "/search.js",
               search_script(search_entries(lessons, chapters, all, terms, folders.root)));
    write("index.html", page("heed: a course on attention", {"Contents"},
                             index_html(lessons, chapters, all, folders)));
    return written;
}

std::string write_print_page(const BookFolders& folders) {
    const std::vector<LessonPage> lessons = lessons_in(folders.root);
    check(!lessons.empty(), "book: there are no lessons in {}/lessons", folders.root);
    const std::vector<Exercise> all = exercises(folders.root);
    std::string contents_list, body;
    const auto add = [&](const std::string& name, const std::string& title, std::string chapter) {
        // On one page the sections of different lessons need different names, and a link to a page
        // becomes one to a chapter.
        chapter = replaced(without_controls(std::move(chapter)), " id=\"",
                           fmt::format(" id=\"{}-", name));
        chapter = replaced(std::move(chapter), "href=\"#", fmt::format("href=\"#{}-", name));
        contents_list += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", name, title);
        body += fmt::format("<h1 class=\"chapter\" id=\"{}\">{}</h1>\n{}", name, title, chapter);
    };
    for (const LessonPage& lesson : lessons)
        add(lesson.folder, fmt::format("{}. {}", lesson.number(), markup_to_html(lesson.title)),
            lesson_body(lesson, all, folders));
    add("exercises", "Exercises", exercise_list_html(all, lessons, folders.root));
    add("glossary", "Glossary", glossary_html(glossary_of(folders.root)));
    for (const LessonPage& lesson : lessons) {
        body = replaced(std::move(body), fmt::format("href=\"{}#", lesson.file()),
                        fmt::format("href=\"#{}-", lesson.folder));
        body = replaced(std::move(body), fmt::format("href=\"{}\"", lesson.file()),
                        fmt::format("href=\"#{}\"", lesson.folder));
    }
    const std::string path = folders.out + "/print.html";
    make_folder(folders.out);
    write_file(path, page_html("heed: a course on attention",
                               "<main class=\"print\">\n<h1>heed: a course on attention</h1>\n"
                               "<ol class=\"contents\">\n" +
                                   contents_list + "</ol>\n" + body + "</main>\n",
                               page_file("book.css")));
    return path;
}

}  // namespace heed::course
