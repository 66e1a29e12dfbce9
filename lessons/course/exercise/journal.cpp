#include "lessons/course/exercise/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <sstream>
#include <vector>
#if defined(__linux__) && __has_include(<execinfo.h>)
#include <execinfo.h>
#include <link.h>
#define HEED_KNOWS_CALLS
#endif

#include "autograd/base/files.h"
#include "autograd/base/input_file.h"
#include "lessons/course/report/files.h"
#include "lessons/course/terminal/process.h"

namespace heed::course {
namespace {

int journal_file = -1;
constexpr std::size_t letters = 16;
char word_of_run[letters + 1] = "";
std::chrono::steady_clock::time_point opened;

void write_all(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(journal_file, text.data(), text.size());
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

// A line of its own, whatever else was written there before.
void put(std::string_view line) {
    if (journal_file < 0) return;
    for (const std::string_view part :
         {std::string_view("\n"), std::string_view(word_of_run, letters), line})
        write_all(part);
    write_all("\n");
}

#ifdef HEED_KNOWS_CALLS
std::uintptr_t base = 0;  // where the program was loaded

// Runs after a crash or at the end of the time, so it uses neither the heap nor a lock. The calls are: this function, the one that calls
// it for the system, the place of the crash, and those that led there. Each of these returns to the address after
// its call, so one byte less is inside of it.
void note_crash(int signal) {
    constexpr int most = 64, own = 2;
    void* calls[most];
    const int count = backtrace(calls, most);
    for (int i = own; i < count; ++i) {
        const auto address = reinterpret_cast<std::uintptr_t>(calls[i]) - base - (i > own);
        char line[32] = " call 0x";
        std::size_t at = 8;
        for (int shift = 8 * static_cast<int>(sizeof address) - 4; shift >= 0; shift -= 4)
            line[at++] = "0123456789abcdef"[(address >> shift) & 15];
        put({line, at});
    }
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

void note_crashes() {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void*) {
            base = info->dlpi_addr;  // the first one is the program itself
            return 1;
        },
        nullptr);
    void* first = nullptr;
    backtrace(&first, 1);  // loads what it needs now, and not after a crash
    // A stack of its own: the program's may be what is used up.
    static std::vector<char> stack(1 << 16);
    stack_t other{};
    other.ss_sp = stack.data();
    other.ss_size = stack.size();
    sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_handler = note_crash;
    action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXFSZ, SIGALRM})
        sigaction(signal, &action, nullptr);
}
#else
void note_crashes() {}
#endif

}  // namespace

void journal::open(const std::string& path) {
    for (std::size_t i = 0; i < letters; ++i)
        if (::read(STDIN_FILENO, word_of_run + i, 1) != 1) return;
    const int nothing = ::open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    ::close(nothing);
    journal_file =
        ::open(file_to_write(path).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    opened = std::chrono::steady_clock::now();
    note_crashes();
    ::alarm(time_limit);
}

void journal::check_begins(std::string_view what) {
    const std::chrono::duration<double> at = std::chrono::steady_clock::now() - opened;
    put(fmt::format(" check {:.3f} {}", at.count(), field(std::string(what))));
}

void journal::ends(std::string_view verdict, std::string_view text) {
    ::alarm(0);
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) put(" text " + line);
    put(fmt::format(" verdict {}", verdict));
}

std::string new_word() {
    std::random_device random;
    std::string word;
    while (word.size() < letters) word += fmt::format("{:08x}", random());
    return word.substr(0, letters);
}

Journal read_journal(const std::string& path, const std::string& word) {
    Journal all;
    std::istringstream lines(read_regular_file(path, 1 << 30));
    for (std::string line; all.verdict.empty() && std::getline(lines, line);) {
        if (!line.starts_with(word + " ")) continue;
        line = line.substr(word.size() + 1);
        const std::size_t blank = std::min(line.find(' '), line.size() - 1);
        const std::string key = line.substr(0, blank), value = line.substr(blank + 1);
        if (key == "check") {
            const std::size_t after_time = value.find(' ');
            all.checks.push_back({value.substr(after_time + 1), std::atof(value.c_str())});
        } else if (key == "call") {
            all.calls.push_back(value);
        } else if (key == "text") {
            all.text += value + "\n";
        } else if (key == "verdict") {
            all.verdict = value;
        }
    }
    return all;
}

std::vector<int> lines_of_calls(const Journal& journal, const std::string& program,
                                const std::string& file) {
    if (journal.calls.empty()) return {};
    std::vector<std::string> words{"addr2line", "-e", program};
    words.insert(words.end(), journal.calls.begin(), journal.calls.end());
    const std::string log = program + ".calls";
    if (wait_for(start(words, writing_into(log))) != 0) return {};
    std::vector<int> numbers;
    std::istringstream lines(read_regular_file(log, 1 << 30));
    for (std::string line; std::getline(lines, line);)  // FILE:12 or FILE:12 (discriminator 3)
        numbers.push_back(line.starts_with(file + ":") ? std::atoi(line.c_str() + file.size() + 1)
                                                       : 0);
    return numbers;
}

}  // namespace heed::course
