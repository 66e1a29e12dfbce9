// One line that tells how training goes, redrawn in place:
//
//     additive  1,200 of 4,000  loss 0.731  15,300 tokens/s  0:21 left
//
// Only on a terminal; elsewhere nothing is printed. Hand update() to nn's training loop.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

class Progress {
  public:
    Progress(const Screen& screen, std::string label, std::int64_t steps);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // After `step` steps; `tokens` counts all since the start. Redraws at most ten times a second.
    void update(std::int64_t step, double loss = NAN, std::int64_t tokens = 0);

    // The line as it would be drawn that many seconds after the start.
    std::string line(std::int64_t step, double loss, std::int64_t tokens, double seconds) const;

    // Takes the line away; what is printed next stands in its place.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    Screen screen_;
    std::string label_;
    std::int64_t steps_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_at_{};
    bool drawn_ = false;
};

}  // namespace heed::course
