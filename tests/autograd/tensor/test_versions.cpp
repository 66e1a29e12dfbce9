// A tensor that is changed between forward and backward makes an error, never a wrong gradient.
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

Tensor leaf(std::vector<double> values) { return tensor(values, Dtype::float64).set_requires_grad(); }

TEST_CASE("backward uses the graph up and says so", "[errors]") {
    Tensor x = leaf({2});
    const Tensor h = exp(x), y = h * h;
    backward(y);
    CHECK_THROWS_WITH(backward(y),
                      "backward: the graph through 'mul' was used up by an earlier backward(); build "
                      "it again, or use grad(), which keeps it");
    CHECK_THROWS_WITH(backward(h * 2), ContainsSubstring("through 'exp' was used up"));
    CHECK_THROWS_WITH(grad(y, {x}), ContainsSubstring("used up"));
    CHECK(y.item() == Approx(std::exp(4.0)));  // the values are still there
}

TEST_CASE("editing a leaf after it was used is refused in backward", "[errors]") {
    Tensor x = leaf({1, 2}), w = leaf({3, 4});
    const Tensor y = sum(x * w);
    w.edit<double>()[0] = 7;
    CHECK_THROWS_WITH(backward(y),
                      "backward: an input of 'mul', a leaf of shape [2], was changed after the "
                      "operation was recorded; its gradient would be wrong");
    CHECK_THROWS_AS(grad(y, {x}), Error);
    const Tensor again = sum(x * w);  // built after the edit: all is well
    backward(again);
    require_close(x.grad(), {7, 4}, 0);
}

TEST_CASE("editing between two uses concerns the first only", "[errors]") {
    Tensor w = leaf({3});
    const Tensor before = w * w;
    w.assign(tensor({5}, Dtype::float64));
    const Tensor after = w * w;
    require_close(grad(after, {w})[0], {10}, 0);
    CHECK_THROWS_AS(grad(before, {w}), Error);
}

TEST_CASE("a training step edits leaves after backward, again and again") {
    Tensor w = leaf({3});
    for (int step = 0; step < 60; ++step) {
        backward(w * w);
        w.edit<double>()[0] -= 0.25 * w.grad().item();
        w.clear_grad();
    }
    CHECK(std::abs(w.item()) < 1e-15);
}

TEST_CASE("the result of an operation cannot be edited", "[errors]") {
    Tensor x = leaf({1, 2});
    Tensor y = exp(x);
    CHECK_THROWS_WITH(
        y.edit<double>(),
        "edit: the result of 'exp' cannot be changed, only tensors that no recorded operation computed; "
        "change a copy, clone(detach(x))");
    Tensor view = transpose(reshape(x, {1, 2}));
    CHECK_THROWS_WITH(view.edit<double>(), ContainsSubstring("the result of 'transpose'"));
    CHECK_THROWS_WITH(y.set_requires_grad(false), ContainsSubstring("always takes part in the graph"));
}

TEST_CASE("a change through another handle to the same memory is seen as well", "[errors]") {
    Tensor w = leaf({3, 4});
    const Tensor y = sum(w * w);
    SECTION("detach") { detach(w).edit<double>()[0] = 7; }
    SECTION("a view made without recording") {
        NoGrad no_grad;
        reshape(w, {2, 1}).edit<double>()[0] = 7;
    }
    CHECK_THROWS_AS(backward(y), Error);
}

TEST_CASE("a change of a leaf is seen behind its views", "[errors]") {
    Tensor x = leaf({1, 2}), w = leaf({3, 4});
    const Tensor y = matmul(x, reshape(w, {2, 1}));
    w.edit<double>()[0] = 7;
    CHECK_THROWS_AS(grad(y, {x}), Error);
}

}  // namespace
}  // namespace heed
