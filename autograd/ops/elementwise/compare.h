// Comparisons, masks, and choosing by a mask. All are elementwise and broadcast.
//
// A mask is a tensor of 0 and 1; heed has no boolean tensors. Comparisons give it in the dtype of
// their operands, but where a mask is read (where(), masked_fill(), masked_softmax(), attention) it
// may have any dtype: what is not 0 counts as true. Masks are constants, to which no gradient flows.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// 1 where the relation holds, 0 where it does not. With NaN only != holds.
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, const Tensor& b);
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator!=(const Tensor& a, const Tensor& b);
inline Tensor operator<(const Tensor& a, double b) { return a < scalar_for(b, a, "less"); }
inline Tensor operator>(const Tensor& a, double b) { return a > scalar_for(b, a, "greater"); }
inline Tensor operator<=(const Tensor& a, double b) { return a <= scalar_for(b, a, "less_equal"); }
inline Tensor operator>=(const Tensor& a, double b) {
    return a >= scalar_for(b, a, "greater_equal");
}
inline Tensor operator==(const Tensor& a, double b) { return a == scalar_for(b, a, "equal"); }
inline Tensor operator!=(const Tensor& a, double b) { return a != scalar_for(b, a, "not_equal"); }

// 1 where x is NaN; plus or minus infinity; neither of them.
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);

// 1 where a and b are equal or both are NaN.
Tensor equal_or_nan(const Tensor& a, const Tensor& b);

// Of masks. The result has the dtype of the first.
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);
Tensor logical_not(const Tensor& mask);
// The mask in this dtype: as it is if it has the dtype, else 1 where it is not 0.
Tensor mask_to_dtype(const Tensor& mask, Dtype dtype);

// Element by element: yes where the mask is not 0, no where it is 0. The one that is not chosen gets
// exactly 0 as gradient, whatever it holds.
Tensor where(const Tensor& mask, const Tensor& yes, const Tensor& no);
Tensor where(const Tensor& mask, const Tensor& yes, double no);
Tensor where(const Tensor& mask, double yes, const Tensor& no);

}  // namespace heed
