// The commands of ./heed, one file each. Words are those after the name of the command; the result is the
// exit status: 0 if all is well, 1 if a claim, check or test does not hold, 2 for a wrong command.
#pragma once

#include <string>
#include <vector>

#include "lessons/heed/builder.h"

namespace heed::course {

using Words = std::vector<std::string>;

int home(const std::string& root);  // the lessons, what is done, and the commands
int help();
int progress(const std::string& root, const Words& words);
int learn(const Place& place, const Words& words);
int book(const Place& place, const Words& words);
int run(const Place& place, const Words& words);
int tests(const Place& place, const Words& words);
int create(const Place& place, const Words& words);  // ./heed new

// Installs and configures for another preset, or so that the benchmarks can be built; ./heed does it.
Place prepared(const Place& place, const std::string& preset, bool benchmarks = false);

}  // namespace heed::course
