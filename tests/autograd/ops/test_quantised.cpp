// Weights of 8 and 4 bits: the numbers of the blocks, computed by hand, and the kernel against plain
// loops, for every format and number of tokens.
#include <cmath>
#include <cstring>
#include <vector>

#include "autograd/base/half.h"
#include "autograd/base/parallel.h"
#include "autograd/kernels/quantised.h"
#include "autograd/ops/product/quantised_matrix.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

constexpr BlockFormat formats[] = {BlockFormat::q8_0, BlockFormat::q4_0, BlockFormat::q4_1};

Tensor some_weights(int64_t out, int64_t in, uint64_t seed) {
    Rng rng(seed);
    return normal({out, in}, 0, 1, rng);
}

TEST_CASE("half-precision numbers") {
    CHECK(from_half(0x3c00) == 1.0f);
    CHECK(from_half(0xc000) == -2.0f);
    CHECK(from_half(0x7bff) == 65504.0f);
    CHECK(from_half(0x0001) == std::ldexp(1.0f, -24));
    CHECK(std::signbit(from_half(0x8000)));
    CHECK(from_half(0xfc00) == -std::numeric_limits<float>::infinity());
    CHECK(std::isnan(from_half(0x7c01)));
    CHECK(to_half(1.0f / 3) == 0x3555);
    CHECK(to_half(65519.0f) == 0x7bff);
    CHECK(to_half(65520.0f) == 0x7c00);
    CHECK(to_half(1 + std::ldexp(1.0f, -11)) == 0x3c00);  // between two, the even one
    CHECK(to_half(1 + std::ldexp(3.0f, -11)) == 0x3c02);
    CHECK(to_half(std::ldexp(1.5f, -25)) == 0x0001);
    CHECK(to_half(std::ldexp(1.0f, -25)) == 0);
    CHECK((to_half(nan_value) & 0x7c00) == 0x7c00);
    CHECK((to_half(nan_value) & 0x3ff) != 0);
    for (int half = 0; half < 0x10000; ++half)  // there and back, all but NaN
        if ((half & 0x7fff) <= 0x7c00 && to_half(from_half(static_cast<uint16_t>(half))) != half)
            FAIL("half " << half);
}

// A group whose largest weight is 12.7, so that one step of 8 bits is 0.1.
TEST_CASE("a block of each format, by hand") {
    std::vector<float> w(32, 0.0f);
    w[0] = 12.7f, w[1] = -0.31f, w[17] = 0.04f, w[31] = -6.0f;

    BlockQ8_0 eight;
    eight.quantise(w.data());
    CHECK(eight.scale == to_half(0.1f));
    CHECK(eight.q[0] == 127);
    CHECK(eight.q[1] == -3);
    CHECK(eight.q[17] == 0);
    CHECK(eight.q[31] == -60);
    CHECK(eight.weight(31) == from_half(to_half(0.1f)) * -60);

    BlockQ4_0 four;  // d = 12.7 / -8: 12.7 is -8 steps of it, and -6 is 3.78
    four.quantise(w.data());
    CHECK(four.scale == to_half(-12.7f / 8));
    CHECK(four.q[0] == 0);
    CHECK(four.q[1] == 8);
    CHECK(four.q[31] == 12);
    CHECK(four.q.of[0] == (0 | 8 << 4));    // numbers 0 and 16
    CHECK(four.q.of[15] == (8 | 12 << 4));  // numbers 15 and 31
    CHECK(four.weight(31) == from_half(four.scale) * 4);

    BlockQ4_1 from_minimum;  // m = -6, d = 18.7 / 15: 12.7 is 15 steps above m, 0 is 4.8 steps
    from_minimum.quantise(w.data());
    CHECK(from_minimum.minimum == to_half(-6.0f));
    CHECK(from_minimum.scale == to_half(18.7f / 15));
    CHECK(from_minimum.q[0] == 15);
    CHECK(from_minimum.q[16] == 5);
    CHECK(from_minimum.q[31] == 0);
    CHECK(from_minimum.weight(31) == -6.0f);
}

TEST_CASE("a block of equal weights, and of zeros") {
    for (BlockFormat format : formats)
        for (double value : {0.0, 0.5, -3.0}) {
            INFO(name_of(format) << " of " << value);
            const Tensor w = full({2, 64}, value), back = dequantise(quantise(w, format));
            CHECK(largest_difference(back, w) <= 1e-3 * std::abs(value));
        }
}

// The error is at most half a step, and a step is that of the group: the large weight of one group
// leaves the others as they are.
TEST_CASE("the error of a weight is half a step of its own group") {
    Tensor w = some_weights(5, 96, 3);
    w.edit<float>()[40] = 1000;  // in the second group of the first row
    for (BlockFormat format : formats) {
        const Tensor back = dequantise(quantise(w, format));
        const float* x = w.data<float>();
        const float* y = back.data<float>();
        for (int64_t group = 0; group < w.numel(); group += 32) {
            double low = 0, high = 0, error = 0;
            for (int64_t i = group; i < group + 32; ++i) {
                low = std::min<double>(low, x[i]), high = std::max<double>(high, x[i]);
                error = std::max<double>(error, std::abs(x[i] - y[i]));
            }
            const double largest = std::max(high, -low);
            const double half_step = format == BlockFormat::q8_0   ? largest / 254
                                     : format == BlockFormat::q4_0 ? largest / 8
                                                                   : (high - low) / 30;
            INFO(name_of(format) << ", group " << group);
            CHECK(error <= half_step + 2e-3 * largest);
            CHECK((group == 32) == (error > 1));
        }
    }
}

TEST_CASE("the quantised product equals plain loops") {
    struct QuantisedSizes {
        int64_t tokens, in, out;
    };
    for (const auto& [tokens, in, out] :
         {QuantisedSizes{1, 32, 1}, QuantisedSizes{1, 96, 7}, QuantisedSizes{2, 64, 5},
          QuantisedSizes{3, 256, 33}, QuantisedSizes{4, 32, 6}, QuantisedSizes{5, 64, 130},
          QuantisedSizes{8, 96, 9}, QuantisedSizes{9, 64, 259}, QuantisedSizes{20, 32, 3}})
        for (BlockFormat format : formats)
            for (bool with_bias : {false, true}) {
                INFO(name_of(format) << ", " << tokens << " tokens, " << in << " -> " << out);
                Rng rng(7);
                const QuantisedMatrix w = quantise(some_weights(out, in, 5), format);
                const Tensor x = normal({tokens, in}, 0, 1, rng), b = normal({out}, 0, 1, rng);
                Tensor plain = zeros({tokens, out});
                with_block(format, [&]<class Block>(Block) {
                    quantised_product_definition(
                        reinterpret_cast<const Block*>(w.data()), tokens, in, out, x.data<float>(),
                        with_bias ? b.data<float>() : nullptr, plain.edit<float>());
                });
                const Tensor bias = with_bias ? b : Tensor();
                CHECK(largest_difference(linear(x, w, bias), plain) < 1e-5 * std::sqrt(in));
                CHECK(largest_difference(linear_definition(x, w, bias), plain) <
                      1e-5 * std::sqrt(in));
            }
}

// A token's sums are the same alone, with others, and with any number of threads.
TEST_CASE("the quantised product has the same bits for any batch and threads") {
    Rng rng(1);
    const Tensor x = normal({8, 512}, 0, 1, rng);
    for (BlockFormat format : formats) {
        const QuantisedMatrix w = quantise(some_weights(301, 512, 5), format);
        const Tensor together = linear(x, w), many = linear(concat({x, x}, 0), w);
        for (int64_t t = 0; t < 8; ++t)
            CHECK(largest_difference(linear(slice(x, 0, t, t + 1), w),
                                     slice(together, 0, t, t + 1)) == 0);
        const int before = threads();
        for (int count : {1, 2, 5}) {
            set_threads(count);
            CHECK(largest_difference(linear(x, w), together) == 0);
            CHECK(largest_difference(linear(concat({x, x}, 0), w), many) == 0);
        }
        set_threads(before);
    }
}

TEST_CASE("a quantised matrix takes the blocks of a file as they are") {
    const QuantisedMatrix made = quantise(some_weights(3, 64, 9), BlockFormat::q4_1);
    CHECK(made.bytes() == 3 * 2 * 20);
    CHECK(bytes_of_blocks(BlockFormat::q8_0, 3, 64) == 3 * 2 * 34);
    const std::vector<unsigned char> blocks(made.data(), made.data() + made.bytes());
    const QuantisedMatrix read(BlockFormat::q4_1, 3, 64, blocks);
    CHECK(largest_difference(dequantise(read), dequantise(made)) == 0);
}

TEST_CASE("a table of embeddings in blocks gives the rows of the same table as floats") {
    Rng rng(1);
    const QuantisedMatrix w = quantise(normal({5, 64}, 0, 1, rng), BlockFormat::q4_1);
    const Indices ids({4, 0, 4, 2}, {2, 2});
    CHECK(embedding(w, ids).to_vector() == embedding(dequantise(w), ids).to_vector());
    CHECK_THROWS_WITH(embedding(w, Indices({5})),
                      "embedding: the index 5 is outside a table of 5 rows");
}

// With float64 it is the definition; the gradients of x and b are right.
TEST_CASE("the gradients of a quantised product", "[grad]") {
    for (BlockFormat format : formats) {
        const QuantisedMatrix w = quantise(some_weights(3, 64, 2), format);
        const GradcheckReport report =
            gradcheck([&](const std::vector<Tensor>& in) { return tanh(linear(in[0], w, in[1])); },
                      {numbers({2, 64}) * 0.1, numbers({3}, 2)}, {.order = 2});
        INFO(to_string(report));
        CHECK(report.pass);

        // The rule of the kernel, which is that of float32.
        const Tensor x = to_dtype(numbers({2, 64}), Dtype::float32).set_requires_grad(),
                     b = to_dtype(numbers({3}), Dtype::float32).set_requires_grad();
        const auto fast = grad(weighed(linear(x, w, b)), {x, b}),
                   plain = grad(weighed(linear_definition(x, w, b)), {x, b});
        for (int i : {0, 1}) CHECK(largest_difference(fast[i], plain[i]) < 1e-5);
    }
}

}  // namespace
}  // namespace heed
