#include <algorithm>
#include <cmath>

#include "lessons/course/exercise/write.h"

// `size` numbers along one axis, beginning at the given one: what lies inside, with zeros around
// it.
Tensor my_cut(const Tensor& picture, int axis, int64_t begin, int64_t size) {
    const int64_t length = picture.size(axis);
    const int64_t from = std::clamp<int64_t>(begin, 0, length),
                  to = std::clamp<int64_t>(begin + size, from, length);
    const int64_t before = std::clamp<int64_t>(-begin, 0, size - (to - from));
    return pad(slice(picture, axis, from, to), axis, before, size - (to - from) - before);
}

// Columns belong to x and rows to y, so x goes with the last axis.
Tensor my_glimpse(const Tensor& picture, double x, double y, int64_t size) {
    const auto begin = [size](double at, int64_t length) {
        return static_cast<int64_t>(std::floor(((at + 1) * length - size) / 2 + 0.5));
    };
    const int64_t left = begin(x, picture.size(1)), top = begin(y, picture.size(0));
    return my_cut(my_cut(picture, 0, top, size), 1, left, size);
}
