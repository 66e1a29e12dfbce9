// The environment variables that the programs of heed read, in one list, with what each may hold.
#pragma once

#include <string>
#include <vector>

namespace heed {

struct EnvironmentVariable {
    const char* name = "";
    // In words; empty: every value has a meaning, or who reads it says what is wrong.
    const char* expected = "";
    bool (*accepts)(const std::string& value) = nullptr;
};

const std::vector<EnvironmentVariable>& environment_variables();

// A sentence for each variable whose value means nothing. It is removed from the environment, so neither this program
// nor one that it starts uses it or speaks of it again. Programs call this first (check_environment() of the course).
std::vector<std::string> refuse_in_environment();

}  // namespace heed
