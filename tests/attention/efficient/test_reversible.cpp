// Reversible blocks have the gradient of the ordinary composition, and hold bytes that do not grow with
// the depth. Checkpointing a stack of layers keeps the bits, with dropout, and a fraction of the bytes.
#include "attention/efficient/reversible.h"
#include "attention/transformer/layers.h"
#include "autograd/base/pool.h"
#include "nn/module/module.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

// f and g of so many blocks, with parameters of their own and one that all share.
struct Stack {
    std::vector<Tensor> weights;
    Tensor shared;

    explicit Stack(int64_t depth, int64_t width, Dtype dtype = Dtype::float64) {
        Rng rng(1);
        const double size = 0.5 / std::sqrt(static_cast<double>(width));
        for (int64_t i = 0; i < 2 * depth; ++i)
            weights.push_back(parameter(normal({width, width}, 0, size, rng, dtype)));
        shared = parameter(normal({width}, 0, 1, rng, dtype));
    }
    std::vector<ReversibleBlock> blocks() const {
        std::vector<ReversibleBlock> all;
        for (std::size_t i = 0; i < weights.size(); i += 2)
            all.push_back(
                {[this, i](const Tensor& x) { return tanh(matmul(x, weights[i])) * shared; },
                 [this, i](const Tensor& x) { return gelu(matmul(x, weights[i + 1]) + shared); }});
        return all;
    }
    std::vector<Tensor> leaves(const Tensor& x) const {
        std::vector<Tensor> all = weights;
        all.push_back(shared);
        all.push_back(x);
        return all;
    }
};

}  // namespace

TEST_CASE("reversible blocks have the value and gradient of their definition",
          "[attention][efficient]") {
    const Stack stack(6, 4);
    const Tensor x = numbers({3, 5, 8}).set_requires_grad();
    const Tensor y = reversible(stack.blocks(), x),
                 plain = reversible_definition(stack.blocks(), x);
    CHECK(largest_difference(y, plain) == 0);
    // The parameters are used outside as well, and x by a second stack.
    const auto loss = [&](const Tensor& out) {
        return weighed(out) + sum(square(stack.shared)) + sum(x * x);
    };
    const auto found = grad(loss(y), stack.leaves(x)), right = grad(loss(plain), stack.leaves(x));
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(largest_difference(found[i], right[i]) < 1e-12);

    for (Tensor leaf : stack.leaves(x)) leaf.clear_grad();
    backward(loss(reversible(stack.blocks(), x)));
    for (std::size_t i = 0; i < right.size(); ++i)
        CHECK(largest_difference(stack.leaves(x)[i].grad(), right[i]) < 1e-12);
}

TEST_CASE("the gradient of reversible blocks can be differentiated again",
          "[attention][efficient]") {
    const Stack stack(2, 2);
    const GradcheckReport report =
        gradcheck([&](const std::vector<Tensor>& x) { return reversible(stack.blocks(), x[0]); },
                  {numbers({2, 4})}, {.order = 2});
    INFO(to_string(report));
    CHECK(report.pass);
}

TEST_CASE("the bytes that reversible blocks hold do not grow with the depth",
          "[attention][efficient]") {
    const auto held = [](int64_t depth, bool is_reversible) {
        const Stack stack(depth, 32, Dtype::float32);
        Rng rng(2);
        const Tensor x = normal({64, 64}, 0, 1, rng).set_requires_grad();
        const std::size_t before = memory_use().in_use;
        const Tensor y = is_reversible ? reversible(stack.blocks(), x)
                                       : reversible_definition(stack.blocks(), x);
        return static_cast<double>(memory_use().in_use - before);
    };
    const double activation = 64 * 64 * 4;
    CHECK(held(2, true) < 1.5 * activation);
    CHECK(held(16, true) < 2 * activation);  // and a list of 33 parameters
    CHECK(held(16, false) > 16 * activation);
}

TEST_CASE("reversible blocks refuse what would give wrong gradients",
          "[attention][efficient][errors]") {
    const Tensor x = numbers({2, 4}).set_requires_grad();
    const auto same = [](const Tensor& z) { return z * 0.5; };
    CHECK_THROWS_WITH(reversible({{same, same}}, numbers({2, 3})),
                      "reversible: x [2, 3]; expected [..., 2 D], a last axis of two equal halves");
    CHECK_THROWS_WITH(reversible({{[](const Tensor& z) { return sum(z); }, same}}, x),
                      "reversible: a block gave [] for [2, 2]; it must keep the shape");
    const Tensor computed = exp(x);
    CHECK_THROWS_WITH(reversible({{[&](const Tensor& z) { return z + sum(computed); }, same}}, x),
                      Catch::Matchers::ContainsSubstring(
                          "reversible: f uses the result of 'exp', of shape [2, 4]"));
    Rng rng(1);
    const Tensor y = reversible(
        {{[&](const Tensor& z) { return Dropout(0.5)(z, Mode::training(rng)); }, same}}, x);
    CHECK_THROWS_WITH(backward(sum(y)), Catch::Matchers::ContainsSubstring(
                                            "reversible: f drew other random numbers"));
}

TEST_CASE("reversible blocks take random numbers from a copy of the generator",
          "[attention][efficient]") {
    const Tensor x = numbers({8, 8}).set_requires_grad();
    const Rng rng(3);
    const std::vector<ReversibleBlock> blocks{{[rng](const Tensor& z) {
                                                   Rng own = rng;
                                                   return Dropout(0.5)(tanh(z),
                                                                       Mode::training(own));
                                               },
                                               [](const Tensor& z) { return sin(z); }}};
    const Tensor found = grad(weighed(reversible(blocks, x)), {x})[0];
    CHECK(largest_difference(found, grad(weighed(reversible_definition(blocks, x)), {x})[0]) <
          1e-12);
}

// Twelve layers of a Transformer with dropout, each as one checkpoint or not.
TEST_CASE("checkpoints keep a stack's bits, its random numbers, and a third of its bytes",
          "[attention][efficient]") {
    Rng rng(4);
    std::vector<TransformerEncoderLayer> layers;
    for (int i = 0; i < 12; ++i)
        layers.emplace_back(
            TransformerOptions{.width = 32, .heads = 4, .hidden = 128, .dropout = 0.1}, rng);
    const Tensor x = normal({4, 64, 32}, 0, 1, rng).set_requires_grad();
    const Tensor g = normal({4, 64, 32}, 0, 1, rng);
    std::vector<Tensor> leaves{x};
    for (const auto& layer : layers)
        for (const Parameter& p : parameters(layer)) leaves.push_back(p.tensor);

    struct Run {
        std::vector<Tensor> results;
        double peak;
    };
    const auto run = [&](bool with_checkpoints) {
        const std::size_t before = memory_use().in_use;
        reset_peak_memory();
        Rng seeds(5);
        Tensor y = x;
        for (const auto& layer : layers) {
            const Rng own_seed = seeds.split();
            const auto apply = [&layer, own_seed](const std::vector<Tensor>& in) {
                Rng own = own_seed;
                return layer(in[0], {.mode = Mode::training(own)});
            };
            y = with_checkpoints ? checkpoint(apply, {y}) : apply({y});
        }
        Run result{grad(y, leaves, false, g), 0};
        result.peak = static_cast<double>(memory_use().peak - before);
        result.results.push_back(y);
        return result;
    };
    const Run plain = run(false), saving = run(true);
    for (std::size_t i = 0; i < plain.results.size(); ++i)
        CHECK(largest_difference(plain.results[i], saving.results[i]) == 0);
    INFO("peak " << plain.peak << " bytes, with checkpoints " << saving.peak);
    CHECK(plain.peak > 3 * saving.peak);
}

}  // namespace heed
