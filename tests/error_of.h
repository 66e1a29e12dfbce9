// The message of the error that a call throws.
#pragma once

#include <exception>
#include <string>

template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no error";
}
