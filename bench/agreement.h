// Whether heed and another program computed the same, before their times are compared. A program that skips
// a part of the work would be fast, and a single number of the forward pass would not show it.
#pragma once

#include <string>

namespace heed::bench {

// Compares two files of results (workload.h): for each tensor, |a - b| / |b| in the Euclidean norm.
// At most 1e-5 for outputs and losses, 1e-4 for gradients, and 1e-3 for what three steps of the
// optimiser change: enough to notice a forgotten weight decay. A gradient whose norm is below 1e-5 of
// the largest one is rounding as a whole, such as that of a bias of keys, which a softmax does not
// see. It must be as small on both sides, and what the steps change there is not compared, because
// the first steps of Adam have the size of the learning rate however small a gradient is.
//
// Throws heed::Error with the name of the workload and of the tensor.
void check_agreement(const std::string& workload, const std::string& ours,
                     const std::string& theirs, const std::string& program = "PyTorch");

}  // namespace heed::bench
