// From a formula card to an operation: the forward kernel, recording, and the backward kernel that
// computes a whole slope in one pass over memory.
#pragma once

#include "autograd/kernels/loops.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/cards.h"
#include "autograd/record/record.h"

namespace heed {

namespace elementwise_detail {

// Which of its arguments after g a slope uses, as bits: try Unused in each place until it compiles.
template <bool used>
using Argument = std::conditional_t<used, Vec<float>, Unused>;

template <class Slope, int arguments, unsigned mask = 0>
consteval unsigned used_by() {
    static_assert(mask < 1u << arguments, "slope: expected (g, x, y), or (g, a, b, y)");
    constexpr bool fits = []<std::size_t... k>(std::index_sequence<k...>) {
        return std::is_invocable_v<Slope, Vec<float>, Argument<(mask >> k & 1)>...>;
    }(std::make_index_sequence<arguments>());
    if constexpr (fits)
        return mask;
    else
        return used_by<Slope, arguments, mask + 1>();
}

// The tensor if it is used, else Unused.
template <bool used>
auto keep(const Tensor& x) {
    if constexpr (used)
        return x;
    else
        return Unused{};
}

inline std::tuple<const Tensor&> only_tensors(const Tensor& x) { return {x}; }
inline std::tuple<> only_tensors(Unused) { return {}; }

// Argument k of a slope: the next unconsumed register if something was kept for it, else Unused.
template <std::size_t k, class... Kept, class Registers>
auto argument(const Registers& registers) {
    constexpr bool used[] = {std::is_same_v<Kept, Tensor>...};
    constexpr int before = [] {
        bool in[] = {std::is_same_v<Kept, Tensor>...};
        int count = 0;
        for (std::size_t i = 0; i < k; ++i) count += in[i];
        return count;
    }();
    if constexpr (used[k])
        return std::get<before>(registers);
    else
        return Unused{};
}

// slope(g, kept...), in one fused pass, or as operations on tensors if the result is to be
// differentiated again. A slope that uses nothing but g is one operation anyway.
template <class Slope, class... Kept>
Tensor pull_back(const Slope& slope, const Tensor& g, const Kept&... kept) {
    if constexpr ((std::is_same_v<Kept, Unused> && ...)) {
        return slope(g, kept...);
    } else {
        if (grad_enabled()) return slope(g, kept...);
        const auto on_registers = [&](auto vg, auto... used) {
            const std::tuple<decltype(used)...> registers{used...};
            return [&]<std::size_t... k>(std::index_sequence<k...>) {
                return slope(vg, argument<k, Kept...>(registers)...);
            }(std::index_sequence_for<Kept...>());
        };
        return std::apply(
            [&](const auto&... tensors) {
                return map_elements(g.shape(), g.dtype(), on_registers, g, tensors...);
            },
            std::tuple_cat(only_tensors(kept)...));
    }
}

// Those of the inputs whose bit is set in `used`, and Unused in the places of the others.
template <unsigned used, class... Inputs, std::size_t... k>
auto keep_used(std::index_sequence<k...>, const Inputs&... inputs) {
    return std::make_tuple(keep<(used >> k & 1)>(inputs)...);
}

// The rule for one input: keeps what its slope uses of `inputs`, and the result if it uses that.
template <class Slope, class... Inputs>
auto rule_for(Slope slope, const Inputs&... inputs) {
    constexpr unsigned used = used_by<Slope, sizeof...(Inputs) + 1>();
    auto kept = keep_used<used>(std::index_sequence_for<Inputs...>(), inputs...);
    if constexpr (used >> sizeof...(Inputs) & 1)
        return [slope, kept = std::move(kept)](const Tensor& g, const Tensor& y) {
            return std::apply([&](const auto&... x) { return pull_back(slope, g, x..., y); }, kept);
        };
    else
        return [slope, kept = std::move(kept)](const Tensor& g) {
            return std::apply(
                [&](const auto&... x) { return pull_back(slope, g, x..., Unused{}); }, kept);
        };
}

}  // namespace elementwise_detail

// y = card(x)
template <class AnyCard>
Tensor elementwise(const AnyCard& card, const Tensor& x) {
    check(x.defined(), "{}: the input is not defined", AnyCard::name);
    Tensor value =
        map_elements(x.shape(), x.dtype(), [&](auto v) { return card.value(v); }, x);
    if (!tape::should_record(x)) return value;
    const auto slope = [card](auto g, auto vx, auto y) -> decltype(card.slope(g, vx, y)) {
        return card.slope(g, vx, y);
    };
    return record(AnyCard::name, std::move(value), x, elementwise_detail::rule_for(slope, x));
}

// y = card(a, b), broadcast
template <class AnyCard>
Tensor elementwise(const AnyCard& card, const Tensor& a, const Tensor& b) {
    check(a.defined() && b.defined(), "{}: an input is not defined", AnyCard::name);
    check_same_dtype(a, b, AnyCard::name);
    Tensor value = map_elements(broadcast(a.shape(), b.shape(), AnyCard::name), a.dtype(),
                                [&](auto va, auto vb) { return card.value(va, vb); }, a, b);
    if (!tape::should_record(a) && !tape::should_record(b)) return value;
    const auto slope_a = [card](auto g, auto va, auto vb,
                                auto y) -> decltype(card.slope_a(g, va, vb, y)) {
        return card.slope_a(g, va, vb, y);
    };
    const auto slope_b = [card](auto g, auto va, auto vb,
                                auto y) -> decltype(card.slope_b(g, va, vb, y)) {
        return card.slope_b(g, va, vb, y);
    };
    return record(AnyCard::name, std::move(value),                 //
                  a, elementwise_detail::rule_for(slope_a, a, b),  //
                  b, elementwise_detail::rule_for(slope_b, a, b));
}

}  // namespace heed
