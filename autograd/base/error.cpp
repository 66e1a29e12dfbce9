#include "autograd/base/error.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "autograd/base/user_call.h"

namespace heed {

constinit thread_local const char* UserCall::current = nullptr;

namespace {

bool begins_with_name(const std::string& text, const std::string& name) {
    if (text.compare(0, name.size(), name) != 0 || text.size() == name.size()) return false;
    const unsigned char next = text[name.size()];
    return !std::isalnum(next) && next != '_';
}

// The text with the name of the user's call in front.
std::string named(const std::string& text) {
    const char* name = UserCall::current;
    return !name || begins_with_name(text, name) ? text : fmt::format("{}: {}", name, text);
}

}  // namespace

void throw_error(fmt::string_view format, fmt::format_args args) {
    throw Error(named(fmt::vformat(format, args)));
}

void Error::put_before(const std::string& place) {
    std::runtime_error::operator=(Error(named(place + what())));
}
void Error::put_after(const std::string& advice) {
    std::runtime_error::operator=(Error(what() + advice));
}

// --- errors that nobody catches -------------------------------------------------------------------

namespace {

std::terminate_handler handler_before = nullptr;

// What was printed so far is written out first. Then an Error ends the program with its message and
// its status; anything else goes to the handler that was there before, which aborts.
[[noreturn]] void end_program() {
    std::cout.flush();
    std::fflush(nullptr);
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Error& error) {
            std::fprintf(stderr, "error: %s\n", error.what());
            std::fflush(stderr);
            std::_Exit(error.exit_status);
        } catch (...) {
        }
    }
    if (handler_before) handler_before();
    std::abort();
}

const bool installed = [] {
    handler_before = std::set_terminate(end_program);
    return true;
}();

}  // namespace
}  // namespace heed
