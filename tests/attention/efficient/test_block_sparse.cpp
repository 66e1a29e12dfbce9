// Block patterns against the formula of each part, pair by pair; and block-sparse attention against
// exact attention under the dense mask, for lengths that are no multiple of the block.
#include "attention/efficient/block_sparse.h"
#include "attention/scores/mask.h"
#include "autograd/base/parallel.h"
#include "autograd/base/pool.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

// The pattern without random blocks, by its formula.
bool allows(const BlockPatternOptions& o, int64_t i, int64_t j) {
    if (o.causal && j > i) return false;
    const auto is_global = [&](int64_t p) {
        return std::find(o.global.begin(), o.global.end(), p) != o.global.end();
    };
    if (is_global(i) || is_global(j)) return true;
    if ((j - i) % o.dilation != 0) return false;
    const int64_t steps = (j - i) / o.dilation;
    return steps >= -o.before && steps <= o.after;
}

std::vector<BlockPatternOptions> patterns() {
    return {
        {.before = 2, .after = 3, .block = 4},
        {.before = 5, .causal = true, .block = 4},
        {.before = 3, .after = 3, .dilation = 3, .block = 5},
        {.before = 3, .dilation = 2, .global = {7}, .causal = true, .block = 3},
        {.before = 1, .after = 1, .global = {0, 11}, .block = 4},
        {.before = 100, .after = 100, .block = 8},  // everything
        {.block = 1},                               // only itself
    };
}

struct Inputs {
    Tensor q, k, v, g;
};
Inputs draw(int64_t batch, int64_t heads, int64_t length, int64_t width, int64_t value_width,
            Dtype dtype = Dtype::float64) {
    Rng rng(1);
    const auto leaf = [&](int64_t last) {
        return normal({batch, heads, length, last}, 0, 1, rng, dtype).set_requires_grad();
    };
    const Tensor q = leaf(width), k = leaf(width), v = leaf(value_width);
    return {q, k, v, normal({batch, heads, length, value_width}, 0, 1, rng, dtype)};
}

using OnPattern = Tensor (*)(const Tensor&, const Tensor&, const Tensor&, const BlockPattern&,
                             const BlockSparseOptions&);
Tensor by_definition(const Tensor& q, const Tensor& k, const Tensor& v, const BlockPattern& pattern,
                     const BlockSparseOptions& options) {
    return block_sparse_definition(q, k, v, pattern, options).context;
}

std::vector<Tensor> both_ways(OnPattern attention, const Inputs& x, const BlockPattern& pattern,
                              const BlockSparseOptions& options) {
    const Tensor y = attention(x.q, x.k, x.v, pattern, options);
    std::vector<Tensor> results = grad(y, {x.q, x.k, x.v}, false, x.g);
    results.push_back(y);
    return results;
}

void check_equal(const Inputs& x, const BlockPattern& pattern, const BlockSparseOptions& options,
                 double tolerance) {
    const auto sparse = both_ways(block_sparse_attention, x, pattern, options);
    const auto dense = both_ways(by_definition, x, pattern, options);
    for (std::size_t i = 0; i < sparse.size(); ++i)
        CHECK(largest_difference(sparse[i], dense[i]) < tolerance);
}

}  // namespace

TEST_CASE("a block pattern allows the pairs of its formula", "[attention][efficient]") {
    for (const BlockPatternOptions& o : patterns())
        for (int64_t length : {1, 4, 12, 13, 30}) {
            BlockPatternOptions fitting = o;
            std::erase_if(fitting.global, [&](int64_t p) { return p >= length; });
            const BlockPattern pattern(length, fitting);
            const Tensor mask = pattern.mask(Dtype::float64);
            REQUIRE(mask.shape() == Shape{1, length, length});
            int64_t pairs = 0;
            for (int64_t i = 0; i < length; ++i)
                for (int64_t j = 0; j < length; ++j) {
                    INFO("length " << length << ", " << i << " to " << j);
                    CHECK((mask.at({0, i, j}) == 1) == allows(fitting, i, j));
                    pairs += allows(fitting, i, j);
                }
            CHECK(pattern.allowed() == pairs);
            CHECK(pattern.scores() >= pairs);
            CHECK(pattern.scores() <= length * length);
        }
}

TEST_CASE("the window of a block pattern is that of sliding_window_mask()",
          "[attention][efficient]") {
    const BlockPattern pattern(21, {.before = 4, .after = 2, .block = 8});
    CHECK(largest_difference(pattern.mask(), sliding_window_mask(21, 21, 4, 2)) == 0);
    const BlockPattern causal(21, {.before = 21, .causal = true, .block = 8});
    CHECK(largest_difference(causal.mask(), causal_mask(21)) == 0);
}

TEST_CASE("random blocks: so many for each query block, the same for the same seed, none twice",
          "[attention][efficient]") {
    const auto made = [](uint64_t seed, bool causal) {
        return BlockPattern(64, {.before = 1,
                                 .after = 1,
                                 .random_blocks = 3,
                                 .seed = seed,
                                 .causal = causal,
                                 .block = 4});
    };
    const BlockPattern pattern = made(1, false);
    for (int64_t b = 0; b < pattern.blocks(); ++b) {
        const std::size_t window = b == 0 || b == pattern.blocks() - 1 ? 2 : 3;
        CHECK(pattern.keys_of(b).size() == window + 3);
        for (std::size_t i = 1; i < pattern.keys_of(b).size(); ++i)
            CHECK(pattern.keys_of(b)[i].block > pattern.keys_of(b)[i - 1].block);
    }
    CHECK(largest_difference(pattern.mask(), made(1, false).mask()) == 0);
    CHECK(largest_difference(pattern.mask(), made(2, false).mask()) == 1);
    const Tensor causal = made(1, true).mask();
    CHECK(sum(triu(causal, 1)).item() == 0);
    CHECK(made(1, true).keys_of(15).size() == 2 + 3);
    CHECK(made(1, true).keys_of(0).size() == 1);  // no earlier block is left
}

TEST_CASE("block-sparse attention equals exact attention under the dense mask",
          "[attention][efficient]") {
    for (BlockPatternOptions o : patterns())
        for (int64_t length : {1, 12, 13, 30}) {
            std::erase_if(o.global, [&](int64_t p) { return p >= length; });
            o.random_blocks = length == 30 ? 2 : 0;
            INFO("before " << o.before << " dilation " << o.dilation << " causal " << o.causal
                           << " length " << length);
            const BlockPattern pattern(length, o);
            const Inputs x = draw(2, 2, length, 4, 3);
            Rng rng(2);
            const Tensor any = bernoulli({2, 2, length, length}, 0.6, rng);
            const Tensor padding =
                unsqueeze(padding_mask({static_cast<int>(length), 0}, length), 1);
            check_equal(x, pattern, {}, 1e-12);
            check_equal(x, pattern, {.mask = padding, .scale = 0.3}, 1e-12);
            check_equal(x, pattern, {.mask = any}, 1e-12);
        }
    // Longer than a run of key blocks (256 positions), one head and many.
    const std::vector<Shape> sizes{{1, 1, 700}, {2, 5, 333}};
    for (const Shape& size : sizes) {
        const int64_t batch = size[0], heads = size[1], length = size[2];
        const BlockPattern pattern(
            length, {.before = 150, .after = 40, .global = {3, 200}, .random_blocks = 1});
        check_equal(draw(batch, heads, length, 8, 16), pattern, {}, 1e-12);
        check_equal(draw(batch, heads, length, 8, 16, Dtype::float32), pattern, {}, 2e-4);
        const BlockPattern dilated(length, {.before = 60, .dilation = 4, .causal = true});
        check_equal(draw(batch, heads, length, 8, 16), dilated, {}, 1e-12);
    }
}

TEST_CASE("a query without an allowed key has the context 0 and no gradient",
          "[attention][efficient]") {
    const BlockPattern pattern(6, {.before = 1, .causal = true, .block = 2});
    const Inputs x = draw(1, 1, 6, 3, 2);
    const Tensor mask = tensor({1, 1, 0, 0, 1, 1}, {1, 1, 1, 6});  // query 3 sees nothing
    const auto y = both_ways(block_sparse_attention, x, pattern, {.mask = mask});
    CHECK(max(abs(select(y[3], 2, 3))).item() == 0);
    CHECK(max(abs(select(y[0], 2, 3))).item() == 0);
    CHECK(all(isfinite(y[1])).item() == 1);
    CHECK(max(abs(slice(y[1], 2, 2, 4))).item() == 0);  // masked keys: exactly 0
    CHECK(max(abs(slice(y[2], 2, 2, 4))).item() == 0);
}

TEST_CASE("block-sparse attention has the same bits with any number of threads",
          "[attention][efficient]") {
    const BlockPattern pattern(900, {.before = 200, .after = 10, .global = {0}});
    const Inputs x = draw(1, 3, 900, 16, 16, Dtype::float32);
    const int before = threads();
    set_threads(1);
    const auto one = both_ways(block_sparse_attention, x, pattern, {});
    set_threads(3);
    const auto three = both_ways(block_sparse_attention, x, pattern, {});
    set_threads(before);
    for (std::size_t i = 0; i < one.size(); ++i) CHECK(largest_difference(one[i], three[i]) == 0);
}

TEST_CASE("scores and bytes of a window are linear in the length", "[attention][efficient]") {
    const auto pattern = [](int64_t length) {
        return BlockPattern(length, {.before = 64, .after = 64});
    };
    // 64 to each side: three key blocks of 64, but two at the ends.
    for (int64_t length : {1024, 4096})
        CHECK(pattern(length).scores() == 3 * 64 * length - 2 * 64 * 64);
    const auto bytes = [&](int64_t length) {
        const BlockPattern made = pattern(length);
        const Inputs x = draw(1, 8, length, 16, 16, Dtype::float32);
        const std::size_t before = memory_use().in_use;
        reset_peak_memory();
        both_ways(block_sparse_attention, x, made, {});
        return static_cast<double>(memory_use().peak - before);
    };
    const double ratio = bytes(4096) / bytes(1024);
    CHECK(ratio > 3);
    CHECK(ratio < 4.5);
}

}  // namespace heed
