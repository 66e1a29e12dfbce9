// Running another program beside this one.
//
//     const pid_t child = start({"bin/lesson_05", "--quick"}, writing_into("log"));
//     const int status = wait_for(child);
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace heed::course {

// Starts the program that is the first word, which is looked for as a shell does. `prepare` is called
// in the new process first. Throws heed::Error if the system has no process left; a program that
// cannot be run ends with status 127.
pid_t start(std::vector<std::string> words, const std::function<void()>& prepare);

// For `prepare`: the program reads nothing, and both its outputs go into the file. Throws heed::Error if
// something stands there that is not a file.
std::function<void()> writing_into(const std::string& file);

// For `prepare`: the standard input of the program is this text, of at most 4096 bytes. Throws heed::Error if the
// system has no pipe left.
std::function<void()> reading(const std::string& text);

// Waits for its end. Returns its exit status, or 128 + n after signal n. After `limit` seconds, unless
// that is 0, it is killed, and -1 returned.
int wait_for(pid_t child, double limit = 0);

// Throws heed::Error if a compiler or linker could not write what it has made, by what it has said: that is no fault of
// the source.
void check_could_write(const std::string& log);

}  // namespace heed::course
