// What CLI11 says of a wrong command line, in the words of all other messages of heed.
#pragma once

#include <functional>
#include <string>

namespace heed::course {

// "--order: 3 not in {1,2}" becomes "--order: expected 1 or 2, found '3'"; what is not known is left as it is.
// `command` is named where --help helps: "./heed gradcheck".
std::string command_line_fault(const std::string& said, const std::string& command);

// A check for an option with decimals, app.add_option(...)->check(number_between(0, 1)). CLI::Range lets nan pass, which is
// neither below nor above anything.
std::function<std::string(const std::string&)> number_between(double low, double high);

}  // namespace heed::course
