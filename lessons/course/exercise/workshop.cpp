#include "lessons/course/exercise/workshop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sstream>
#include <thread>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/read/text_data.h"
#include "lessons/course/report/files.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Ended {
    int status = 0;  // the exit status, or 128 + n after signal n; -1: stopped at the limit
    std::string output;
};

// Runs a program and returns what it printed, on both outputs. A limit of 0 is none.
Ended run(std::vector<std::string> words, const std::string& log, double limit) {
    const std::string file = file_to_write(log);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::fflush(nullptr);
    const pid_t child = fork();
    check(child >= 0, "exercise: no process can be started");
    if (child == 0) {
        const int input = open("/dev/null", O_RDONLY),
                  output = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(input, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        execvp(argv[0], argv.data());
        _exit(127);
    }
    const Clock::time_point start = Clock::now();
    int status = 0;
    while (waitpid(child, &status, limit > 0 ? WNOHANG : 0) == 0) {
        if (seconds_since(start) > limit) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return {-1, read_file(log)};
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(log)};
}

// The line of the reader's file in which the program crashed; empty if it cannot be found. Compiles
// once more, with the address sanitizer, which knows the lines.
std::string line_of_crash(const Exercise& exercise, const std::string& file, const Tools& tools) {
    const std::string folder = tools.build + "/exercise", source = folder + "/crash.cpp",
                      program = folder + "/crash";
    write_file(source, judging_program({{"answer", file}}, exercise.folder + "/judge.cpp"));
    const Ended compiled =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", "-O1", "-g",
             "-fsanitize=address", "-w", source, "-o", program, tools.build + "/libheed_course.a",
             "@" + tools.build + "/run/link.rsp"},
            program + ".log", 0);
    if (compiled.status != 0) return "";
    const Ended ended = run({program, "answer"}, program + ".log", time_limit);
    std::smatch found;
    const std::string place = file + ":";
    const std::size_t at = ended.output.find(place);
    if (at == std::string::npos) return "";
    return fmt::format("line {}", std::atoi(ended.output.c_str() + at + place.size()));
}

std::string line_of(const std::string& file, int number) {
    std::istringstream lines(read_file(file));
    std::string line;
    for (int i = 0; i < number; ++i) std::getline(lines, line);
    return line;
}

}  // namespace

std::string first_error(const std::string& log, const std::string& file) {
    static const std::regex error("^(.+):([0-9]+):([0-9]+): (?:fatal )?error: (.*)$");
    std::string elsewhere;
    std::istringstream lines(log);
    std::smatch found;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, found, error)) continue;
        if (found[1] == file) {
            const int number = std::stoi(found[2]), column = std::stoi(found[3]);
            return fmt::format("Line {}: {}\n    {}\n    {:>{}}\n", number, found[4].str(),
                               line_of(file, number), "^", column);
        }
        if (elsewhere.empty()) elsewhere = found[4];
    }
    if (!elsewhere.empty())
        return fmt::format(
            "Your file by itself compiles, but not together with what calls it. Are the names and "
            "the "
            "types as in the task?\n    {}\n",
            elsewhere);
    return log;
}

namespace {

// `headers`: heed's headers, precompiled with the same optimisation.
Compiled compile(const std::string& source, const std::string& program, const Tools& tools,
                 const std::string& optimisation, const std::string& headers) {
    make_folder(fs::path(program).parent_path().string());
    const std::string file = program + ".cpp";
    write_file(file, source);
    const Ended ended =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", optimisation, "-include",
             headers, file, "-o", program, tools.build + "/libheed_course.a",
             "@" + tools.build + "/run/link.rsp"},
            program + ".log", 0);
    check(ended.status != 127, "exercise: the compiler {} cannot be run", tools.compiler);
    return {ended.status == 0 ? program : "", ended.output};
}

}  // namespace

Compiled compile_source(const std::string& source, const std::string& program, const Tools& tools) {
    return compile(source, program, tools, "-O1", tools.build + "/run/heed.h");
}

// Most of the time goes to the compiler: a third less without optimisation.
Compiled compile_answers(const Exercise& exercise, const std::vector<Answer>& answers,
                         const std::string& program, const Tools& tools) {
    return compile(judging_program(answers, exercise.folder + "/judge.cpp"), program, tools, "-O0",
                   tools.build + "/run/unoptimised/heed.h");
}

Outcome run_answer(const std::string& program, const std::string& which) {
    const Ended ended = run({program, which}, program + "." + which + ".log", time_limit);
    switch (ended.status) {
        case 0:
            return {Outcome::Kind::solved, ended.output};
        case 1:
            return {Outcome::Kind::not_yet, ended.output};
        case 3:
            return {Outcome::Kind::not_written, ended.output};
        case -1:
            return {Outcome::Kind::too_long,
                    fmt::format("Stopped after {} seconds. Is there a loop that does not end?\n",
                                time_limit)};
        default:
            return {Outcome::Kind::crashed, ended.output};
    }
}

Outcome judge_file(const Exercise& exercise, const std::string& file, const Tools& tools) {
    const Clock::time_point start = Clock::now();
    const Compiled compiled = compile_answers(exercise, {{"answer", file}},
                                              tools.build + "/exercise/" + exercise.name, tools);
    Outcome outcome;
    if (compiled.program.empty())
        outcome = {Outcome::Kind::does_not_compile, first_error(compiled.log, file)};
    else
        outcome = run_answer(compiled.program, "answer");
    outcome.seconds = seconds_since(start);
    if (outcome.kind == Outcome::Kind::crashed) {
        const std::string where = line_of_crash(exercise, file, tools);
        outcome.text = fmt::format("The program crashed{}.\n",
                                   where.empty() ? " outside of your file" : " in " + where);
        if (!where.empty()) {
            const int number = std::atoi(where.c_str() + 5);
            outcome.text += fmt::format("    {}\n", line_of(file, number));
        }
    }
    return outcome;
}

}  // namespace heed::course
