// Integers with a shape: token ids, class labels, positions. They are not a tensor and have no
// gradient; ops/index/indexing.h uses them to pick elements of tensors, and ops/index/integers.h joins,
// cuts, compares and counts them. Indices are a handle to values that never change, so copies are cheap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/base/shape.h"

namespace heed {

class Indices {
  public:
    Indices() : values_(std::shared_ptr<const void>(), &no_values()) { shape_.push(0); }
    Indices(std::vector<int> values)  // one axis
        : values_(std::make_shared<const std::vector<int>>(std::move(values))) {
        shape_.push(static_cast<int64_t>(values_->size()));
    }
    Indices(std::initializer_list<int> values) : Indices(std::vector<int>(values)) {}
    // Throws when the count of values is not that of the shape.
    Indices(std::vector<int> values, const Shape& shape);
    // From integers of another type, as vector<int64_t>; throws for one that an int does not hold.
    template <WholeNumber T>
    Indices(const std::vector<T>& values) : Indices(as_ints(values)) {}
    template <WholeNumber T>
    Indices(const std::vector<T>& values, const Shape& shape) : Indices(as_ints(values), shape) {}
    // {true, false} and {'a', 'b'} are no indices. (Where a mask is not 0: masked_fill() and where().)
    template <OtherNumber T>
    Indices(std::initializer_list<T>) = delete;

    const Shape& shape() const { return shape_; }
    int64_t size(Integer axis) const { return shape_[shape_.axis(axis, "Indices::size")]; }
    int64_t count() const { return static_cast<int64_t>(values_->size()); }
    int operator[](Integer i) const { return (*values_)[i]; }
    int at(std::initializer_list<Integer> index) const;  // one index for each axis
    const int* data() const { return values_->data(); }
    auto begin() const { return values_->begin(); }
    auto end() const { return values_->end(); }
    const std::vector<int>& values() const { return *values_; }
    Indices reshaped(const Shape& shape) const;  // the same values in another shape
    std::string position(Integer i) const;       // of value i, for messages: "[0, 3]"
    bool operator==(const Indices& other) const {
        return shape_ == other.shape_ && *values_ == *other.values_;
    }

  private:
    // What all empty ones share, so that an argument that was not given allocates nothing.
    static const std::vector<int>& no_values() {
        static const std::vector<int> none;
        return none;
    }
    template <class T>
    static std::vector<int> as_ints(const std::vector<T>& values) {
        for (const T value : values)
            check(std::in_range<int>(value), "Indices: {} is not an int of 32 bits", value);
        return {values.begin(), values.end()};
    }

    std::shared_ptr<const std::vector<int>> values_;
    Shape shape_;
};

// Throws unless all values lie in [0, size). `meaning` says in the message what the size is.
void check_range(const Indices& indices, Integer size, const char* operation, const char* meaning);

}  // namespace heed
