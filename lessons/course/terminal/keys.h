// What somebody types while a lesson runs: keys at a pause, answers to questions, and nothing else.
#pragma once

#include <functional>
#include <string>

namespace heed::course {

// Shows the prompt in the last line until a key is pressed, and returns it; 0 if the input has
// ended. What was typed before does not count. Ctrl-C works as always.
char wait_for_key(const std::string& prompt);

// The same, but ends without a key (and returns `event_key`) as soon as event() is true; it is asked
// several times a second.
inline constexpr char event_key = 1;
char wait_for_key(const std::string& prompt, const std::function<bool()>& event);

// Prints lines that fit the window. Where somebody reads them in one that is too low, it waits for a key
// whenever it is full; q leaves the rest out.
void print_in_pages(const std::string& lines);

// From now on what is typed is not shown, as it would break the line of progress in two.
void hide_typing();

// While an object exists, an answer can be typed and is shown. What was typed before is dropped.
class ShowTyping {
  public:
    ShowTyping();
    ~ShowTyping();
    ShowTyping(const ShowTyping&) = delete;
    ShowTyping& operator=(const ShowTyping&) = delete;
};

// At the end of the program, also in a signal handler: the terminal is as it was.
void restore_terminal();

}  // namespace heed::course
