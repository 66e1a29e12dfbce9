#include "autograd/ops/compare.h"

#include "autograd/kernels/vec_math.h"
#include "autograd/ops/map.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

template <class Relation>
Tensor compare(const Tensor& a, const Tensor& b, const char* name, Relation relation) {
    check_same_dtype(a, b, name);
    const Shape shape = broadcast(a.shape(), b.shape(), name);
    return map_elements(
        shape, a.dtype(),
        [&]<class T>(Vec<T> va, Vec<T> vb) {
            return where(relation(va, vb), Vec<T>(1.0), Vec<T>(0.0));
        },
        a, b);
}

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

Tensor where(const Tensor& mask, const Tensor& yes, const Tensor& no) {
    check_same_dtype(yes, no, "where");
    check_same_dtype(mask, yes, "where");
    const Shape shape =
        broadcast(mask.shape(), broadcast(yes.shape(), no.shape(), "where"), "where");
    Tensor value = map_elements(
        shape, yes.dtype(),
        []<class T>(Vec<T> m, Vec<T> a, Vec<T> b) { return where(m != Vec<T>(0.0), a, b); }, mask,
        yes, no);
    return record("where", std::move(value),                                     //
                  yes, [=](const Tensor& g) { return where(mask, g, 0.0); },  //
                  no, [=](const Tensor& g) { return where(mask, 0.0, g); });
}
Tensor where(const Tensor& mask, const Tensor& yes, double no) {
    return where(mask, yes, scalar(no, yes.dtype()));
}
Tensor where(const Tensor& mask, double yes, const Tensor& no) {
    return where(mask, scalar(yes, no.dtype()), no);
}

}  // namespace heed
