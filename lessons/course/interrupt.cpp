#include "lessons/course/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

namespace heed::course {
namespace {

// A signal may come in the middle of anything, so only write() and _exit() are safe here.
void end_now(int signal) {
    const char* text =
        "\nStopped. No results were written; those of an earlier run are untouched.\n";
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) _exit(128 + signal);
    _exit(128 + signal);
}

}  // namespace

EndsWhenInterrupted::EndsWhenInterrupted()
    : interrupt_before_(std::signal(SIGINT, end_now)),
      terminate_before_(std::signal(SIGTERM, end_now)) {}

EndsWhenInterrupted::~EndsWhenInterrupted() {
    std::signal(SIGINT, interrupt_before_);
    std::signal(SIGTERM, terminate_before_);
}

void EndsWhenInterrupted::finishing() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
}

}  // namespace heed::course
