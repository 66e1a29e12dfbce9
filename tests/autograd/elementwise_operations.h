// All elementwise operations of the library, on one tensor and on two.
#pragma once

#include <vector>

#include "autograd/ops/elementwise/unary.h"

inline std::vector<heed::ListedOperation> elementwise_operations() {
    std::vector<heed::ListedOperation> all = heed::unary_operations();
    all.insert(all.end(), heed::binary_operations().begin(), heed::binary_operations().end());
    return all;
}
