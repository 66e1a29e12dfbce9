#include "lessons/course/lesson/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace heed::course {
namespace {

bool on_terminal = false;

// A signal may come in the middle of anything, so only write() and _exit() are safe here. The
// terminal gets its own colours back.
void end_now(int signal) {
    const char* text =
        "\x1b[0m\nStopped. No results were written; those of an earlier run are untouched.\n";
    if (!on_terminal) text += 4;
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(128 + signal);
    _exit(128 + signal);
}

}  // namespace

EndsWhenInterrupted::EndsWhenInterrupted()
    : interrupt_before_(std::signal(SIGINT, end_now)),
      terminate_before_(std::signal(SIGTERM, end_now)) {
    on_terminal = isatty(STDERR_FILENO) == 1;
}

EndsWhenInterrupted::~EndsWhenInterrupted() {
    std::signal(SIGINT, interrupt_before_);
    std::signal(SIGTERM, terminate_before_);
}

void EndsWhenInterrupted::finishing() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
}

}  // namespace heed::course
