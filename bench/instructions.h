// Counts instructions. The count is the same in every run, while a time of a few nanoseconds
// varies, so it shows when a small operation has become slower.
#pragma once

namespace heed::bench {

// Prints the instructions of small recorded operations, with and without backward, and the change
// from the numbers stored in instructions.cpp.
void print_instructions();

}  // namespace heed::bench
