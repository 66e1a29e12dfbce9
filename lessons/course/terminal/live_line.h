// The one line of a terminal that is drawn again and again: how training goes (progress.h), or,
// where a lesson has said nothing for a second, how long it has been at work:
//
//     12 s of about 45 s
//
// print_now() of screen.h takes it away before it prints.
#pragma once

#include <chrono>
#include <condition_variable>
#include <string>
#include <thread>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Prints text at once, below what was printed before, and removes the line that is being redrawn.
void print_now(const std::string& text);

// Draws the line over the one that stands; an empty one only takes that away.
void draw_line(const std::string& line);

// The clock of a lesson at work, drawn by a thread of its own while nothing else is said. Draws
// nothing where nobody sees it (screen.live).
class AtWork {
  public:
    AtWork(const Screen& screen, std::string expected);  // "about 45 s", or nothing
    ~AtWork();
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

    // While somebody is asked the clock stands still.
    void pause();
    void go_on();

    // The line after so many seconds.
    std::string line(double seconds) const;

  private:
    using Clock = std::chrono::steady_clock;

    void watch();

    Screen screen_;
    std::string expected_;
    Clock::time_point start_ = Clock::now(), paused_at_{};
    bool paused_ = false, over_ = false;  // these and start_ are guarded by the mutex of the line
    std::condition_variable wake_;
    std::thread thread_;
};

}  // namespace heed::course
