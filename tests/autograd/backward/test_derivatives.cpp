// Products with the Jacobian against the Jacobian, the Jacobian against formulas, and checkpoint()
// against the same function without it.
#include "autograd/base/pool.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// [3] -> [2, 2]
Tensor f(const Tensor& x) {
    return stack({stack({x[0] * x[1], square(x[2])}), stack({sin(x[0]), x[1] * x[1] * x[2]})});
}
Tensor height(const Tensor& x) { return sum(exp(x) * flip(x, 0)) + prod(x); }

TEST_CASE("the Jacobian, by hand") {
    const Tensor x = tensor({0.5, 2, -3}, Dtype::float64);
    const Tensor j = jacobian(f, x);
    CHECK(j.shape() == Shape{2, 2, 3});
    require_close(j, {2, 0.5, 0, 0, 0, -6, std::cos(0.5), 0, 0, 0, -12, 4}, 1e-14);
    CHECK_FALSE(j.requires_grad());
    require_close(jacobian([](const Tensor& t) { return t; }, x), eye(3, Dtype::float64), 0);
    require_close(jacobian([](const Tensor&) { return ones({2}, Dtype::float64); }, x),
                  zeros({2, 3}, Dtype::float64), 0);
}

TEST_CASE("vjp and jvp are products with the Jacobian") {
    const Tensor x = draw({3}), g = draw({2, 2}, Dtype::float64, 2),
                 v = draw({3}, Dtype::float64, 3);
    const Tensor j = jacobian(f, x);
    require_close(vjp(f, x, g), matmul(flatten(g), reshape(j, {4, 3})), 1e-14);
    require_close(jvp(f, x, v), matmul(j, v), 1e-14);
    const auto constant = [](const Tensor&) { return ones({2}, Dtype::float64); };
    require_close(jvp(constant, x, v), {0, 0}, 0);
    require_close(vjp(constant, x, ones({2}, Dtype::float64)), {0, 0, 0}, 0);
}

TEST_CASE("hvp is a product with the Hessian, and the Hessian is symmetric") {
    const Tensor x = draw({4}), v = draw({4}, Dtype::float64, 2);
    const Tensor h = hessian(height, x);
    CHECK(h.shape() == Shape{4, 4});
    require_close(h, transpose(h), 1e-14);
    require_close(hvp(height, x, v), matmul(h, v), 1e-13);
    require_close(h,
                  jacobian([](const Tensor& t) { return grad(height(t), {t}, true)[0]; },
                           clone(x).set_requires_grad()),
                  1e-13);
    require_close(hessian([](const Tensor& t) { return sum(t); }, x), zeros({4, 4}, Dtype::float64),
                  0);

    Tensor a = draw({3}).set_requires_grad(), b = draw({2}, Dtype::float64, 2).set_requires_grad();
    const auto loss = [&] { return sum(square(outer(exp(a), b))); };
    const auto products =
        hvp(loss(), {a, b}, {ones({3}, Dtype::float64), zeros({2}, Dtype::float64)});
    require_close(products[0], 4 * square(exp(a)) * sum(square(b)), 1e-12);
    require_close(products[1], 4 * b * sum(square(exp(a))), 1e-12);
    CHECK(hvp(sum(a), {a}, {ones({3}, Dtype::float64)})[0].to_vector() ==
          std::vector<double>(3, 0));
}

TEST_CASE("derivatives work in float32, and under NoGrad") {
    NoGrad no_grad;
    const Tensor x = tensor({1, 2});
    require_close(jacobian([](const Tensor& t) { return square(t); }, x), {2, 0, 0, 4}, 0);
    require_close(jvp([](const Tensor& t) { return sum(square(t)); }, x, tensor({1, 0})), {2}, 0);
    CHECK(jacobian([](const Tensor& t) { return square(t); }, x).dtype() == Dtype::float32);
}

// --- checkpoint ---------------------------------------------------------------------------------

struct Net {
    Tensor first = draw({4, 4}, Dtype::float32, 1).set_requires_grad();
    Tensor second = draw({4, 4}, Dtype::float32, 2).set_requires_grad();
    Tensor operator()(const Tensor& x) const {
        return tanh(matmul(tanh(matmul(x, first)), second)) + x * sum(first);
    }
};

TEST_CASE("checkpoint has the same bits: value, and gradients of inputs and of parameters") {
    const Tensor start = draw({5, 4}, Dtype::float32, 3);
    const auto run = [&](bool with_checkpoint, bool by_grad) {
        Net net;
        Tensor x = clone(start).set_requires_grad();
        const auto layer = [&](const std::vector<Tensor>& in) { return net(in[0]); };
        const auto apply = [&](const Tensor& in) {
            return with_checkpoint ? checkpoint(layer, {in}) : layer({in});
        };
        // The parameters are used outside of the checkpoints as well.
        const Tensor y = apply(apply(exp(x)) * sum(net.second)) + matmul(x, net.first);
        if (by_grad) {
            std::vector<Tensor> all{y};
            for (const Tensor& g : grad(sum(square(y)), {x, net.first, net.second}))
                all.push_back(g);
            return all;
        }
        backward(sum(square(y)));
        return std::vector<Tensor>{y, x.grad(), net.first.grad(), net.second.grad()};
    };
    const auto plain = run(false, false);
    for (bool by_grad : {false, true}) {
        const auto found = run(true, by_grad);
        CHECK(same_bits(found[0], plain[0]));
        for (std::size_t i = 1; i < 4; ++i) require_close(found[i], plain[i], 1e-5);
    }
}

TEST_CASE("checkpoint keeps its inputs only, and draws the same random numbers twice") {
    Tensor x = draw({2000}, Dtype::float32).set_requires_grad();
    const auto deep = [](const std::vector<Tensor>& in) {
        Tensor y = in[0];
        for (int i = 0; i < 50; ++i) y = sin(y);
        return y;
    };
    const std::size_t before = memory_use().in_use;
    Tensor y = checkpoint(deep, {x});
    const std::size_t kept = memory_use().in_use - before;
    CHECK(kept < 3 * 2000 * sizeof(float));
    y = deep({x});
    CHECK(memory_use().in_use - before > 40 * 2000 * sizeof(float));

    Rng rng(7);
    Tensor w = ones({100}, Dtype::float32).set_requires_grad();
    y = checkpoint(
        [&, rng](const std::vector<Tensor>& in) {
            Rng own = rng;
            return in[0] * bernoulli({100}, 0.5, own);
        },
        {w});
    backward(sum(y));
    CHECK(same_bits(w.grad(), y));
}

TEST_CASE("checkpoint refuses what would give wrong gradients", "[errors]") {
    Tensor x = draw({3}, Dtype::float32).set_requires_grad();
    Rng rng(1);
    Tensor y = checkpoint(
        [&](const std::vector<Tensor>& in) { return in[0] * uniform({3}, 0, 1, rng); }, {x});
    CHECK(error_of([&] { backward(sum(y)); }) ==
          "checkpoint: f drew other random numbers when it was called again; they must come from a "
          "copy of the generator, made inside f");
    const Tensor computed = exp(x);
    CHECK(error_of([&] {
              checkpoint([&](const std::vector<Tensor>& in) { return in[0] * computed; }, {x});
          }) ==
          "checkpoint: f uses the result of 'exp', of shape [3], which is not among the "
          "inputs; pass it as one");
    CHECK(error_of([&] {
              checkpoint([](const std::vector<Tensor>& in) { return in[0]; }, {Tensor()});
          }) == "checkpoint: an input is not defined");
    y = checkpoint([](const std::vector<Tensor>& in) { return square(in[0]); }, {x});
    x.edit<float>()[0] = 5;
    CHECK(error_of([&] { backward(sum(y)); }) != "no error");
}

TEST_CASE("checkpoint of constants, and under NoGrad, only computes") {
    const auto f_of = [](const std::vector<Tensor>& in) { return square(in[0]); };
    CHECK_FALSE(checkpoint(f_of, {ones({2})}).requires_grad());
    Tensor x = ones({2}).set_requires_grad();
    {
        NoGrad no_grad;
        CHECK_FALSE(checkpoint(f_of, {x}).requires_grad());
    }
    Tensor other = ones({2}).set_requires_grad();
    const Tensor y = checkpoint([](const std::vector<Tensor>& in) { return in[0] * in[1] * in[2]; },
                                {x, ones({2}), other});
    backward(sum(y));
    CHECK(x.grad().to_vector() == std::vector<double>{1, 1});
    CHECK(other.grad().to_vector() == std::vector<double>{1, 1});
}

}  // namespace
}  // namespace heed
