// Instructions, counted: the same number every time, where a time of a few nanoseconds never is.
// This is how a regression on the path of a small operation shows.
#pragma once

namespace heed::bench {

// Of each small operation, recorded, with and without its backward; beside what it was when this
// was written.
void print_instructions();

}  // namespace heed::bench
