// Files a lesson writes. Each is written beside its place and then renamed into it: whoever looks
// finds the old file or the new one, never half of one.
#pragma once

#include <string>

namespace heed::course {

// Throws heed::Error, naming the file and the system's reason, when it cannot be written.
void write_file(const std::string& path, const std::string& bytes);

// Whether the folder is there or can be made is found out before a long run, and it is made after
// it. Both throw heed::Error.
void check_folder(const std::string& path);
void make_folder(const std::string& path);

// The reader's notebook, $HEED_HOME/.heed/NAME: one more line at its end. Without HEED_HOME, or
// where it cannot be written, nothing happens: a notebook is no reason to fail.
void note(const std::string& name, const std::string& line);

// The folder of lesson `number` under $HEED_HOME/lessons, "10_luong"; empty when there is none.
std::string lesson_folder(int number);

// How long a full run of it takes by $HEED_HOME/lessons/times, "about 20 s"; empty when unknown.
std::string expected_time(int number);

// A field of a line in the notebook: tabs and newlines become spaces.
std::string field(std::string text);

// Now, as 2025-11-20T09:13:05Z.
std::string timestamp();

}  // namespace heed::course
