// Linformer and Synthesizer against their formulas.
#include "attention/efficient/linformer.h"
#include "attention/efficient/synthesizer.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/scores/mask.h"
#include "nn/module/module.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

template <class M>
M in_float64(M model) {
    to_dtype(model, Dtype::float64);
    return model;
}

}  // namespace

TEST_CASE("Linformer whose projection is the identity is exact attention",
          "[attention][efficient]") {
    Rng rng(1);
    Linformer attention({.length = 7, .projected = 7, .shared = true}, rng);
    attention.key = parameter(eye(7, Dtype::float64));
    const Tensor q = numbers({2, 3, 5, 4}, 1), k = numbers({2, 3, 7, 4}, 2),
                 v = numbers({2, 3, 7, 6}, 3);
    const auto [context, weights] = attention(q, k, v);
    const auto exact = scaled_dot_product_definition(q, k, v);
    CHECK(largest_difference(context, exact.context) < 1e-12);
    CHECK(largest_difference(weights, exact.weights) < 1e-12);
}

TEST_CASE("Linformer computes its formula, for shorter sequences and with masked keys",
          "[attention][efficient]") {
    Rng rng(2);
    const Linformer attention = in_float64(Linformer({.length = 9, .projected = 3}, rng));
    const Tensor q = numbers({2, 1, 4, 5}, 1), k = numbers({2, 1, 6, 5}, 2),
                 v = numbers({2, 1, 6, 2}, 3);
    const Tensor e = slice(attention.key, 1, 0, 6), f = slice(attention.value, 1, 0, 6);
    const Tensor weights = softmax(matmul(q, transpose(matmul(e, k))) / std::sqrt(5.0));
    CHECK(weights.shape() == Shape{2, 1, 4, 3});
    CHECK(largest_difference(attention(q, k, v).context, matmul(weights, matmul(f, v))) < 1e-12);

    // With padding: the same as the shorter sequence alone. Without any key: 0.
    const Tensor mask = unsqueeze(padding_mask({4, 0}, 6), 1);
    const Tensor padded = attention(q, k, v, mask).context;
    const auto first = [](const Tensor& x, int64_t end) {
        return slice(slice(x, 0, 0, 1), 2, 0, end);
    };
    const Tensor alone = attention(first(q, 4), first(k, 4), first(v, 4)).context;
    CHECK(largest_difference(slice(padded, 0, 0, 1), alone) < 1e-12);
    CHECK(max(abs(slice(padded, 0, 1, 2))).item() == 0);
    CHECK_THROWS_WITH(attention(q, numbers({2, 1, 10, 5}), numbers({2, 1, 10, 2})),
                      "Linformer: 10 keys, but it was made for a length of 9");
}

TEST_CASE("Synthesizer: the scores of each kind by its formula", "[attention][efficient]") {
    const Tensor x = numbers({2, 4, 6}, 1);
    for (SynthesizerKind kind : synthesizer_kinds()) {
        INFO(name_of(kind));
        Rng rng(3);
        const Synthesizer s = in_float64(Synthesizer(
            kind, {.width = 6, .length = 7, .heads = 2, .hidden = 5, .factor = 3}, rng));
        const Tensor scores = s.scores(x, 4);
        REQUIRE(scores.shape() == Shape{2, 2, 4, 4});
        const auto of = [&](const Linear& layer, int64_t b, int64_t i) {
            const Tensor token = reshape(select(select(x, 0, b), 0, i), {1, 6});
            return reshape(layer(relu(s.hidden(token))), {-1});
        };
        for (int64_t b = 0; b < 2; ++b)
            for (int64_t h = 0; h < 2; ++h)
                for (int64_t i = 0; i < 4; ++i)
                    for (int64_t j = 0; j < 4; ++j) {
                        double expected = 0;
                        switch (kind) {
                            case SynthesizerKind::dense:
                                expected = of(s.right, b, i).at({h * 7 + j});
                                break;
                            case SynthesizerKind::random:
                                expected = s.second.at({h, i, j});
                                break;
                            case SynthesizerKind::factored_dense:  // 3 times ⌈7 / 3⌉ = 3
                                expected = of(s.left, b, i).at({h * 3 + j / 3}) *
                                           of(s.right, b, i).at({h * 3 + j % 3});
                                break;
                            case SynthesizerKind::factored_random:
                                for (int64_t r = 0; r < 3; ++r)
                                    expected += s.first.at({h, i, r}) * s.second.at({h, j, r});
                        }
                        CHECK(std::abs(scores.at({b, h, i, j}) - expected) < 1e-12);
                    }
        const Tensor v = numbers({2, 2, 4, 3}, 4), mask = unsqueeze(causal_mask(4), 1);
        const auto [context, weights] = s(x, v, mask);
        CHECK(largest_difference(weights, masked_softmax(scores, mask)) < 1e-12);
        CHECK(largest_difference(context, matmul(weights, v)) < 1e-12);
    }
    Rng rng(3);
    const Synthesizer s(SynthesizerKind::random, {.length = 3}, rng);
    CHECK_THROWS_WITH(s(zeros({1, 4, 2}), zeros({1, 1, 4, 2})),
                      "Synthesizer: 4 positions and 4 keys, but it was made for a length of 3");
}

}  // namespace heed
