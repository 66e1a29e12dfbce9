// What somebody who knows PyTorch expects, where a difference would go unnoticed.
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

TEST_CASE("clone, contiguous and to_dtype pass gradients on", "[grad]") {
    Tensor x = draw({2, 3}).set_requires_grad();
    const Tensor c = draw({3, 2}, Dtype::float64, 2);
    for (auto copy :
         {+[](const Tensor& t) { return clone(t); }, +[](const Tensor& t) { return contiguous(t); },
          +[](const Tensor& t) { return to_dtype(to_dtype(t, Dtype::float32), Dtype::float64); }}) {
        x.clear_grad();
        const Tensor y = copy(transpose(x));
        CHECK(y.requires_grad());
        backward(y, c);
        require_close(x.grad(), transpose(c), 1e-6);
    }
    const Tensor narrow = to_dtype(x, Dtype::float32);
    x.clear_grad();
    backward(sum(narrow * narrow));
    CHECK(x.grad().dtype() == Dtype::float64);
    require_close(x.grad(), 2 * x, 1e-6);
    CHECK_FALSE(detach(x).requires_grad());
    CHECK_FALSE(copy_of(x).requires_grad());
}

TEST_CASE("the slope of clamp is 1 from bound to bound, both included", "[grad]") {
    Tensor x = tensor({-2, -1, 0, 1, 2}, Dtype::float64).set_requires_grad();
    backward(sum(clamp(x, -1, 1)));
    CHECK(x.grad().to_vector() == std::vector<double>{0, 1, 1, 1, 0});
}

TEST_CASE("split is given sizes and then the axis, chunk the number of pieces") {
    const Tensor x = arange(10);
    CHECK(split(x, 4).size() == 3);
    CHECK(split(x, 4)[2].to_vector() == std::vector<double>{8, 9});
    CHECK(chunk(x, 5)[1].to_vector() == std::vector<double>{2, 3});
    CHECK(split(reshape(x, {2, 5}), {2, 3}, 1)[1].shape() == Shape{2, 3});
}

TEST_CASE("requires_grad() asks and set_requires_grad() sets") {
    Tensor x = ones({2});
    CHECK_FALSE(x.requires_grad());
    CHECK(x.set_requires_grad().requires_grad());
    CHECK_FALSE(x.set_requires_grad(false).requires_grad());
}

}  // namespace
}  // namespace heed
