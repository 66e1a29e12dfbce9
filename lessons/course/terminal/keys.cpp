#include "lessons/course/terminal/keys.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/screen.h"

namespace heed::course {
namespace {

termios before{};
volatile bool changed = false;

}  // namespace

char wait_for_key(const std::string& prompt) { return wait_for_key(prompt, nullptr); }

char wait_for_key(const std::string& prompt, const std::function<bool()>& event) {
    if (tcgetattr(STDIN_FILENO, &before) != 0) return 0;
    termios at_once = before;  // without Enter, and without showing the key
    at_once.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    at_once.c_cc[VMIN] = 1;
    at_once.c_cc[VTIME] = 0;
    changed = true;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &at_once);
    const bool live = screen_of_stdout().live;  // else the prompt stays
    live ? draw_line(prompt) : print_now(prompt + "\n");
    bool happened = false;
    for (pollfd input{STDIN_FILENO, POLLIN, 0}; event && poll(&input, 1, 200) <= 0 && !happened;)
        happened = event();
    char key = event_key;
    ssize_t count = happened;
    if (!happened) do
            count = read(STDIN_FILENO, &key, 1);
        while (count < 0 && errno == EINTR);
    if (live) draw_line("");
    restore_terminal();
    constexpr char end_of_input = 4;  // Ctrl-D
    return count == 1 && key != end_of_input ? key : '\0';
}

void restore_terminal() {
    if (changed) tcsetattr(STDIN_FILENO, TCSANOW, &before);
    changed = false;
}

}  // namespace heed::course
