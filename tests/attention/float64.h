// Attention is tested in float64, where rounding hides nothing.
#pragma once

#include "autograd/tensor/tensor.h"

inline constexpr heed::Dtype f64 = heed::Dtype::float64;
