// What an elementwise operation is: its formula, and the formula of its gradient. As a struct:
//
//     // y = 1 / x          dy/dx = -y²
//     struct Reciprocal {
//         static constexpr auto name = "reciprocal";
//         static constexpr Interval interval{0.3, 3};
//         template <class T> T value(T x) const { return 1 / x; }
//         static constexpr auto saved = Saved::result;
//         template <class T> T slope(T g, T y) const { return -g * y * y; }
//     };
//     Tensor y = elementwise(Reciprocal{}, x);
//
// slope() is g dy/dx. `saved` says what it needs besides g: Saved::nothing, the input, the result, or
// both; these are its further arguments, in this order. Only what is named there is kept for
// backward. An operation on two tensors has value(a, b), and for each of them a slope of its own:
// saved_a with slope_a(g, ...) and saved_b with slope_b(g, ...), which may name a, b and the result.
//
// The formulas are generic. T is a vector register when numbers are computed, in one pass over
// memory, and Tensor when a gradient is to be differentiated again. So they may use the operators
// and the functions of unary.h and binary.h, which exist for both.
//
// An operation can also be written as a row: what is kept, name, interval, value and slope.
//
//     constexpr auto reciprocal_formula = unary<Saved::result>("reciprocal", {0.3, 3},
//         [](auto x) { return 1 / x; }, [](auto g, auto y) { return -g * y * y; });
//     Tensor y = reciprocal_formula(x);
//
// So the operations of the library are written, in unary.cpp and binary.cpp. A program's own may be
// either. The interval is for what ./heed gradcheck checks: there it draws x from. A struct needs none,
// and a row may have {}.
#pragma once

#include <limits>
#include <tuple>
#include <vector>

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/support/map.h"
#include "autograd/record/record.h"

namespace heed {

// What the slope of an operation needs; combined with |.
enum class Saved : unsigned { nothing = 0, input = 1, a = 1, b = 2, result = 4 };
constexpr Saved operator|(Saved x, Saved y) {
    return static_cast<Saved>(static_cast<unsigned>(x) | static_cast<unsigned>(y));
}
constexpr bool includes(Saved all, Saved one) {
    return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

// Where the gradient check may draw inputs from: [low, high], away from the kinks.
struct Interval {
    double low = 0, high = 0;
    double kink = std::numeric_limits<double>::quiet_NaN();
    double other_kink = std::numeric_limits<double>::quiet_NaN();
};

inline namespace HEED_REGISTERS {
namespace elementwise_detail {

template <bool keep>
auto kept_if(const Tensor& x) {
    if constexpr (keep)
        return std::tuple<Tensor>(x);
    else
        return std::tuple<>();
}

// The rule for one input. `inputs` is what `saved` names of the operation's inputs; the result, if
// it is named too, comes with the gradient.
template <Saved saved, class Slope, class... Inputs>
auto rule_for(Slope slope, std::tuple<Inputs...> inputs) {
    const auto apply = [slope](const Tensor& g, const auto&... x) -> Tensor {
        if constexpr (saved == Saved::nothing) {
            return slope(g);  // a single operation as it is
        } else {
            if (grad_enabled()) return slope(g, x...);
            return map_elements(g.shape(), g.dtype(), slope, g, x...);
        }
    };
    if constexpr (includes(saved, Saved::result))
        return [=](const Tensor& g, const Tensor& y) {
            return std::apply([&](const auto&... x) { return apply(g, x..., y); }, inputs);
        };
    else
        return [=](const Tensor& g) {
            return std::apply([&](const auto&... x) { return apply(g, x...); }, inputs);
        };
}

// y = value(x)
template <Saved saved, class Value, class Slope>
Tensor elementwise(const char* name, const Tensor& x, const Value& value, const Slope& slope) {
    using namespace elementwise_detail;
    check(x.defined(), "{}: the input is not defined", name);
    Tensor y = map_elements(x.shape(), x.dtype(), value, x);
    if (!needs_record(x)) {
        check_finite(name, y, x);
        return y;
    }
    return record(name, std::move(y), x,
                  rule_for<saved>(slope, kept_if<includes(saved, Saved::input)>(x)));
}

// y = value(a, b), broadcast
template <Saved saved_a, Saved saved_b, class Value, class SlopeA, class SlopeB>
Tensor elementwise(const char* name, const Tensor& a, const Tensor& b, const Value& value,
                   const SlopeA& slope_a, const SlopeB& slope_b) {
    using namespace elementwise_detail;
    check(a.defined() && b.defined(), "{}: an input is not defined", name);
    check_same_dtype(a, b, name);
    Tensor y = map_elements(broadcast(a.shape(), b.shape(), name), a.dtype(), value, a, b);
    if (!needs_record(a) && !needs_record(b)) {
        check_finite(name, y, a, b);
        return y;
    }
    return record(
        name, std::move(y),  //
        a,
        rule_for<saved_a>(slope_a, std::tuple_cat(kept_if<includes(saved_a, Saved::a)>(a),
                                                  kept_if<includes(saved_a, Saved::b)>(b))),
        b,
        rule_for<saved_b>(slope_b, std::tuple_cat(kept_if<includes(saved_b, Saved::a)>(a),
                                                  kept_if<includes(saved_b, Saved::b)>(b))));
}

}  // namespace elementwise_detail

// y = f(x) of a struct
template <class Formula>
Tensor elementwise(const Formula& f, const Tensor& x) {
    return elementwise_detail::elementwise<Formula::saved>(
        Formula::name, x, [&](auto v) { return f.value(v); },
        [f](const auto&... v) { return f.slope(v...); });
}

// y = f(a, b) of a struct
template <class Formula>
Tensor elementwise(const Formula& f, const Tensor& a, const Tensor& b) {
    return elementwise_detail::elementwise<Formula::saved_a, Formula::saved_b>(
        Formula::name, a, b, [&](auto va, auto vb) { return f.value(va, vb); },
        [f](const auto&... v) { return f.slope_a(v...); },
        [f](const auto&... v) { return f.slope_b(v...); });
}

// The row of an operation on one tensor.
template <Saved saved, class Value, class Slope>
struct UnaryFormula {
    const char* name = nullptr;
    Interval interval;
    Value value;
    Slope slope;
    Tensor operator()(const Tensor& x) const {
        return elementwise_detail::elementwise<saved>(name, x, value, slope);
    }
};
template <Saved saved, class Value, class Slope>
constexpr UnaryFormula<saved, Value, Slope> unary(const char* name, Interval interval, Value value,
                                                  Slope slope) {
    return {name, interval, value, slope};
}

// The row of an operation on two tensors, with a slope for each.
template <Saved saved_a, Saved saved_b, class Value, class SlopeA, class SlopeB>
struct BinaryFormula {
    const char* name = nullptr;
    Interval interval;
    Value value;
    SlopeA slope_a;
    SlopeB slope_b;
    Tensor operator()(const Tensor& a, const Tensor& b) const {
        return elementwise_detail::elementwise<saved_a, saved_b>(name, a, b, value, slope_a,
                                                                 slope_b);
    }
};
template <Saved saved_a, Saved saved_b, class Value, class SlopeA, class SlopeB>
constexpr BinaryFormula<saved_a, saved_b, Value, SlopeA, SlopeB> binary(const char* name,
                                                                        Interval interval,
                                                                        Value value, SlopeA slope_a,
                                                                        SlopeB slope_b) {
    return {name, interval, value, slope_a, slope_b};
}

}  // namespace HEED_REGISTERS

// An operation of the library in the lists that the gradient check and the tests go through:
// unary_operations() and binary_operations().
struct ListedOperation {
    const char* name = nullptr;
    int inputs = 0;  // 1 or 2
    Interval interval;
    Tensor (*apply)(const std::vector<Tensor>& inputs);
};

template <const auto& f>
ListedOperation listed() {
    if constexpr (requires(Tensor x) { f(x); })
        return {f.name, 1, f.interval, [](const std::vector<Tensor>& x) { return f(x[0]); }};
    else
        return {f.name, 2, f.interval, [](const std::vector<Tensor>& x) { return f(x[0], x[1]); }};
}
template <const auto&... formulas>
std::vector<ListedOperation> list_of() {
    return {listed<formulas>()...};
}

}  // namespace heed
