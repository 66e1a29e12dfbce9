// What CLI11 says of a wrong command line, in the words of all other messages of heed.
#pragma once

#include <string>

namespace heed::course {

// "--order: 3 not in {1,2}" becomes "--order: expected 1 or 2, found '3'"; what is not known is left as it is.
// `command` is named where --help helps: "./heed gradcheck".
std::string command_line_fault(const std::string& said, const std::string& command);

}  // namespace heed::course
