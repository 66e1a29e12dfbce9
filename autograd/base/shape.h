// The sizes of a tensor along its axes. At most six axes, held in place: copying a shape is copying
// a few words, and no shape ever allocates.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>

#include "autograd/base/arguments.h"
#include "autograd/base/error.h"

namespace heed {

inline constexpr int max_axes = 6;

// a + b and a * b for sizes. Beyond 64 bits they would wrap around to a wrong size; these are the
// largest number then, and no memory holds so many elements.
inline int64_t add_sizes(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}
inline int64_t multiply_sizes(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

// A short list of integers, one per axis: sizes, strides, or the axes themselves.
struct Axes {
    std::array<int64_t, max_axes> values{};
    int count = 0;

    Axes() = default;
    Axes(std::initializer_list<Integer> list) {
        for (const Integer value : list) push(value);
    }
    int64_t operator[](int i) const { return values[i]; }
    int64_t& operator[](int i) { return values[i]; }
    int64_t back() const { return values[count - 1]; }
    const int64_t* begin() const { return values.data(); }
    const int64_t* end() const { return values.data() + count; }
    void push(int64_t value) {
        check(count < max_axes, "Shape: a tensor has at most {} axes", int{max_axes});
        values[count++] = value;
    }
    bool operator==(const Axes& other) const {
        if (count != other.count) return false;
        for (int i = 0; i < count; ++i)
            if (values[i] != other.values[i]) return false;
        return true;
    }
};

struct Shape : Axes {
    using Axes::Axes;
    int dim() const { return count; }
    int64_t numel() const {
        int64_t n = 1;
        for (int64_t size : *this) n = multiply_sizes(n, size);
        return n;
    }
    // The axis a user means by `axis`, where -1 is the last. Throws, naming the operation.
    int axis(int64_t axis, const char* operation) const;
};

using Strides = Axes;

// Where the elements of a tensor lie: element (i, j, ...) is i * strides[0] + j * strides[1] + ...
// numbers after the first.
struct Layout {
    Shape shape;
    Strides strides;
};

// Whether the elements lie one after the other, row by row.
inline bool is_contiguous(const Layout& layout) {
    int64_t step = 1;
    for (int i = layout.shape.count - 1; i >= 0; --i) {
        if (layout.shape[i] != 1 && layout.strides[i] != step) return false;
        step *= layout.shape[i];
    }
    return true;
}

// Row-major: the last axis is contiguous.
inline Strides contiguous_strides(const Shape& shape) {
    Strides strides;
    strides.count = shape.count;
    int64_t step = 1;
    for (int i = shape.count - 1; i >= 0; --i) {
        strides[i] = step;
        step = multiply_sizes(step, shape[i]);
    }
    return strides;
}

// The shape that a and b broadcast to (NumPy's rule): aligned at the last axis, sizes must be equal
// or 1. Throws, naming the operation.
Shape broadcast(const Shape& a, const Shape& b, const char* operation);

// Whether a tensor of shape `from` can be expanded to shape `to`.
bool broadcasts_to(const Shape& from, const Shape& to);

std::string to_string(const Axes& axes);  // "[2, 3]"

}  // namespace heed

template <class T>
struct fmt::formatter<T, char, std::enable_if_t<std::is_base_of_v<heed::Axes, T>>> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    // Copied, not fmt::format_to(): that would compile all of fmt into every file, 2 seconds each.
    auto format(const T& axes, fmt::format_context& context) const {
        const std::string text = heed::to_string(axes);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
