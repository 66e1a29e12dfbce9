#include "autograd/tensor/indices.h"

namespace heed {

Indices::Indices(std::vector<int> values, const Shape& shape) : Indices(std::move(values)) {
    for (int64_t size : shape) check(size >= 0, "Indices: the shape cannot be {}", shape);
    check(shape.numel() == count(), "Indices: shape {} holds {} values, got {}", shape,
          shape.numel(), count());
    shape_ = shape;
}

int Indices::at(std::initializer_list<Integer> index) const {
    check(static_cast<int>(index.size()) == shape_.count,
          "Indices::at: expected {} indices for shape {}, got {}", shape_.count, shape_,
          index.size());
    int64_t offset = 0;
    int axis = 0;
    for (const int64_t i : index) {
        const int64_t size = shape_[axis];
        check(i >= -size && i < size, "Indices::at: index {} is outside axis {} of shape {}", i,
              axis, shape_);
        offset = offset * size + (i < 0 ? i + size : i);
        ++axis;
    }
    return (*values_)[offset];
}

Indices Indices::reshaped(const Shape& shape) const {
    check(shape.numel() == count(), "Indices::reshaped: shape {} holds {} values, these are {}",
          shape, shape.numel(), shape_);
    Indices result = *this;
    result.shape_ = shape;
    return result;
}

std::string Indices::position(Integer i) const {
    Axes position = shape_;
    for (int axis = shape_.count - 1; axis >= 0; --axis) {
        position[axis] = i % shape_[axis];
        i = i / shape_[axis];
    }
    return to_string(position);
}

void check_range(const Indices& indices, Integer size, const char* operation, const char* meaning) {
    for (int64_t i = 0; i < indices.count(); ++i)
        if (indices[i] < 0 || indices[i] >= size)
            fail("{}: index {} at {} is outside [0, {}), {}", operation, indices[i],
                 indices.position(i), size, meaning);
}

}  // namespace heed
