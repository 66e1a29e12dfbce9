#include "lessons/course/terminal/live_line.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <utility>

#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

using namespace std::chrono_literals;

// What stands in the terminal's last line, and when something was last said.
struct Terminal {
    std::mutex mutex;
    enum { nothing, progress, clock } line = nothing;
    std::chrono::steady_clock::time_point spoke = std::chrono::steady_clock::now();
};
Terminal terminal;

void put(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

// With the mutex held.
void take_away() {
    if (terminal.line != Terminal::nothing) put("\r\x1b[K");
    terminal.line = Terminal::nothing;
    terminal.spoke = std::chrono::steady_clock::now();
}

}  // namespace

void print_now(const std::string& text) {
    const std::lock_guard lock(terminal.mutex);
    take_away();
    put(text);
}

void draw_line(const std::string& line) {
    const std::lock_guard lock(terminal.mutex);
    take_away();
    if (line.empty()) return;
    put(line);
    terminal.line = Terminal::progress;
}

AtWork::AtWork(const Screen& screen, std::string expected)
    : screen_(screen), expected_(std::move(expected)) {
    if (screen_.live) thread_ = std::thread([this] { watch(); });
}

AtWork::~AtWork() {
    {
        const std::lock_guard lock(terminal.mutex);
        over_ = true;
        if (terminal.line == Terminal::clock) take_away();
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void AtWork::pause() {
    const std::lock_guard lock(terminal.mutex);
    take_away();
    paused_ = true;
    paused_at_ = Clock::now();
}

void AtWork::go_on() {
    const std::lock_guard lock(terminal.mutex);
    terminal.spoke = Clock::now();
    start_ += terminal.spoke - paused_at_;
    paused_ = false;
}

std::string AtWork::line(double seconds) const {
    const int whole = static_cast<int>(seconds);
    std::string text = whole < 90 ? fmt::format("{} s", whole)
                                  : fmt::format("{}:{:02} min", whole / 60, whole % 60);
    if (!expected_.empty()) text += " of " + expected_;
    return screen_.paint(shorten(text, screen_.width - 1), Ink::faint);
}

void AtWork::watch() {
    std::unique_lock lock(terminal.mutex);
    while (!wake_.wait_for(lock, 500ms, [this] { return over_; })) {
        const Clock::time_point now = Clock::now();
        if (paused_ || terminal.line == Terminal::progress || now - terminal.spoke < 1s) continue;
        put("\r\x1b[K" + line(std::chrono::duration<double>(now - start_).count()));
        terminal.line = Terminal::clock;
    }
}

}  // namespace heed::course
