// Included by ./heed run in front of the reader's file. An exception that nothing catches ends the program with one
// line, and not with that of the standard library: what it says may come from anybody's file, and is escaped.
#pragma once

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <typeinfo>

#include "autograd/base/error.h"
#include "autograd/base/printable.h"

namespace heed::run {

inline std::terminate_handler handler_before = nullptr;

// "std::runtime_error", of what is being thrown.
inline std::string kind_thrown() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (!type) return "exception";
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), std::free);
    return status == 0 ? name.get() : type->name();
}

[[noreturn]] inline void end_with(const std::string& text) {
    std::cout.flush();
    std::fflush(nullptr);
    std::fprintf(stderr, "error: %s\n", escaped(text, false, 2000).c_str());
    std::_Exit(1);
}

[[noreturn]] inline void end_program() {
    const std::exception_ptr thrown = std::current_exception();
    if (!thrown)
        end_with(
            "expected the program to end by itself, found a call of std::terminate(); is there a "
            "std::thread that is never joined, or a throw; outside of a catch?");
    const std::string mend = "; catch it in main(), or mend what throws it";
    try {
        std::rethrow_exception(thrown);
    } catch (const Error&) {  // is said where it is defined (autograd/base/error.cpp)
        if (handler_before) handler_before();
    } catch (const std::exception& error) {
        end_with("expected a catch for each exception, found none for this " + kind_thrown() +
                 ": " + error.what() + mend);
    } catch (...) {
        end_with("expected a catch for each exception, found none for a thrown " + kind_thrown() +
                 mend);
    }
    std::abort();
}

inline const bool installed = [] {
    handler_before = std::set_terminate(end_program);
    return true;
}();

}  // namespace heed::run
