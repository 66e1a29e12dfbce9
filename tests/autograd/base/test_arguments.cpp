// Axes, counts and flags: what converts to a number without being one does not compile.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "attention/attention.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"

using namespace heed;

namespace {

// The call f(args...) with the argument at `index` replaced by an `Other`.
template <std::size_t index, class Other, class F, class... Args>
constexpr bool compiles_with() {
    using Before = std::tuple<Args...>;
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return std::is_invocable_v<
            F, std::conditional_t<i == index, Other, std::tuple_element_t<i, Before>>...>;
    }
    (std::index_sequence_for<Args...>());
}

// Whether an argument of another kind is refused: at each int everything but a whole number, at each
// bool everything but a flag.
template <std::size_t index, class F, class... Args>
constexpr bool refuses_others_at() {
    using Arg = std::tuple_element_t<index, std::tuple<Args...>>;
    if constexpr (std::is_same_v<Arg, int>)
        return compiles_with<index, int64_t, F, Args...>() &&
               compiles_with<index, std::size_t, F, Args...>() &&
               !compiles_with<index, bool, F, Args...>() &&
               !compiles_with<index, char, F, Args...>() &&
               !compiles_with<index, float, F, Args...>() &&
               !compiles_with<index, double, F, Args...>();
    if constexpr (std::is_same_v<Arg, bool>)
        return !compiles_with<index, int, F, Args...>() &&
               !compiles_with<index, double, F, Args...>() &&
               !compiles_with<index, const char*, F, Args...>();
    return true;
}

template <class... Args, class F>
constexpr bool refuses_others(F) {
    static_assert(std::is_invocable_v<F, Args...>);
    return []<std::size_t... i>(std::index_sequence<i...>) {
        return (refuses_others_at<i, F, Args...>() && ...);
    }
    (std::index_sequence_for<Args...>());
}

using T = const Tensor&;
using Tensors = const std::vector<Tensor>&;

#define CALL(f)                                                                \
    [](auto&&... args) -> decltype(f(std::forward<decltype(args)>(args)...)) { \
        return f(std::forward<decltype(args)>(args)...);                       \
    }

static_assert(refuses_others<T, int, bool>(CALL(sum)));
static_assert(refuses_others<T, int, bool>(CALL(mean)));
static_assert(refuses_others<T, int, bool, int>(CALL(var)));
static_assert(refuses_others<T, int, bool, int>(CALL(stddev)));
static_assert(refuses_others<T, double, int, bool>(CALL(norm)));
static_assert(refuses_others<T, int, bool>(CALL(prod)));
static_assert(refuses_others<T, int, bool>(CALL(max)));
static_assert(refuses_others<T, int, bool>(CALL(min)));
static_assert(refuses_others<T, int, bool>(CALL(logsumexp)));
static_assert(refuses_others<T, int, bool>(CALL(any)));
static_assert(refuses_others<T, int, bool>(CALL(all)));
static_assert(refuses_others<T, int>(CALL(argmax)));
static_assert(refuses_others<T, int>(CALL(cumsum)));
static_assert(refuses_others<T, int>(CALL(softmax)));
static_assert(refuses_others<T, T, int>(CALL(masked_softmax)));
static_assert(refuses_others<T, int>(CALL(log_softmax)));
static_assert(refuses_others<T, int, bool>(CALL(max_with_indices)));
static_assert(refuses_others<T, int, bool>(CALL(sort)));
static_assert(refuses_others<T, int, bool>(CALL(argsort)));
static_assert(refuses_others<T, int, int, bool>(CALL(topk)));
static_assert(refuses_others<T, int, int>(CALL(flatten)));
static_assert(refuses_others<T, int, int>(CALL(transpose)));
static_assert(refuses_others<T, int>(CALL(squeeze)));
static_assert(refuses_others<T, int>(CALL(unsqueeze)));
static_assert(refuses_others<T, int, int, int, int>(CALL(slice)));
static_assert(refuses_others<T, int, int>(CALL(select)));
static_assert(refuses_others<T, int>(CALL(at_index)));
static_assert(refuses_others<T, int, int>(CALL(split)));
static_assert(refuses_others<T, int, int>(CALL(chunk)));
static_assert(refuses_others<Tensors, int>(CALL(concat)));
static_assert(refuses_others<Tensors, int>(CALL(stack)));
static_assert(refuses_others<T, int>(CALL(flip)));
static_assert(refuses_others<T, int, int>(CALL(roll)));
static_assert(refuses_others<T, int, int, int, double>(CALL(pad)));
static_assert(refuses_others<T, int, int>(CALL(repeat_interleave)));
static_assert(refuses_others<T, int>(CALL(tril)));
static_assert(refuses_others<T, int, int, int>(CALL(diagonal)));
static_assert(refuses_others<T, int, const Indices&>(CALL(gather)));
static_assert(refuses_others<const Indices&, int>(CALL(one_hot)));
static_assert(refuses_others<const Indices&, int>(CALL(less)));
static_assert(refuses_others<int>(CALL(eye)));
static_assert(refuses_others<int>(CALL(arange)));
static_assert(refuses_others<double, double, int>(CALL(linspace)));
static_assert(refuses_others<int, Rng&>(CALL(randperm)));
static_assert(refuses_others<T, T, double, double, bool>(CALL(allclose)));
static_assert(refuses_others<T, int>(CALL(max_pool1d)));
static_assert(refuses_others<T, int>(CALL(max_pool2d)));
static_assert(refuses_others<T, Tensors, bool>(CALL(grad)));
static_assert(refuses_others<T, const Indices&, int>(CALL(nll_loss)));
static_assert(refuses_others<const Indices&, int>(CALL(padding_mask)));
static_assert(refuses_others<int, int>(CALL(causal_mask)));
static_assert(refuses_others<int, int, int, int>(CALL(sliding_window_mask)));
static_assert(refuses_others<int, int, int>(CALL(alibi_bias)));
static_assert(refuses_others<int, int, int>(CALL(sinusoidal_positions)));

// Constructors of shapes and layers.
template <class Made>
constexpr auto make = [](auto&&... args) requires std::is_constructible_v<Made, decltype(args)...> {
    return true;
};
static_assert(refuses_others<int, int, Rng&, bool>(make<Linear>));
static_assert(refuses_others<int, int, Rng&>(make<Embedding>));
static_assert(refuses_others<int, bool>(make<LayerNorm>));
static_assert(refuses_others<int>(make<BatchNorm>));
static_assert(refuses_others<int, int, int, Rng&>(make<Conv2d>));
static_assert(refuses_others<int>(make<Size2d>));
static_assert(refuses_others<int>(make<AxesOrAll>));

template <class... Elements>
concept MakesShape = requires(Elements... elements) {
    Shape{elements...};
};
static_assert(MakesShape<int, int64_t, std::size_t>);
static_assert(!MakesShape<int, bool> && !MakesShape<char> && !MakesShape<double, int>);

template <class Element>
concept MakesIndices = requires(Element element) {
    Indices{element, element};
};
static_assert(MakesIndices<int>);
static_assert(!MakesIndices<bool> && !MakesIndices<char> && !MakesIndices<double>);
static_assert(std::is_constructible_v<Indices, std::vector<int64_t>>);
static_assert(std::is_constructible_v<Indices, std::vector<uint8_t>, Shape>);
static_assert(!std::is_constructible_v<Indices, std::vector<bool>>);
static_assert(!std::is_constructible_v<Indices, std::vector<char>>);
static_assert(!std::is_constructible_v<Indices, std::vector<double>>);

}  // namespace

TEST_CASE("any whole number is accepted as an axis or count, true and false as a flag",
          "[errors]") {
    const Tensor x = tensor({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK(sum(x, std::size_t{1}).to_vector() == std::vector<double>{6, 15});
    CHECK(sum(x, {}, true).shape() == Shape{1, 1});
    CHECK(norm(x, 1, {}, true).at({0, 0}) == 21);
    CHECK(sum(x, {0, int64_t{1}}).item() == 21);
    const int8_t axis = -1;
    CHECK(topk(x, uint8_t{2}, axis, false).values.shape() == Shape{2, 2});
}

TEST_CASE("indices are made from integers of any kind", "[errors]") {
    const std::vector<int64_t> wide{3, -1, 2};
    const std::vector<uint8_t> bytes{0, 255, 7};
    CHECK(Indices(wide) == Indices{3, -1, 2});
    CHECK(Indices(bytes, {3, 1}) == Indices({0, 255, 7}, {3, 1}));
    CHECK(eye(4)[std::vector<int64_t>{3, 1}].to_vector() ==
          std::vector<double>{0, 0, 0, 1, 0, 1, 0, 0});
    CHECK(error_of([] {
              Indices(std::vector<int64_t>{1, int64_t{1} << 31});
          }) == "Indices: 2147483648 is not an int of 32 bits");
    CHECK(error_of([] { Indices(std::vector<uint32_t>{~uint32_t{0}}, {1}); }) ==
          "Indices: 4294967295 is not an int of 32 bits");
}

TEST_CASE("a layer made without arguments has numbers that are written down", "[errors]") {
    alignas(RmsNorm) unsigned char memory[sizeof(RmsNorm)];
    std::fill(std::begin(memory), std::end(memory), 0x5A);
    RmsNorm* norm = new (memory) RmsNorm;
    CHECK(norm->eps == 0);
    norm->~RmsNorm();
}
