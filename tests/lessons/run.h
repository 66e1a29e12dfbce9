// Running the program of a lesson as a reader does.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "lessons/material/read/text_data.h"
#include "tests/autograd/oracle.h"
#include "tests/course/scratch.h"
#include "tests/skipped.h"

// Skips a test that trains whole lessons where that takes too long:
//
//     if (too_slow_here()) return;
inline bool too_slow_here() {
    return heed::sanitized && skipped("whole lessons take too long under the sanitizers");
}

struct Ended {
    int status;
    std::string out, err;
};

// Runs the program without a terminal and without records.
inline Ended run(const std::filesystem::path& program, const std::string& options,
                 const Scratch& scratch) {
    const std::string out = scratch.path + "/stdout", err = scratch.path + "/stderr";
    const std::string command = "HEED_HOME= '" + program.string() + "' " + options + " >'" + out +
                                "' 2>'" + err + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, heed::course::read_file(out),
            heed::course::read_file(err)};
}
