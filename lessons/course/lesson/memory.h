// The memory of this machine. A lesson estimates what its options ask for before it allocates
// anything, and refuses what cannot fit:
//
//     check_memory("--width and --layers", 16 * parameters);
#pragma once

#include <string>

namespace heed::course {

// The memory of the machine in bytes, or the limit of the control group (a container's) if that is
// smaller; infinite if the system does not say.
double bytes_of_machine();

// Throws heed::Error if `bytes` are more than `available`. The message names the options, what they
// need and what there is.
void check_memory(const std::string& options, double bytes, double available = bytes_of_machine());

}  // namespace heed::course
