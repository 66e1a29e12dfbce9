#include "autograd/ops/reduce/scaling.h"

#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/record/inner.h"

namespace heed::scaling {
namespace {

// f(number) for every element, into a fresh tensor.
template <class F>
Tensor each(const Tensor& x, const F& f) {
    Tensor y = clone(detach(x));
    with_dtype(y.dtype(), [&]<class T>(T) {
        T* p = y.edit<T>();
        for (int64_t i = 0; i < y.numel(); ++i) p[i] = f(p[i]);
    });
    return y;
}

Tensor largest_of(const Tensor& x, const AxesOrAll& axes) {
    const InnerOperations inner;
    return x.numel() == 0 ? sum(x, axes, true) : max(abs(x), axes, true);
}

}  // namespace

Tensor scales(const Tensor& x, const AxesOrAll& axes) {
    return each(largest_of(x, axes), [](auto largest) { return scale_of(largest, 0); });
}

Tensor scales_for_squares(const Tensor& x, const AxesOrAll& axes, double eps) {
    return each(largest_of(x, axes), [eps]<class T>(T largest) {
        const T scale = scale_of(largest, far<T>);
        return eps > 0 ? std::min(scale, T(1)) : scale;
    });
}

Tensor eps_of(const Tensor& all, double eps) {
    return each(all, [eps](auto scale) { return eps_of(scale, eps); });
}

bool powers_fitted(const Tensor& norms, double p) {
    return with_dtype(norms.dtype(), [&]<class T>(T) {
        const double low = 4096 * std::pow(std::numeric_limits<T>::min(), 1 / p);
        const std::vector<double> all = norms.to_vector();
        return std::none_of(all.begin(), all.end(),
                            [&](double norm) { return norm < low || !std::isfinite(norm); });
    });
}

}  // namespace heed::scaling
