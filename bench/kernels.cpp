// Single operations: matrix products, an operation on one number, attention.
#include <fmt/format.h>

#include "attention/fused/scaled_dot_product.h"
#include "autograd/autograd.h"
#include "bench/workload.h"

namespace heed::bench {
namespace {

// y = x Wᵀ, [m, k] and [n, k]: a dense layer, or a square product.
Workload gemm(const std::string& name, int64_t m, int64_t k, int64_t n) {
    return {.name = name,
            .kind = "gemm",
            .sizes = {},
            .unit = "product",
            .flops = 2. * m * k * n,
            .to_reach = 1,
            .prepare = [=] {
                Rng rng(1);
                const Tensor x = normal({m, k}, 0, 1, rng), w = normal({n, k}, 0, 1, rng);
                const auto product = [=] {
                    const NoGrad no_grad;
                    return linear(x, w);
                };
                return Prepared{{{"x", x}, {"w", w}},
                                [=] { return std::vector<Parameter>{{"output", product()}}; },
                                [=] { product(); }};
            }};
}

// A recorded chain of operations on one number, and its gradient. A step is many of them, so that
// the cost of the clock and of the measuring loop in Python does not count.
Workload one_element() {
    constexpr int count = 1000;
    return {.name = "one_element",
            .kind = "one_element",
            .sizes = {{"count", count}},
            .unit = "operation",
            .units = count,
            .to_reach = 10,
            .prepare = [] {
                const Tensor w = tensor({0.999}).set_requires_grad(), x = tensor({1.001});
                const auto chain = [=] {
                    Tensor y = x;
                    for (int i = 0; i < count; ++i) y = i % 2 ? y + w : y * w;
                    return y;
                };
                const auto step = [=] {
                    Tensor leaf = w;
                    leaf.clear_grad();
                    backward(sum(chain()));
                };
                const auto results = [=] {
                    return std::vector<Parameter>{{"output", detach(chain())},
                                                  {"gradient of w", grad(sum(chain()), {w})[0]}};
                };
                return Prepared{{{"w", w}, {"x", x}}, results, step};
            }};
}

Workload attention(int64_t length) {
    constexpr int64_t heads = 4, width = 64;
    return {.name = fmt::format("attention_{}", length),
            .kind = "attention",
            .sizes = {},
            .unit = "forward and backward",
            .flops = 7. * heads * width * length *
                     length,  // two products forward, five backward, half of each masked
            .to_reach = 1,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const auto draw = [&] { return normal({1, heads, length, width}, 0, 1, rng); };
                const std::vector<Tensor> x{draw().set_requires_grad(), draw().set_requires_grad(),
                                            draw().set_requires_grad()};
                const Tensor g = draw();
                const auto forward = [=] {
                    return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = true});
                };
                const auto results = [=] {
                    const Tensor y = forward();
                    const std::vector<Tensor> gradients = grad(y, x, false, g);
                    return std::vector<Parameter>{{"output", detach(y)},
                                                  {"gradient of q", gradients[0]},
                                                  {"gradient of k", gradients[1]},
                                                  {"gradient of v", gradients[2]}};
                };
                return Prepared{{{"q", x[0]}, {"k", x[1]}, {"v", x[2]}, {"g", g}},
                                results,
                                [=] { grad(forward(), x, false, g); }};
            }};
}

}  // namespace

std::vector<Workload> kernel_workloads() {
    std::vector<Workload> all;
    for (int64_t n : {64, 128, 256, 512, 1024, 2048})
        all.push_back(gemm(fmt::format("gemm_{}", n), n, n, n));
    // Sizes of the lessons: one token, steps of recurrent cells, layers of Transformers.
    struct Size {
        int64_t m, k, n;
    };
    for (const auto [m, k, n] : {Size{1, 128, 512},
                                 {1, 512, 128},
                                 {16, 64, 64},
                                 {32, 64, 192},
                                 {64, 128, 384},
                                 {64, 256, 768},
                                 {64, 16, 512},
                                 {768, 128, 512},
                                 {1280, 256, 2000}})
        all.push_back(gemm(fmt::format("gemm_{}x{}x{}", m, k, n), m, k, n));
    all.push_back(one_element());
    for (int64_t length : {256, 512, 1024, 2048, 4096, 8192}) all.push_back(attention(length));
    return all;
}

}  // namespace heed::bench
