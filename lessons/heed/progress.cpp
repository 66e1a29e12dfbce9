// ./heed progress: what the reader has run, guessed and written, from the records in .heed (report/files.h). A
// lesson counts as read when it was run: its text is shown with the run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/input_file.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/contents/records.h"
#include "lessons/course/exercise/open_experiment.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/table.h"
#include "lessons/course/terminal/text.h"
#include "lessons/heed/commands.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage =
    "./heed progress       what you have run, guessed and written, a line a lesson\n"
    "  --csv               the same with commas between the columns, for a spreadsheet\n"
    "  --html              the same as a page, out/progress.html\n";

const std::vector<std::string> header{"lesson",  "runs in full", "quick runs", "last run",
                                      "claims",  "seconds",      "guesses",    "right",
                                      "written", "exercises",    "tried",      "hints"};

struct LessonRow {
    std::string title;
    std::vector<std::string> cells;  // as in the header, the first without the title
    bool begun = false;
};

// The names of a lesson's exercises: "softmax_without_overflow".
Words exercises_in(const std::string& root, const ListedLesson& lesson) {
    Words names;
    std::error_code none;
    for (const auto& entry :
         fs::directory_iterator(root + "/lessons/" + lesson.folder + "/exercises", none)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory(none)) names.push_back(name.substr(name.find('_') + 1));
    }
    return names;
}

std::vector<LessonRow> rows_of_progress(const std::string& root) {
    const auto lessons = lesson_records(root);
    const auto exercises = exercise_records(root);
    std::vector<LessonRow> rows;
    for (const ListedLesson& lesson : course_lessons(root)) {
        const auto found = lessons.find(lesson.name());
        const LessonRecord run = found == lessons.end() ? LessonRecord{} : found->second;
        int written = 0, tried = 0, hints = 0;
        const Words names = exercises_in(root, lesson);
        for (const std::string& name : names) {
            const auto record = exercises.find(name);
            if (record == exercises.end()) continue;
            written += !record->second.solved.empty();
            tried += record->second.tried;
            hints += record->second.hints;
        }
        const bool ran = run.full + run.quick > 0;
        rows.push_back(
            {lesson_title(root, lesson),
             {lesson.number().padded(), std::to_string(run.full), std::to_string(run.quick),
              run.last, ran ? fmt::format("{} of {}", run.held, run.claims) : "",
              ran ? fmt::format("{:.1f}", run.seconds) : "", std::to_string(run.guesses),
              std::to_string(run.right), std::to_string(written), std::to_string(names.size()),
              std::to_string(tried), std::to_string(hints)},
             ran || written + tried + hints > 0});
    }
    return rows;
}

// The milestones in the order of the course: the name in the records, what it is, and how to reach it.
struct Goal {
    const char *name, *what, *command;
};
constexpr Goal goals[] = {
    {"tape", "your tape passes 1,000 random gradient checks", "./heed learn 3 --mine"},
    {"translator", "your translator is right on 95 of 100 sentences it has not seen",
     "./heed learn 11 --mine"},
    {"eyes", "your hard attention is right on 95 of 100 pictures and reads one place of nine",
     "./heed learn 16 --mine"},
    {"gpt", "your GPT predicts a text better than tables of counts", "./heed learn 23 --mine"},
};

// A field of a line of CSV (RFC 4180).
std::string csv_field(const std::string& text) {
    if (text.find_first_of("\",\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string csv(const std::vector<LessonRow>& rows) {
    std::string out = "lesson,title";
    for (std::size_t i = 1; i < header.size(); ++i) out += "," + csv_field(header[i]);
    out += "\n";
    for (const LessonRow& row : rows) {
        out += row.cells[0] + "," + csv_field(row.title);
        for (std::size_t i = 1; i < row.cells.size(); ++i) out += "," + csv_field(row.cells[i]);
        out += "\n";
    }
    return out;
}

Table milestones_table(const std::string& root) {
    const std::map<std::string, Milestone> reached = milestones(root);
    Table table({"milestone", "reached on", "commit", "measured"});
    for (const Goal& goal : goals) {
        const auto found = reached.find(goal.name);
        const Milestone one = found == reached.end() ? Milestone{} : found->second;
        table.row(goal.what, one.date, one.commit, one.measured);
    }
    return table;
}

std::string milestone_lines(const std::string& root, const Screen& screen) {
    const std::map<std::string, Milestone> reached = milestones(root);
    std::string out = "Milestones, with all parts your own:\n";
    constexpr int widest_command = 23;  // commands of one width stand below each other
    for (const Goal& goal : goals) {
        const auto found = reached.find(goal.name);
        const bool done = found != reached.end();
        const std::string tail = screen.paint(done ? found->second.date : goal.command, Ink::faint);
        out += list_line(fmt::format("  {} ", done ? "✓" : " "), goal.what, 74,
                         "  " + pad(tail, widest_command), screen.limit());
    }
    return out;
}

// Every run of an open experiment, the last one below.
Table experiments_table(const std::string& root) {
    Table table({"experiment", "on", "hypothesis", "verdict"});
    for (const ExperimentRun& run : experiment_runs(root))
        table.row(run.name, run.date.substr(0, 10), run.hypothesis, run.verdict());
    return table;
}

std::string experiment_lines(const std::string& root, const Screen& screen) {
    std::string out;
    for (const ExperimentRun& run : experiment_runs(root)) {
        out += list_line("  ", run.name, 12, run.verdict(), screen.limit());
        out += wrap(screen.paint(run.hypothesis, Ink::faint), screen.measure(), "      ");
    }
    return out.empty() ? out : "Open experiments:\n" + out;
}

std::string html(const std::string& root, const std::vector<LessonRow>& rows) {
    std::vector<std::string> titles = header;
    Table table(titles);
    for (const LessonRow& row : rows) {
        std::vector<std::string> cells = row.cells;
        cells[0] += " " + row.title;
        table.add(cells);
    }
    // With the style sheets of the book, which are read from the tree: this program has no pages inside.
    const auto style = [&](const std::string& name) {
        return read_regular_file(root + "/lessons/course/pages/" + name);
    };
    const auto wide = [](const Table& shown) {
        return "<figure class=\"table\">\n<div class=\"panels\">" + shown.to_html() +
               "</div>\n</figure>\n";
    };
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<title>Your progress</title>\n<style>\n" +
           style("page.css") + style("book.css") +
           "</style></head>\n<body>\n<main>\n<header>\n<h1>Your progress</h1>\n</header>\n" +
           wide(table) + "<h2>Milestones</h2>\n" + wide(milestones_table(root)) +
           "<h2>Open experiments</h2>\n" + wide(experiments_table(root)) +
           "</main>\n</body></html>\n";
}

std::string lines(const std::vector<LessonRow>& rows, const Screen& screen) {
    std::string out;
    int lessons = 0, done = 0, workshops = 0, workshops_done = 0, written = 0, exercises = 0;
    for (const LessonRow& row : rows) {
        const bool workshop = row.cells[0].starts_with('W'), full = row.cells[1] != "0";
        (workshop ? workshops : lessons) += 1;
        (workshop ? workshops_done : done) += full;
        written += std::atoi(row.cells[8].c_str());
        exercises += std::atoi(row.cells[9].c_str());
        if (!row.begun) continue;
        out += list_line(fmt::format("  {} {}  ", row.cells[1] != "0" ? "✓" : " ", row.cells[0]),
                         row.title, 50, "", screen.limit());
        std::string facts;
        const auto add = [&](const std::string& fact) {
            facts += (facts.empty() ? "" : ", ") + fact;
        };
        if (!row.cells[3].empty())
            add(fmt::format("runs: {} full, {} quick, the last on {} with {} claims that hold",
                            row.cells[1], row.cells[2], row.cells[3], row.cells[4]));
        if (row.cells[6] != "0")
            add(fmt::format("{} of {} guesses right", row.cells[7], row.cells[6]));
        if (row.cells[9] != "0")
            add(fmt::format("{} of {} exercises written", row.cells[8], row.cells[9]));
        if (row.cells[11] != "0") add(row.cells[11] + (row.cells[11] == "1" ? " hint" : " hints"));
        out += wrap(screen.paint(facts, Ink::faint), screen.measure(), "        ");
    }
    if (out.empty()) out = "  nothing yet\n";
    return out + "\n" +
           wrap(fmt::format("{} of {} lessons{} run in full, {} of {} exercises written", done,
                            lessons,
                            workshops == 0
                                ? ""
                                : fmt::format(" and {} of {} workshops", workshops_done, workshops),
                            written, exercises),
                screen.measure());
}

}  // namespace

int progress(const std::string& root, const Words& words) {
    const Screen screen = screen_of_stdout();
    if (words.size() > 1)
        fail("'{}': progress takes one option; ./heed progress --help lists them", words[1]);
    const std::string word = words.empty() ? "" : words[0];
    if (word == "--help" || word == "-h") return fmt::print("{}", fitted(usage, screen.limit())), 0;
    const std::vector<LessonRow> rows = rows_of_progress(root);
    if (word == "--csv") {
        fmt::print("{}", csv(rows));
    } else if (word == "--html") {
        make_folder(root + "/out");
        write_file(root + "/out/progress.html", html(root, rows));
        fmt::print("{}/out/progress.html\n", root);
    } else if (word.empty()) {
        print_in_pages(lines(rows, screen) + "\n" + milestone_lines(root, screen) +
                       experiment_lines(root, screen));
    } else {
        fail("{}: unknown option; ./heed progress --help lists them", word);
    }
    for (const auto& [name, count] : damaged_lines(root))
        say(fmt::format(".heed/{}: {} line{} cannot be read and {} passed over", name, count,
                        count == 1 ? "" : "s", count == 1 ? "is" : "are"));
    return 0;
}

}  // namespace heed::course
