// User errors. `check(condition, "matmul: inner sizes differ: {} x {}", a.shape(), b.shape())` throws
// heed::Error when the condition does not hold. It is always on; mistakes in heed's own code are
// assert()ed instead. The message is formatted out of line: a check that holds costs one branch. So
// that no caller formats text beforehand, the compiler warns of a check() with a temporary string as an
// argument: write `if (!holds) fail(..., to_string(x))` instead.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <type_traits>

#include "autograd/base/printable.h"

namespace heed {

// An Error that no program code catches ends the program in good order: what was printed is written
// out, the message goes to standard error, and the exit status is that of the error, 1 for most.
// (error.cpp installs a terminate handler for this before main() starts. A program that calls
// std::set_terminate itself, say with std::abort to stop in a debugger, replaces it.)

// Thrown for every mistake a user can make. The text names the operation, the rule that was broken,
// what was given, and where it can be known the likely fix. Names in it may come from anybody's
// file: control characters and the like are escaped here, for all errors at once (printable.h).
struct Error : std::runtime_error {
    explicit Error(const std::string& text) : std::runtime_error(escaped(text, true)) {}
    int exit_status = 1;  // of a program that does not catch it

    // For a function that knows where an error arose, or what helps. The error keeps its type:
    //     catch (Error& error) { error.put_before("Sequential: layer 2: "); throw; }
    void put_before(const std::string& place);
    void put_after(const std::string& advice);
};

[[noreturn, gnu::cold]] void throw_error(fmt::string_view format, fmt::format_args args);

template <class... Args>
[[noreturn, gnu::cold]] void fail(fmt::format_string<Args...> format, Args&&... args) {
    throw_error(format, fmt::make_format_args(args...));
}

namespace error_detail {
template <class... Args>
[[deprecated("an argument of check() is text made although the check may hold: "
             "if (!holds) fail(...)")]]  //
void text_made_beforehand() {}
}  // namespace error_detail

template <class... Args>
inline void check(bool holds, fmt::format_string<Args...> format, Args&&... args) {
    if constexpr ((std::is_same_v<Args, std::string> || ...))
        error_detail::text_made_beforehand<Args...>();
    if (!holds) [[unlikely]]
        throw_error(format, fmt::make_format_args(args...));
}

}  // namespace heed
