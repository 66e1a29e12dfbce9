#include "autograd/ops/support/windows.h"

#include "autograd/kernels/loops.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// to[i] = combine(to[i], x[i]) for a view `to` of x's shape.
template <class Combine>
void write_view(const Tensor& to, const Tensor& x, Combine combine) {
    with_dtype(x.dtype(), [&]<class T>(T) {
        combine_into(reinterpret_cast<T*>(to.body()->bytes), to.layout(), x.data<T>(), x.layout(),
                     combine);
    });
}

}  // namespace

void copy_to_view(const Tensor& to, const Tensor& x) {
    write_view(to, x, [](auto, auto b) { return b; });
}

void add_to_view(const Tensor& to, const Tensor& x) {
    write_view(to, x, [](auto a, auto b) { return a + b; });
}

Tensor window_view(const Tensor& x, const Window& window) {
    Shape shape = x.shape();
    Strides strides = x.strides();
    shape[window.axis] = window.count;
    if (window.count > 1) strides[window.axis] *= window.step;
    return view_of(x, shape, strides, window.begin * x.strides()[window.axis]);
}

Tensor put_in_window(const Tensor& x, const Shape& shape, const Window& window) {
    Tensor value = zeros(shape, x.dtype());
    copy_to_view(window_view(value, window), x);
    return record("put_in_window", std::move(value), x,
                  [=](const Tensor& g) { return window_of(g, window); });
}

Tensor window_of(const Tensor& x, const Window& window) {
    return record("slice", window_view(x, window), x,
                  in_place([shape = x.shape(),
                            window](const Tensor& g) { return put_in_window(g, shape, window); },
                           [window](const Tensor& g, GradientSum sum) {
                               add_to_view(window_view(sum.open(), window), g);
                           }));
}

}  // namespace heed
