// Interpolation: what holds for any weights that interpolate, and numbers worked by hand.
// tests/parity holds it against PyTorch.
#include "autograd/autograd.h"
#include "nn/layers/interpolate.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("interpolation weights sum to 1, and the same size gives the identity", "[nn]") {
    for (const Interpolation kind : {Interpolation::bilinear, Interpolation::bicubic})
        for (const int64_t from : {1, 2, 5})
            for (const int64_t to : {1, 3, 5, 8}) {
                const Tensor r = interpolation_weights(from, to, kind, Dtype::float64);
                CHECK(largest_difference(sum(r, 1), ones({to}, Dtype::float64)) < 1e-12);
                // The picture is mirrored when its pixels are.
                CHECK(largest_difference(flip(flip(r, 0), 1), r) < 1e-12);
                if (from == to) CHECK(largest_difference(r, eye(from, Dtype::float64)) < 1e-12);
            }
}

TEST_CASE("bilinear interpolation by hand, and of a straight line", "[nn]") {
    // Twice as large: the centres are at -1/4, 1/4, 3/4, 5/4 of the two pixels.
    const Tensor y = interpolate(tensor({0, 1}, {1, 2}, Dtype::float64), {1, 4});
    CHECK(largest_difference(y, tensor({0, 0.25, 0.75, 1}, {1, 4}, Dtype::float64)) < 1e-12);
    // Half as large: the mean of two pixels.
    const Tensor half = interpolate(tensor({1, 3, 5, 9}, {1, 4}, Dtype::float64), {1, 2});
    CHECK(largest_difference(half, tensor({2, 7}, {1, 2}, Dtype::float64)) < 1e-12);
    // Away from the edges it continues a straight line.
    const Tensor longer = interpolate(unsqueeze(arange(8, Dtype::float64), 0), {1, 16});
    for (int64_t i = 1; i < 15; ++i)
        CHECK(longer.at({0, i}) == Approx((static_cast<double>(i) + 0.5) / 2 - 0.5));
}

TEST_CASE("bicubic interpolation by hand", "[nn]") {
    // Half as many pixels: each centre is half-way between two pixels, at the distances 3/2, 1/2,
    // 1/2 and 3/2 of four. Keys' polynomials give -3/32 and 19/32.
    const Tensor r = interpolation_weights(8, 4, Interpolation::bicubic, Dtype::float64);
    const Tensor row = tensor({0, -3, 19, 19, -3, 0, 0, 0}, Dtype::float64) / 32.0;
    CHECK(largest_difference(select(r, 0, 1), row) < 1e-12);
    // Beyond the edge there are copies of the first pixel: -3 + 19 of it.
    const Tensor first = tensor({16, 19, -3, 0, 0, 0, 0, 0}, Dtype::float64) / 32.0;
    CHECK(largest_difference(select(r, 0, 0), first) < 1e-12);
}

TEST_CASE("interpolate works on both axes and on any axes before them", "[nn]") {
    const Tensor x = numbers({2, 3, 4, 5});
    const Tensor y = interpolate(x, {6, 3}, Interpolation::bicubic);
    REQUIRE((y.shape() == Shape{2, 3, 6, 3}));
    const Tensor one = select(select(x, 0, 1), 0, 2);
    const Tensor in_turn = interpolate(interpolate(one, {6, 5}, Interpolation::bicubic), {6, 3},
                                       Interpolation::bicubic);
    CHECK(largest_difference(select(select(y, 0, 1), 0, 2), in_turn) < 1e-12);
    CHECK_THROWS_WITH(interpolate(x, {0, 3}),
                      ContainsSubstring("height is 0; expected a positive number"));
    CHECK_THROWS_WITH(interpolate(tensor({1, 2}), 3), ContainsSubstring("[..., H, W]"));
    CHECK_THROWS_WITH(interpolation_weights(0, 3, Interpolation::bilinear),
                      ContainsSubstring("from is 0"));
}
