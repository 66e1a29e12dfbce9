// The examples of the headers of attention/efficient/; see ../test_examples.cpp.
#include "attention/attention.h"
#include "tests/attention/random.h"
#include "tests/autograd/compare.h"

using namespace heed;

namespace {}  // namespace

TEST_CASE("the example of block_pattern.h", "[attention][efficient]") {
    const BlockPattern pattern(4096, {.before = 128, .after = 128, .global = {0}});
    const int64_t computed = pattern.scores();
    const Tensor mask = pattern.mask();
    CHECK(4096 * 4096 == 16777216);
    CHECK(computed < 16777216 / 8);
    CHECK(mask.shape() == Shape{1, 4096, 4096});
    CHECK(sum(slice(mask, 1, 1000, 1001)).item() == 128 + 1 + 128 + 1);
}

TEST_CASE("the example of block_sparse.h", "[attention][efficient]") {
    const Tensor q = random({1, 2, 300, 8}), k = random({1, 2, 300, 8}, 2), v = k;
    const BlockPattern pattern(q.size(2), {.before = 128, .causal = true});
    Tensor context = block_sparse_attention(q, k, v, pattern);
    CHECK(context.shape() == v.shape());
}

TEST_CASE("the example of linformer.h", "[attention][efficient]") {
    Rng rng(1);
    const Tensor q = random({1, 2, 30, 8}), k = random({1, 2, 4096, 8}), v = k;
    Linformer attention({.length = 4096, .projected = 256}, rng);
    Tensor context = attention(q, k, v).context;
    CHECK(context.shape() == q.shape());
}

TEST_CASE("the example of performer.h", "[attention][efficient]") {
    Rng rng(1);
    const Tensor q = random({1, 2, 100, 64}), k = random({1, 2, 100, 64}, 2), v = k;
    const Tensor w = orthogonal_features(256, 64, rng);
    Tensor context = performer_attention(q, k, v, w, {.causal = true});
    CHECK(context.shape() == v.shape());
    CHECK(w.shape() == Shape{256, 64});
}

TEST_CASE("the example of lsh.h", "[attention][efficient]") {
    const Tensor qk = random({1, 2, 200, 8}), v = random({1, 2, 200, 4});
    Tensor context = lsh_attention(qk, v, {.buckets = 32, .chunk = 64, .hashes = 4});
    CHECK(context.shape() == v.shape());
}

TEST_CASE("the example of synthesizer.h", "[attention][efficient]") {
    Rng rng(1);
    const Tensor x = random({2, 20, 64}), v = random({2, 4, 20, 16});
    Synthesizer attention(SynthesizerKind::dense, {.width = 64, .length = 512, .heads = 4}, rng);
    auto [context, weights] = attention(x, v);
    CHECK(context.shape() == v.shape());
    CHECK(weights.shape() == Shape{2, 4, 20, 20});
}

TEST_CASE("the example of reversible.h", "[attention][efficient]") {
    Rng rng(1);
    const SelfAttention self({.width = 8, .heads = 2}, {}, rng);
    const LayerNorm norm(8);
    const FeedForward feed_forward({.width = 8, .hidden = 16}, rng);
    const auto attention = [&](const Tensor& y) { return self(y); };
    const Tensor x = random({2, 5, 16});
    const std::vector<ReversibleBlock> blocks{{[&](const Tensor& h) { return attention(norm(h)); },
                                               [&](const Tensor& h) { return feed_forward(h); }}};
    Tensor y = reversible(blocks, x);
    CHECK(y.shape() == x.shape());
}
