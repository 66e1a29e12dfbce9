// Examples for classification of which most measurements mean nothing.
#pragma once

#include "lessons/material/corpora/spirals.h"

namespace heed::workshop3 {

// Examples of 20 measurements, independent random numbers. The class is 1 if the sum of the first two
// and of some noise is positive; the other 18 have nothing to do with it.
inline constexpr int measured = 20;
course::Points measurements(int count, Rng& rng);  // x [count, 20], t [count]

}  // namespace heed::workshop3
