#include "lessons/course/lesson/interrupt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <list>
#include <utility>

#include "lessons/course/terminal/keys.h"

namespace heed::course {
namespace {

const char* const nothing_saved =
    "\nStopped. No results were written; those of an earlier run are unchanged.\n";

struct SavedMessage {
    std::string text, path;
};

bool on_terminal = false;
const SavedMessage* volatile message = nullptr;
const std::vector<std::string>* volatile empty_folders = nullptr;

// A signal may arrive in the middle of anything, so only access(), write(), rmdir() and _exit() are safe here.
// The first characters reset the colours of the terminal.
void end_now(int signal) {
    restore_terminal();
    if (const std::vector<std::string>* const folders = empty_folders)
        for (const std::string& folder : *folders) rmdir(folder.c_str());
    const char* const reset = "\x1b[0m";
    const SavedMessage* const saved = message;
    const char* text =
        saved && access(saved->path.c_str(), F_OK) == 0 ? saved->text.c_str() : nothing_saved;
    if ((on_terminal && write(STDERR_FILENO, reset, std::strlen(reset)) < 0) ||
        write(STDERR_FILENO, text, std::strlen(text)) < 0)
        _exit(128 + signal);
    _exit(128 + signal);
}

}  // namespace

std::string stopped_text(const std::string& command) {
    return fmt::format("\nStopped. What was trained is saved; go on with\n  {}\n", command);
}

EndOnInterrupt::EndOnInterrupt()
    : interrupt_before_(std::signal(SIGINT, end_now)),
      terminate_before_(std::signal(SIGTERM, end_now)) {
    const char* terminal = std::getenv("TERM");
    on_terminal = isatty(STDERR_FILENO) == 1 && terminal && std::strcmp(terminal, "dumb") != 0;
    message = nullptr;
}

EndOnInterrupt::~EndOnInterrupt() {
    std::signal(SIGINT, interrupt_before_);
    std::signal(SIGTERM, terminate_before_);
}

void EndOnInterrupt::ignore() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
}

// The messages stay, so that the handler can read one at any moment.
void EndOnInterrupt::say_if_saved(const std::string& text, const std::string& path) {
    static std::list<SavedMessage> messages;
    messages.push_back({text, path});
    message = &messages.back();
}

void EndOnInterrupt::remove_if_empty(std::vector<std::string> folders) {
    static std::list<std::vector<std::string>> all;
    all.push_back(std::move(folders));
    empty_folders = &all.back();
}

}  // namespace heed::course
