#include "lessons/course/terminal/keys.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "lessons/course/terminal/live_line.h"
#include "lessons/course/terminal/screen.h"

namespace heed::course {
namespace {

termios original{};  // the terminal as it was at first
volatile bool known = false, changed = false;

// Whether the input is a terminal; notes how it was.
bool remember() {
    if (!known) known = tcgetattr(STDIN_FILENO, &original) == 0;
    return known;
}

void set(bool echo, bool lines, int when) {
    termios wanted = original;
    if (!echo) wanted.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHONL);
    if (!lines) wanted.c_lflag &= ~static_cast<tcflag_t>(ICANON);
    if (!lines) wanted.c_cc[VMIN] = 1, wanted.c_cc[VTIME] = 0;
    changed = true;
    tcsetattr(STDIN_FILENO, when, &wanted);
}

bool hidden = false;

// Between questions and pauses.
void set_back() { hidden ? set(false, true, TCSANOW) : restore_terminal(); }

}  // namespace

char wait_for_key(const std::string& prompt) { return wait_for_key(prompt, nullptr); }

char wait_for_key(const std::string& prompt, const std::function<bool()>& event) {
    if (!remember()) return 0;
    set(false, false, TCSAFLUSH);               // a key counts at once
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
    set_back();
    constexpr char end_of_input = 4;  // Ctrl-D
    return count == 1 && key != end_of_input ? key : '\0';
}

void print_in_pages(const std::string& lines) {
    const Screen screen = screen_of_stdout();
    if (!screen.live || !screen.asks) return print_now(lines);
    int shown = 0;
    std::istringstream rest(lines);
    for (std::string line; std::getline(rest, line); ++shown) {
        if (shown + 1 >= screen.now().height) {  // the last line is for the prompt
            if (wait_for_key(screen.paint("space on  q end", Ink::faint)) == 'q') return;
            shown = 0;
        }
        print_now(line + "\n");
    }
}

void hide_typing() {
    if (!remember()) return;
    hidden = true;
    set_back();
}

ShowTyping::ShowTyping() {
    if (remember()) set(true, true, TCSAFLUSH);
}

ShowTyping::~ShowTyping() {
    if (known) set_back();
}

void restore_terminal() {
    if (changed) tcsetattr(STDIN_FILENO, TCSANOW, &original);
    changed = false;
}

}  // namespace heed::course
