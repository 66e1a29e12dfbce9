// The progress of training, as one line that is redrawn:
//
//     additive  1,200 of 4,000  loss 0.731  15,300 tokens/s  0:21 left
//
// It is drawn on a terminal only. Call update() from on_step of the training loop
// (nn/train/train.h).
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

class ProgressLine {
  public:
    ProgressLine(const Screen& screen, std::string label, std::int64_t steps);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // After `step` steps; `tokens` is their number since the start. Redraws at most ten times a
    // second.
    void update(std::int64_t step, double loss = NAN, std::int64_t tokens = 0);

    // The line as it would be drawn that many seconds after the start.
    std::string line(std::int64_t step, double loss, std::int64_t tokens, double seconds) const;

    // Removes the line.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    Screen screen_;
    std::string label_;
    std::int64_t steps_ = 0;
    Clock::time_point start_ = Clock::now();
    Clock::time_point drawn_at_{};
    bool drawn_ = false;
};

}  // namespace heed::course
