#include "lessons/course/exercise/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"
#include "lessons/course/exercise/record.h"
#include "lessons/course/report/files.h"
#include "lessons/course/story/prose.h"
#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage_of_exercise =
    "./heed exercise [ID]          the list, or exercise ID: 10.1, or 10 for the next of lesson "
    "10\n"
    "  --watch                     judge at every save\n"
    "  --hint                      the next hint\n"
    "  --solution                  one way to write it\n"
    "  --reset                     begin again; the old file is kept beside the new one\n";

// Prints lines that fit the window.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
    const std::string lines = fmt::format(format, std::forward<Args>(args)...);
    fmt::print("{}", fitted(lines, screen_of_stdout().limit()));
}

void show_prose(const std::string& markdown) {
    const Screen screen = screen_of_stdout();
    for (const std::string& block : prose_blocks(markdown, screen)) fmt::print("{}\n", block);
}

void show_list(const ExerciseRequest& request, const std::vector<Exercise>& all) {
    const Screen screen = screen_of_stdout();
    std::string next, lines;
    LessonNumber lesson(-1);
    int done = 0;
    for (const Exercise& exercise : all) {
        if (exercise.lesson != lesson && !lines.empty()) lines += "\n";
        lesson = exercise.lesson;
        const bool tick = solved(request.root, exercise),
                   begun = fs::exists(file_of(request, exercise));
        done += tick;
        if (!tick && next.empty()) next = exercise.id();
        const std::string mark = tick ? screen.paint("✓", Ink::good) : begun ? "·" : " ";
        const std::string effort =
            fmt::format("{} {} min", std::string(exercise.level, '*'), exercise.minutes);
        lines += list_line(fmt::format("  {} {:<5} ", mark, exercise.id()), exercise.title, 50,
                           pad("  " + screen.paint(effort, Ink::faint), 12), screen.limit());
    }
    print_in_pages(lines);
    tell("\n{} of {} solved. * easy, *** hard\n", done, all.size());
    tell("NEXT  {}\n", next.empty() ? "./heed learn" : "./heed exercise " + next);
}

}  // namespace

std::string file_of(const ExerciseRequest& request, const Exercise& exercise) {
    return request.root + "/my/" + exercise.file_name();
}

void note_event(const Exercise& exercise, const std::string& event) {
    if (const std::string problem = record_event(exercise, event); !problem.empty())
        tell("{}\n", problem);
}

void put_into_my(const std::string& root, const std::string& name, const std::string& text) {
    make_folder(root + "/my");
    // So that editors with clangd complete and check.
    if (const std::string flags = root + "/my/compile_flags.txt"; !fs::exists(flags))
        write_file(flags, fmt::format("-std=c++20\n-x\nc++\n-I{}\n", root));
    const std::string file = root + "/my/" + name;
    if (fs::exists(file)) {
        int n = 1;
        while (fs::exists(fmt::format("{}.old{}", file, n))) ++n;
        write_file(fmt::format("{}.old{}", file, n), read_regular_file(file));
        tell("Your file is kept as my/{}.old{}\n", name, n);
    }
    write_file(file, text);
}

void begin_exercise(const ExerciseRequest& request, const Exercise& exercise) {
    put_into_my(request.root, exercise.file_name(), task_file(exercise));
}

void show_task(const Exercise& exercise) { show_prose(task_text(exercise)); }

bool is_as_given(const ExerciseRequest& request, const Exercise& exercise) {
    if (read_regular_file(file_of(request, exercise)) != task_file(exercise)) return false;
    tell("Your file is as it was given to you. The task stands in it.\n");
    tell("NEXT  write in my/{} and save it\n", exercise.file_name());
    return true;
}

void show_hint(const ExerciseRequest& request, const Exercise& exercise) {
    const std::vector<std::string> all = hints(exercise);
    const int shown =
        std::min<int>(count_events(request.root, exercise, "hint"), static_cast<int>(all.size()));
    const int until = std::min<int>(shown + 1, static_cast<int>(all.size()));
    for (int i = 0; i < until; ++i) {
        tell("Hint {} of {}\n\n", i + 1, all.size());
        show_prose(all[i]);
        fmt::print("\n");
    }
    if (shown < static_cast<int>(all.size())) note_event(exercise, "hint");
    tell("NEXT  ./heed exercise {}{}\n", exercise.id(),
         until < static_cast<int>(all.size()) ? "" : ", or with --solution");
}

const Exercise& wanted_exercise(const ExerciseRequest& request, const std::vector<Exercise>& all) {
    const Exercise* of_lesson = nullptr;
    for (const Exercise& exercise : all) {
        const std::string id = exercise.id();
        const std::string wanted =
            request.id.starts_with("w") ? "W" + request.id.substr(1) : request.id;
        if (wanted == id || "0" + wanted == id || request.id == exercise.name) return exercise;
        const bool here = wanted == exercise.lesson.typed() || wanted == exercise.lesson.padded();
        if (here &&
            (!of_lesson || (solved(request.root, *of_lesson) && !solved(request.root, exercise))))
            of_lesson = &exercise;
    }
    check(of_lesson != nullptr, "there is no exercise {}; ./heed exercise lists all", request.id);
    return *of_lesson;
}

ExerciseRequest read_request(const std::string& root, const std::vector<std::string>& words) {
    ExerciseRequest request{.root = root, .id = {}};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--mine" && i + 1 < words.size()) {
            request.mine = words[i + 1];
            request.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 2,
                                     words.end());
            return request;
        }
        if (word == "--help" || word == "-h")
            request.help = true;
        else if (word == "--watch")
            request.watch = true;
        else if (word == "--hint")
            request.hint = true;
        else if (word == "--solution")
            request.solution = true;
        else if (word == "--reset")
            request.reset = true;
        else if (word.starts_with("-"))
            fail("{}: unknown option; ./heed exercise --help lists all options", word);
        else if (request.id.empty())
            request.id = word;
        else
            fail("expected one exercise, found {} and {}", request.id, word);
    }
    // Only --watch and --reset go together: it begins again and then watches.
    check(request.hint + request.solution + (request.watch || request.reset) <= 1,
          "expected one of --hint, --solution, --reset and --watch");
    return request;
}

std::optional<int> serve_without_judge(const ExerciseRequest& request) {
    if (request.help) return tell("{}", usage_of_exercise), 0;
    const std::vector<Exercise> all = exercises(request.root);
    if (request.id.empty()) {
        check(!request.watch && !request.hint && !request.solution && !request.reset,
              "--watch, --hint, --solution and --reset need the ID of an exercise");
        show_list(request, all);
        return 0;
    }
    const Exercise exercise = wanted_exercise(request, all);
    if (request.solution)
        return fmt::print("{}", read_regular_file(exercise.folder + "/solution.h")), 0;
    if (request.hint) return show_hint(request, exercise), 0;
    if (request.watch) return {};
    if (!request.reset && fs::exists(file_of(request, exercise))) {
        if (is_as_given(request, exercise)) return 1;
        return {};
    }
    begin_exercise(request, exercise);
    show_task(exercise);
    tell("\nNEXT  write in my/{}, save it, and ./heed exercise {}; or begin with --watch\n",
         exercise.file_name(), exercise.id());
    return 0;
}

}  // namespace heed::course
