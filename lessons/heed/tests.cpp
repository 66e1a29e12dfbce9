// ./heed test [FILTER]: builds and runs all tests. They are cut into shares (tests/main.cpp); as many run side
// by side as there are processors. The tests use records of their own, so that they do not change those of
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

// One share of the tests while it runs.
struct Job {
    std::string share{}, filter{};  // "2/16"
    std::string folder{};           // its current folder, its output and its counts
    pid_t process = 0;
};

// The command that runs them: on WebAssembly, in Node.
Words command_of(const Place& place) {
    const std::string program = place.program("heed_tests");
    if (place.preset != "web") return {program};
    const bool node = std::system("command -v node >/dev/null") == 0;
    return {node ? "node" : "nodejs", program + ".js"};
}

// Catch2 2 lets hidden tests through a filter that only leaves out.
std::string without_hidden(const std::string& filter) {
    return filter.empty() || filter.starts_with('~') ? filter + "~[.]" : filter;
}

void start(const Place& place, const Work& work, Job& job, const Words& words) {
    job.folder = work.path + "/" + job.share.substr(0, job.share.find('/'));
    fs::create_directories(job.folder);
    fs::create_directory_symlink(place.root + "/lessons", job.folder + "/lessons");
    Words all = command_of(place);
    all.push_back(job.filter);
    all.insert(all.end(), words.begin(), words.end());
    const std::string log_file = file_to_write(job.folder + "/log");
    std::fflush(nullptr);
    job.process = fork();
    check(job.process >= 0, "no process for a share of the tests");
    if (job.process > 0) return;
    setenv("HEED_HOME", job.folder.c_str(), 1);
    setenv("HEED_SHARE", job.share.c_str(), 1);
    setenv("HEED_COUNTS", (job.folder + "/counts").c_str(), 1);
    setenv("HEED_LESSON_DIR", (place.build() + "/bin").c_str(), 1);
    const int log = open(log_file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
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

// What a share has printed. The lines that Catch2 adds about the share as a whole are left out: its tests
// and its sums.
void show_log(const Job& job) {
    const Words about_the_share{"Filters: ", "All tests passed",
                                "=======", "test cases: ", "assertions: "};
    std::ifstream log(job.folder + "/log");
    for (std::string line; std::getline(log, line);)
        if (!line.empty() &&
            std::none_of(about_the_share.begin(), about_the_share.end(),
                         [&](const std::string& start) { return line.starts_with(start); }))
            fmt::print("{}\n", line);
    std::fflush(stdout);
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
    if (code > 2) fmt::print("share {} has ended with status {}\n", job->share, code);
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

    const bool lists = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.starts_with("--list") || word.starts_with("--help");
    });
    if (lists) {
        Words all = command_of(place);
        all.insert(all.end(), words.begin(), words.end());
        return run_program(all);
    }

    const Work work;
    const auto side_by_side = static_cast<std::size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
    std::vector<Job> running;
    Counts all;
    bool sound = true;
    // Many shares, because some tests take a thousand times as long as others. With options of Catch2 there is
    // only one: a reporter writes one document.
    const std::size_t shares = options.empty() && place.preset != "web" ? 8 * side_by_side : 1;
    for (std::size_t i = 0; i < shares; ++i) {
        while (running.size() >= side_by_side) sound = finish_one(running, all) && sound;
        if (!sound) break;  // a wrong command line
        running.push_back(
            {.share = fmt::format("{}/{}", i, shares), .filter = without_hidden(filter)});
        start(place, work, running.back(), options);
    }
    while (!running.empty()) sound = finish_one(running, all) && sound;
    if (!sound) return 2;
    check(all.passed + all.failed + all.skipped > 0, "no test matches");
    fmt::print("{} passed, {} failed, {} skipped\n", all.passed, all.failed, all.skipped);
    return all.failed > 0 ? 1 : 0;
}

}  // namespace heed::course
