// What may stand where a file is written. A file is replaced by renaming a complete one to its name,
// and renaming would also replace /dev/null, a pipe or a link. So every writer of a file first asks
// here for its name; a test of the house looks for writers that do not.
#pragma once

#include <string>

namespace heed {

// The name under which `path` is written: where its links lead, even if there is nothing yet. Throws
// heed::Error if something stands there that is not a file.
std::string file_to_write(const std::string& path);

// "a file", "a folder", "a device", "a pipe", "a socket", "nothing": what `path` leads to.
const char* kind_of_file(const std::string& path);

// What an error number of the system (errno) says about a file, in words: "the disk is full".
std::string reason_of_system(int error);

}  // namespace heed
