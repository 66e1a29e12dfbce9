// The text of a lesson on the terminal, passage by passage, and what the run prints between them. Somebody at a
// terminal reads it a screen at a time, and may go back, skip a part, see the code or stop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/course/contents/lesson_number.h"
#include "lessons/course/story/source.h"
#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Lines that are laid out for a screen. The window may be another one after each pause, so they are asked for when
// they are printed.
using OnScreen = std::function<std::string(const Screen&)>;

class Telling {
  public:
    explicit Telling(const Screen& screen) : screen_(screen), pauses_(screen.asks) {}

    // The titles of the parts, so that the reader sees how far they are: "part 3 of 7".
    void parts(std::vector<std::string> titles) { parts_ = std::move(titles); }

    // With --no-text nobody reads along.
    void without_pauses() { pauses_ = false; }

    // Short code that is the idea of the passage stands below it; other code is shown on demand. A last sentence
    // that ends with a colon waits for what comes next, so that both stand on one screen.
    void show(const Passage& passage);

    // The sentence at the end of a passage that announces a result, from a program that has shown all of the passage
    // but this.
    void announce(const Passage& passage);

    // The end of a program that cannot show what was announced: the reader presses a key, and another one goes on.
    void leave();

    // Shows what still waits.
    void finish();

    // Lines that the run prints. Waits for a key when the screen is full, and before the next passage.
    void output(const OnScreen& lines);

    // Before a question of these lines: waits for a key if they would push something unread off the screen.
    void make_room(const OnScreen& question);

    // The reader has answered a question, so the screen was read.
    void has_read();

    double seconds_waiting() const { return seconds_waiting_; }  // for keys

    // Called before and after the reader is waited for.
    std::function<void()> before_pause = [] {}, after_pause = [] {};

  private:
    void print(const OnScreen& lines);
    void print_blocks(const OnScreen& lines);
    int room() const;  // lines that fit on a screen
    void pause();
    std::string keys(const Screen& screen) const;
    void skip();

    Screen screen_;
    bool pauses_ = false;       // waits for a key between passages
    bool since_pause_ = false;  // something was printed since the reader pressed a key
    int lines_ = 0;             // since then
    double seconds_waiting_ = 0;

    std::vector<std::string> parts_;
    Passage here_;         // the passage that was shown last
    OnScreen announced_;   // its last block, if this waits for what comes next
    std::string skipped_;  // the title of the part that the reader skips
    std::vector<std::string> read_{
        ""};  // what was printed between two pauses; the last one is printed now
};

// The title of a lesson as it stands above its text.
std::string title_lines(LessonNumber number, const std::string& title, const Screen& screen);

// The time that reading so many words takes, in minutes.
int minutes_to_read(int words);

}  // namespace heed::course
