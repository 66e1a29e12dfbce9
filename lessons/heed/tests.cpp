// ./heed test [FILTER]: builds and runs all tests. They are one program a folder of tests; as many run side by
// side as there are processors. The tests use records of their own, so that they do not change those of
// the reader. The filter '~[lesson]' leaves out all that runs lessons and examples, so these are not built
// then.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/report/files.h"
#include "lessons/heed/commands.h"

namespace heed::course {
namespace {

namespace fs = std::filesystem;

// A folder that is removed at the end, also after Ctrl-C: its children get the signal too, and end.
struct Work {
    std::string path = (fs::temp_directory_path() / "heed_test_XXXXXX").string();
    Work() { check(mkdtemp(path.data()) != nullptr, "cannot make a folder in {}", path); }
    ~Work() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
};

struct Counts {
    int passed = 0, failed = 0, skipped = 0;
};

// One program of tests while it runs.
struct Job {
    std::string name{}, filter{};
    std::string folder{};  // its current folder, its output and its counts
    pid_t process = 0;
};

// The programs of the tests, those that take longest first; cmake lists them.
Words programs_of(const Place& place) {
    std::ifstream list(place.build() + "/tests.list");
    Words programs;
    for (std::string name; std::getline(list, name);) programs.push_back(name);
    check(!programs.empty(), "build/{} is damaged: remove it and try again", place.preset);
    return programs;
}

// The command that runs one of them: on WebAssembly, in Node.
Words command_of(const Place& place, const std::string& name) {
    if (place.preset != "web") return {place.program(name)};
    const bool node = std::system("command -v node >/dev/null") == 0;
    return {node ? "node" : "nodejs", place.program(name) + ".js"};
}

// Catch2 2 lets hidden tests through a filter that only leaves out.
std::string without_hidden(const std::string& filter) {
    return filter.empty() || filter.starts_with('~') ? filter + "~[.]" : filter;
}

void start(const Place& place, const Work& work, Job& job, const Words& words) {
    job.folder = work.path + "/" + job.name;
    fs::create_directories(job.folder);
    fs::create_directory_symlink(place.root + "/lessons", job.folder + "/lessons");
    Words all = command_of(place, job.name);
    all.push_back(job.filter);
    all.insert(all.end(), words.begin(), words.end());
    const std::string log_file = file_to_write(job.folder + "/log");
    std::fflush(nullptr);
    job.process = fork();
    check(job.process >= 0, "no process for {}", job.name);
    if (job.process > 0) return;
    setenv("HEED_HOME", job.folder.c_str(), 1);
    setenv("HEED_COUNTS", (job.folder + "/counts").c_str(), 1);
    setenv("HEED_LESSON_DIR", (place.build() + "/bin").c_str(), 1);
    const int log = open(log_file.c_str(), O_WRONLY | O_CREAT, 0666);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    try {
        become(all);
    } catch (const std::exception& error) {
        fmt::print("{}\n", words_of(error));
        std::fflush(stdout);
        _exit(127);
    }
}

// What a job has counted. A program that stopped early, or leaks, counts as one failure more.
Counts counts_of(const Job& job, int status) {
    Counts all;
    std::ifstream file(job.folder + "/counts");
    std::string word;  // "3 passed, 1 failed, 0 skipped"
    file >> all.passed >> word >> all.failed >> word >> all.skipped;
    if (status != 0 && all.failed == 0) all.failed = 1;
    return all;
}

void show_log(const Job& job) {
    std::ifstream log(job.folder + "/log");
    if (log.peek() != std::ifstream::traits_type::eof()) {
        std::ostringstream text;
        text << log.rdbuf();
        fmt::print("{}", text.str());
        std::fflush(stdout);
    }
}

// Waits for any job, shows what it printed, and adds what it counted.
bool finish_one(std::vector<Job>& running, Counts& all) {
    int status = 0;
    pid_t process;
    while ((process = wait(&status)) < 0 && errno == EINTR) {
    }
    const auto job = std::find_if(running.begin(), running.end(),
                                  [&](const Job& one) { return one.process == process; });
    if (job == running.end()) return true;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const Counts counts = counts_of(*job, code);
    // Without tests for this filter, Catch2 says so; the others may have some.
    if (counts.passed + counts.failed + counts.skipped > 0) show_log(*job);
    if (code == 2) show_log(*job);
    if (code > 2) fmt::print("{} has ended with status {}\n", job->name, code);
    all.passed += counts.passed;
    all.failed += counts.failed;
    all.skipped += counts.skipped;
    running.erase(job);
    return code != 2;
}

}  // namespace

int tests(const Place& place, const Words& words) {
    const std::string filter = words.empty() || words[0].starts_with('-') ? "" : words[0];
    const Words options(words.begin() + (filter.empty() ? 0 : 1), words.end());
    if (place.preset == "web")
        build(place, {"heed_web_tests"});  // the core of the tests, in Node
    else if (filter.starts_with("~[lesson]"))
        build(place, {"heed_tests"});
    else
        build(place, {"heed_tests", "heed_lessons", "heed_examples", "heed_run", "heed_answers"});
    const Words programs = place.preset == "web" ? Words{"heed_tests"} : programs_of(place);

    const bool lists = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.starts_with("--list") || word.starts_with("--help");
    });
    if (lists) {
        int status = 0;
        for (const std::string& name : programs) {
            Words all = command_of(place, name);
            all.insert(all.end(), words.begin(), words.end());
            status = std::max(status, run_program(all));
        }
        return status;
    }

    const Work work;
    const auto side_by_side = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    std::vector<Job> running;
    Counts all;
    bool sound = true;
    for (const std::string& name : programs) {
        while (running.size() >= side_by_side) sound = finish_one(running, all) && sound;
        if (!sound) break;  // a wrong command line
        running.push_back({.name = name, .filter = without_hidden(filter)});
        start(place, work, running.back(), options);
    }
    while (!running.empty()) sound = finish_one(running, all) && sound;
    if (!sound) return 2;
    check(all.passed + all.failed + all.skipped > 0, "no test matches");
    fmt::print("{} passed, {} failed, {} skipped\n", all.passed, all.failed, all.skipped);
    return all.failed > 0 ? 1 : 0;
}

}  // namespace heed::course
