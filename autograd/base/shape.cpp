#include "autograd/base/shape.h"

#include <algorithm>

namespace heed {

std::string to_string(const Axes& axes) {
    std::string text = "[";
    for (int i = 0; i < axes.count; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", axes[i]);
    return text + "]";
}

int Shape::axis(int64_t axis, const char* operation) const {
    check(axis >= -count && axis < count, "{}: there is no axis {} in shape {}", operation, axis,
          *this);
    return static_cast<int>(axis < 0 ? axis + count : axis);
}

Shape broadcast(const Shape& a, const Shape& b, const char* operation) {
    if (a == b) return a;
    Shape result;
    result.count = std::max(a.count, b.count);
    for (int i = 1; i <= result.count; ++i) {
        const int64_t size_a = i <= a.count ? a[a.count - i] : 1;
        const int64_t size_b = i <= b.count ? b[b.count - i] : 1;
        check(size_a == size_b || size_a == 1 || size_b == 1,
              "{}: shapes do not broadcast: {} and {} (sizes {} and {}, counted from the last "
              "axis, must be equal or one of them 1)",
              operation, a, b, size_a, size_b);
        result[result.count - i] = size_a == 1 ? size_b : size_a;
    }
    return result;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
    if (from.count > to.count) return false;
    for (int i = 1; i <= from.count; ++i) {
        const int64_t size = from[from.count - i];
        if (size != 1 && size != to[to.count - i]) return false;
    }
    return true;
}

}  // namespace heed
