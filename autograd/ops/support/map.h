// A fresh tensor from a function of registers, element by element. Not recorded: operations compute
// with it and record the result.
#pragma once

#include "autograd/kernels/loops.h"
#include "autograd/tensor/tensor.h"

namespace heed {
inline namespace HEED_REGISTERS {

// out[i] = f(xs[i]...) into a row-major tensor whose memory is not shared. The xs broadcast to its
// shape and have its dtype; f takes and returns Vec<T>.
template <class F, class... Tensors>
void map_elements_into(Tensor& out, const F& f, const Tensors&... xs) {
    with_dtype(out.dtype(), [&]<class T>(T) {
        map_into<T>(reinterpret_cast<T*>(out.body()->bytes), out.shape(), f,
                    std::array{xs.template data<T>()...}, std::array{&xs.layout()...});
    });
}

// The same into a fresh tensor of `shape`.
template <class F, class... Tensors>
Tensor map_elements(const Shape& shape, Dtype dtype, const F& f, const Tensors&... xs) {
    Tensor out = empty(shape, dtype);
    map_elements_into(out, f, xs...);
    return out;
}

}  // namespace HEED_REGISTERS
}  // namespace heed
