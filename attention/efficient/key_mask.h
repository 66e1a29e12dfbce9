// A mask of keys, for the attentions that cannot keep single queries from a key.
#pragma once

#include "attention/scores/mask.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/tensor.h"

namespace heed::efficient_detail {

// The mask of keys k [B, H, K, D], the same for all queries, as a constant [B or 1, H or 1, 1, K] in the
// dtype of k. Not defined stays not defined. Throws for other shapes.
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
