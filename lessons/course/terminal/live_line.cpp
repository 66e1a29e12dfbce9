#include "lessons/course/terminal/live_line.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <utility>

#include "autograd/base/error.h"
#include "autograd/base/files.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

using namespace std::chrono_literals;

// What the last line of the terminal shows, and when something was last printed.
struct Terminal {
    std::mutex mutex;
    enum { nothing, progress, elapsed } line = nothing;
    std::chrono::steady_clock::time_point last_print = std::chrono::steady_clock::now();
};
Terminal terminal;

// The reason of the system why something could not be printed; 0 if all went well.
int print_error = 0;

void put(const std::string& text) {
    errno = 0;
    const bool printed = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    if (!printed && print_error == 0) print_error = errno != 0 ? errno : EIO;
}

// Call it with the mutex held.
void remove_line() {
    if (terminal.line != Terminal::nothing) put("\r\x1b[K");
    terminal.line = Terminal::nothing;
    terminal.last_print = std::chrono::steady_clock::now();
}

}  // namespace

void print_now(const std::string& text) {
    const std::lock_guard lock(terminal.mutex);
    remove_line();
    put(for_terminal(text));
}

void check_printed() {
    const std::lock_guard lock(terminal.mutex);
    if (print_error != 0) fail("the output cannot be written: {}", reason_of_system(print_error));
}

void draw_line(const std::string& line) {
    const std::lock_guard lock(terminal.mutex);
    remove_line();
    if (line.empty()) return;
    put(for_terminal(line));
    terminal.line = Terminal::progress;
}

ElapsedTime::ElapsedTime(const Screen& screen, int expected)
    : screen_(screen), expected_(expected) {
    if (screen_.live) thread_ = std::thread([this] { watch(); });
}

ElapsedTime::~ElapsedTime() {
    {
        const std::lock_guard lock(terminal.mutex);
        over_ = true;
        if (terminal.line == Terminal::elapsed) remove_line();
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void ElapsedTime::pause() {
    const std::lock_guard lock(terminal.mutex);
    remove_line();
    paused_ = true;
    paused_at_ = Clock::now();
}

void ElapsedTime::resume() {
    const std::lock_guard lock(terminal.mutex);
    terminal.last_print = Clock::now();
    start_ += terminal.last_print - paused_at_;
    paused_ = false;
}

std::string ElapsedTime::line(double seconds) const {
    const auto time = [](int whole) {
        return whole < 90 ? fmt::format("{} s", whole)
                          : fmt::format("{}:{:02} min", whole / 60, whole % 60);
    };
    const int whole = static_cast<int>(seconds);
    std::string text = time(whole);
    if (expected_ > 0)
        text += (whole <= expected_ ? " of about " : ", longer than the usual ") + time(expected_);
    return screen_.paint(shorten(text, screen_.now().width - 1), Ink::faint);
}

void ElapsedTime::watch() {
    std::unique_lock lock(terminal.mutex);
    while (!wake_.wait_for(lock, 500ms, [this] { return over_; })) {
        const Clock::time_point now = Clock::now();
        if (paused_ || terminal.line == Terminal::progress || now - terminal.last_print < 1s)
            continue;
        put("\r\x1b[K" + line(std::chrono::duration<double>(now - start_).count()));
        terminal.line = Terminal::elapsed;
    }
}

}  // namespace heed::course
