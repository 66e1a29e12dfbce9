// backward() and grad() against backward_definition(), on the graphs of all cases of the gradient check.
#include "attention/attention.h"
#include "autograd/record/remember.h"
#include "tests/autograd/compare.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

// The number of ways from y to its leaves, or a large number.
double ways_back(const Tensor& y) {
    std::map<const Node*, double> ways{{y.body()->node, 1}};
    double all = 0;
    walk_back(y.body()->node, [&](const Node& node) {
        const double here = ways[&node];
        if (node.is_leaf()) all += here;
        for (uint32_t i = 0; i < node.input_count; ++i)
            if (node.inputs[i].node) ways[node.inputs[i].node] += here;
        return true;
    });
    return all;
}

TEST_CASE("backward and grad are their definition on the graph of every case",
          "[grad][unsanitized]") {
    int compared = 0, left_out = 0;
    for (const Case& one : all_cases()) {
        INFO(one.name);
        std::vector<Tensor> xs;
        for (const Tensor& x : one.inputs) xs.push_back(copy_of(x).set_requires_grad());
        const Tensor y = one.f(xs);
        if (is_large(one) || !y.requires_grad() || ways_back(y) > 3000) {
            ++left_out;
            continue;
        }
        Rng rng(1);
        const Tensor g = normal(y.shape(), 0, 1, rng, y.dtype());
        backward_definition(y, g);
        std::vector<Tensor> expected;
        for (Tensor& x : xs) {
            expected.push_back(x.grad().defined() ? x.grad() : zeros_like(x));
            x.clear_grad();
        }
        const std::vector<Tensor> found = grad(y, xs, false, g);
        backward(y, g);
        for (std::size_t i = 0; i < xs.size(); ++i) {
            INFO("input " << i);
            const double size = 1 + max(abs(expected[i])).item();
            CHECK(largest_difference(found[i], expected[i]) < 1e-9 * size);
            if (xs[i].grad().defined())
                CHECK(largest_difference(xs[i].grad(), expected[i]) < 1e-9 * size);
        }
        ++compared;
    }
    CHECK(compared > 6 * left_out);
}

// A pass inside a pass: what has arrived at x in the outer one stays where it is.
TEST_CASE("a rule may begin a pass over nodes that wait in the pass outside", "[grad]") {
    Tensor x = tensor({0.5, -1}, Dtype::float64).set_requires_grad();
    Tensor w = tensor({2, 3}, Dtype::float64).set_requires_grad();
    const auto f = [&](const std::vector<Tensor>& in) { return tanh(in[0] * w) * w; };
    const Tensor plain = sum(f({x}) * w + x * x), nested = sum(checkpoint(f, {x}) * w + x * x);
    for (bool create_graph : {false, true}) {
        const auto expected = grad(plain, {x, w}, create_graph);
        const auto found = grad(nested, {x, w}, create_graph);
        for (int i : {0, 1}) CHECK(largest_difference(found[i], expected[i]) < 1e-15);
        if (!create_graph) continue;
        const auto second = grad(sum(expected[0] * expected[1]), {x, w});
        const auto again = grad(sum(found[0] * found[1]), {x, w});
        for (int i : {0, 1}) CHECK(largest_difference(again[i], second[i]) < 1e-14);
    }
}

TEST_CASE("what is remembered of a graph is there while a RememberValues lives") {
    Tensor x = scalar(2, Dtype::float64).set_requires_grad();
    Tensor y;
    {
        const RememberValues outer;
        {
            const RememberValues inner;
            y = exp(x);
            backward(y);
            const auto seen = RememberValues::of(*y.body()->node);
            CHECK(seen.value.item() == std::exp(2.0));
            CHECK(seen.gradient.item() == 1);
        }
        CHECK_FALSE(RememberValues::of(*y.body()->node).value.defined());
    }
    CHECK_FALSE(RememberValues::of(*y.body()->node).value.defined());
}

}  // namespace
}  // namespace heed
