#include "autograd/tensor/tensor.h"

#include <cmath>
#include <cstring>
#include <new>

#include "autograd/base/user_call.h"
#include "autograd/kernels/loops.h"
#include "autograd/tensor/buffers.h"
#include "autograd/tensor/node.h"
#include "autograd/tensor/storage.h"

namespace heed {
namespace {

std::size_t bytes_per_number(Dtype dtype) { return dtype == Dtype::float32 ? 4 : 8; }

// How many bytes a fresh tensor takes. Throws for shapes that no memory can hold.
std::size_t bytes_for(const Shape& shape, Dtype dtype) {
    constexpr std::uint64_t most = std::uint64_t{1} << (sizeof(std::size_t) == 8 ? 46 : 31);
    std::uint64_t bytes = bytes_per_number(dtype);
    bool possible = true, fits = true;
    for (int64_t size : shape) {
        possible &= size >= 0;
        fits &= !__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
    }
    if (possible && fits && bytes < most) [[likely]]
        return static_cast<std::size_t>(bytes);
    const UserCall named("empty");
    check(possible, "a tensor cannot have shape {}", shape);
    fail("a tensor of shape {} does not fit into memory", shape);
}

}  // namespace

void Tensor::destroy(Body* body) {
    body->storage->release();
    if (body->node) release(body->node);
    pool_release(body, sizeof(Body));
}

void Tensor::fail_undefined(const char* call) {
    // Inside another call this one is not named: which of them comes first, shape() or numel() in the
    // arguments of a function, depends on the compiler.
    fail("{}: the tensor is not defined; Tensor() holds no numbers",
         UserCall::current ? UserCall::current : call);
}

void Tensor::fail_dtype(const char* call, Dtype asked) const {
    fail("{}: the tensor of shape {} holds {}, not {}; to_dtype(x, Dtype::{}) converts it", call,
         shape(), dtype(), asked, asked);
}

bool Tensor::is_contiguous() const {
    check_defined("is_contiguous", *this);
    return heed::is_contiguous(layout());
}

double Tensor::item() const {
    check_defined("item", *this);
    check(numel() == 1, "item: expected one element, got shape {}", shape());
    return with_dtype(dtype(), [&]<class T>(T) { return static_cast<double>(*data<T>()); });
}

double Tensor::at(std::initializer_list<Integer> indices) const {
    check_defined("at", *this);
    check(static_cast<int>(indices.size()) == dim(), "at: expected {} indices for shape {}, got {}",
          dim(), shape(), indices.size());
    int64_t offset = 0;
    int axis = 0;
    for (int64_t index : indices) {
        const int64_t size = shape()[axis];
        check(index >= -size && index < size, "at: index {} is outside axis {} of shape {}", index,
              axis, shape());
        offset += (index < 0 ? index + size : index) * strides()[axis++];
    }
    return with_dtype(dtype(), [&]<class T>(T) { return static_cast<double>(data<T>()[offset]); });
}

std::vector<double> Tensor::to_vector() const {
    check_defined("to_vector", *this);
    const Tensor row_major = is_contiguous() ? *this : copy_of(*this);
    return with_dtype(dtype(), [&]<class T>(T) {
        const T* numbers = row_major.data<T>();
        return std::vector<double>(numbers, numbers + numel());
    });
}

void* Tensor::open_for_writing() {
    if (const Node* node = body_->node)
        check(node->is_leaf(),
              "edit: the result of '{}', of shape {}, cannot be changed, only tensors that no "
              "recorded operation computed; change a copy, copy_of(x)",
              node->operation, node->shape);
    if (body_->storage->is_buffer) [[unlikely]]
        WatchBuffers::about_to_change(*this);
    ++body_->storage->version;
    return body_->bytes;
}

void Tensor::assign(const Tensor& value) {
    check_defined("assign", *this, value);
    check(value.shape() == shape(), "assign: expected shape {}, got {}", shape(), value.shape());
    check_same_dtype(*this, value, "assign");
    with_dtype(dtype(), [&]<class T>(T) {
        check(is_contiguous(), "assign: a view cannot be assigned to; assign to the whole tensor");
        const Tensor source = copy_of(value);  // `value` may be a view of our own memory
        std::memcpy(edit<T>(), source.data<T>(), numel() * sizeof(T));
    });
}

Tensor& Tensor::set_requires_grad(Flag wanted) {
    check_defined("set_requires_grad", *this);
    if (wanted == requires_grad()) return *this;
    if (wanted) {
        body_->node = new (pool_allocate(sizeof(Leaf))) Leaf(*this);
        retain(body_->node);
    } else {
        check(body_->node->is_leaf(),
              "set_requires_grad: the result of '{}' always takes part in the graph; did you mean "
              "detach()?",
              body_->node->operation);
        release(body_->node);
        body_->node = nullptr;
    }
    return *this;
}

Tensor Tensor::grad() const {
    check_defined("grad", *this);
    const Leaf* leaf = requires_grad() ? body_->node->leaf() : nullptr;
    return leaf ? leaf->gradient : Tensor();
}
void Tensor::clear_grad() {
    check_defined("clear_grad", *this);
    if (Leaf* leaf = requires_grad() ? body_->node->leaf() : nullptr) leaf->gradient = Tensor();
}

Tensor empty(const Shape& shape, Dtype dtype) {
    const std::size_t bytes = bytes_for(shape, dtype);
    Storage* storage = Storage::make(bytes);  // first: it may be refused
    void* memory = pool_allocate(sizeof(Tensor::Body));
    return Tensor(new (memory) Tensor::Body{
        1, dtype, {shape, contiguous_strides(shape)}, storage, storage->numbers(), nullptr});
}

Tensor detach(const Tensor& x) {
    check_defined("detach", x);
    return view_of(x, x.shape(), x.strides());
}

Tensor copy_of(const Tensor& x) {
    check_defined("copy_of", x);
    Tensor copy = empty(x.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        combine_into(copy.edit<T>(), copy.layout(), x.data<T>(), x.layout(),
                     [](T, T number) { return number; });
    });
    return copy;
}

Tensor view_of(const Tensor& x, const Shape& shape, const Strides& strides, Integer offset) {
    void* memory = pool_allocate(sizeof(Tensor::Body));  // first: it may be refused
    Storage* storage = x.body()->storage;
    ++storage->references;
    unsigned char* first =
        x.body()->bytes + offset * static_cast<int64_t>(bytes_per_number(x.dtype()));
    return Tensor(new (memory)
                      Tensor::Body{1, x.dtype(), {shape, strides}, storage, first, nullptr});
}

bool is_unshared(const Tensor& x) {
    return x.defined() && x.body()->references == 1 && x.body()->storage->references == 1;
}

void fail_not_defined(const char* operation, int index) {
    if (index < 0) fail("{}: the input is not defined; Tensor() holds no numbers", operation);
    fail("{}: input {} is not defined; Tensor() holds no numbers", operation, index);
}

Tensor scalar_for(double value, const Tensor& x, const char* operation) {
    check_defined(operation, x);
    return full({}, value, x.dtype());
}

const char* name_of(Dtype dtype) { return dtype == Dtype::float32 ? "float32" : "float64"; }

void fail_mixed_dtypes(const Tensor& a, const Tensor& b, const char* operation) {
    // A model was converted, and one of its parameters was not: visit() does not name it. Or a
    // formula in float64, as in a gradient check, makes a constant in the dtype of training.
    const bool a_is_float32 = a.dtype() == Dtype::float32;
    const auto parameters = parameters_behind(a_is_float32 ? a : b);
    const std::string cause =
        parameters.empty()
            ? "; constants as zeros(), tensor(), one_hot() and masks are float32 unless they are given a "
              "dtype, as in zeros(shape, x.dtype())"
            : fmt::format(
                  "; the float32 one comes from a parameter of shape {}: if its model was "
                  "converted (to_dtype, gradcheck_model), visit() does not name this "
                  "parameter or its layer",
                  to_string(parameters[0]->shape));
    fail("{}: {} and {} do not mix; convert one with to_dtype(x, Dtype::{}){}", operation,
         a.dtype(), b.dtype(), a.dtype(), cause);
}

}  // namespace heed
