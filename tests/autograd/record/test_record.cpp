// What record() promises to operations, and what it refuses of them.
#include "autograd/kernels/gemm_layout.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// --- a rule that gives something else than the gradient of its input ----------------------------

Tensor with_rule(const Tensor& x, Tensor (*rule)(const Tensor& g)) {
    return record("mine", copy_of(x), x, rule);
}

TEST_CASE("a gradient of another dtype or shape than its input is refused by name", "[errors]") {
    for (Dtype dtype : both_dtypes) {
        const Dtype other = dtype == Dtype::float32 ? Dtype::float64 : Dtype::float32;
        Tensor x = ones({2, 3}, dtype).set_requires_grad();
        const auto converted = [](const Tensor& g) {
            return to_dtype(g, g.dtype() == Dtype::float32 ? Dtype::float64 : Dtype::float32);
        };
        const std::string message = fmt::format(
            "mine: its rule gave a gradient of {} for an input of {}, of shape [2, 3]; convert it "
            "with to_dtype(g, Dtype::{})",
            other, dtype, dtype);
        CHECK(error_of([&] { backward(sum(with_rule(x, converted))); }) == message);
        CHECK(error_of([&] { grad(sum(with_rule(x, converted)), {x}); }) == message);
        CHECK(error_of([&] { grad(sum(with_rule(x, converted)), {x}, true); }) == message);
        CHECK_FALSE(x.grad().defined());
        CHECK(error_of([&] { backward(sum(with_rule(x * x, converted))); }) == message);
    }
    Tensor x = ones({2, 3}).set_requires_grad();
    CHECK(error_of([&] {
              backward(sum(with_rule(x, [](const Tensor& g) { return sum(g, 0); })));
          }) == "mine: its rule gave a gradient of shape [3] for an input of shape [2, 3]");
    CHECK(error_of([&] { backward(sum(with_rule(x, [](const Tensor&) { return Tensor(); }))); }) ==
          "mine: its rule gave no gradient for an input of shape [2, 3]");
}

// --- only numbers of two types ------------------------------------------------------------------

template <class T>
constexpr bool readable_as = requires(const Tensor& x) {
    x.data<T>();
};
template <class T>
constexpr bool writable_as = requires(Tensor& x) {
    x.edit<T>();
};
static_assert(readable_as<float> && readable_as<double> && writable_as<float> &&
              writable_as<double>);
static_assert(!readable_as<int> && !readable_as<unsigned> && !readable_as<int64_t>);
static_assert(!readable_as<char> && !readable_as<long double> && !readable_as<const float>);
static_assert(!writable_as<int> && !writable_as<int64_t> && !writable_as<bool>);

// --- the kernels' buffers -----------------------------------------------------------------------

// Memory that can run out; it counts its blocks.
struct Scarce {
    static inline int blocks = 0;
    static inline std::size_t left = 0;
    static void* allocate(std::size_t bytes) {
        if (bytes > left) throw std::bad_alloc();
        ++blocks;
        return ::operator new(bytes);
    }
    static void release(void* memory) {
        --blocks;
        ::operator delete(memory);
    }
};

TEST_CASE("a buffer survives that memory runs out") {
    Scarce::left = 1000;
    {
        GrowingBuffer<float, Scarce> buffer;
        buffer.reserve(100)[99] = 1;
        CHECK(Scarce::blocks == 1);
        CHECK_THROWS_AS(buffer.reserve(1000), std::bad_alloc);
        CHECK(Scarce::blocks == 0);
        CHECK_THROWS_AS(buffer.reserve(1000), std::bad_alloc);
        buffer.reserve(100)[99] = 1;  // again, although the size is not larger than the first
        CHECK(Scarce::blocks == 1);
        CHECK_THROWS_AS(buffer.reserve(1000), std::bad_alloc);
    }
    CHECK(Scarce::blocks == 0);
}

}  // namespace
}  // namespace heed
