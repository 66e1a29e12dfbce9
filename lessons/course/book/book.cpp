#include "lessons/course/book/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "autograd/base/error.h"
#include "lessons/course/book/exercise_pages.h"
#include "lessons/course/book/glossary.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/live/web_module.h"
#include "lessons/course/pages/pages.h"
#include "lessons/course/report/files.h"
#include "lessons/course/report/page.h"
#include "lessons/course/report/report.h"
#include "lessons/course/story/highlight.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// --- The lessons and the chapters.

struct LessonPage {
    std::string folder, title, source;
    std::string file() const { return folder + ".html"; }
};

std::vector<LessonPage> lessons_in(const std::string& root) {
    std::vector<LessonPage> pages;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(fs::path(root) / "lessons", error)) {
        const std::string folder = entry.path().filename().string();
        const std::string source = contents(entry.path() / "lesson.cpp");
        constexpr std::string_view mark = "//! # ";
        if (folder.size() < 4 || folder[2] != '_' || !source.starts_with(mark)) continue;
        pages.push_back(
            {folder, source.substr(mark.size(), source.find('\n') - mark.size()), source});
    }
    std::sort(pages.begin(), pages.end(),
              [](const LessonPage& a, const LessonPage& b) { return a.folder < b.folder; });
    return pages;
}

struct Chapter {
    std::string folder;              // autograd/tensor
    std::vector<std::string> files;  // in reading order
    std::string file() const {
        std::string name = folder;
        std::replace(name.begin(), name.end(), '/', '_');
        return "source_" + name + ".html";
    }
};

// The files of a folder. The umbrella header, named like the folder, comes first, and the others in
// the order in which it names them; a .cpp follows its header.
Chapter chapter(const fs::path& root, const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(root / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".h" || extension == ".cpp")
            files.push_back(entry.path().filename().string());
    }
    const std::string umbrella = fs::path(folder).filename().string() + ".h";
    const std::string order = contents(root / folder / umbrella);
    const auto place = [&](const std::string& name) {
        const std::string header = fs::path(name).stem().string() + ".h";
        const std::size_t named = header == umbrella ? 0 : order.find(header);
        return std::tuple(named, header, name.ends_with(".cpp"));
    };
    std::sort(files.begin(), files.end(),
              [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
    return {folder, files};
}

std::vector<Chapter> chapters_in(const std::string& root) {
    std::vector<Chapter> chapters;
    for (const char* library : {"autograd", "nn", "attention"}) {
        if (!fs::is_directory(fs::path(root) / library)) continue;
        // The library's own header names its folders in reading order.
        const std::string order =
            contents(fs::path(root) / library / (std::string(library) + ".h"));
        std::vector<std::pair<std::size_t, std::string>> folders;
        for (const auto& entry : fs::directory_iterator(fs::path(root) / library)) {
            if (!entry.is_directory()) continue;
            const std::string name = entry.path().filename().string();
            folders.emplace_back(order.find(name + "/"), std::string(library) + "/" + name);
        }
        std::sort(folders.begin(), folders.end());
        chapters.push_back(chapter(root, library));
        for (const auto& [place, folder] : folders) chapters.push_back(chapter(root, folder));
    }
    std::erase_if(chapters, [](const Chapter& chapter) { return chapter.files.empty(); });
    return chapters;
}

// --- Pages.

std::string page(const std::string& title, const std::string& running, const std::string& body,
                 const std::string& links) {
    const std::string main = fill(
        page_file("book.html"),
        {{"title", escape(title)}, {"running", escape(running)}, {"body", body}, {"links", links}});
    return page_html(title, main, page_file("book.css"));
}

std::string link(const std::string& file, const std::string& text) {
    return fmt::format("<a href=\"{}\">{}</a>", escape(file), markup_to_html(text));
}

// Links to the page before, the contents, and the page after.
template <class Page>
std::string links_of(const std::vector<Page>& pages, std::size_t at,
                     std::string (*name)(const Page&)) {
    std::string links = link("index.html", "Contents");
    links += link("exercises.html", "Exercises");
    links += link("glossary.html", "Glossary");
    if (at > 0) links += link(pages[at - 1].file(), "← " + name(pages[at - 1]));
    if (at + 1 < pages.size()) links += link(pages[at + 1].file(), name(pages[at + 1]) + " →");
    return links;
}

std::string name_of(const LessonPage& page) { return page.title; }
std::string name_of(const Chapter& chapter) { return chapter.folder; }

int number_of(const LessonPage& lesson) { return std::atoi(lesson.folder.c_str()); }

std::string lesson_body(const LessonPage& lesson, const std::vector<Exercise>& all,
                        const BookFolders& folders) {
    const std::vector<Passage> passages = passages_of(lesson.source);
    const auto report_in = [&](const std::string& runs) {
        return contents(fs::path(runs) / lesson.folder / "report.html");
    };
    const std::string report = report_in(folders.runs);
    RunResults run = results_in(report, passages.size());
    std::string body;
    if (!run.after.empty()) {
        body += fmt::format("<p class=\"facts\">With the numbers of your run: {}</p>\n", run.facts);
    } else if (run = results_in(report_in(folders.quick), passages.size()); !run.after.empty()) {
        body += fmt::format(
            "<p class=\"facts\">With the numbers of a quick run: {}. After <code>./heed learn "
            "{}</code> they are those of your own.</p>\n",
            run.facts, number_of(lesson));
    } else {
        body += fmt::format("<p class=\"facts\">{} <code>./heed learn {}</code>{}</p>\n",
                            report.empty() ? "You have not run this lesson yet:"
                                           : "The text is newer than your run:",
                            number_of(lesson),
                            ", then <code>./heed book</code> puts its results here.");
    }
    for (std::size_t i = 0; i < passages.size(); ++i) {
        body += passage_html(passages[i]);
        if (i < run.after.size()) body += run.after[i];
    }
    return body + run.end + lesson_exercises_html(all, number_of(lesson), folders.root);
}

std::string chapter_body(const Chapter& chapter, const std::string& root) {
    std::string body;
    for (const std::string& file : chapter.files) {
        const std::string path = chapter.folder + "/" + file;
        body += fmt::format(
            "<section class=\"source\">\n<h2 id=\"{}\">{}</h2>\n<pre>{}</pre>\n</section>\n",
            anchor_of(file), escape(path), highlighted(contents(fs::path(root) / path)));
    }
    return body;
}

// A figure of the reader's own run, or else of ours, which the tree keeps for README.md; empty if it is
// not there.
std::string picture(const BookFolders& folders, const LessonPage& lesson, const std::string& yours,
                    const std::string& ours, const std::string& about) {
    std::string svg = contents(fs::path(folders.runs) / lesson.folder / yours);
    const bool own = !svg.empty();
    if (!own) svg = contents(fs::path(folders.root) / "lessons" / lesson.folder / ours);
    const std::size_t begin = std::min(svg.find("<svg"), svg.size());
    svg = svg.substr(begin);
    if (const std::size_t style = svg.find("<style>"); style != std::string::npos)
        svg.erase(style, svg.find("</style>") + 8 - style);  // the page has it
    if (svg.empty()) return "";
    return fmt::format(
        "<figure>\n<div class=\"panel\">\n{}</div>\n<figcaption>{} From {} run. {}</figcaption>\n</figure>\n",
        svg, about, own ? "your" : "our", link(lesson.file(), lesson.title));
}

std::string index_body(const std::vector<LessonPage>& lessons, const std::vector<Chapter>& chapters,
                       const BookFolders& folders) {
    std::string body =
        "<p>Attention, from one derivative to a Transformer, and on to images, graphs, speech and "
        "long sequences. Each lesson is a program: what it says is measured when it runs, and the "
        "figures on its page are those of your run. <code>./heed learn</code> runs the next lesson, "
        "<code>./heed exercise</code> lets you write the parts that matter.</p>\n";
    for (const LessonPage& lesson : lessons) {
        if (number_of(lesson) == 11)
            body += picture(folders, lesson, "alignment_1.svg", "alignment.svg",
                            "Where a translator looks in the Korean sentence while it writes each "
                            "English word. Nobody told it the outlined alignment.");
        if (number_of(lesson) == 21)
            body += picture(folders, lesson, "gradient_by_distance.svg", "gradients.svg",
                            "How much a result depends on an input that many steps back, before "
                            "training.");
    }
    body += "<h2>Lessons</h2>\n";
    for (const CoursePart& part : course_parts(folders.root)) {
        body += "<h3>" + escape(part.title) + "</h3>\n<ul class=\"contents\">\n";
        for (const ListedLesson& listed : part.lessons) {
            const auto lesson =
                std::find_if(lessons.begin(), lessons.end(),
                             [&](const LessonPage& page) { return page.folder == listed.folder; });
            if (lesson == lessons.end()) continue;
            int words = 0;
            for (const Passage& passage : passages_of(lesson->source))
                words += words_in(passage.text);
            const bool run = fs::exists(fs::path(folders.runs) / listed.folder / "report.html");
            body +=
                fmt::format("<li>{}. {}<br/>{} <small>{} words{}</small></li>\n", listed.number(),
                            link(lesson->file(), lesson->title), markup_to_html(listed.sentence),
                            words, run ? ", with your run" : "");
        }
        body += "</ul>\n";
    }
    body += "<p>" + link("exercises.html", "Exercises") + ": all tasks of the lessons.<br/>" +
            link("glossary.html", "Glossary") +
            ": the terms and where they are explained.</p>\n<h2>The source</h2>\n<ul "
            "class=\"contents\">\n";
    for (const Chapter& chapter : chapters)
        body += fmt::format("<li>{} <small>{} file{}</small></li>\n",
                            link(chapter.file(), chapter.folder), chapter.files.size(),
                            chapter.files.size() == 1 ? "" : "s");
    return body + "</ul>\n";
}

}  // namespace

RunResults results_in(const std::string& report, std::size_t passages) {
    RunResults run;
    const auto between = [&](const std::string& first, const std::string& last, std::size_t& at) {
        const std::size_t start = report.find(first, at);
        if (start == std::string::npos) return std::string();
        const std::size_t end = report.find(last, start);
        if (end == std::string::npos) return std::string();
        at = end;
        return report.substr(start + first.size(), end - start - first.size());
    };
    std::size_t at = 0;
    run.facts = between("<p class=\"facts\">", "</p>", at);
    for (std::size_t i = 1; i <= passages; ++i) {
        at = std::min(report.find(fmt::format("<!-- passage {} -->", i), at), report.size());
        const std::string next =
            i < passages ? fmt::format("<!-- passage {} -->", i + 1) : "<!-- end -->";
        if (report.find(next, at) == std::string::npos) return {};
        run.after.push_back(between("<!-- results -->\n", next, at));
    }
    if (report.find(fmt::format("<!-- passage {} -->", passages + 1)) != std::string::npos)
        return {};
    run.end = between("<!-- end -->\n", "<footer>", at);
    return run;
}

std::vector<std::string> write_book(const BookFolders& folders, int lesson) {
    const std::vector<LessonPage> lessons = lessons_in(folders.root);
    const std::vector<Chapter> chapters = chapters_in(folders.root);
    check(!lessons.empty(), "book: there are no lessons in {}/lessons", folders.root);
    const std::vector<Exercise> all = exercises(folders.root);
    std::vector<std::string> written;
    make_folder(folders.out);
    const auto write = [&](const std::string& file, const std::string& text) {
        write_file(folders.out + "/" + file, text);
        written.push_back(file);
    };
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        if (lesson != 0 && number_of(lessons[i]) != lesson) continue;
        write(lessons[i].file(),
              page(lessons[i].title, fmt::format("Lesson {}", number_of(lessons[i])),
                   lesson_body(lessons[i], all, folders), links_of(lessons, i, &name_of)));
    }
    check(!written.empty(), "book: there is no lesson {}", lesson);
    copy_web_module(folders.out);
    if (lesson != 0) return written;
    for (std::size_t i = 0; i < chapters.size(); ++i)
        write(chapters[i].file(),
              page(chapters[i].folder, "The source", chapter_body(chapters[i], folders.root),
                   links_of(chapters, i, &name_of)));
    std::vector<LessonLink> pages_of_lessons;
    for (const LessonPage& one : lessons)
        pages_of_lessons.push_back({number_of(one), one.title, one.file()});
    write("exercises.html", page("Exercises", "What to write yourself",
                                 exercise_list_html(all, pages_of_lessons, folders.root),
                                 link("index.html", "Contents")));
    write("glossary.html",
          page("Glossary", "The terms of the course", glossary_html(glossary_of(folders.root)),
               link("index.html", "Contents")));
    write("index.html", page("heed: a course on attention", "Contents",
                             index_body(lessons, chapters, folders), ""));
    return written;
}

}  // namespace heed::course
