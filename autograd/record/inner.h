// For operations whose value is computed with other operations: logsumexp takes the logarithm of a
// sum of exponentials.
#pragma once

#include "autograd/record/finite.h"
#include "autograd/record/grad_mode.h"

namespace heed {

// While one lives, the operations of this thread are steps on the way to a result that is recorded and
// checked as a whole: they are not recorded, and may pass through an infinity (log(0) in the
// logsumexp of minus infinities).
struct InnerOperations {
    NoGrad unrecorded;
    FiniteCheck unchecked{false};
};

}  // namespace heed
