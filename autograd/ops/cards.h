// What an elementwise operation looks like: a formula card.
//
//     // y = tanh x          dy/dx = 1 - y²
//     struct Tanh : Card<Tanh> {
//         static constexpr auto name = "tanh";
//         static constexpr Sample sample{-3, 3};
//         template <class T> T value(T x) const { return tanh(x); }
//         template <class T> T slope(T g, Unused, T y) const { return g * (1 - y * y); }
//     };
//
// `slope` is g dy/dx, from the incoming gradient g, the input x and the result y; a parameter of type
// Unused need not be saved. Both are generic: T is a vector register in the kernels, and Tensor when
// the gradient is to be differentiated again. `sample` is the interval that the gradient check draws
// from, away from kinks.
//
// Deriving from Card enlists the operation: the gradient check and the tests go over all cards in the
// list. unary.h and binary.h hold the library's. For a card in a program of your own, leave out the
// base, include autograd/ops/elementwise.h and call elementwise(MyCard{}, x).
#pragma once

#include <limits>
#include <type_traits>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// A value the slope does without.
struct Unused {};

// Where the gradient check may sample: [low, high], not near the kinks.
struct Sample {
    double low, high;
    double kink = std::numeric_limits<double>::quiet_NaN();
    double other_kink = std::numeric_limits<double>::quiet_NaN();
};

// An enlisted card, as the tests see it.
struct ListedCard {
    const char* name;
    int inputs;  // 1 or 2
    Sample sample;
    Tensor (*apply)(const std::vector<Tensor>& inputs);
};
const std::vector<ListedCard>& listed_cards();

// Adds a card to the list. Defined, like apply(), in enlist.h; the attributes make them stand there as
// functions that other files can call (without `used` GCC 14 keeps only a copy of its own making).
template <class AnyCard>
[[gnu::noinline, gnu::used]] bool enlist();

template <class Derived>
struct Card {
    static inline const bool enlisted = enlist<Derived>();
    using WhenUsed = std::integral_constant<const bool*, &enlisted>;  // makes it be initialised
};

// The operation on a card of the library.
template <class AnyCard>
[[gnu::noinline, gnu::used]] Tensor apply(const AnyCard& card, const Tensor& x);
template <class AnyCard>
[[gnu::noinline, gnu::used]] Tensor apply(const AnyCard& card, const Tensor& a, const Tensor& b);

}  // namespace heed
