// What the parts of this chapter check in the same way.
#pragma once

#include "attention/scores/mask.h"
#include "autograd/base/error.h"
#include "autograd/ops/compare.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/tensor/tensor.h"

namespace heed::efficient_detail {

// q [B, H, Q, D], k [B, H, K, D], v [B, H, K, D'].
inline void check_heads(const Tensor& q, const Tensor& k, const Tensor& v, const char* operation) {
    check_defined(operation, q, k, v);
    check(q.dim() == 4 && k.dim() == 4 && v.dim() == 4 && q.size(0) == k.size(0) &&
              q.size(1) == k.size(1) && q.size(3) == k.size(3) && k.size(0) == v.size(0) &&
              k.size(1) == v.size(1) && k.size(2) == v.size(2),
          "{}: q {}, k {}, v {}; expected [B, H, Q, D], [B, H, K, D] and [B, H, K, D']", operation,
          q.shape(), k.shape(), v.shape());
    check_same_dtype(q, k, operation);
    check_same_dtype(q, v, operation);
}

// A mask of keys, the same for all queries, as a constant [B or 1, H or 1, 1, K] in the dtype of k.
// Not defined stays not defined.
inline Tensor mask_of_keys(const Tensor& mask, const Tensor& k, const char* operation) {
    if (!mask.defined()) return mask;
    check(mask.dim() == 4 && mask.size(2) == 1 &&
              broadcasts_to(mask.shape(), {k.size(0), k.size(1), 1, k.size(2)}),
          "{}: the mask {} with keys {}; expected [B, 1, 1, {}], keys that no query may attend to: "
          "this attention has no mask for single queries",
          operation, mask.shape(), k.shape(), k.size(2));
    check_mask_numbers(mask, operation);
    return mask_to_dtype(detach(mask), k.dtype());
}

}  // namespace heed::efficient_detail
