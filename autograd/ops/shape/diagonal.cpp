#include "autograd/ops/shape/diagonal.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// 1 where kept(column - row), for the last two axes of x.
template <class Kept>
Tensor triangle(const Tensor& x, const char* name, Kept kept) {
    check(x.dim() >= 2, "{}: expected at least two axes, got shape {}", name, x.shape());
    const int64_t rows = x.size(-2), columns = x.size(-1);
    Tensor mask = zeros({rows, columns}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        T* to = mask.edit<T>();
        for (int64_t i = 0; i < rows; ++i)
            for (int64_t j = 0; j < columns; ++j) to[i * columns + j] = kept(j - i) ? 1 : 0;
    });
    return mask;
}

// Diagonal d of the axes a and b as a view with a new last axis. Not recorded.
Tensor diagonal_view(const Tensor& x, int64_t d, int a, int b) {
    Shape shape;
    Strides strides;
    for (int i = 0; i < x.dim(); ++i)
        if (i != a && i != b) {
            shape.push(x.shape()[i]);
            strides.push(x.strides()[i]);
        }
    d = std::clamp(d, -x.shape()[a], x.shape()[b]);  // beyond these it has no elements
    const int64_t row = std::max<int64_t>(-d, 0), column = std::max<int64_t>(d, 0);
    const int64_t length = std::min(x.shape()[a] - row, x.shape()[b] - column);
    shape.push(std::max<int64_t>(length, 0));
    strides.push(add_sizes(x.strides()[a], x.strides()[b]));
    const int64_t first = length > 0 ? row * x.strides()[a] + column * x.strides()[b] : 0;
    return view_of(x, shape, strides, first);
}

struct TwoAxes {
    int a, b;
    TwoAxes(const Shape& shape, int first, int second, const char* name)
        : a(shape.axis(first, name)), b(shape.axis(second, name)) {
        check(a != b, "{}: the two axes are the same, {} of shape {}", name, first, shape);
    }
};

}  // namespace

Tensor tril(const Tensor& x, Integer d) {
    check_defined("tril", x);
    return where(triangle(x, "tril", [d](int64_t right) { return right <= d; }), x, 0.0);
}
Tensor triu(const Tensor& x, Integer d) {
    check_defined("triu", x);
    return where(triangle(x, "triu", [d](int64_t right) { return right >= d; }), x, 0.0);
}

Tensor diagonal(const Tensor& x, Integer d, Integer first, Integer second) {
    check_defined("diagonal", x);
    const auto [a, b] = TwoAxes(x.shape(), first, second, "diagonal");
    return record("diagonal", diagonal_view(x, d, a, b), x,
                  [=, shape = x.shape(), rows = a, columns = b](const Tensor& g) {
                      return put_on_diagonal(g, shape, d, rows, columns);
                  });
}

Tensor put_on_diagonal(const Tensor& x, const Shape& shape, Integer d, Integer first,
                       Integer second) {
    const UserCall named("put_on_diagonal");
    check_defined("put_on_diagonal", x);
    const auto [a, b] = TwoAxes(shape, first, second, "put_on_diagonal");
    Tensor y = zeros(shape, x.dtype());
    const Tensor to = diagonal_view(y, d, a, b);
    check(x.shape() == to.shape(), "put_on_diagonal: diagonal {} of shape {} is {}, got {}", d,
          shape, to.shape(), x.shape());
    copy_to_view(to, x);
    return record("put_on_diagonal", std::move(y), x, [=, rows = a, columns = b](const Tensor& g) {
        return diagonal(g, d, rows, columns);
    });
}

Tensor diag(const Tensor& x, Integer d) {
    check_defined("diag", x);
    check(x.dim() == 1 || x.dim() == 2, "diag: expected a vector or a matrix, got shape {}",
          x.shape());
    if (x.dim() == 2) return diagonal(x, d);
    const int64_t most = std::numeric_limits<int64_t>::max();
    const int64_t size = add_sizes(x.size(0), std::abs(std::max(d.value, -most)));
    return put_on_diagonal(x, {size, size}, d);
}

}  // namespace heed
