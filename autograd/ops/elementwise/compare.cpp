#include "autograd/ops/elementwise/compare.h"

#include <cmath>
#include <limits>

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/support/map.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

template <class Relation>
Tensor compare(const Tensor& a, const Tensor& b, const char* name, Relation relation) {
    check_defined(name, a, b);
    check_same_dtype(a, b, name);
    const Shape shape = broadcast(a.shape(), b.shape(), name);
    return map_elements(
        shape, a.dtype(),
        [&]<class T>(Vec<T> va, Vec<T> vb) {
            return where(relation(va, vb), Vec<T>(1.0), Vec<T>(0.0));
        },
        a, b);
}

// 1 where test(x) holds.
template <class Test>
Tensor mask_where(const Tensor& x, Test test) {
    return map_elements(
        x.shape(), x.dtype(),
        [&]<class T>(Vec<T> v) { return where(test(v), Vec<T>(1.0), Vec<T>(0.0)); }, x);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

Tensor operator<(const Tensor& a, const Tensor& b) {
    return compare(a, b, "less", [](auto x, auto y) { return x < y; });
}
Tensor operator>(const Tensor& a, const Tensor& b) {
    return compare(a, b, "greater", [](auto x, auto y) { return x > y; });
}
Tensor operator<=(const Tensor& a, const Tensor& b) {
    return compare(a, b, "less_equal", [](auto x, auto y) { return x <= y; });
}
Tensor operator>=(const Tensor& a, const Tensor& b) {
    return compare(a, b, "greater_equal", [](auto x, auto y) { return x >= y; });
}
Tensor operator==(const Tensor& a, const Tensor& b) {
    return compare(a, b, "equal", [](auto x, auto y) { return x == y; });
}
Tensor operator!=(const Tensor& a, const Tensor& b) {
    return compare(a, b, "not_equal", [](auto x, auto y) { return x != y; });
}

Tensor isnan(const Tensor& x) {
    check_defined("isnan", x);
    return mask_where(x, [](auto v) { return v != v; });
}
Tensor isinf(const Tensor& x) {
    check_defined("isinf", x);
    return mask_where(x, [](auto v) { return abs(v) == decltype(v)(infinity); });
}
Tensor isfinite(const Tensor& x) {
    check_defined("isfinite", x);
    return mask_where(x, [](auto v) { return abs(v) < decltype(v)(infinity); });
}

Tensor equal_or_nan(const Tensor& a, const Tensor& b) {
    return compare(a, b, "equal_or_nan",
                   [](auto x, auto y) { return (x == y) | ((x != x) & (y != y)); });
}

Tensor mask_to_dtype(const Tensor& mask, Dtype dtype) {
    check_defined("mask_to_dtype", mask);
    return mask.dtype() == dtype ? mask : to_dtype(mask != 0.0, dtype);
}
Tensor logical_and(const Tensor& a, const Tensor& b) {
    check_defined("logical_and", a, b);
    const Tensor other = mask_to_dtype(b, a.dtype());
    return map_elements(
        broadcast(a.shape(), b.shape(), "logical_and"), a.dtype(),
        []<class T>(Vec<T> x, Vec<T> y) {
            const Vec<T> zero(0.0);
            return where(x != zero, where(y != zero, Vec<T>(1.0), zero), zero);
        },
        a, other);
}
Tensor logical_or(const Tensor& a, const Tensor& b) {
    check_defined("logical_or", a, b);
    const Tensor other = mask_to_dtype(b, a.dtype());
    return map_elements(
        broadcast(a.shape(), b.shape(), "logical_or"), a.dtype(),
        []<class T>(Vec<T> x, Vec<T> y) {
            const Vec<T> zero(0.0), one(1.0);
            return where(x != zero, one, where(y != zero, one, zero));
        },
        a, other);
}
Tensor logical_not(const Tensor& mask) {
    check_defined("logical_not", mask);
    return mask == 0.0;
}

Tensor where(const Tensor& given_mask, const Tensor& yes, const Tensor& no) {
    check_defined("where", given_mask, yes, no);
    check_same_dtype(yes, no, "where");
    const Tensor mask = mask_to_dtype(detach(given_mask), yes.dtype());
    const Shape shape =
        broadcast(mask.shape(), broadcast(yes.shape(), no.shape(), "where"), "where");
    Tensor value = map_elements(
        shape, yes.dtype(),
        []<class T>(Vec<T> m, Vec<T> a, Vec<T> b) { return where(m != Vec<T>(0.0), a, b); }, mask,
        yes, no);
    return record(
        "where", std::move(value),                                  //
        yes, [=](const Tensor& g) { return where(mask, g, 0.0); },  //
        no, [=](const Tensor& g) { return where(mask, 0.0, g); },   //
        mask, NoGradient());
}
Tensor where(const Tensor& mask, const Tensor& yes, double no) {
    check_defined("where", mask, yes);
    return where(mask, yes, scalar(no, yes.dtype()));
}
Tensor where(const Tensor& mask, double yes, const Tensor& no) {
    check_defined("where", mask, no);
    return where(mask, scalar(yes, no.dtype()), no);
}

}  // namespace heed
