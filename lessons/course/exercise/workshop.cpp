#include "lessons/course/exercise/workshop.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <regex>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/input_file.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/process.h"

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
Ended run(const std::vector<std::string>& words, const std::string& log, double limit) {
    const int status = wait_for(start(words, writing_into(log)), limit);
    return {status, read_file(log)};
}

Answer answer_of(const Exercise& exercise, const std::string& file) {
    return {"answer", file, exercise.folder + "/judge.cpp"};
}

// The line of the reader's file in which the program crashed; empty if it cannot be found. Compiles
// once more, with the address sanitizer, which knows the lines.
std::string line_of_crash(const Exercise& exercise, const std::string& file, const Tools& tools) {
    const std::string folder = tools.build + "/exercise", source = folder + "/crash.cpp",
                      program = folder + "/crash";
    write_file(source, judging_program({answer_of(exercise, file)}));
    const Ended compiled =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", "-O1", "-g",
             "-fsanitize=address", "-w", source, "-o", program,
             "@" + tools.build + "/run/course.rsp", "@" + tools.build + "/run/link.rsp"},
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

// How a program is compiled, with heed's headers compiled beforehand in the same way.
struct Way {
    std::string optimisation, headers;
};
// Most of the time goes to the compiler: a third less without optimisation.
const Way for_answers{"-O0", "/run/unoptimised/heed.h"}, for_programs{"-O1", "/run/heed.h"};

// The object file of a source. Empty, with the log, if it does not compile.
Compiled compile(const std::string& source, const std::string& object, const Way& way,
                 const Tools& tools) {
    make_folder(fs::path(object).parent_path().string());
    const std::string file = object + ".cpp";
    write_file(file, source);
    const Ended ended =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", way.optimisation, "-include",
             tools.build + way.headers, "-c", file, "-o", object},
            object + ".log", 0);
    check(ended.status != 127, "exercise: the compiler {} cannot be run", tools.compiler);
    return {ended.status == 0 ? object : "", ended.output};
}

// The program of what compile() has returned.
Compiled link(const Compiled& object, const std::string& program, const Tools& tools) {
    if (object.program.empty()) return object;
    const Ended ended =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", object.program, "-o", program,
             "@" + tools.build + "/run/course.rsp", "@" + tools.build + "/run/link.rsp"},
            program + ".log", 0);
    return {ended.status == 0 ? program : "", object.log + ended.output};
}

// All that the object file for these answers depends on, as text.
std::string ingredients(const std::vector<Answer>& answers, const std::string& source,
                        const Tools& tools) {
    std::string all = tools.compiler + read_file(tools.build + "/run/compile.rsp") + source;
    for (const Answer& answer : answers) all += read_file(answer.file) + read_file(answer.judge);
    const auto headers = fs::last_write_time(tools.build + for_answers.headers + ".gch");
    return all + std::to_string(headers.time_since_epoch().count());
}

}  // namespace

Compiled compile_source(const std::string& source, const std::string& program, const Tools& tools) {
    return link(compile(source, program + ".o", for_programs, tools), program, tools);
}

Compiled compile_answers(const std::vector<Answer>& answers, const std::string& program,
                         const std::string& kept, const Tools& tools) {
    const std::string source = judging_program(answers);
    const std::size_t hash = std::hash<std::string>{}(ingredients(answers, source, tools));
    const std::string object = fmt::format("{}.{:016x}.o", kept, hash);
    std::string log;
    if (!fs::exists(object)) {
        const Compiled compiled =
            compile(source, fmt::format("{}.{}", kept, getpid()), for_answers, tools);
        if (compiled.program.empty()) return compiled;
        log = compiled.log;
        // Those of earlier versions go.
        for (const auto& entry : fs::directory_iterator(fs::path(kept).parent_path()))
            if (entry.path().string().starts_with(kept + ".") && entry.path() != compiled.program)
                fs::remove(entry.path());
        fs::rename(compiled.program, file_to_write(object));
    }
    return link({object, log}, program, tools);
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
    const std::string program = tools.build + "/exercise/" + exercise.name;
    const Compiled compiled = link(
        compile(judging_program({answer_of(exercise, file)}), program + ".o", for_answers, tools),
        program, tools);
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
