#include "lessons/course/lesson/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

namespace heed::course {
namespace {

bool on_terminal = false;

// A signal may arrive in the middle of anything, so only write() and _exit() are safe here. The
// first characters reset the colours of the terminal.
void end_now(int signal) {
    const char* text =
        "\x1b[0m\nStopped. No results were written; those of an earlier run are unchanged.\n";
    if (!on_terminal) text += 4;
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(128 + signal);
    _exit(128 + signal);
}

}  // namespace

EndOnInterrupt::EndOnInterrupt()
    : interrupt_before_(std::signal(SIGINT, end_now)),
      terminate_before_(std::signal(SIGTERM, end_now)) {
    const char* terminal = std::getenv("TERM");
    on_terminal = isatty(STDERR_FILENO) == 1 && terminal && std::strcmp(terminal, "dumb") != 0;
}

EndOnInterrupt::~EndOnInterrupt() {
    std::signal(SIGINT, interrupt_before_);
    std::signal(SIGTERM, terminate_before_);
}

void EndOnInterrupt::ignore() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
}

}  // namespace heed::course
