#include "lessons/course/exercise/workshop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <regex>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "autograd/base/input_file.h"
#include "lessons/course/exercise/journal.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/process.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr rlim_t most_printed = 8 << 20;     // bytes of one file
constexpr std::uint64_t most_log = 1 << 30;  // of a compiler's messages

constexpr std::size_t most_written = 100'000;  // bytes of an answer

struct Ended {
    int status = 0;  // the exit status, or 128 + n after signal n; -1: stopped at the limit
    std::string output;
};

// Runs a program and returns what it printed, on both outputs. A limit of 0 is none.
Ended run(const std::vector<std::string>& words, const std::string& log, double limit) {
    const int status = wait_for(start(words, writing_into(log)), limit);
    return {status, with_short_lines(read_regular_file(log, most_log))};
}

// The same for a program with the reader's code, which must not fill the disk.
Ended run_guarded(const std::vector<std::string>& words, const std::string& log,
                  const std::string& input) {
    const int status = wait_for(start(words,
                                      [write = writing_into(log), read = reading(input)] {
                                          write();
                                          read();
                                          const rlimit most{most_printed, most_printed};
                                          setrlimit(RLIMIT_FSIZE, &most);
                                      }),
                                time_limit + 2);  // it has an alarm of its own
    return {status, with_short_lines(read_regular_file(log, most_log))};
}

// What the reader's code has printed, or its last lines.
std::string last_lines(const std::string& text) {
    constexpr int most = 40;
    std::size_t at = text.size();
    for (int lines = 0; at > 0 && lines <= most; --at) lines += text[at - 1] == '\n';
    if (at == 0) return text;
    return "(the last lines of what your file prints)\n" + text.substr(at + 1);
}

Answer answer_of(const Exercise& exercise, const std::string& file) {
    return {"answer", file, exercise.folder + "/judge.cpp"};
}

// The line of the reader's file in which the program crashed; 0 if it cannot be found. Compiles once more,
// with the address sanitizer, which knows where memory was damaged long before a crash.
int line_of_damage(const Exercise& exercise, const std::string& file, const std::string& crashed,
                   const Tools& tools) {
    const std::string program = crashed + ".crash", source = program + ".cpp";
    write_file(source, judging_program({answer_of(exercise, file)}));
    const Ended compiled =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", "-O0", "-g1",
             "-fsanitize=address", "-w", source, "-o", program,
             "@" + tools.build + "/run/course.rsp", "@" + tools.build + "/run/link.rsp"},
            program + ".log", 0);
    if (compiled.status != 0) return 0;
    const Ended ended = run_guarded({program, "answer", ""}, program + ".log", "");
    const std::string place = file + ":";
    const std::size_t at = ended.output.find(place);
    return at == std::string::npos ? 0 : std::atoi(ended.output.c_str() + at + place.size());
}

std::string line_of(const std::string& file, int number) {
    std::istringstream lines(read_regular_file(file));
    std::string line;
    for (int i = 0; i < number; ++i) std::getline(lines, line);
    return line;
}

// Why the compiler stumbles behind the reader's file: a brace that is missing or too many, or a header that is
// not there, since includes are moved in front of everything. Empty if it is neither.
std::string fault_of_form(const std::string& file, const std::string& said) {
    static const std::regex header("^(.+): No such file or directory$");
    const auto at = [&](int line, const std::string& what) {
        return fmt::format("Line {}: {}\n    {}\n", line, what, line_of(file, line));
    };
    std::smatch found;
    std::istringstream lines(read_regular_file(file));
    int number = 0;
    if (std::regex_match(said, found, header)) {
        for (std::string line; std::getline(lines, line);)
            if (++number; line.find("#include") != std::string::npos &&
                          line.find(found[1].str()) != std::string::npos)
                return at(number, fmt::format("there is no header '{}'", found[1].str()));
        return "";
    }
    lines.str(without_comments(read_regular_file(file)));
    std::vector<int> open;  // the lines of the braces that are open
    for (std::string line; std::getline(lines, line);) {
        ++number;
        for (const char c : line) {
            if (c == '{') open.push_back(number);
            if (c != '}') continue;
            if (open.empty()) return at(number, "this } closes nothing; there is one too many");
            open.pop_back();
        }
    }
    return open.empty() ? "" : at(open.back(), "this { is never closed; a } is missing below it");
}

// The first letter of this line that is not ASCII, outside of comments and texts, such as the semicolon of another
// script; empty if there is none.
std::string foreign_sign(const std::string& file, int number) {
    std::istringstream lines(without_comments(read_regular_file(file)));
    std::string line;
    for (int i = 0; i < number; ++i) std::getline(lines, line);
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    const auto first = std::find_if_not(line.begin(), line.end(), is_ascii);
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return first == line.end()
               ? ""
               : std::string(first, std::find_if_not(first + 1, line.end(), continues));
}

// The last line with code before this one, if the column is where this one begins; else 0. There the compiler misses
// what is missing at the end of the line before.
int line_before(const std::string& file, int number, int column) {
    const auto is_blank = [](const std::string& line) {
        return line.find_first_not_of(" \t\r") == std::string::npos;
    };
    std::istringstream lines(without_comments(read_regular_file(file)));
    int before = 0;
    std::string line;
    for (int i = 1; i < number && std::getline(lines, line); ++i)
        if (!is_blank(line)) before = i;
    std::getline(lines, line);
    return is_blank(line.substr(0, static_cast<std::size_t>(std::max(column - 1, 0)))) ? before : 0;
}

}  // namespace

std::string first_error(const std::string& log, const std::string& file) {
    static const std::regex error("^(.+):([0-9]+):([0-9]+): (?:fatal )?error: (.*)$"),
        semicolon("^expected .*;[^ ]+ before");
    std::string elsewhere;
    std::istringstream lines(log);
    std::smatch found;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, found, error)) continue;
        if (found[1] == file) {
            const int number = std::stoi(found[2]), column = std::stoi(found[3]);
            if (const std::string sign = foreign_sign(file, number); !sign.empty())
                return fmt::format("Line {}: C++ does not know the sign {}\n    {}\n", number, sign,
                                   line_of(file, number));
            const int before = line_before(file, number, column);
            if (before > 0 && std::regex_search(found[4].first, found[4].second, semicolon))
                return fmt::format("Line {}: there is no ; at its end\n    {}\n", before,
                                   line_of(file, before));
            return fmt::format("Line {}: {}\n    {}\n    {:>{}}\n", number, found[4].str(),
                               line_of(file, number), "^", column);
        }
        if (elsewhere.empty()) elsewhere = found[4];
    }
    if (const std::string fault = fault_of_form(file, elsewhere); !fault.empty()) return fault;
    if (!elsewhere.empty())
        return fmt::format(
            "Your file by itself compiles, but not together with what calls it. Are the names and "
            "the "
            "types as in the task?\n    {}\n",
            elsewhere);
    return log;
}

namespace {

constexpr const char* without_return =
    "here a function ends without a return, so its result is left to chance";

}  // namespace

std::string telling_warning(const std::string& log, const std::string& file) {
    static const std::regex warning(
        "^(.+):([0-9]+):[0-9]+: warning: (.*) \\[-W(return-type|parentheses|unused-value|uninitialized|"
        "maybe-uninitialized|sometimes-uninitialized|empty-body|div-by-zero|"
        "division-by-zero|array-bounds|return-local-addr|return-stack-address|sequence-point|unsequenced)=?\\]$");
    std::istringstream lines(log);
    std::smatch found;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, found, warning) && found[1] == file) {
            const int number = std::stoi(found[2]);
            const std::string said = found[4] == "return-type"
                                         ? std::string(without_return)
                                         : "the compiler warns: " + found[3].str();
            return fmt::format("Line {}: {}\n    {}\n", number, said, line_of(file, number));
        }
    return "";
}

namespace {

// How a program is compiled, with heed's headers compiled beforehand in the same way.
struct Way {
    std::vector<std::string> options;
    std::string headers;
};
// Most of the time goes to the compiler: a third less without optimisation. The numbers of lines tell where an
// answer crashes, and the standard library refuses an index outside of a vector.
const Way for_answers{{"-O0", "-g1", "-D_GLIBCXX_ASSERTIONS"}, "/run/unoptimised/heed.h"},
    for_programs{{"-O1"}, "/run/heed.h"};

// The object file of a source. Empty, with the log, if it does not compile.
Compiled compile(const std::string& source, const std::string& object, const Way& way,
                 const Tools& tools) {
    make_folder(fs::path(object).parent_path().string());
    const std::string file = object + ".cpp";
    write_file(file, source);
    std::vector<std::string> words{tools.compiler, "@" + tools.build + "/run/compile.rsp"};
    words.insert(words.end(), way.options.begin(), way.options.end());
    words.insert(words.end(), {"-include", tools.build + way.headers, "-c", file, "-o", object,
                               "-MD", "-MF", object + ".d"});  // the files that it has read
    const Ended ended = run(words, object + ".log", 0);
    check(ended.status != 127, "exercise: the compiler {} cannot be run", tools.compiler);
    if (ended.status != 0) check_could_write(ended.output);
    return {ended.status == 0 ? object : "", ended.output};
}

// The program of what compile() has returned.
Compiled link(const Compiled& object, const std::string& program, const Tools& tools) {
    if (object.program.empty()) return object;
    const Ended ended =
        run({tools.compiler, "@" + tools.build + "/run/compile.rsp", object.program, "-o", program,
             "@" + tools.build + "/run/course.rsp", "@" + tools.build + "/run/link.rsp"},
            program + ".log", 0);
    if (ended.status != 0) check_could_write(ended.output);
    return {ended.status == 0 ? program : "", object.log + ended.output};
}

// All that the object file for these answers depends on, as text.
std::string ingredients(const std::vector<Answer>& answers, const std::string& source,
                        const Tools& tools) {
    std::string all = tools.compiler + read_regular_file(tools.build + "/run/compile.rsp") + source;
    for (const Answer& answer : answers)
        all += read_regular_file(answer.file) + read_regular_file(answer.judge);
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

namespace {

constexpr const char* bad_memory =
    "it used memory that is not its own (a null pointer, or an index outside)";
constexpr const char* endless =
    "its stack is used up (a function calls itself without an end, or an array in it is too large)";

}  // namespace

std::string cause_of_end(int signal, const std::string& printed) {
    static const std::regex assertion("Assertion [`'](.*)' failed");
    std::smatch found;
    if (signal == SIGABRT && std::regex_search(printed, found, assertion) &&
        found[1].str().starts_with("__n < "))  // of the standard library
        return "an index is outside of its vector or array";
    static const std::regex damage("free\\(\\)|munmap_chunk|malloc|corrupted");
    if (signal == SIGABRT && std::regex_search(printed, damage))
        return "memory was damaged (an index outside, or something was freed twice)";
    if (signal == SIGABRT && std::regex_search(printed, found, assertion))
        return fmt::format("the assertion {} does not hold", found[1].str());
    switch (signal) {
        case SIGSEGV:
        case SIGBUS:
            return bad_memory;
        case SIGABRT:
            return "abort() was called: by your file, by an assertion, or because an exception was not caught "
                   "or memory was damaged";
        case SIGFPE:
            return "a whole number was divided by 0";
        case SIGXFSZ:
            return "it printed more than 8 MB";
        case SIGILL:
            return "it came to a place that cannot be carried out, such as the end of a function without return";
        default:
            return fmt::format("by signal {}, {}", signal, strsignal(signal));
    }
}

namespace {

// The checks that held before the one during which the program ended.
std::string unfinished(const Journal& journal, const std::string& how) {
    if (journal.checks.empty()) return "✗ before the first check\n" + how + "\n";
    std::string text;
    for (std::size_t i = 0; i + 1 < journal.checks.size(); ++i)
        text += fmt::format("✓ {}\n", journal.checks[i].what);
    return text + fmt::format("✗ {}\n{}\n", journal.checks.back().what, how);
}

// Whether it is slow or has no end: the checks before it tell.
std::string why_too_long(const Journal& journal) {
    const std::string still =
        fmt::format("Still running after {} s, so it was stopped.", time_limit);
    if (journal.checks.size() < 2) return still + " Is there a loop that does not end?";
    const double before = journal.checks.back().at;
    return before > 1
               ? fmt::format(
                     "{} The checks before this one took {:.1f} s: your file is slow, rather than "
                     "without an end.",
                     still, before)
               : fmt::format(
                     "{} The checks before this one took {:.2f} s: here is a loop that does not end, or "
                     "nearly so.",
                     still, before);
}

// A run of a program that judges, and what it has written into its journal.
struct Run {
    Outcome outcome;
    Journal journal;
};

Run run_and_read(const std::string& program, const std::string& which) {
    using Kind = Outcome::Kind;
    const Clock::time_point start = Clock::now();
    const std::string log = program + "." + which, word = new_word();
    write_file(log + ".journal", "");
    const Ended ended = run_guarded({program, which, log + ".journal"}, log + ".log", word);
    const Journal journal = read_journal(log + ".journal", word);
    // cause_of_end() says what the assertions of the standard library mean.
    static const std::regex of_library("(^|\n)/[^\n]*: Assertion '[^\n]*' failed\\.");
    std::string printed = last_lines(std::regex_replace(ended.output, of_library, "$1"));
    if (printed == "\n") printed.clear();
    if (!printed.empty() && !printed.ends_with('\n')) printed += '\n';
    const auto with = [&](Kind kind, const std::string& text) {
        return Run{{kind, printed + text, seconds_since(start)}, journal};
    };
    if (journal.verdict == "solved") return with(Kind::solved, journal.text);
    if (journal.verdict == "not yet") return with(Kind::not_yet, journal.text);
    if (journal.verdict == "not written") return with(Kind::not_written, journal.text);
    if (ended.status == -1 || ended.status == 128 + SIGALRM)
        return with(Kind::too_long, unfinished(journal, why_too_long(journal)));
    if (ended.status > 128)
        return with(
            Kind::crashed,
            unfinished(journal, fmt::format("The program crashed: {}.",
                                            cause_of_end(ended.status - 128, ended.output))));
    return with(Kind::ended_early,
                unfinished(journal,
                           "The program ended here, before the judge was done. Does your file "
                           "call exit()?"));
}

}  // namespace

Outcome run_answer(const std::string& program, const std::string& which) {
    return run_and_read(program, which).outcome;
}

namespace {

using Slow = std::function<void(const std::string&)>;

// Adds where in the reader's file the program crashed. `slow` is called before a search, which is not made where the
// compiler has warned of the cause.
void add_place(Run& run, const Exercise& exercise, const std::string& file,
               const std::string& program, const Tools& tools, const std::string& warning,
               const Slow& slow) {
    std::string& text = run.outcome.text;
    const std::vector<int> lines = lines_of_calls(run.journal, program, file);
    const auto own = std::find_if(lines.begin(), lines.end(), [](int line) { return line > 0; });
    int number = own == lines.end() ? 0 : *own;
    if (number == 0 && !warning.empty()) return;
    if (number == 0) {
        slow("The program crashed. Looking for the place, which takes up to half a minute ...");
        number = line_of_damage(exercise, file, program, tools);
    }
    const auto calls_itself = [&](int line) {
        return line > 0 && std::count(lines.begin(), lines.end(), line) > 20;
    };
    if (const auto again = std::find_if(lines.begin(), lines.end(), calls_itself);
        again != lines.end() && text.find(bad_memory) != std::string::npos)
        number = *again;  // and not the line that had the last bytes of the stack
    if (calls_itself(number))
        if (const std::size_t at = text.find(bad_memory); at != std::string::npos)
            text.replace(at, std::string(bad_memory).size(), endless);
    text += number == 0 ? "The place in your file was not found.\n"
                        : fmt::format("Line {}:\n    {}\n", number, line_of(file, number));
}

// Compiles this file as an answer, and runs it if it compiles.
std::pair<Compiled, Run> compile_and_run(const Exercise& exercise, const std::string& file,
                                         const std::string& program, const Tools& tools) {
    const Compiled compiled = link(
        compile(judging_program({answer_of(exercise, file)}), program + ".o", for_answers, tools),
        program, tools);
    return {compiled, compiled.program.empty() ? Run{} : run_and_read(program, "answer")};
}

// Adds which line was running when the time was over, and how long the solution takes.
void add_comparison(Run& run, const Exercise& exercise, const std::string& file,
                    const std::string& program, const Tools& tools, const Slow& slow) {
    std::string& text = run.outcome.text;
    for (const int line : lines_of_calls(run.journal, program, file))
        if (line > 0) {
            text += fmt::format("Line {} was running:\n    {}\n", line, line_of(file, line));
            break;
        }
    const std::string solution = exercise.folder + "/solution.h";
    if (!fs::exists(solution)) return;
    slow(fmt::format("Still running after {} s. Running our solution, to compare ...", time_limit));
    const Run ours = compile_and_run(exercise, solution, program + ".solution", tools).second;
    if (ours.outcome.kind == Outcome::Kind::too_long)
        text +=
            "Our solution is not ready in this time, either: the machine is busy. Try again later.\n";
    if (ours.outcome.kind == Outcome::Kind::solved)
        text +=
            fmt::format("Our solution takes {} for all checks together.\n",
                        ours.outcome.seconds < 0.1 ? std::string("less than 0.1 s")
                                                   : fmt::format("{:.1f} s", ours.outcome.seconds));
}

// One judge at a time for each exercise, because its program has one name; the others wait.
class Turn {
  public:
    Turn(const std::string& program, const Slow& slow) {
        make_folder(fs::path(program).parent_path().string());
        file_ = open((program + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
        slow("This exercise is being judged already. Waiting until that is done ...");
        while (flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    }
    ~Turn() {
        if (file_ >= 0) close(file_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    int file_ = -1;
};

// Whether the compiler has read the solution of an exercise, under whatever name, for a file that is not itself one.
bool has_read_a_solution(const std::string& file, const std::string& object) {
    std::error_code error;
    std::istringstream words(read_regular_file(object + ".d"));
    for (std::string word; words >> word;) {
        const fs::path path = fs::weakly_canonical(word, error);
        if (path.filename() == "solution.h" &&
            path.string().find("/exercises/") != std::string::npos &&
            path != fs::weakly_canonical(file, error))
            return true;
    }
    return false;
}

}  // namespace

Outcome judge_file(const Exercise& exercise, const std::string& file, const Tools& tools,
                   const Slow& slow) {
    using Kind = Outcome::Kind;
    const Clock::time_point start = Clock::now();
    const std::string text = read_regular_file(file);
    if (text.size() > most_written)
        return {
            Kind::not_written,
            fmt::format(
                "Your file is too long: {} bytes, where an answer has some lines; the judge reads {} "
                "at most.\n",
                text.size(), most_written)};
    if (text.find('\0') != std::string::npos)
        return {Kind::not_written, "Your file is not a text: it contains bytes that are 0.\n"};
    if (without_comments(text).find_first_not_of(" \t\r\n") == std::string::npos)
        return {Kind::not_written, "Your file is empty.\n"};
    const std::string program = tools.build + "/exercise/" + exercise.name;
    const Turn turn(program, slow);
    auto [compiled, run] = compile_and_run(exercise, file, program, tools);
    Outcome& outcome = run.outcome;
    if (compiled.program.empty())
        outcome = {Kind::does_not_compile, first_error(compiled.log, file)};
    else if (has_read_a_solution(file, program + ".o"))
        outcome = {
            Kind::not_yet,
            "✗ written by you\nYour file includes the solution of an exercise. Write the function yourself; "
            "--solution shows one way.\n"};
    const bool wrong = !compiled.program.empty() && outcome.kind != Kind::solved &&
                       outcome.kind != Kind::not_written;
    const std::string warning = wrong ? telling_warning(compiled.log, file) : "";
    if (outcome.kind == Kind::crashed)
        add_place(run, exercise, file, program, tools, warning, slow);
    if (outcome.kind == Kind::too_long) add_comparison(run, exercise, file, program, tools, slow);
    // A missing return explains everything, so the other guesses are left out.
    if (const std::size_t mark = outcome.text.find("✗");
        mark != std::string::npos && warning.find(without_return) != std::string::npos)
        outcome.text.resize(outcome.text.find('\n', mark) + 1);
    outcome.text += warning;
    outcome.seconds = seconds_since(start);
    return outcome;
}

}  // namespace heed::course
