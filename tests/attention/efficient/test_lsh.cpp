// Attention by hashing against exact attention under the dense mask, and that mask against its rules.
#include "attention/efficient/lsh.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/scores/mask.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

void check_equal(const Tensor& qk, const Tensor& v, const LshOptions& options) {
    const auto hashed = [&](const std::vector<Tensor>& x) {
        return lsh_attention(x[0], x[1], options);
    };
    const auto dense = [&](const std::vector<Tensor>& x) {
        return lsh_definition(x[0], x[1], options).context;
    };
    CHECK(largest_difference(hashed({qk, v}), dense({qk, v})) < 1e-12);
    const auto found = gradients_of(hashed, {qk, v}), right = gradients_of(dense, {qk, v});
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(largest_difference(found[i], right[i]) < 1e-12);
}

}  // namespace

TEST_CASE("attention by hashing equals exact attention under its mask", "[attention][efficient]") {
    for (int64_t length : {1, 7, 12, 50})
        for (int64_t hashes : {1, 3})
            for (bool causal : {false, true}) {
                INFO("length " << length << " hashes " << hashes << " causal " << causal);
                const Tensor qk = numbers({2, 2, length, 4}, 1), v = numbers({2, 2, length, 3}, 2);
                LshOptions options{
                    .buckets = 4, .chunk = 3, .hashes = hashes, .causal = causal, .seed = 5};
                check_equal(qk, v, options);
                options.mask = unsqueeze(
                    padding_mask({static_cast<int>(length), static_cast<int>(length / 2)}, length),
                    1);
                check_equal(qk, v, options);
            }
}

TEST_CASE(
    "with one chunk and two hashes of everything it is exact attention without the own position",
    "[attention][efficient]") {
    // Positive multiples of one vector have the same hash.
    const Tensor base = numbers({1, 1, 1, 5}, 1), factor = exp(numbers({1, 1, 6, 1}, 2));
    const Tensor qk = base * factor, v = numbers({1, 1, 6, 2}, 3);
    const LshOptions options{.buckets = 8, .chunk = 6, .hashes = 2};
    const Tensor others = 1 - eye(6, Dtype::float64);
    CHECK(largest_difference(reshape(lsh_mask(qk, options), {6, 6}), others) == 0);
    const Tensor keys = qk / norm(qk, 2, {-1}, true);
    const Tensor exact =
        scaled_dot_product_definition(qk, keys, v, {.mask = reshape(others, {1, 1, 6, 6})}).context;
    CHECK(largest_difference(lsh_attention(qk, v, options), exact) < 1e-12);
}

TEST_CASE("who may attend to whom: the same hash, the same chunk or the one before",
          "[attention][efficient]") {
    const int64_t length = 40;
    const Tensor qk = numbers({1, 1, length, 6}, 1);
    for (bool causal : {false, true}) {
        const LshOptions options{
            .buckets = 4, .chunk = 5, .hashes = 2, .causal = causal, .seed = 3};
        const Indices hash = lsh_buckets(qk, options);  // [1, 1, 2, T]
        REQUIRE(hash.shape() == Shape{1, 1, 2, length});
        const Tensor mask = lsh_mask(qk, options);
        for (int64_t i = 0; i < length; ++i) {
            std::vector<bool> expected(length, false);
            bool others = false;
            for (int64_t j = 0; j < length; ++j)
                for (int64_t r = 0; r < 2; ++r) {
                    const auto rank = [&](int64_t p) {  // in the order by (hash, position)
                        int64_t before = 0;
                        for (int64_t o = 0; o < length; ++o)
                            before += hash.at({0, 0, r, o}) < hash.at({0, 0, r, p}) ||
                                      (hash.at({0, 0, r, o}) == hash.at({0, 0, r, p}) && o < p);
                        return before;
                    };
                    const int64_t back = rank(i) / 5 - rank(j) / 5;
                    if (j != i && hash.at({0, 0, r, i}) == hash.at({0, 0, r, j}) &&
                        (back == 0 || back == 1) && (!causal || j < i))
                        expected[j] = others = true;
                }
            expected[i] = !others;
            for (int64_t j = 0; j < length; ++j) {
                INFO(i << " to " << j);
                CHECK((mask.at({0, 0, i, j}) == 1) == expected[j]);
            }
        }
    }
}

TEST_CASE("near vectors share a bucket more often than far ones", "[attention][efficient]") {
    const Tensor x = numbers({1, 1, 1, 16}, 1), noise = numbers({1, 1, 1, 16}, 2);
    const auto shared = [&](double amount) {
        const Tensor both = concat({x, x + noise * amount}, 2);
        const Indices hash = lsh_buckets(both, {.buckets = 16, .hashes = 400});
        int same = 0;
        for (int64_t r = 0; r < 400; ++r) same += hash.at({0, 0, r, 0}) == hash.at({0, 0, r, 1});
        return same;
    };
    CHECK(shared(0) == 400);
    CHECK(shared(0.1) > shared(0.5));
    CHECK(shared(0.5) > shared(4) + 100);
}

TEST_CASE("a masked position is in nobody's context and has the context 0",
          "[attention][efficient]") {
    const Tensor qk = numbers({1, 1, 6, 4}, 1), v = numbers({1, 1, 6, 2}, 2);
    const LshOptions options{.buckets = 2, .chunk = 3, .mask = unsqueeze(padding_mask({4}, 6), 1)};
    const Tensor before = lsh_attention(qk, v, options);
    const Tensor other = concat({slice(qk, 2, 0, 4), slice(qk, 2, 4, 6) * 100}, 2);
    CHECK(largest_difference(before, lsh_attention(other, v * 1, options)) == 0);
    CHECK(max(abs(slice(before, 2, 4, 6))).item() == 0);
}

}  // namespace heed
