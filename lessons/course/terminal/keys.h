// Waiting for a key while somebody reads.
#pragma once

#include <string>

namespace heed::course {

// Shows the prompt in the last line until a key is pressed, and returns it; 0 if the input has
// ended. Ctrl-C works as always.
char wait_for_key(const std::string& prompt);

// For a signal handler that ends the program: makes the terminal show what is typed again.
void restore_terminal();

}  // namespace heed::course
