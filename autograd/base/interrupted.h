// A loop that ends because the program was told to stop, by Ctrl-C or a signal.
#pragma once

#include <string>

#include "autograd/base/error.h"

namespace heed {

// A program that does not catch it ends with its message and the status of the shell for that signal.
struct Interrupted : Error {
    Interrupted(const std::string& message, int number, bool whole)
        : Error(message), signal(number), saved(whole) {
        exit_status = 128 + number;
    }
    int signal = 0;      // SIGINT or SIGTERM
    bool saved = false;  // whether the last step is saved; false if the disk is full, for example
};

}  // namespace heed
