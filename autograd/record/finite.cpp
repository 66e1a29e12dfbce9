#include "autograd/record/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "autograd/base/parallel.h"
#include "autograd/tensor/storage.h"

namespace heed {

namespace finite_detail {
namespace {
bool read_environment() {
    const char* value = std::getenv("HEED_CHECK");
    return value && std::strcmp(value, "finite") == 0;
}
}  // namespace
bool asked_for = read_environment();
constinit thread_local signed char switched = -1;
}  // namespace finite_detail

FiniteCheck::FiniteCheck(bool on)
    : before_(std::exchange(finite_detail::switched, static_cast<signed char>(on))) {}
FiniteCheck::~FiniteCheck() { finite_detail::switched = before_; }

namespace {

// Whether n numbers that lie one after the other are finite: whether no exponent has all bits set. Then
// adding the exponent's lowest bit carries into the sign bit.
template <class T>
bool run_is_finite(const T* numbers, int64_t n) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    constexpr Bits exponent = sizeof(T) == 4 ? Bits(0x7f800000) : Bits(0x7ff0000000000000);
    constexpr Bits lowest = exponent & (~exponent + 1), sign = exponent + lowest;
    const auto carried = [](const T* p) {
        Bits bits;
        std::memcpy(&bits, p, sizeof bits);
        return static_cast<Bits>((bits & exponent) + lowest);
    };
    Bits seen[4] = {};  // four sums hide the latency of one
    const int64_t quarter = n / 4;
    for (int64_t i = 0; i < quarter; ++i)
        for (int k = 0; k < 4; ++k) seen[k] |= carried(numbers + k * quarter + i);
    for (int64_t i = 4 * quarter; i < n; ++i) seen[0] |= carried(numbers + i);
    return ((seen[0] | seen[1] | seen[2] | seen[3]) & sign) == 0;
}

// What is bad among the numbers of a tensor: the first NaN, and the first infinity.
struct Found {
    struct Number {
        double value;
        Axes index;
    };
    std::optional<Number> nan, infinity;
    const Number& first() const { return nan ? *nan : *infinity; }
};

Found look_at(const Tensor& x) {
    Found found;
    const std::vector<double> values = x.to_vector();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isfinite(values[i])) continue;
        std::optional<Found::Number>& first = std::isnan(values[i]) ? found.nan : found.infinity;
        if (first) continue;
        first = {values[i], x.shape()};
        auto rest = static_cast<int64_t>(i);
        for (int axis = x.dim() - 1; axis >= 0; --axis) {
            first->index[axis] = rest % x.shape()[axis];
            rest /= x.shape()[axis];
        }
    }
    return found;
}

// NaN without its sign, which means nothing.
std::string as_text(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

// "'exp' [2, 3]", "leaf [3]"
std::string with_shape(const Node* node) {
    const char* quote = node->is_leaf() ? "" : "'";
    return fmt::format("{0}{1}{0} {2}", quote, node->operation, to_string(node->shape));
}

std::string range_of(const Tensor& x) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (double value : x.to_vector()) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return low <= high ? fmt::format(", from {:.6g} to {:.6g}", low, high) : "";
}

std::string describe(const Tensor& x) {
    const Node* node = x.body()->node;
    const std::string what = !node             ? "a constant"
                             : node->is_leaf() ? "a leaf"
                                               : fmt::format("the result of '{}'", node->operation);
    const Found found = look_at(x);
    return fmt::format("{} of shape {}{}", what, x.shape(),
                       found.nan        ? ", which holds NaN"
                       : found.infinity ? ", which holds infinities"
                                        : range_of(x));
}

}  // namespace

bool all_finite(const Tensor& x) {
    return with_dtype(x.dtype(), [&]<class T>(T) {
        const int64_t n = x.numel();
        const T* numbers = x.data<T>();
        if (!x.is_contiguous()) {
            Storage& storage = *x.body()->storage;  // of a transposed tensor: the same numbers
            const bool no_more = storage.bytes == static_cast<std::size_t>(n) * sizeof(T);
            if (no_more && run_is_finite(reinterpret_cast<const T*>(storage.numbers()), n))
                return true;
            const Tensor copy = copy_of(x);
            return run_is_finite(copy.data<T>(), n);
        }
        if (n <= parallel_grain) return run_is_finite(numbers, n);
        std::vector<char> good((n + parallel_grain - 1) / parallel_grain);
        parallel_for(n, parallel_grain, [&](int64_t begin, int64_t end) {
            good[begin / parallel_grain] = run_is_finite(numbers + begin, end - begin);
        });
        return std::find(good.begin(), good.end(), 0) == good.end();
    });
}

std::string operations_behind(const Node* node) {
    constexpr int most = 8;
    std::string text;
    for (int i = 0; node; ++i) {
        text += (i == 0 ? "" : " <- ") + with_shape(node);
        const Node* newest = nullptr;
        for (uint32_t k = 0; k < node->input_count; ++k)
            if (const Node* input = node->inputs[k].node;
                input && (!newest || input->order > newest->order))
                newest = input;
        node = newest;
        if (i + 1 == most && node) return text + " <- ...";
    }
    return text;
}

void check_result_finite(const char* operation, const Tensor& result, const Tensor* const* inputs,
                         std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (inputs[i]->defined() && inputs[i]->body()->storage == result.body()->storage)
            return;  // a view computes nothing
    if (all_finite(result)) [[likely]]
        return;

    // Each kind is let through if it came in. A NaN of a leaf has not come in with data.
    const FiniteCheck off(false);
    const Found bad = look_at(result);
    bool nan_came = false, infinity_came = false;
    std::string list, origin;
    for (std::size_t i = 0; i < count; ++i) {
        const Tensor& x = *inputs[i];
        if (!x.defined()) continue;
        const Found found = look_at(x);
        const Node* from = x.body()->node;
        infinity_came |= found.infinity.has_value();
        nan_came |= found.nan && !(from && from->is_leaf());
        if (found.nan && origin.empty()) origin = fmt::format("input {}", i);
        list += fmt::format("\n  input {}: {}", i, describe(x));
        if (from && !from->is_leaf())
            list += fmt::format("\n    computed by {}", operations_behind(from));
    }
    const bool made_nan = bad.nan && !nan_came, made_infinity = bad.infinity && !infinity_came;
    if (!made_nan && !made_infinity) return;
    const Found::Number& first = made_nan ? *bad.nan : *bad.infinity;
    const char* hint =
        !made_nan || origin.empty() ? "" : "; no operation made it: it came with the numbers of ";
    throw NotFinite(fmt::format("finite check: '{}' gave {} at {} of its result {}{}{}{}",
                                operation, as_text(first.value), to_string(first.index),
                                result.shape(), hint, *hint ? origin : "", list));
}

void fail_gradient_not_finite(const Tensor& gradient, const Node& input, const Node& from,
                              const std::string& consumers) {
    const FiniteCheck off(false);
    const Found bad = look_at(gradient);
    std::string list;
    for (uint32_t i = 0; i < from.input_count; ++i)
        if (const Node* node = from.inputs[i].node)
            list +=
                fmt::format("\n  input {} of '{}': {}", i, from.operation, operations_behind(node));
    throw NotFinite(
        fmt::format("finite check: the backward pass of '{}' gave {} at {} of the gradient of its "
                    "input, {}, from a finite gradient of its result {}{}\n"
                    "  the gradient came through: {}",
                    from.operation, as_text(bad.first().value), to_string(bad.first().index),
                    with_shape(&input), from.shape, list, consumers));
}

}  // namespace heed
