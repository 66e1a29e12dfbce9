// Comparisons, and choosing by them. Both are elementwise and broadcast. A mask is a tensor of 0 and
// 1 in the dtype of what it is used with; heed has no boolean tensors.
#pragma once

#include "autograd/tensor/tensor.h"

namespace heed {

// 1 where the relation holds, 0 where not, in the dtype of the operands. Constants: no gradient.
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, const Tensor& b);
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator!=(const Tensor& a, const Tensor& b);
inline Tensor operator<(const Tensor& a, double b) { return a < scalar(b, a.dtype()); }
inline Tensor operator>(const Tensor& a, double b) { return a > scalar(b, a.dtype()); }
inline Tensor operator<=(const Tensor& a, double b) { return a <= scalar(b, a.dtype()); }
inline Tensor operator>=(const Tensor& a, double b) { return a >= scalar(b, a.dtype()); }
inline Tensor operator==(const Tensor& a, double b) { return a == scalar(b, a.dtype()); }
inline Tensor operator!=(const Tensor& a, double b) { return a != scalar(b, a.dtype()); }

// Element by element: yes where the mask is not 0, no where it is. All three broadcast. The mask gets
// no gradient; what is not chosen gets exactly 0, whatever is in it.
Tensor where(const Tensor& mask, const Tensor& yes, const Tensor& no);
Tensor where(const Tensor& mask, const Tensor& yes, double no);
Tensor where(const Tensor& mask, double yes, const Tensor& no);

}  // namespace heed
