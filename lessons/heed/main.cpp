// ./heed: what each command does. The script of that name has installed what is missing, and has
// configured and built this program.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/exercise/desk.h"
#include "lessons/course/exercise/open_experiment.h"
#include "lessons/course/exercise/own_options.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/heed/commands.h"
#include "lessons/heed/early.h"

namespace heed::course {
namespace {

// A command that another program carries out, which is built first.
int hand_over(const Place& place, const Words& words, const Words& targets) {
    build(place, targets);
    Words all{place.program(targets[0])};
    all.insert(all.end(), words.begin(), words.end());
    become(all);
}

// ./heed chat FILE --mine: the model with the functions that the reader wrote as exercises.
int chat_with_own_parts(const Place& place, Words words) {
    std::erase(words, "--mine");
    check(!words.empty() && !words[0].starts_with('-'),
          "expected a model before --mine: ./heed chat FILE --mine");
    words.insert(words.begin(), "--model");
    with_values(usual_options("chat"), words);
    check(std::filesystem::exists(words[1]), "{}: no such file or folder", words[1]);
    build(place, {"heed_exercise", "heed_run"});
    words.insert(words.begin(), {place.program("heed_exercise"), "--mine", "chat"});
    become(words);
}

// "heed 0.1.0 (8a3201b)": the version of the project, and the commit.
int version() {
    const std::string at = commit();
    fmt::print("heed {}{}\n", HEED_VERSION, at.empty() ? "" : " (" + at + ")");
    return 0;
}

const std::string command_names[] = {"learn", "exercise", "experiment", "progress",
                                     "book",  "help",     "run",        "gradcheck",
                                     "test",  "new",      "bench",      "chat"};

int command(const std::string& name, const Words& words) {
    std::error_code gone;
    const auto here = std::filesystem::current_path(gone);
    check(!gone && !here.empty(),
          "the folder in which you stand is there no longer: go to another one with cd");
    const std::string root = home_folder();
    if (name.empty()) return home(root);
    if (name == "--version") return version();
    if (name == "help" || name == "-h" || name == "--help") return help();
    if (name == "progress") return progress(root, words);
    const char* preset = std::getenv("HEED_PRESET");
    const Place place = configured_place(root, preset && *preset ? preset : "release");
    if (name == "learn") return learn(place, words);
    if (name == "exercise") {
        if (const auto status = serve_without_judge(read_request(root, words))) return *status;
        return hand_over(place, words, {"heed_exercise", "heed_answers"});
    }
    if (name == "experiment") {
        if (const auto status = serve_without_run(root, words)) return *status;
        if (!isatty(STDERR_FILENO)) say("building what an experiment needs ...");
        build(place, {"heed_exercise", "heed_run"});
        Words all{place.program("heed_exercise"), "--experiment"};
        all.insert(all.end(), words.begin(), words.end());
        become(all);
    }
    if (name == "book") {
        check_options(place, words, {"lessons/heed/book.cpp", "lessons/book/main.cpp"},
                      "./heed book --help");
        return book(place, words);
    }
    if (name == "gradcheck") {
        check_gradcheck(place, words);
        return hand_over(place, words, {"heed_gradcheck"});
    }
    if (name == "chat") {
        if (std::find(words.begin(), words.end(), "--mine") != words.end())
            return chat_with_own_parts(place, words);
        check_options(place, words, {"lessons/chat/main.cpp"}, "./heed chat --help");
        return hand_over(place, words, {"heed_chat"});
    }
    if (name == "run") return run(place, words);
    if (name == "test") return tests(place, words);
    if (name == "bench") {
        check_bench(place, words);
        return hand_over(prepared(place, place.preset, true), words, {"heed_bench"});
    }
    if (name == "new") return create(place, words);
    if (const std::string other = meant(name, command_names); !other.empty())
        fail("there is no command {}; did you mean ./heed {}?", name, other);
    fail("there is no command {}; ./heed help lists them", name);
}

}  // namespace
}  // namespace heed::course

int main(int argc, char** argv) {
    using namespace heed::course;
    try {
        check_environment();
        const std::string name = argc > 1 ? argv[1] : "";
        const int status = command(name, argc > 2 ? Words(argv + 2, argv + argc) : Words());
        check_output();
        return status;
    } catch (const Build::Failed&) {
        return 2;  // the compiler has said why
    } catch (const std::exception& error) {
        std::fflush(stdout);
        say(words_of(error));
        return 2;
    }
}
