// The tensor: a rectangular block of numbers, and perhaps a node in the graph of the operations that
// computed it.
//
// A Tensor is a handle, one pointer wide: copying it copies the pointer, and both copies are the same
// tensor. Operations never change their inputs. Only tensors that no recorded operation computed can
// be changed, and only through edit() and assign().
//
//     Tensor x = tensor({1, 2, 3, 4, 5, 6}, {2, 3});
//     Tensor y = exp(transpose(x));      // [3, 2]
//     fmt::print("{}\n", y);
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <string>
#include <vector>

#include "autograd/base/shape.h"

namespace heed {

struct Node;     // a node of the graph: node.h
struct Storage;  // the numbers, shared by a tensor and its views: storage.h

// float32 for training, float64 for checking. Operations refuse to mix them.
enum class Dtype : uint8_t { float32, float64 };
template <class T>
concept Number = std::same_as<T, float> || std::same_as<T, double>;
template <Number T>
inline constexpr Dtype dtype_of = std::same_as<T, float> ? Dtype::float32 : Dtype::float64;

class Tensor {
  public:
    Tensor() = default;  // no tensor at all; defined() is false
    Tensor(const Tensor& other) : body_(other.body_) {
        if (body_) ++body_->references;
    }
    Tensor(Tensor&& other) noexcept : body_(other.body_) { other.body_ = nullptr; }
    Tensor& operator=(Tensor other) noexcept {
        std::swap(body_, other.body_);
        return *this;
    }
    ~Tensor() {
        if (body_ && --body_->references == 0) destroy(body_);
    }

    bool defined() const { return body_ != nullptr; }
    const Shape& shape() const { return checked("shape").layout.shape; }
    int dim() const { return checked("dim").layout.shape.count; }  // the number of axes
    // The number of elements.
    int64_t numel() const { return checked("numel").layout.shape.numel(); }
    // The number of indices of an axis; -1 is the last axis.
    int64_t size(Integer axis) const {
        const Shape& sizes = checked("size").layout.shape;
        return sizes[sizes.axis(axis, "size")];
    }
    Dtype dtype() const { return checked("dtype").dtype; }
    const Strides& strides() const { return checked("strides").layout.strides; }
    const Layout& layout() const { return checked("layout").layout; }  // both
    bool is_contiguous() const;

    // The only element, as a double. Throws when there are more.
    double item() const;
    // The element with the given indices, one for each axis.
    double at(std::initializer_list<Integer> indices) const;
    // All elements in row-major order.
    std::vector<double> to_vector() const;

    // x[2], x[-1]: one index of the first axis, which is dropped. x[Slice{1, 4}]: indices 1, 2 and 3
    // of it. x[ids], with Indices: these indices, in their order. The first two are views; all are
    // recorded (ops/shape/slice.h and ops/index/indexing.h, which must be included).
    template <class Index>
    Tensor operator[](const Index& index) const {
        return at_index(*this, index);
    }

    // The first element, for reading; the others lie strides() apart. Throws unless T is the dtype.
    template <Number T>
    const T* data() const {
        if (checked("data").dtype != dtype_of<T>) [[unlikely]]
            fail_dtype("data", dtype_of<T>);
        return reinterpret_cast<const T*>(body_->bytes);
    }
    // The first element, for writing: the only way to change numbers. Throws for the result of a
    // recorded operation. Backward refuses a graph if numbers that it has to read again were edited
    // after they were recorded: of a leaf, a constant or a result, through whatever view or detached
    // tensor. (An edit is counted when edit() is called; do not keep the pointer for later.)
    template <Number T>
    T* edit() {
        if (checked("edit").dtype != dtype_of<T>) [[unlikely]]
            fail_dtype("edit", dtype_of<T>);
        return reinterpret_cast<T*>(open_for_writing());
    }
    // Copies the numbers of `value` (same shape and dtype) into this leaf.
    void assign(const Tensor& value);

    // Whether operations on this tensor are recorded.
    bool requires_grad() const { return checked("requires_grad").node != nullptr; }
    // Makes this tensor a leaf, whose gradient is wanted, or a constant again. Returns the same
    // tensor. Throws when `wanted` is false and the tensor is the result of a recorded operation.
    Tensor& set_requires_grad(Flag wanted = true);
    // The gradient that backward() left at this leaf; not defined() if none arrived.
    Tensor grad() const;
    void clear_grad();

    // What a tensor is made of.
    struct Body {
        uint32_t references = 1;
        Dtype dtype = Dtype::float32;
        Layout layout;
        Storage* storage = nullptr;      // owns the memory
        unsigned char* bytes = nullptr;  // the first element
        Node* node = nullptr;            // null: a constant
    };
    explicit Tensor(Body* body) : body_(body) {}
    Body* body() const { return body_; }

  private:
    // `call`: the method that needs a tensor.
    const Body& checked(const char* call) const {
        if (!body_) [[unlikely]]
            fail_undefined(call);
        return *body_;
    }
    [[noreturn, gnu::cold]] static void fail_undefined(const char* call);
    [[noreturn, gnu::cold]] void fail_dtype(const char* call, Dtype asked) const;
    static void destroy(Body* body);
    void* open_for_writing();

    Body* body_ = nullptr;
};

// The same numbers in the same memory, cut off from the graph: a constant.
Tensor detach(const Tensor& x);
// The same numbers in memory of their own, row-major; a constant. (clone() is the recorded one.)
Tensor copy_of(const Tensor& x);

// A view: the same memory with another shape, strides and first element. Not recorded.
Tensor view_of(const Tensor& x, const Shape& shape, const Strides& strides, Integer offset = 0);
// Throws for check_defined(): input `index`, or the only one if that is negative.
[[noreturn, gnu::cold]] void fail_not_defined(const char* operation, int index);
// Whether nobody else holds this tensor or its memory, so that nobody notices if it is changed.
bool is_unshared(const Tensor& x);

// For messages: the shape of x, or "an undefined tensor".
struct ShapeOf {
    const Tensor& x;
};
// Throws unless all xs are defined: "matmul: input 1 is not defined; Tensor() holds no numbers".
template <class... Tensors>
void check_defined(const char* operation, const Tensors&... xs) {
    if (!(xs.defined() && ...)) [[unlikely]] {
        int first = 0;
        static_cast<void>(((xs.defined() && ++first) && ...));
        fail_not_defined(operation, sizeof...(xs) == 1 ? -1 : first);
    }
}

// A number as the other operand of an operation on x.
Tensor scalar_for(double value, const Tensor& x, const char* operation);

const char* name_of(Dtype dtype);
// Throws unless both have the same dtype.
[[noreturn]] void fail_mixed_dtypes(const Tensor& a, const Tensor& b, const char* operation);
inline void check_same_dtype(const Tensor& a, const Tensor& b, const char* operation) {
    if (a.dtype() != b.dtype()) [[unlikely]]
        fail_mixed_dtypes(a, b, operation);
}

// f(float{}) or f(double{}), whichever the tensor holds.
template <class F>
decltype(auto) with_dtype(Dtype dtype, F&& f) {
    return dtype == Dtype::float32 ? f(float{}) : f(double{});
}

}  // namespace heed

template <>
struct fmt::formatter<heed::ShapeOf> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(const heed::ShapeOf& shape, fmt::format_context& context) const {
        const std::string text =
            shape.x.defined() ? heed::to_string(shape.x.shape()) : "an undefined tensor";
        return std::copy(text.begin(), text.end(), context.out());
    }
};

// Making tensors, and printing them.
#include "autograd/tensor/create.h"
#include "autograd/tensor/print.h"
