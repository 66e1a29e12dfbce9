#include <cmath>
#include <limits>

#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

struct Setting {
    Shape x, weight;
    Conv2dOptions options;
};

const Setting settings[] = {
    {{2, 3, 5, 6}, {4, 3, 3, 2}, {}},
    {{1, 2, 4, 4}, {3, 2, 1, 1}, {}},
    {{2, 3, 7, 5}, {2, 3, 3, 3}, {.stride = 2, .padding = 1}},
    {{1, 4, 6, 6},
     {6, 2, 2, 3},
     {.stride = {1, 2}, .padding = {0, 1}, .dilation = {2, 1}, .groups = 2}},
    {{3, 4, 5, 5}, {4, 1, 3, 3}, {.padding = 2, .groups = 4}},
    {{1, 1, 40, 33}, {16, 1, 5, 5}, {.stride = 3}},
    // Without windows: more outputs than a tile has rows, blocks of rows, groups, dilation, no padding.
    {{2, 5, 30, 41}, {17, 5, 3, 3}, {.padding = 1}},
    {{3, 6, 9, 8}, {8, 3, 3, 2}, {.padding = {2, 1}, .dilation = {2, 1}, .groups = 2}},
    {{2, 7, 11, 10}, {9, 7, 1, 1}, {}},
    {{1, 2, 6, 4}, {3, 2, 2, 2}, {.dilation = {3, 2}}},
    // A padding wider than the kernel's reach, and one wider than the image.
    {{1, 2, 5, 5}, {3, 2, 2, 2}, {.padding = 3}},
    {{1, 2, 3, 3}, {3, 2, 9, 9}, {.padding = 4}},
};

TEST_CASE("conv2d is its definition, in both dtypes and any layout", "[conv]") {
    for (const Setting& s : settings)
        for (Dtype dtype : both_dtypes) {
            const Tensor weight = draw(s.weight, dtype, 2), bias = draw({s.weight[0]}, dtype, 3);
            for (const NamedLayout& layout : layouts_of(draw(s.x, dtype))) {
                INFO(layout.name << " " << to_string(s.x) << " * " << to_string(s.weight));
                const Tensor& x = layout.x;
                require_close(conv2d(x, weight, bias, s.options),
                              conv2d_definition(x, weight, bias, s.options), 20 * rounding(dtype));
                require_close(conv2d(x, weight, {}, s.options),
                              conv2d_definition(x, weight, {}, s.options), 20 * rounding(dtype));
            }
        }
}

TEST_CASE("gradients of conv2d in float32 are those in float64", "[conv]") {
    for (const Setting& s : settings) {
        std::vector<Tensor> gradients[2];
        for (Dtype dtype : both_dtypes) {
            Tensor x = to_dtype(draw(s.x, Dtype::float32), dtype).set_requires_grad();
            Tensor w = to_dtype(draw(s.weight, Dtype::float32, 2), dtype).set_requires_grad();
            Tensor b = to_dtype(draw({s.weight[0]}, Dtype::float32, 3), dtype).set_requires_grad();
            const Tensor y = conv2d(x, w, b, s.options);
            gradients[dtype == Dtype::float64] = grad(sum(sin(y)), {x, w, b});
        }
        for (int i = 0; i < 3; ++i) {
            const Tensor exact = to_dtype(gradients[1][i], Dtype::float32);
            const double scale = std::max(1.0, max(abs(exact)).item());
            CHECK(largest_difference(gradients[0][i], exact) < 2e-5 * scale);
        }
    }
}

TEST_CASE("an infinite pixel reaches the gradients of the weights that it was multiplied by",
          "[conv]") {
    const double infinity = std::numeric_limits<double>::infinity();
    Tensor x = draw({1, 1, 4, 5});
    x.edit<double>()[5] = infinity;  // the first pixel of row 1: only taps in column 0 meet it
    const Tensor w = draw({2, 1, 2, 3}, Dtype::float64, 2).set_requires_grad();
    const Tensor dw = grad(sum(conv2d(x, w)), {w})[0];
    for (int64_t o = 0; o < 2; ++o)
        for (int64_t i = 0; i < 2; ++i)
            for (int64_t j = 0; j < 3; ++j) {
                INFO("output " << o << ", tap " << i << ", " << j);
                CHECK((dw.at({o, 0, i, j}) == infinity) == (j == 0));
                CHECK(std::isfinite(dw.at({o, 0, i, j})) == (j != 0));
            }
}

TEST_CASE("an infinite weight reaches the gradients of the pixels that it was multiplied by",
          "[conv]") {
    const double infinity = std::numeric_limits<double>::infinity();
    Tensor w = draw({1, 1, 2, 3}, Dtype::float64, 2);
    w.edit<double>()[2] = infinity;  // tap (0, 2): pixels in columns 2 to 4 of rows 0 to 2
    const Tensor x = draw({1, 1, 4, 5}).set_requires_grad();
    const Tensor dx = grad(sum(conv2d(x, w)), {x})[0];
    for (int64_t h = 0; h < 4; ++h)
        for (int64_t l = 0; l < 5; ++l) {
            INFO("pixel " << h << ", " << l);
            CHECK((dx.at({0, 0, h, l}) == infinity) == (h < 3 && l >= 2));
            CHECK(std::isfinite(dx.at({0, 0, h, l})) == !(h < 3 && l >= 2));
        }
}

TEST_CASE("conv2d has the same bits with any number of threads", "[conv]") {
    const Tensor x = draw({5, 6, 40, 37}, Dtype::float32),
                 w = draw({9, 6, 3, 3}, Dtype::float32, 2);
    std::vector<Tensor> all[2];
    const int before = threads();
    for (int several : {0, 1}) {
        set_threads(several ? 3 : 1);
        Tensor a = clone(x).set_requires_grad(), b = clone(w).set_requires_grad();
        const Tensor y = conv2d(a, b, {}, {.padding = 1});
        all[several] = grad(sum(y * y), {a, b});
        all[several].push_back(detach(y));
    }
    set_threads(before);
    for (int i = 0; i < 3; ++i) CHECK(all[0][i].to_vector() == all[1][i].to_vector());
}

TEST_CASE("conv1d is conv2d on an image one pixel high", "[conv]") {
    const Tensor x = draw({2, 4, 9}), w = draw({6, 2, 3}, Dtype::float64, 2), b = draw({6});
    const Conv1dOptions options{.stride = 2, .padding = 2, .dilation = 2, .groups = 2};
    const Tensor y = conv1d(x, w, b, options);
    CHECK(y.shape() == Shape{2, 6, 5});
    const Tensor expected =
        conv2d_definition(unsqueeze(x, 2), unsqueeze(w, 2), b,
                          {.stride = {1, 2}, .padding = {0, 2}, .dilation = {1, 2}, .groups = 2});
    CHECK(largest_difference(unsqueeze(y, 2), expected) < 1e-13);
}

TEST_CASE("sliding windows copy nothing without padding, and add_windows is their adjoint",
          "[conv]") {
    const Tensor x = draw({1, 2, 4, 5});
    const Windows2d w{{3, 2}, {1, 2}, {1, 0}, {1, 2}};
    CHECK(sliding_windows(x, {2}).data<double>() == x.data<double>());
    CHECK(sliding_windows(x, {2}).shape() == Shape{1, 2, 2, 2, 3, 4});
    CHECK(sliding_windows(x, {2}).at({0, 1, 1, 0, 2, 3}) == x.at({0, 1, 3, 3}));

    // <windows(x), y> = <x, add_windows(y)>
    const Tensor windows = sliding_windows(x, w), y = draw(windows.shape(), Dtype::float64, 7);
    CHECK(sum(windows * y).item() == Approx(sum(x * add_windows(y, {4, 5}, w)).item()));
}

TEST_CASE("pooling takes the largest or the mean of each window", "[conv]") {
    const Tensor x = reshape(arange(16), {1, 1, 4, 4});
    CHECK(max_pool2d(x, 2).to_vector() == std::vector<double>{5, 7, 13, 15});
    CHECK(avg_pool2d(x, 2).to_vector() == std::vector<double>{2.5, 4.5, 10.5, 12.5});
    CHECK(max_pool2d(x, 2, {.stride = {2, 1}}).to_vector() ==
          std::vector<double>{5, 6, 7, 13, 14, 15});
    // Padding is less than every number for the largest, and 0 for the mean.
    CHECK(max_pool2d(-x - 1.0, 3, {.stride = 3, .padding = 1}).to_vector() ==
          std::vector<double>{-1, -3, -9, -11});
    CHECK(avg_pool2d(x, 3, {.stride = 3, .padding = 1}).at({0, 0, 0, 0}) == Approx(10.0 / 9));
    CHECK(adaptive_avg_pool2d(x, 1).to_vector() == std::vector<double>{7.5});
    CHECK(adaptive_avg_pool2d(x, {1, 2}).to_vector() == std::vector<double>{6.5, 8.5});
    CHECK(max_pool1d(reshape(arange(6), {1, 1, 6}), 2).to_vector() == std::vector<double>{1, 3, 5});
    CHECK(avg_pool1d(reshape(arange(6), {1, 1, 6}), 3).to_vector() == std::vector<double>{1, 4});
    CHECK(adaptive_avg_pool1d(reshape(arange(6), {1, 1, 6}), 2).to_vector() ==
          std::vector<double>{1, 4});
}

TEST_CASE("max_pool2d gives the gradient to the first of equal elements, and passes NaN on",
          "[conv]") {
    Tensor x = ones({1, 1, 2, 4}).set_requires_grad();
    backward(sum(max_pool2d(x, 2)));
    CHECK(x.grad().to_vector() == std::vector<double>{1, 0, 1, 0, 0, 0, 0, 0});
    CHECK(std::isnan(max_pool2d(tensor({1, nan_value, 3, 2}, {1, 1, 2, 2}), 2).item()));
}

TEST_CASE("convolution and pooling refuse what does not fit", "[conv][errors]") {
    const Tensor x = zeros({2, 4, 5, 6});
    CHECK(error_of([&] {
              conv2d(zeros({4, 5, 6}), zeros({1, 4, 3, 3}));
          }) == "conv2d: expected x [B, C, H, W], got [4, 5, 6]");
    CHECK(error_of([&] {
              conv2d(x, zeros({1, 3, 3, 3}));
          }) ==
          "conv2d: x [2, 4, 5, 6] has 4 channels, but weights [1, 3, 3, 3] in 1 group(s) take 3");
    CHECK(error_of([&] {
              conv2d(x, zeros({3, 2, 3, 3}), {}, {.groups = 2});
          }) == "conv2d: 4 input and 3 output channels cannot be divided into 2 groups");
    CHECK(error_of([&] {
              conv2d(x, zeros({1, 4, 3, 3}), zeros({2}));
          }) == "conv2d: expected a bias of shape [1], got [2]");
    CHECK(error_of([&] {
              conv2d(x, zeros({1, 4, 6, 3}));
          }) ==
          "conv2d: a kernel of 6 x 3 (dilation 1 x 1) does not fit into an image of 5 x 6 with a "
          "padding of 0 x 0");
    CHECK(error_of([&] {
              conv2d(x, zeros({1, 4, 3, 3}), {}, {.stride = 0});
          }) == "conv2d: expected a stride of at least 1, got 0 x 0");
    CHECK(error_of([&] {
              conv2d(x, zeros({1, 4, 3, 3}), {}, {.padding = {0, -1}});
          }) == "conv2d: the padding cannot be negative, got 0 x -1");
    CHECK(error_of([&] {
              conv1d(zeros({2, 3}), zeros({1, 3, 2}));
          }) == "conv1d: expected x [B, C, T], got [2, 3]");
    CHECK(error_of([&] {
              conv1d(zeros({2, 3, 9}), zeros({1, 2, 2}));
          }) == "conv1d: x [2, 3, 9] has 3 channels, but weights [1, 2, 2] in 1 group(s) take 2");
    CHECK(error_of([&] {
              sliding_windows(zeros({3, 3}), {2});
          }) == "sliding_windows: expected [B, C, H, W], got [3, 3]");
    CHECK(error_of([&] {
              add_windows(zeros({1, 1, 2, 2, 3, 3}), {5, 4}, {2});
          }) ==
          "add_windows: an image of 5 x 4 has windows [B, C, 2, 2, 4, 3], got [1, 1, 2, 2, 3, 3]");
    CHECK(error_of([&] { max_pool2d(x, 2, {.padding = 2}); }) ==
          "max_pool2d: the padding 2 x 2 must be between 0 and half the kernel, 2 x 2");
    CHECK(error_of([&] {
              avg_pool2d(zeros({5, 6}), 2);
          }) == "avg_pool2d: expected [B, C, H, W], got [5, 6]");
    CHECK(error_of([&] { max_pool1d(x, 2); }) ==
          "max_pool1d: expected [B, C, T], got [2, 4, 5, 6]");
    CHECK(error_of([&] { adaptive_avg_pool2d(x, 2); }) ==
          "adaptive_avg_pool2d: an image of 5 x 6 cannot be divided into 2 x 2 equal parts");
}

}  // namespace
}  // namespace heed
