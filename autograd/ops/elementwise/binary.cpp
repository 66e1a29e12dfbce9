#include "autograd/ops/elementwise/binary.h"

#include "autograd/ops/elementwise/unary.h"

namespace heed {

using namespace formulas;

Tensor add(const Tensor& a, const Tensor& b) { return elementwise(Add{}, a, b); }
Tensor sub(const Tensor& a, const Tensor& b) { return elementwise(Sub{}, a, b); }
Tensor mul(const Tensor& a, const Tensor& b) { return elementwise(Mul{}, a, b); }
Tensor div(const Tensor& a, const Tensor& b) { return elementwise(Div{}, a, b); }
Tensor maximum(const Tensor& a, const Tensor& b) { return elementwise(Maximum{}, a, b); }
Tensor minimum(const Tensor& a, const Tensor& b) { return elementwise(Minimum{}, a, b); }
Tensor pow(const Tensor& a, const Tensor& b) { return elementwise(Power{}, a, b); }
Tensor atan2(const Tensor& y, const Tensor& x) { return elementwise(Atan2{}, y, x); }
Tensor logaddexp(const Tensor& a, const Tensor& b) { return elementwise(LogAddExp{}, a, b); }
Tensor weighted(const Tensor& w, const Tensor& x) { return elementwise(Weighted{}, w, x); }

void add_in_place(Tensor& sum, const Tensor& x) {
    check_defined("add_in_place", sum, x);
    check_same_dtype(sum, x, "add_in_place");
    check(broadcasts_to(x.shape(), sum.shape()), "add_in_place: {} does not broadcast to {}",
          x.shape(), sum.shape());
    with_dtype(sum.dtype(), [&]<class T>(T) { sum.edit<T>(); });  // counts as an edit
    map_elements_into(
        sum, [](auto a, auto b) { return a + b; }, sum, x);
}

const std::vector<ListedOperation>& binary_operations() {
    static const std::vector<ListedOperation> all{
        listed<Add>(),       listed<Sub>(),      listed<Mul>(),   listed<Div>(),
        listed<Maximum>(),   listed<Minimum>(),  listed<Power>(), listed<Atan2>(),
        listed<LogAddExp>(), listed<Weighted>(),
    };
    return all;
}

}  // namespace heed
