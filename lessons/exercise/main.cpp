// ./heed exercise [ID]: the reader's own work, judged.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>

#include "autograd/base/input_file.h"
#include "lessons/course/exercise/desk.h"
#include "lessons/course/exercise/open_experiment.h"
#include "lessons/course/exercise/own_program.h"
#include "lessons/course/exercise/record.h"
#include "lessons/course/exercise/workshop.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/process.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// Prints lines that fit the window.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
    const std::string lines = fmt::format(format, std::forward<Args>(args)...);
    fmt::print("{}", fitted(lines, screen_of_stdout().limit()));
}

// The exercise after this one that is not solved; empty if there is none.
std::string after(const ExerciseRequest& request, const std::vector<Exercise>& all,
                  const Exercise& exercise) {
    bool passed = false;
    for (const Exercise& other : all) {
        if (passed && !solved(request.root, other)) return other.id();
        passed = passed || other.id() == exercise.id();
    }
    return "";
}

// Judges the reader's file and says what to do next. Returns whether it is solved.
bool judge_and_show(const ExerciseRequest& request, const Tools& tools,
                    const std::vector<Exercise>& all, const Exercise& exercise) {
    const Screen screen = screen_of_stdout();
    const std::string file = file_of(request, exercise), name = "my/" + exercise.file_name();
    if (is_as_given(request, exercise)) return false;
    const Outcome outcome = judge_file(exercise, file, tools, [&](const std::string& why) {
        say("{}\n", why);
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
            note_event(exercise, "solved");
            say("{} ({:.1f} s)\n", screen.paint("Solved.", Ink::good), outcome.seconds);
            if (first) say("One way to write it: {} --solution\n", again);
            const std::string next = after(request, all, exercise);
            say("NEXT  {}\n", next.empty() ? "./heed exercise" : "./heed exercise " + next);
            return true;
        }
        case Outcome::Kind::not_written:
            say("NEXT  {}\n", !outcome.text.starts_with("Your file is ")
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
            note_event(exercise, "tried");
            say("NEXT  change {}, or {} --hint\n", name, again);
            return false;
    }
}

// When a file was last saved, whatever way the editor saves: many write a new file and rename it.
std::pair<fs::file_time_type, std::uintmax_t> state_of(const std::string& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    const auto size = fs::file_size(file, error);
    return error ? std::pair<fs::file_time_type, std::uintmax_t>{} : std::pair{time, size};
}

int watch(const ExerciseRequest& request, const Tools& tools, const std::vector<Exercise>& all,
          Exercise exercise) {
    for (bool reset = request.reset;; reset = false) {
        const std::string file = file_of(request, exercise);
        if (reset || !fs::exists(file)) {
            begin_exercise(request, exercise);
            show_task(exercise);
        }
        read_regular_file(file);  // refuses what is no file, which would never be saved
        const auto before = state_of(file);
        const bool right = before.second > 0 && judge_and_show(request, tools, all, exercise);
        const std::string next = after(request, all, exercise);
        const std::string keys = fmt::format("h hint   r run   {}q quit",
                                             right && !next.empty() ? "n next   " : ""),
                          waits = exercise.file_name() + " waits for a save   ";
        // One line, because only one can be removed.
        const bool fits =
            waits.size() + keys.size() < static_cast<std::size_t>(screen_of_stdout().width);
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

// ./heed experiment NAME: the reader's file with the program that runs both ways and judges the bar.
int judge_experiment(const std::string& root, const std::vector<std::string>& words,
                     const Tools& tools) {
    const OpenExperiment experiment = wanted_experiment(root, words);
    const std::string file = root + "/my/" + experiment.file_name(), text = read_regular_file(file),
                      version = fmt::format("{:016x}", std::hash<std::string>{}(text));
    if (without_comments(text).find_first_not_of(" \t\r\n") == std::string::npos) {
        say("Your file is empty.\nNEXT  ./heed experiment {} --reset\n", experiment.name);
        return 1;
    }
    say("Compiling my/{} ...\n", experiment.file_name());
    std::fflush(stdout);
    const Compiled compiled = compile_source(
        joined_program({{"experiment", file}}, "#include \"lessons/experiments/run.cpp\"\n"),
        tools.build + "/exercise/experiment_" + experiment.name, tools);
    const auto next = [&](const std::string& what) {
        say("NEXT  {} my/{}\n", what, experiment.file_name());
        return 1;
    };
    if (compiled.program.empty()) {
        fmt::print("{}", first_error(compiled.log, file));
        return next("mend it in");
    }
    const std::uint64_t seed = first_seed_for(experiment_runs(root), experiment.name, version);
    std::fflush(nullptr);
    const int status =
        wait_for(start({compiled.program, experiment.name, version, std::to_string(seed)}, [] {}));
    if (status == judged) return 0;
    if (status == 1) return 1;  // something is missing, and it has said what
    if (status == 0)
        say("The program ended before the last seed. Does your file call exit()?\n");
    else if (status == 128 + SIGALRM)
        say("One run took longer than {} s, so it was stopped. Is there a loop that does not end?\n",
            seconds_of_one_run);
    else if (status > 128)
        say("The program crashed: {}.\n", cause_of_end(status - 128, ""));
    return next("change");
}

int serve(const ExerciseRequest& request, const Tools& tools) {
    const std::vector<Exercise> all = exercises(request.root);
    if (!request.mine.empty()) {
        const FileOf written = [&](const Exercise& exercise) {
            const std::string file = file_of(request, exercise);
            return solved(request.root, exercise) && fs::exists(file) ? file : std::string();
        };
        return run_own_program(own_program(request.mine), all, written, tools, request.root,
                               request.arguments);
    }
    if (const std::optional<int> status = serve_without_judge(request)) return *status;
    const Exercise exercise = wanted_exercise(request, all);
    if (request.watch) return watch(request, tools, all, exercise);
    return judge_and_show(request, tools, all, exercise) ? 0 : 1;
}

}  // namespace
}  // namespace heed::course

int main(int argc, char** argv) {
    using namespace heed::course;
    try {
        check_environment();
        const char* home = std::getenv("HEED_HOME");
        const std::string root = home && *home ? home : HEED_ROOT;
        const std::vector<std::string> words(argv + 1, argv + argc);
        const Tools tools{HEED_CXX, HEED_BUILD_DIR};
        const bool experiment = !words.empty() && words[0] == "--experiment";
        const int status = experiment
                               ? judge_experiment(root, {words.begin() + 1, words.end()}, tools)
                               : serve(read_request(root, words), tools);
        check_output();
        return status;
    } catch (const std::exception& error) {
        std::fflush(stdout);
        complain("heed: " + words_of(error) + "\n");
        return 2;
    }
}
