// Single operations: matrix products, an operation on one number, attention.
#include <fmt/format.h>

#include <array>

#include "attention/fused/scaled_dot_product.h"
#include "attention/heads/positions.h"
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
                                [=] {
                                    return std::vector<Parameter>{{"output", product()}};
                                },
                                [=] { product(); }};
            }};
}

// A recorded chain of operations on one number, and its gradient. A step is many of them, so that
// the cost of the clock and of the measuring loop in Python does not count.
Workload one_element(int count) {
    return {.name = "one_element",
            .kind = "one_element",
            .sizes = {{"count", count}},
            .unit = "operation",
            .units = static_cast<double>(count),
            .to_reach = 20,
            .prepare = [=] {
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

// What the queries may attend to, and what else belongs to attention.
struct AttentionKind {
    bool causal = true, rotary = false, padded = false;
    double dropout = 0;
};

Workload attention(const std::string& name, int64_t length, int64_t width,
                   const AttentionKind& kind) {
    static constexpr int64_t heads = 4;
    const int64_t batch = kind.padded ? 2 : 1;
    // Two products forward, five backward; of the causal ones half is masked.
    const double flops = (kind.causal ? 7. : 14.) * batch * heads * width * length * length;
    return {
        .name = name,
        .kind = "attention",
        .sizes = {{"causal", kind.causal},
                  {"rotary", kind.rotary},
                  {"padded", kind.padded},
                  {"dropout_percent", static_cast<int64_t>(100 * kind.dropout)}},
        .unit = "forward and backward",
        .flops = kind.padded ? 0 : flops,
        .to_reach = 1.2,
        .compare_memory = kind.causal,
        .prepare = [=] {
            Rng rng(1);
            const auto draw = [&] { return normal({batch, heads, length, width}, 0, 1, rng); };
            const Tensor q = draw(), k = draw(), v = draw();
            // The second text has a third of the length of the first.
            std::vector<double> open(2 * length, 1.);
            std::fill(open.begin() + length + length / 3, open.end(), 0.);
            const Tensor mask = kind.padded ? tensor(open, {2, 1, 1, length}) : Tensor();
            const auto attend = [=](const std::vector<Tensor>& x, double dropout) {
                return scaled_dot_product_attention(
                    kind.rotary ? rotary(x[0], 0) : x[0], kind.rotary ? rotary(x[1], 0) : x[1],
                    x[2],
                    {.mask = mask, .causal = kind.causal, .dropout = dropout, .dropout_seed = 1});
            };
            const std::vector<Parameter> inputs{{"q", q}, {"k", k}, {"v", v}};
            // Both drop other weights: results are compared without dropout.
            Prepared compared =
                differentiated(inputs, [=](const std::vector<Tensor>& x) { return attend(x, 0); });
            if (kind.dropout > 0)
                compared.step = differentiated(inputs, [=](const std::vector<Tensor>& x) {
                                    return attend(x, kind.dropout);
                                }).step;
            return compared;
        }};
}

}  // namespace

std::vector<Workload> kernel_workloads(Scale scale) {
    const bool full = scale == Scale::full;
    // Squares; and sizes of the lessons: one token, steps of recurrent cells, layers of Transformers.
    struct Size {
        std::string name;
        int64_t m, k, n;
    };
    std::vector<Size> sizes;
    for (int64_t n : {64, 128, 256, 512, 1024, 2048})
        sizes.push_back({fmt::format("gemm_{}", n), n, n, n});
    for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{{1, 128, 512},
                                                                     {1, 512, 128},
                                                                     {16, 64, 64},
                                                                     {32, 64, 192},
                                                                     {64, 128, 384},
                                                                     {64, 256, 768},
                                                                     {64, 16, 512},
                                                                     {768, 128, 512},
                                                                     {1280, 256, 2000}})
        sizes.push_back({fmt::format("gemm_{}x{}x{}", m, k, n), m, k, n});

    std::vector<Workload> all;
    for (const auto& [name, m, k, n] : sizes) {
        const int64_t part = full ? 1 : 50;
        all.push_back(gemm(name, m / part + !full, k / part + !full, n / part + !full));
    }
    all.push_back(one_element(full ? 1000 : 10));
    const auto add = [&](const std::string& name, int64_t length, const AttentionKind& kind) {
        all.push_back(full ? attention(name, length, 64, kind)
                           : attention(name, 3 + length / 64, 8, kind));
    };
    for (int64_t length : {256, 512, 1024, 2048, 4096, 8192})
        add(fmt::format("attention_{}", length), length, {});
    add("attention_plain_512", 512, {.causal = false});
    add("attention_dropout_512", 512, {.dropout = 0.1});
    for (int64_t length : {512, 2048})
        add(fmt::format("attention_rotary_{}", length), length, {.rotary = true});
    for (int64_t length : {512, 2048})
        add(fmt::format("attention_padding_{}", length), length, {.causal = false, .padded = true});
    return all;
}

}  // namespace heed::bench
