// A tensor that is changed between forward and backward makes an error, never a wrong gradient.
#include <utility>

#include "autograd/base/pool.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

Tensor leaf(std::vector<double> values) {
    return tensor(values, Dtype::float64).set_requires_grad();
}

TEST_CASE("backward uses the graph up and says so", "[errors]") {
    Tensor x = leaf({2});
    const Tensor h = exp(x), y = h * h;
    backward(y);
    CHECK_THROWS_WITH(backward(y),
                      "backward: the graph through 'mul' was used up by an earlier backward(); "
                      "build it again, or use grad(), which keeps it");
    CHECK_THROWS_WITH(backward(h * 2), ContainsSubstring("through 'exp' was used up"));
    CHECK_THROWS_WITH(grad(y, {x}), ContainsSubstring("used up"));
    CHECK(y.item() == Approx(std::exp(4.0)));  // the values are still there
}

TEST_CASE("editing a leaf after it was used is refused in backward", "[errors]") {
    Tensor x = leaf({1, 2}), w = leaf({3, 4});
    const Tensor y = sum(x * w);
    w.edit<double>()[0] = 7;
    CHECK_THROWS_WITH(backward(y),
                      "backward: input 1 of 'mul', a leaf of shape [2], was changed after the "
                      "operation was recorded, which reads it again for the gradient; change it "
                      "after backward(), or change a copy, copy_of(x)");
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
        "edit: the result of 'exp', of shape [2], cannot be changed, only tensors that no recorded "
        "operation computed; change a copy, copy_of(x)");
    copy_of(y).edit<double>()[0] = 7;  // what the message says is possible
    backward(sum(y));
    require_close(x.grad(), {std::exp(1), std::exp(2)}, 1e-15);
    Tensor view = transpose(reshape(x, {1, 2}));
    CHECK_THROWS_WITH(view.edit<double>(), ContainsSubstring("the result of 'transpose'"));
    CHECK_THROWS_WITH(y.set_requires_grad(false),
                      ContainsSubstring("always takes part in the graph"));
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

// --- every way to the numbers -------------------------------------------------------------------

// Each changes numbers of x, [2, 3] in row-major order.
struct Way {
    const char* name;
    void (*change)(const Tensor& x);
};
// Laid out by hand: one way a line.
// clang-format off
const Way ways[] = {
    {"detach", [](const Tensor& x) { detach(x).edit<double>()[0] = 7; }},
    {"a handle without graph",
     [](const Tensor& x) { view_of(x, x.shape(), x.strides()).edit<double>()[5] = 7; }},
    {"reshape", [](const Tensor& x) { reshape(detach(x), {3, 2}).edit<double>()[0] = 7; }},
    {"transpose", [](const Tensor& x) { transpose(detach(x)).edit<double>()[0] = 7; }},
    {"slice", [](const Tensor& x) { slice(detach(x), 1, 2, 3).edit<double>()[0] = 7; }},
    {"select", [](const Tensor& x) { detach(x)[1].edit<double>()[0] = 7; }},
    {"flip", [](const Tensor& x) { flip(detach(x), 0).edit<double>()[0] = 7; }},
    {"expand", [](const Tensor& x) { expand(detach(x), {4, 2, 3}).edit<double>()[0] = 7; }},
    {"unsqueeze", [](const Tensor& x) { unsqueeze(detach(x), 0).edit<double>()[0] = 7; }},
    {"assign", [](const Tensor& x) { detach(x).assign(zeros_like(x)); }},
    {"assign to a view", [](const Tensor& x) { reshape(detach(x), {6}).assign(zeros({6}, Dtype::float64)); }},
    {"add_in_place",
     [](const Tensor& x) {
         Tensor alias = detach(x);
         add_in_place(alias, ones_like(x));
     }},
    {"a leaf with the same numbers",
     [](const Tensor& x) { detach(x).set_requires_grad().edit<double>()[0] = 7; }},
};
// clang-format on

// What may be changed: an input of an operation or its result. loss(x) is recorded from x; `what` is
// the tensor to change, and the message names it.
struct Case {
    const char* name;
    std::pair<Tensor, Tensor> (*record)(const Tensor& x);  // the loss, and what is changed
    const char* message;
};
Tensor numbers() { return draw({2, 3}, Dtype::float64, 3, 0.5, 2); }
const Case cases[] = {
    {"a leaf", [](const Tensor& x) { return std::pair(sum(x * x), x); },
     "input 0 of 'mul', a leaf of shape [2, 3], was changed"},
    {"a leaf behind a view",
     [](const Tensor& x) {
         const Tensor view = reshape(x, {3, 2});
         return std::pair(sum(view * view), x);
     },
     "input 0 of 'mul', the result of 'reshape', of shape [3, 2], was changed"},
    {"a constant",
     [](const Tensor& x) {
         const Tensor c = numbers();
         return std::pair(sum(x * c), c);
     },
     "input 1 of 'mul', a constant, was changed"},
    {"an input that is a result",
     [](const Tensor& x) {
         const Tensor h = x + 1.0;
         return std::pair(sum(h * h), h);
     },
     "input 0 of 'mul', the result of 'add', of shape [2, 3], was changed"},
    {"a result",
     [](const Tensor& x) {
         const Tensor y = exp(x);
         return std::pair(sum(y), y);
     },
     "the result of 'exp', of shape [2, 3], was changed"},
    {"an input of a fused kernel",
     [](const Tensor& x) { return std::pair(sum(layer_norm(x) * numbers()), x); },
     "input 0 of 'layer_norm', a leaf of shape [2, 3], was changed"},
    {"the result of softmax",
     [](const Tensor& x) {
         const Tensor y = softmax(x);
         return std::pair(sum(y * numbers()), y);
     },
     "input 0 of 'mul', the result of 'softmax', of shape [2, 3], was changed"},
    {"a mask of softmax",
     [](const Tensor& x) {
         const Tensor mask = ones({2, 3}, Dtype::float64);
         return std::pair(sum(masked_softmax(x, mask)), mask);
     },
     "input 1 of 'masked_softmax', a constant, was changed"},
    {"a mask of where",
     [](const Tensor& x) {
         const Tensor mask = ones({2, 3}, Dtype::float64);
         return std::pair(sum(where(mask, x, 0.0)), mask);
     },
     "input 2 of 'where', a constant, was changed"},
    {"an input of checkpoint",
     [](const Tensor& x) {
         const Tensor c = numbers();
         return std::pair(
             checkpoint([](const std::vector<Tensor>& in) { return sum(in[0] * in[1]); }, {x, c}),
             c);
     },
     "input 1 of 'checkpoint', a constant, was changed"},
    {"a matrix of weights",
     [](const Tensor& x) {
         const Tensor w = draw({2, 3}).set_requires_grad();
         return std::pair(sum(linear(x, w)), w);
     },
     "input 1 of 'linear', a leaf of shape [2, 3], was changed"},
};

TEST_CASE("numbers that backward reads again are not changed in between, in whatever way",
          "[errors]") {
    for (const Case& one : cases)
        for (const Way& way : ways) {
            INFO(one.name << ", changed through " << way.name);
            const Tensor x = numbers().set_requires_grad();
            const auto [loss, changed] = one.record(x);
            CHECK_NOTHROW(grad(loss, {x}));
            way.change(changed);
            CHECK_THROWS_WITH(grad(loss, {x}),
                              ContainsSubstring(std::string("grad: ") + one.message));
            CHECK_THROWS_WITH(backward(loss),
                              ContainsSubstring(std::string("backward: ") + one.message));
        }
}

TEST_CASE("numbers that backward does not read again may be changed") {
    Tensor x = leaf({1, 2}), c = tensor({3, 4}, Dtype::float64);
    const Tensor h = x + c, y = sum(exp(h));
    c.edit<double>()[0] = 7;          // a sum needs neither input again
    detach(h).edit<double>()[0] = 7;  // exp keeps its result only
    backward(y);
    require_close(x.grad(), {std::exp(4), std::exp(6)}, 1e-14);

    Tensor changed_before = tensor({1, 1}, Dtype::float64);
    changed_before.edit<double>()[1] = 2;
    require_close(grad(sum(x * changed_before), {x})[0], {1, 2}, 0);
}

TEST_CASE("a graph that watches numbers does not keep them") {
    Tensor x = draw({1000}).set_requires_grad();
    const std::size_t before = memory_use().in_use;
    Tensor y = x;
    for (int i = 0; i < 100; ++i) y = y * 1.0;  // watches its input, but reads the factor only
    // The last result has 8000 bytes; the others are released, and nodes are small.
    CHECK(memory_use().in_use - before < 100 * 1500);
    backward(sum(y));
}

}  // namespace
}  // namespace heed
