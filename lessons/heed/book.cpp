// ./heed book [N ...]: the pages are written at once. Then each lesson that has not been run is run in quick mode,
// whose results out/quick keeps, or with --full in full, and the pages are written again with them. Last comes:
// heed is compiled for browsers, so that the reader can change figures, and lies beside the pages then.
// --no-run and --no-web leave that out. With --epub or --pdf the file is written after the runs.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "autograd/base/error.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/report/files.h"
#include "lessons/heed/commands.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// Whether out/ has a run of the lesson, and in full where that is asked for.
bool has_run(const ListedLesson& lesson, bool full) {
    const fs::path folder = fs::path("out") / lesson.folder;
    if (!fs::exists(folder / "report.html")) return false;
    return !full || text_of(folder / "results.json").find("\"quick\": false") != std::string::npos;
}

// The lessons, or those wanted, that have no such run; without --full a quick run of their present text will do.
std::vector<ListedLesson> without_run(const Place& place, const std::set<std::string>& wanted,
                                      bool full) {
    std::vector<ListedLesson> missing;
    for (const ListedLesson& lesson : course_lessons(place.root)) {
        if (!wanted.empty() && wanted.count(lesson.folder) == 0) continue;
        const fs::path text = fs::path(place.root) / "lessons" / lesson.folder / "lesson.cpp",
                       quick = fs::path("out/quick") / lesson.folder / "report.html";
        if (has_run(lesson, full)) continue;
        if (full || !fs::exists(quick) || fs::last_write_time(quick) < fs::last_write_time(text))
            missing.push_back(lesson);
    }
    return missing;
}

std::string last_lines(const std::string& path, std::size_t count) {
    std::ifstream file(path);
    Words lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    std::string text;
    for (std::size_t i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i)
        text += lines[i] + "\n";
    return text;
}

void run_lessons(const Place& place, const std::vector<ListedLesson>& lessons, bool full) {
    int seconds = 0;
    for (const ListedLesson& lesson : lessons) seconds += lesson.seconds;
    say(full ? fmt::format("running the lessons that you have not run in full: {}, which takes {}",
                           lessons.size(), about(seconds))
             : fmt::format(
                   "running the lessons that you have not run in quick mode, for the figures of "
                   "their pages: {} (--no-run leaves that out, --full runs them in full)",
                   lessons.size()));
    const std::string kind = full ? "full" : "quick", out = full ? "out/" : "out/quick/";
    Words programs;
    for (const ListedLesson& lesson : lessons) programs.push_back(lesson.program());
    build(place, programs);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        status_line(fmt::format("{} run {} of {}: lesson {}, {}", kind, i + 1, lessons.size(),
                                lessons[i].number().padded(), lessons[i].name()));
        const std::string log = place.build() + "/" + kind + "_run.log";
        Words words{"sh",
                    "-c",
                    "log=$1; shift; HEED_HOME= exec \"$@\" </dev/null >\"$log\" 2>&1",
                    "sh",
                    log,
                    place.program(programs[i]),
                    "--no-text",
                    "--no-predict",
                    "--out",
                    out + lessons[i].folder};
        if (!full) words.push_back("--quick");
        const int status = run_program(words);
        if (status <= 1) continue;  // 1: a claim does not hold, and the page says so
        status_line("");
        fmt::print(stderr, "{}", last_lines(log, 5));
        fail("the {} run of {} has ended with status {}", kind, lessons[i].name(), status);
    }
    status_line("");
}

// heed for browsers; false if it could not be built.
bool build_for_browsers(const Place& place) {
    try {
        build(prepared(place, "web"), {"heed_web"});
        return true;
    } catch (const std::exception& error) {
        say(words_of(error));
    } catch (const Build::Failed&) {
    }
    return false;
}

}  // namespace

int book(const Place& place, const Words& words) {
    bool runs = true, full = false, web = true, one_file = false;
    Words rest{place.program("heed_book")};
    const std::vector<ListedLesson> all = course_lessons(place.root);
    std::set<std::string> wanted;  // folders; none: all
    bool is_out = false;           // the word after --out
    for (const std::string& word : words) {
        const ListedLesson* lesson = nullptr;
        check(!is_out || !word.empty(), "--out: expected a folder after it");
        if (is_out)
            check_folder(rest.emplace_back(fs::absolute(word).string()));
        else if (word == "--no-run")
            runs = false;
        else if (word == "--full")
            full = true;
        else if (word == "--no-web")
            web = false;
        else if (word.starts_with('-'))
            rest.push_back(word);
        else if ((lesson = find_lesson(all, word))) {
            wanted.insert(lesson->folder);
            rest.push_back(lesson->number().typed());
        } else
            fail("there is no lesson '{}'; ./heed lists all lessons", word);
        is_out = !is_out && word == "--out";
        if (word == "-h" || word == "--help") runs = full = web = false;
        if (word == "--epub" || word == "--pdf") one_file = true;
    }
    check(!is_out, "--out: expected a folder after it");
    check(runs || !full, "--full runs lessons, and --no-run says that none is to be run");
    fs::current_path(place.root);  // out/ lies there, wherever the reader stands
    build(place, {"heed_book"});
    if (!one_file)
        if (const int status = run_program(rest); status != 0) return status;

    const std::vector<ListedLesson> missing =
        runs ? without_run(place, wanted, full) : std::vector<ListedLesson>();
    std::error_code error;
    if (!missing.empty() && (fs::create_directories("out/quick", error), !error)) {
        run_lessons(place, missing, full);
        if (!one_file)
            if (const int status = run_program(rest); status != 0) return status;
    }
    if (one_file) return run_program(rest);
    if (!web) return 0;

    const fs::path module = fs::path(place.root) / "build/web/bin/heed.js";
    const auto age = [&] {
        return fs::exists(module) ? fs::last_write_time(module) : fs::file_time_type();
    };
    const auto before = age();
    if (before == fs::file_time_type())
        say("the pages can be read already; for the figures that a page can change, heed is built "
            "once for browsers, which takes minutes (--no-web leaves that out)");
    if (!build_for_browsers(place))
        say("so the figures of the pages stay as they are; nothing else is missing");
    return age() == before ? 0 : run_program(rest);
}

}  // namespace heed::course
