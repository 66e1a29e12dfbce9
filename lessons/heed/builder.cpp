#include "lessons/heed/builder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/process.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

extern char** environ;

namespace heed::course {
namespace {

namespace fs = std::filesystem;

bool can_redraw() {
    const char* term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && term && std::string(term) != "dumb";
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

int status_of(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A line of ninja or make that says how far the build is: "[12/80] Building CXX object gemm.cpp.o" or
// "[ 15%] ...".
bool is_progress(const std::string& line) {
    const std::size_t end = line.find(']');
    if (!line.starts_with('[') || end == std::string::npos) return false;
    if (line.find("Re-checking") != std::string::npos)
        return false;  // of folders: nothing is built
    return line.find_first_not_of("0123456789/% ", 1) == end;
}

// What the build tools say beside the messages of the compiler.
bool is_chatter(const std::string& line) {
    for (const char* start :
         {"ninja: no work", "ninja: build stopped", "ninja: Entering", "The following files were ",
          "  +/", "  -/", "[", "make:", "make[", "gmake", "-- ", "Consolidate ", "Scanning "})
        if (line.starts_with(start)) return true;
    return false;
}

std::string lock_of(const Place& place) { return place.build() + "/heed.lock"; }

}  // namespace

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

void say(const std::string& text) { complain("heed: " + text + "\n"); }

void status_line(const std::string& text) {
    if (!can_redraw()) return;
    const std::string line = text.empty() ? "" : shorten("heed: " + text, limit_of_stderr() - 1);
    fmt::print(stderr, "\r\x1b[K{}", line);
    std::fflush(stderr);
}

int run_program(const std::vector<std::string>& words) {
    std::vector<std::string> copy = words;
    std::fflush(nullptr);
    pid_t process = 0;
    const int error = posix_spawnp(&process, copy[0].c_str(), nullptr, nullptr,
                                   pointers_to(copy).data(), environ);
    if (error != 0) fail("{}: {}", words[0], reason_of_system(error));
    return status_of(process);
}

void become(const std::vector<std::string>& words) {
    std::vector<std::string> copy = words;
    std::fflush(nullptr);
    execvp(copy[0].c_str(), pointers_to(copy).data());
    fail("{}: {}", words[0], reason_of_system(errno));
}

Place configured_place(const std::string& root, const std::string& preset) {
    Place place{root, preset, {}, {}};
    std::ifstream ready(place.build() + "/heed.ready");
    std::string home;
    std::getline(ready, home);
    std::getline(ready, place.cmake);
    std::getline(ready, place.cxx);
    check(!place.cxx.empty(), "build/{} is damaged: remove it and try again", preset);
    check(home == root, "build/{} was made for {} and not for {}: remove it and try again", preset,
          home, root);
    check(access(place.cmake.c_str(), X_OK) == 0,
          "build/{} was made with {}, which you cannot run. Whoever made it can, or a copy of this "
          "folder of your own makes another one.",
          preset, place.cmake);
    return place;
}

// --- The lock.

Locked::Locked(const Place& place, const std::string& doing) {
    file_ = open(file_to_write(lock_of(place)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail("cannot write to {}: {}", lock_of(place), reason_of_system(errno));
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
        std::ifstream other(lock_of(place));
        std::string what;
        std::getline(other, what);
        say("waiting for another ./heed" + (what.empty() ? "" : ", which is " + what));
        while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    const std::string line = doing + "\n";
    if (ftruncate(file_, 0) == 0) (void)!write(file_, line.data(), line.size());
}

Locked::~Locked() { close(file_); }

// --- A build.

Build::Build(const Place& place, std::vector<std::string> targets)
    : place_(place), targets_(std::move(targets)), thread_([this] {
          try {
              run();
          } catch (const std::exception& error) {
              const std::lock_guard lock(mutex_);
              log_ += std::string("heed: ") + words_of(error) + "\n";
              failed_ = true;
          }
          over_ = true;
      }) {}

Build::~Build() {
    if (thread_.joinable()) thread_.join();
}

std::string Build::progress() {
    const std::lock_guard lock(mutex_);
    return progress_;
}

void Build::run() {
    const Locked locked(place_, "building " + targets_[0]);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe: {}", reason_of_system(errno));
    std::vector<std::string> words{place_.cmake, "--build", place_.build(), "--target"};
    words.insert(words.end(), targets_.begin(), targets_.end());
    words.insert(words.end(), {"-j", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))});
    std::vector<std::string> variables;
    for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
    if (can_redraw() && !std::getenv("NO_COLOR")) variables.emplace_back("CLICOLOR_FORCE=1");

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    pid_t process = 0;
    const int error = posix_spawn(&process, words[0].c_str(), &files, nullptr,
                                  pointers_to(words).data(), pointers_to(variables).data());
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (error == 0) read_output(ends[0]);
    close(ends[0]);
    if (error != 0) fail("{}: {}", words[0], reason_of_system(error));
    failed_ = status_of(process) != 0;
}

void Build::read_output(int descriptor) {
    FILE* output = fdopen(dup(descriptor), "r");
    std::string line;
    bool skip = false;  // the line after "FAILED: ..." repeats the command
    for (int c; output && (c = std::fgetc(output)) != EOF;) {
        if (c != '\n') {
            line += static_cast<char>(c);
            continue;
        }
        const std::lock_guard lock(mutex_);
        if (is_progress(line)) {
            const std::size_t slash = line.rfind('/'), bracket = line.find(']');
            progress_ = "building " + line.substr(0, bracket + 1) + " " +
                        line.substr(slash > bracket && slash != std::string::npos ? slash + 1
                                                                                  : bracket + 2);
        } else if (line.find("FAILED: ") != std::string::npos && !line.starts_with(' ')) {
            skip = true;
        } else if (!is_chatter(line)) {
            if (!skip) log_ += line + "\n";
            skip = false;
        }
        line.clear();
    }
    if (output) std::fclose(output);
}

void Build::finish() {
    bool said = can_redraw();
    while (!over_) {
        const std::string line = progress();
        status_line(line);
        if (!line.empty() && !said) say("building"), said = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    thread_.join();
    status_line("");
    if (!said && !progress_.empty()) say("building");
    if (failed_) check_could_write(log_);
    fmt::print(stderr, "{}", log_);
    if (failed_) throw Failed();
}

void build(const Place& place, const std::vector<std::string>& targets) {
    if (access(place.build().c_str(), W_OK) == 0) return Build(place, targets).finish();
    const std::string program = place.program(targets[0]);
    if (!fs::exists(program))
        fail("cannot write to {}, and {} is not built there", place.build(), targets[0]);
    const auto built = fs::last_write_time(program);
    for (const char* floor : {"autograd", "nn", "attention", "mpi", "lessons"}) {
        if (!fs::exists(place.root + "/" + floor)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(place.root + "/" + floor)) {
            const std::string extension = entry.path().extension();
            if ((extension == ".h" || extension == ".cpp") && entry.last_write_time() > built)
                return say(fmt::format(
                    "cannot write to {}: running {} as it was built, before the last changes",
                    place.build(), targets[0]));
        }
    }
}

}  // namespace heed::course
