// The definitions behind cards.h, included by elementwise.cpp only: there the kernels of all cards of
// the library are compiled.
#pragma once

#include "autograd/ops/elementwise.h"

namespace heed {

std::vector<ListedCard>& mutable_card_list();

template <class AnyCard>
Tensor apply(const AnyCard& card, const Tensor& x) {
    return elementwise(card, x);
}
template <class AnyCard>
Tensor apply(const AnyCard& card, const Tensor& a, const Tensor& b) {
    return elementwise(card, a, b);
}

template <class AnyCard>
bool enlist() {
    ListedCard listed{AnyCard::name, 1, AnyCard::sample, nullptr};
    if constexpr (requires(const AnyCard& card, Vec<float> v) { card.value(v, v); }) {
        listed.inputs = 2;
        listed.apply = [](const std::vector<Tensor>& x) { return apply(AnyCard{}, x[0], x[1]); };
    } else {
        listed.apply = [](const std::vector<Tensor>& x) { return apply(AnyCard{}, x[0]); };
    }
    mutable_card_list().push_back(listed);
    return true;
}

}  // namespace heed
