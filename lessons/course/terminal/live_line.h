// The last line of the terminal, which is redrawn while a lesson runs. It shows the progress of
// training (progress.h) or, when nothing has been printed for a second, the time since the start:
//
//     12 s of about 45 s
//     51 s, longer than the usual 45 s
//
// print_now() removes it before it prints.
#pragma once

#include <chrono>
#include <condition_variable>
#include <string>
#include <thread>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Removes the line, prints the text and flushes, so that it is seen even if the next step takes a
// minute.
void print_now(const std::string& text);

// Throws heed::Error if something that was printed did not arrive, because a disk is full for
// example. A lesson calls it at the end.
void check_printed();

// Draws the line in place of the last one; an empty text only removes it.
void draw_line(const std::string& line);

// Draws the time since the start while nothing else is printed, from a thread of its own. Draws
// nothing if the output is not a terminal (screen.live).
class ElapsedTime {
  public:
    // expected: the expected duration in seconds, or 0 if it is not known.
    ElapsedTime(const Screen& screen, int expected);
    ~ElapsedTime();
    ElapsedTime(const ElapsedTime&) = delete;
    ElapsedTime& operator=(const ElapsedTime&) = delete;

    // The time between the two does not count: the reader is answering a question.
    void pause();
    void resume();

    // The line as it is drawn after that many seconds.
    std::string line(double seconds) const;

  private:
    using Clock = std::chrono::steady_clock;

    void watch();

    Screen screen_;
    int expected_ = 0;
    Clock::time_point start_ = Clock::now(), paused_at_{};
    bool paused_ = false, over_ = false;  // these and start_ are guarded by the mutex
    std::condition_variable wake_;
    std::thread thread_;
};

}  // namespace heed::course
