#include "autograd/ops/elementwise/copies.h"

#include "autograd/record/record.h"

namespace heed {

Tensor clone(const Tensor& x) {
    check_defined("clone", x);
    return record("clone", copy_of(x), x, [](const Tensor& g) { return g; });
}

Tensor contiguous(const Tensor& x) {
    check_defined("contiguous", x);
    return x.is_contiguous() ? x : clone(x);
}

Tensor to_dtype(const Tensor& x, Dtype dtype) {
    check_defined("to_dtype", x);
    if (x.dtype() == dtype) return x;
    const Tensor source = x.is_contiguous() ? x : copy_of(x);
    Tensor y = empty(x.shape(), dtype);
    with_dtype(x.dtype(), [&]<class From>(From) {
        with_dtype(dtype, [&]<class To>(To) {
            const From* from = source.data<From>();
            To* to = y.edit<To>();
            for (int64_t i = 0; i < x.numel(); ++i) to[i] = static_cast<To>(from[i]);
        });
    });
    return record("to_dtype", std::move(y), x,
                  [old = x.dtype()](const Tensor& g) { return to_dtype(g, old); });
}

}  // namespace heed
