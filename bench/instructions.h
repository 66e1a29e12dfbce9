// Counts instructions. The count is the same in every run, while a time of a few nanoseconds
// varies, so it shows when a small operation has become slower.
#pragma once

#include <string>
#include <vector>

namespace heed::bench {

// Of one small recorded operation: until it is recorded, and with backward; and what both were in the
// first version that was counted, by GCC 12 for AVX-512.
struct Instructions {
    std::string name;
    long recorded, with_backward;
    long recorded_then, with_backward_then;
};
// Throws where the system does not allow to single-step another process.
std::vector<Instructions> count_instructions();

// Prints them, with the change.
void print_instructions();

}  // namespace heed::bench
