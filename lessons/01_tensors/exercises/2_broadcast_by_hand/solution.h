#include <algorithm>
#include <vector>

#include "lessons/course/exercise/write.h"

using Sizes = std::vector<int64_t>;
using Elements = std::vector<double>;

// Both shapes end at the same column, so it is easiest to count axes from the end. Axis i of the
// result is axis i - (n - m) of a shape with m axes; if that is negative, the axis is missing and
// counts as 1.
int64_t size_at(const Sizes& shape, std::size_t i, std::size_t n) {
    return i + shape.size() < n ? 1 : shape[i + shape.size() - n];
}

Sizes my_shape(const Sizes& a, const Sizes& b) {
    const std::size_t n = std::max(a.size(), b.size());
    Sizes result(n);
    for (std::size_t i = 0; i < n; ++i) {
        const int64_t p = size_at(a, i, n), q = size_at(b, i, n);
        check(p == q || p == 1 || q == 1, "sizes {} and {} do not fit", p, q);
        result[i] = p == 1 ? q : p;  // not the larger one: 1 and 0 give 0
    }
    return result;
}

// From the last axis to the first, the stride grows by the size of each axis. Where the tensor has
// one index only, its stride is 0, and the same number is read again and again.
Sizes my_strides(const Sizes& shape, const Sizes& result) {
    Sizes strides(result.size(), 0);
    int64_t step = 1;
    for (std::size_t i = result.size(); i-- > 0;) {
        const int64_t size = size_at(shape, i, result.size());
        if (size != 1) strides[i] = step;
        step *= size;
    }
    return strides;
}

// The index of each element is taken apart, from the last axis to the first.
Elements my_sum(const Elements& x, const Sizes& x_shape, const Elements& y, const Sizes& y_shape) {
    const Sizes shape = my_shape(x_shape, y_shape), of_x = my_strides(x_shape, shape),
                of_y = my_strides(y_shape, shape);
    int64_t count = 1;
    for (int64_t size : shape) count *= size;
    Elements result;
    for (int64_t k = 0; k < count; ++k) {
        int64_t rest = k, at_x = 0, at_y = 0;
        for (std::size_t i = shape.size(); i-- > 0;) {
            at_x += rest % shape[i] * of_x[i];
            at_y += rest % shape[i] * of_y[i];
            rest /= shape[i];
        }
        result.push_back(x[at_x] + y[at_y]);
    }
    return result;
}
