// ./heed exercise [ID]: the reader's own work, judged.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "lessons/course/exercise/own_engine.h"
#include "lessons/course/exercise/record.h"
#include "lessons/course/exercise/workshop.h"
#include "lessons/course/report/files.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

struct Request {
    std::string root, id;
    bool watch = false, hint = false, solution = false, reset = false, mine = false;
    std::vector<std::string> arguments;  // after --mine
    Tools tools;
    std::string my() const { return root + "/my"; }
};

constexpr const char* usage =
    "./heed exercise [ID]          the list, or exercise ID: 10.1, or 10 for the next of lesson "
    "10\n"
    "  --watch                     judge at every save\n"
    "  --hint                      the next hint\n"
    "  --solution                  one way to write it\n"
    "  --reset                     begin again; the old file is kept beside the new one\n";

// Prints lines that fit the window.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
    const std::string lines = fmt::format(format, std::forward<Args>(args)...);
    fmt::print("{}", fitted(lines, screen_of_stdout().limit()));
}

void record(const Exercise& exercise, const std::string& event) {
    if (const std::string problem = record_event(exercise, event); !problem.empty())
        say("{}\n", problem);
}

// --- The reader's files: my/, which git ignores.

std::string file_of(const Request& request, const Exercise& exercise) {
    return request.my() + "/" + exercise.file_name();
}

// A copy of the task. An old file is kept under another name.
void begin(const Request& request, const Exercise& exercise) {
    make_folder(request.my());
    // So that editors with clangd complete and check.
    if (const std::string flags = request.my() + "/compile_flags.txt"; !fs::exists(flags))
        write_file(flags, fmt::format("-std=c++20\n-x\nc++\n-I{}\n", request.root));
    const std::string file = file_of(request, exercise);
    if (fs::exists(file)) {
        int n = 1;
        while (fs::exists(fmt::format("{}.old{}", file, n))) ++n;
        write_file(fmt::format("{}.old{}", file, n), read_file(file));
        say("Your file is kept as my/{}.old{}\n", exercise.file_name(), n);
    }
    write_file(file, task_file(exercise));
}

// --- What is shown.

void show_prose(const std::string& markdown) {
    const Screen screen = screen_of_stdout();
    for (const std::string& block : prose_blocks(markdown, screen)) fmt::print("{}\n", block);
}

void show_list(const Request& request, const std::vector<Exercise>& all) {
    const Screen screen = screen_of_stdout();
    std::string next;
    int done = 0, lesson = -1;
    for (const Exercise& exercise : all) {
        if (exercise.lesson != lesson) fmt::print("{}", lesson < 0 ? "" : "\n");
        lesson = exercise.lesson;
        const bool tick = solved(request.root, exercise),
                   begun = fs::exists(file_of(request, exercise));
        done += tick;
        if (!tick && next.empty()) next = exercise.id();
        const std::string mark = tick ? screen.paint("✓", Ink::good) : begun ? "·" : " ";
        const std::string effort =
            fmt::format("{} {} min", std::string(exercise.level, '*'), exercise.minutes);
        fmt::print("{}",
                   list_line(fmt::format("  {} {}  ", mark, exercise.id()), exercise.title, 50,
                             pad("  " + screen.paint(effort, Ink::faint), 12), screen.limit()));
    }
    say("\n{} of {} solved. * easy, *** hard\n", done, all.size());
    say("NEXT  {}\n", next.empty() ? "./heed learn" : "./heed exercise " + next);
}

// The exercise after this one that is not solved; empty if there is none.
std::string after(const Request& request, const std::vector<Exercise>& all,
                  const Exercise& exercise) {
    bool passed = false;
    for (const Exercise& other : all) {
        if (passed && !solved(request.root, other)) return other.id();
        passed = passed || other.id() == exercise.id();
    }
    return "";
}

// Judges the reader's file and says what to do next. Returns whether it is solved.
bool judge_and_show(const Request& request, const std::vector<Exercise>& all,
                    const Exercise& exercise) {
    const Screen screen = screen_of_stdout();
    const std::string file = file_of(request, exercise), name = "my/" + exercise.file_name();
    if (read_file(file) == task_file(exercise)) {
        say("Your file is as it was given to you. The task stands in it.\n");
        say("NEXT  write in {} and save it\n", name);
        return false;
    }
    const Outcome outcome = judge_file(exercise, file, request.tools, [&] {
        say("The program crashed. Looking for the place, which takes up to half a minute ...\n");
        std::fflush(stdout);
    });
    std::istringstream lines(outcome.text);
    for (std::string line; std::getline(lines, line);) {
        // Lines of the source, which are indented, stay as they are.
        if (!line.empty() && !line.starts_with(' '))
            line = wrap(line, screen.width), line.pop_back();
        for (const auto& [mark, ink] : {std::pair{"✓", Ink::good}, std::pair{"✗", Ink::bad}})
            if (line.starts_with(mark))
                line.replace(0, std::string(mark).size(), screen.paint(mark, ink));
        fmt::print("{}\n", line);
    }
    const std::string again = "./heed exercise " + exercise.id();
    switch (outcome.kind) {
        case Outcome::Kind::solved: {
            const bool first = !solved(request.root, exercise);
            record(exercise, "solved");
            say("{} ({:.1f} s)\n", screen.paint("Solved.", Ink::good), outcome.seconds);
            if (first) say("One way to write it: {} --solution\n", again);
            const std::string next = after(request, all, exercise);
            say("NEXT  {}\n", next.empty() ? "./heed exercise" : "./heed exercise " + next);
            return true;
        }
        case Outcome::Kind::not_written:
            say("NEXT  {}\n", !outcome.text.starts_with("Your file is empty")
                                  ? "write what is missing in " + name
                                  : again + " --reset");
            return false;
        case Outcome::Kind::does_not_compile:
            say("NEXT  {} {}\n",
                outcome.text.starts_with("Line ") ? "mend this line in"
                                                  : "compare names and types with the task:",
                name);
            return false;
        default:
            record(exercise, "tried");
            say("NEXT  change {}, or {} --hint\n", name, again);
            return false;
    }
}

void show_hint(const Request& request, const Exercise& exercise) {
    const std::vector<std::string> all = hints(exercise);
    const int shown =
        std::min<int>(count_events(request.root, exercise, "hint"), static_cast<int>(all.size()));
    const int until = std::min<int>(shown + 1, static_cast<int>(all.size()));
    for (int i = 0; i < until; ++i) {
        say("Hint {} of {}\n\n", i + 1, all.size());
        show_prose(all[i]);
        fmt::print("\n");
    }
    if (shown < static_cast<int>(all.size())) record(exercise, "hint");
    say("NEXT  ./heed exercise {}{}\n", exercise.id(),
        until < static_cast<int>(all.size()) ? "" : ", or with --solution");
}

// When a file was last saved, whatever way the editor saves: many write a new file and rename it.
std::pair<fs::file_time_type, std::uintmax_t> state_of(const std::string& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    const auto size = fs::file_size(file, error);
    return error ? std::pair<fs::file_time_type, std::uintmax_t>{} : std::pair{time, size};
}

int watch(const Request& request, const std::vector<Exercise>& all, Exercise exercise) {
    const Screen screen = screen_of_stdout();
    while (true) {
        const std::string file = file_of(request, exercise);
        if (!fs::exists(file)) {
            begin(request, exercise);
            show_prose(task_text(exercise));
        }
        const auto before = state_of(file);
        const bool right = before.second > 0 && judge_and_show(request, all, exercise);
        const std::string next = after(request, all, exercise);
        const std::string keys = fmt::format("h hint   r run   {}q quit",
                                             right && !next.empty() ? "n next   " : ""),
                          waits = exercise.file_name() + " waits for a save   ";
        // One line, because only one can be removed.
        const bool fits = waits.size() + keys.size() < static_cast<std::size_t>(screen.width);
        const auto saved = [&] {
            const auto now = state_of(file);
            return now != before && now.second > 0;  // an editor may empty the file first
        };
        char key = 'h';
        while (key == 'h') {
            key = wait_for_key(fits ? waits + keys : keys, saved);
            if (key == 'h') show_hint(request, exercise);
        }
        if (key == 'q' || key == '\0') return right ? 0 : 1;
        if (key == 'n' && right && !next.empty())
            exercise = *std::find_if(all.begin(), all.end(),
                                     [&](const Exercise& other) { return other.id() == next; });
        fmt::print("\n");
    }
}

const Exercise& find(const Request& request, const std::vector<Exercise>& all) {
    const Exercise* of_lesson = nullptr;
    for (const Exercise& exercise : all) {
        const std::string id = exercise.id();
        if (request.id == id || "0" + request.id == id || request.id == exercise.name)
            return exercise;
        const std::string lesson = id.substr(0, 2);
        const bool here = request.id == lesson || "0" + request.id == lesson;
        if (here &&
            (!of_lesson || (solved(request.root, *of_lesson) && !solved(request.root, exercise))))
            of_lesson = &exercise;
    }
    check(of_lesson != nullptr, "there is no exercise {}; ./heed exercise lists all", request.id);
    return *of_lesson;
}

int serve(const Request& request) {
    const std::vector<Exercise> all = exercises(request.root);
    if (request.mine) {
        const FileOf written = [&](const Exercise& exercise) {
            const std::string file = file_of(request, exercise);
            return solved(request.root, exercise) && fs::exists(file) ? file : std::string();
        };
        return train_own_engine(all, written, request.tools, request.arguments);
    }
    if (request.id.empty()) {
        check(!request.watch && !request.hint && !request.solution && !request.reset,
              "--watch, --hint, --solution and --reset need the ID of an exercise");
        show_list(request, all);
        return 0;
    }
    const Exercise exercise = find(request, all);
    if (request.solution) {
        fmt::print("{}", read_file(exercise.folder + "/solution.h"));
        return 0;
    }
    if (request.hint) {
        show_hint(request, exercise);
        return 0;
    }
    const std::string file = file_of(request, exercise);
    const bool fresh = request.reset || !fs::exists(file);
    if (fresh) begin(request, exercise);
    if (request.watch) return watch(request, all, exercise);
    if (fresh) {
        show_prose(task_text(exercise));
        say("\nNEXT  write in my/{}, save it, and ./heed exercise {}; or begin with --watch\n",
            exercise.file_name(), exercise.id());
        return 0;
    }
    return judge_and_show(request, all, exercise) ? 0 : 1;
}

int read_request(int argc, char** argv, Request& request) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--help" || word == "-h") return say("{}", usage), 1;
        if (word == "--mine") {
            request.mine = true;
            request.arguments.assign(argv + i + 1, argv + argc);
            return 0;
        }
        if (word == "--watch")
            request.watch = true;
        else if (word == "--hint")
            request.hint = true;
        else if (word == "--solution")
            request.solution = true;
        else if (word == "--reset")
            request.reset = true;
        else if (word.starts_with("-"))
            fail("{}: unknown option; --help lists them", word);
        else if (request.id.empty())
            request.id = word;
        else
            fail("expected one exercise, found {} and {}", request.id, word);
    }
    return 0;
}

}  // namespace
}  // namespace heed::course

int main(int argc, char** argv) {
    using namespace heed::course;
    try {
        const char* home = std::getenv("HEED_HOME");
        Request request;
        request.root = home && *home ? home : HEED_ROOT;
        request.tools = {HEED_CXX, HEED_BUILD_DIR};
        if (read_request(argc, argv, request) != 0) return 0;
        return serve(request);
    } catch (const std::exception& error) {
        std::fflush(stdout);
        fmt::print(stderr, "heed: {}\n", error.what());
        return 2;
    }
}
