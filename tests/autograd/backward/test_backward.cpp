// The tape: what is recorded, how gradients gather, and gradients of gradients.
#include <limits>

#include "autograd/base/pool.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

Tensor leaf(std::vector<double> values) {
    return tensor(values, Dtype::float64).set_requires_grad();
}

TEST_CASE("a tensor used several times gathers the gradients of all uses") {
    Tensor x = leaf({3});
    backward(sum(x * x + 2 * x + x));
    require_close(x.grad(), {2 * 3 + 2 + 1}, 0);
    backward(sum(x * x));  // backward adds to what is there
    require_close(x.grad(), {9 + 6}, 0);
}

TEST_CASE("a diamond: both ways down, each node visited once") {
    Tensor x = leaf({0.5});
    const Tensor a = sin(x), b = a * x, c = exp(a), y = b * c;  // y = sin x · x · e^sin x
    const double s = std::sin(0.5), k = std::cos(0.5), e = std::exp(s);
    require_close(grad(y, {x})[0], {(k * 0.5 + s) * e + s * 0.5 * e * k}, 1e-15);
    Tensor many = x;
    for (int i = 0; i < 40; ++i) many = (many + many) * 0.5;  // 2^40 paths
    require_close(grad(many, {x})[0], {1}, 0);
}

TEST_CASE("gradients with respect to intermediate results and to y itself") {
    Tensor x = leaf({2, 3});
    const Tensor h = x * x, y = sum(h * h);
    const auto gradients = grad(y, {h, x, y, h});
    require_close(gradients[0], {8, 18}, 0);
    require_close(gradients[1], {4 * 8, 4 * 27}, 0);
    require_close(gradients[2], {1}, 0);
    require_close(gradients[3], {8, 18}, 0);
}

TEST_CASE("grad keeps the graph, leaves no gradient behind, and answers again the same") {
    Tensor x = leaf({2});
    const Tensor y = exp(x) * x;
    const Tensor first = grad(y, {x})[0], second = grad(y, {x})[0];
    CHECK(same_bits(first, second));
    CHECK_FALSE(x.grad().defined());
    CHECK_FALSE(first.requires_grad());
    backward(y);
    CHECK(same_bits(x.grad(), first));
}

TEST_CASE("weights of the elements of y may be given") {
    Tensor x = leaf({1, 2, 3});
    const Tensor y = x * x, weights = tensor({1, 0, -1}, Dtype::float64);
    require_close(grad(y, {x}, false, weights)[0], {2, 0, -6}, 0);
    backward(y, weights);
    require_close(x.grad(), {2, 0, -6}, 0);
}

TEST_CASE("what y does not depend on gets zeros") {
    Tensor x = leaf({1, 2}), other = leaf({5, 6, 7});
    const auto gradients = grad(sum(x * 2), {other, x});
    require_close(gradients[0], {0, 0, 0}, 0);
    require_close(gradients[1], {2, 2}, 0);
    backward(sum(x));
    CHECK_FALSE(other.grad().defined());
}

TEST_CASE("derivatives of third and higher order") {
    Tensor x = leaf({0.7});
    const auto derivative = [&](Tensor y, int order) {
        for (int i = 0; i < order; ++i) y = grad(y, {x}, true)[0];
        return y.item();
    };
    CHECK(derivative(pow(x, 5), 3) == Approx(60 * 0.7 * 0.7).epsilon(1e-13));
    CHECK(derivative(x * x * x * x * x, 4) == Approx(120 * 0.7).epsilon(1e-13));
    CHECK(derivative(sin(x), 3) == Approx(-std::cos(0.7)).epsilon(1e-13));
    CHECK(derivative(sin(x), 6) == Approx(-std::sin(0.7)).epsilon(1e-13));
    const double t = std::tanh(0.7), u = 1 - t * t;
    CHECK(derivative(tanh(x), 3) == Approx(u * (6 * t * t - 2)).epsilon(1e-12));
    CHECK(derivative(exp(x * x), 3) ==
          Approx((8 * 0.343 + 12 * 0.7) * std::exp(0.49)).epsilon(1e-12));
}

TEST_CASE("the Hessian is symmetric, and is that of x'Ax for a quadratic form") {
    const Tensor a = draw({4, 4});
    Tensor x = clone(draw({4}, Dtype::float64, 2)).set_requires_grad();
    const auto hessian = [&](const Tensor& y) {
        const Tensor g = grad(y, {x}, true)[0];
        std::vector<Tensor> rows;
        for (int i = 0; i < 4; ++i) rows.push_back(grad(select(g, 0, i), {x})[0]);
        return stack(rows);
    };
    require_close(hessian(matmul(x, matmul(a, x))), a + transpose(a), 1e-14);
    const Tensor h = hessian(sum(softmax(matmul(a, tanh(x))) * sin(x)));
    require_close(h, transpose(h), 1e-14);
    CHECK(sum(abs(h)).item() > 0.1);
}

TEST_CASE("second derivatives by backward through a gradient") {
    Tensor x = leaf({2});
    const Tensor g = grad(x * x * x, {x}, true)[0];
    backward(g * g);  // (3x²)², whose slope is 36 x³
    require_close(x.grad(), {36 * 8}, 0);
}

TEST_CASE("nothing is recorded without need") {
    Tensor x = leaf({1});
    CHECK_FALSE((tensor({1}) + tensor({2})).requires_grad());
    {
        NoGrad no_grad;
        CHECK_FALSE(grad_enabled());
        CHECK_FALSE((x * 2).requires_grad());
        { NoGrad nested; }
        CHECK_FALSE((x * 2).requires_grad());
    }
    CHECK(grad_enabled());
    CHECK((x * 2).requires_grad());
    CHECK_FALSE(detach(x * 2).requires_grad());
    require_close(grad(detach(x) * x, {x})[0], {1}, 0);
}

TEST_CASE("an exception inside NoGrad or grad leaves recording as it was") {
    Tensor x = leaf({1, 2});
    try {
        NoGrad no_grad;
        reshape(x, {3});
    } catch (const Error&) {
    }
    CHECK(grad_enabled());
    CHECK_THROWS_AS(grad(x * 2, {x}, true), Error);  // not one element
    CHECK(grad_enabled());
}

TEST_CASE("gradients left at leaves share memory with nothing") {
    Tensor x = leaf({1, 2}), y = leaf({3, 4});
    Tensor g = tensor({1, 1}, Dtype::float64);
    backward(x + y, g);
    CHECK(x.grad().body()->storage != y.grad().body()->storage);
    CHECK(x.grad().body()->storage != g.body()->storage);
    x.grad().edit<double>()[0] = 100;
    require_close(y.grad(), {1, 1}, 0);
    require_close(g, {1, 1}, 0);
    Tensor z = leaf({1, 2, 3});
    backward(sum(z));  // a broadcast gradient
    CHECK(z.grad().is_contiguous());
    const Tensor before = z.grad();
    backward(sum(z * 5));
    require_close(before, {1, 1, 1}, 0);
    require_close(z.grad(), {6, 6, 6}, 0);
}

TEST_CASE("gradients returned by grad share memory with nothing that can be changed") {
    Tensor x = leaf({1, 2}), y = leaf({3, 4});
    const Tensor g = tensor({1, 1}, Dtype::float64);
    auto gradients = grad(x + y, {x, y}, false, g);
    gradients[0].edit<double>()[0] = 100;
    require_close(gradients[1], {1, 1}, 0);
    require_close(g, {1, 1}, 0);
}

TEST_CASE("a rule that throws leaves the graph clean") {
    Tensor x = leaf({1, 2});
    bool broken = true;
    const Tensor h = x * 3;
    const Tensor y = record("fragile", detach(h), h, [&](const Tensor& g) {
        if (broken) throw Error("fragile: broken");
        return g;
    });
    const Tensor l = sum(y) + sum(h * h) + sum(x);
    CHECK_THROWS_WITH(grad(l, {x}), "fragile: broken");
    broken = false;
    require_close(grad(l, {x})[0], {3 + 18 + 1, 3 + 36 + 1}, 0);  // nothing left from before
    CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a rule with a gradient of the wrong shape is caught") {
    Tensor x = leaf({1, 2});
    const Tensor y =
        record("lossy", sum(detach(x)), x, [](const Tensor&) { return ones({3}, Dtype::float64); });
    CHECK_THROWS_WITH(backward(y), Catch::Matchers::ContainsSubstring("lossy: its rule gave"));
}

TEST_CASE("a long chain goes forward, backward and away without recursion") {
    const std::size_t before = memory_use().in_use;
    const int length = 300000;
    {
        Tensor x = scalar(1, Dtype::float64).set_requires_grad();
        Tensor y = x;
        for (int i = 0; i < length; ++i) y = y + 1.0;
        CHECK(y.item() == length + 1);
        CHECK(grad(y, {x})[0].item() == 1);
        backward(y);
        CHECK(x.grad().item() == 1);
        Tensor z = x;
        for (int i = 0; i < length; ++i) z = tanh(z);  // never differentiated: only taken down
    }
    CHECK(memory_use().in_use == before);
}

TEST_CASE("leaves with long histories of their own are taken down without recursion") {
    Tensor x = scalar(1, Dtype::float64).set_requires_grad();
    for (int i = 0; i < 50000; ++i) {  // through captured tensors and edges by turns
        Tensor y = x * x;
        x = where(scalar(1, Dtype::float64), y, x * 0.5);
    }
    CHECK(x.requires_grad());
}

TEST_CASE("no memory is lost: after a step everything has come back") {
    const Indices labels{1, 0, 3};
    const auto step = [&] {
        Tensor x = draw({3, 4}).set_requires_grad(), w = draw({5, 4}).set_requires_grad();
        Tensor b = draw({5}).set_requires_grad();
        const Tensor h = layer_norm(linear(x, w, b));
        const Tensor y = cross_entropy(concat({h, softmax(h)}, 1), labels) + logsumexp(max(h, 1));
        grad(grad(y, {w}, true)[0], {x}, false, ones({5, 4}, Dtype::float64));
        backward(y);
        CHECK_THROWS_AS(matmul(x, w), Error);
    };
    step();
    const MemoryUse before = memory_use();
    for (int i = 0; i < 10; ++i) step();
    CHECK(memory_use().in_use == before.in_use);
    CHECK(memory_use().from_system == before.from_system);
}

TEST_CASE("backward frees what only the graph held") {
    Tensor x = draw({100, 100}).set_requires_grad();
    const Tensor y = sum(exp(exp(x)));
    const std::size_t recorded = memory_use().in_use;
    backward(y);
    CHECK(memory_use().in_use + 100 * 100 * 8 <= recorded);  // both results, for one gradient
}

TEST_CASE("the graph keeps only what a wanted gradient needs") {
    Tensor x = draw({100, 100}).set_requires_grad();
    const Tensor constant = draw({100, 100}, Dtype::float64, 2);
    const auto kept_of = [&](auto f) {  // bytes of h that stay after nobody but the graph has it
        Tensor h = x + 1.0;
        const Tensor y = f(h);
        const std::size_t before = memory_use().in_use;
        h = Tensor();
        return 80000 - static_cast<int64_t>(before - memory_use().in_use);
    };
    CHECK(kept_of([](const Tensor& h) { return h * h; }) > 70000);
    CHECK(kept_of([&](const Tensor& h) { return h * x; }) > 70000);
    CHECK(kept_of([](const Tensor& h) { return h * 2.0; }) < 10000);
    CHECK(kept_of([&](const Tensor& h) { return h * constant; }) < 10000);
    CHECK(kept_of([&](const Tensor& h) { return h / constant; }) < 10000);
    CHECK(kept_of([&](const Tensor& h) { return matmul(h, constant); }) < 10000);
    CHECK(kept_of([&](const Tensor& h) { return where(constant, h, x); }) < 10000);
    CHECK(kept_of([](const Tensor& h) { return exp(h); }) < 10000);  // keeps its result
    Tensor y = layer_norm(x);
    const std::size_t before = memory_use().in_use;
    y = sum(y);
    CHECK(before - memory_use().in_use > 70000);  // needs its input, not its result
}

TEST_CASE("remembered values and gradients appear in the drawn graph") {
    Tensor x = leaf({0.25});
    RememberValues remember;
    const Tensor y = exp(x * 2);
    backward(y);
    const std::string dot = graph_dot(y);
    CHECK(dot.find("digraph") != std::string::npos);
    CHECK(dot.find("exp") != std::string::npos);
    CHECK(dot.find("mul") != std::string::npos);
    CHECK(dot.find("value 1.649") != std::string::npos);     // e^0.5
    CHECK(dot.find("gradient 3.297") != std::string::npos);  // 2 e^0.5, of the leaf
}

}  // namespace
}  // namespace heed
