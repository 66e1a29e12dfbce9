#include "lessons/course/lesson/interrupt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <list>
#include <utility>

#include "lessons/course/terminal/keys.h"
#include "lessons/course/terminal/screen.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// What is said if the file is there when the program is stopped.
struct Message {
    std::string text, path;
};

bool on_terminal = false;
const Message* volatile saved = nullptr, * volatile earlier = nullptr;
const std::vector<std::string>* volatile empty_folders = nullptr;
volatile bool results_awaited = false;

// A signal may arrive in the middle of anything, so only access(), write(), rmdir() and _exit() are safe here.
// The first characters reset the colours of the terminal.
void end_now(int signal) {
    restore_terminal();
    if (const std::vector<std::string>* const folders = empty_folders)
        for (const std::string& folder : *folders) rmdir(folder.c_str());
    const char* const reset = "\x1b[0m";
    const char* text = results_awaited ? "\nStopped. No results were written.\n" : "\nStopped.\n";
    for (const Message* const message : {saved, earlier})
        if (message && (results_awaited || message == saved) &&
            access(message->path.c_str(), F_OK) == 0) {
            text = message->text.c_str();
            break;
        }
    if ((on_terminal && write(STDERR_FILENO, reset, std::strlen(reset)) < 0) ||
        write(STDERR_FILENO, text, std::strlen(text)) < 0)
        _exit(128 + signal);
    _exit(128 + signal);
}

}  // namespace

std::string stopped_text(const std::string& command) {
    // The command stays in one piece, to be copied.
    return fmt::format(
        "{}  {}\n", fitted("\nStopped. What was trained is saved; go on with\n", limit_of_stderr()),
        command);
}

EndOnInterrupt::EndOnInterrupt()
    : interrupt_before_(std::signal(SIGINT, end_now)),
      terminate_before_(std::signal(SIGTERM, end_now)) {
    const char* terminal = std::getenv("TERM");
    on_terminal = isatty(STDERR_FILENO) == 1 && terminal && std::strcmp(terminal, "dumb") != 0;
    saved = nullptr;
    earlier = nullptr;
    results_awaited = false;
}

EndOnInterrupt::~EndOnInterrupt() {
    std::signal(SIGINT, interrupt_before_);
    std::signal(SIGTERM, terminate_before_);
}

void EndOnInterrupt::ignore() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
}

namespace {

// The messages stay, so that the handler can read one at any moment.
const Message* kept(const std::string& text, const std::string& path) {
    static std::list<Message> messages;
    messages.push_back({text, path});
    return &messages.back();
}

}  // namespace

void EndOnInterrupt::results_begin() { results_awaited = true; }

void EndOnInterrupt::say_if_saved(const std::string& text, const std::string& path) {
    saved = kept(text, path);
}

void EndOnInterrupt::say_of_earlier_run(const std::string& path) {
    earlier =
        kept(fitted("\nStopped. No results were written; those of an earlier run are unchanged.\n",
                    limit_of_stderr()),
             path);
}

void EndOnInterrupt::remove_if_empty(std::vector<std::string> folders) {
    static std::list<std::vector<std::string>> all;
    all.push_back(std::move(folders));
    empty_folders = &all.back();
}

}  // namespace heed::course
