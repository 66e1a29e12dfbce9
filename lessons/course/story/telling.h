// The text of a lesson on the terminal, passage by passage. Somebody at a terminal goes on with a key,
// and sees the code below a passage with another one.
#pragma once

#include <functional>

#include "lessons/course/story/source.h"
#include "lessons/course/terminal/screen.h"

namespace heed::course {

class Telling {
  public:
    explicit Telling(const Screen& screen) : screen_(screen), pauses_(screen.asks) {}

    void show(const Passage& passage);

    // Something else was printed, which the reader should see before the next passage.
    void interrupted() { since_pause_ = true; }

    double seconds_waiting() const { return seconds_waiting_; }  // for keys
    void forget_waiting() { seconds_waiting_ = 0; }

    // Called before and after the reader is waited for.
    std::function<void()> before_pause = [] {}, after_pause = [] {};

  private:
    void pause(const Passage& passage, const char* what);

    Screen screen_;
    bool pauses_ = false;       // waits for a key between passages
    bool since_pause_ = false;  // something was printed since the reader pressed a key
    double seconds_waiting_ = 0;
};

// The title of a lesson as it stands above its text.
std::string title_lines(int number, const std::string& title, const Screen& screen);

}  // namespace heed::course
