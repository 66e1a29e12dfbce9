#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("layer_norm is its definition, with and without scale and shift", "[grad]") {
    for (const Shape& shape : {Shape{5}, Shape{4, 3}, Shape{2, 3, 19}, Shape{40, 2}}) {
        const int64_t n = shape.back();
        const std::vector<Tensor> all{numbers(shape, 1), numbers({n}, 2), numbers({n}, 3)};
        CAPTURE(shape.count, n);
        check_against([](const auto& in) { return layer_norm(in[0], in[1], in[2]); },
                      [](const auto& in) { return layer_norm_definition(in[0], in[1], in[2]); },
                      all);
        check_against([](const auto& in) { return layer_norm(in[0], in[1]); },
                      [](const auto& in) { return layer_norm_definition(in[0], in[1]); },
                      {all[0], all[1]});
        check_against([](const auto& in) { return layer_norm(in[0], {}, in[1], 0.5); },
                      [](const auto& in) { return layer_norm_definition(in[0], {}, in[1], 0.5); },
                      {all[0], all[2]});
        check_against([](const auto& in) { return layer_norm(in[0]); },
                      [](const auto& in) { return layer_norm_definition(in[0]); }, {all[0]});
    }
}

TEST_CASE("layer_norm of strided inputs", "[grad]") {
    const Tensor scale = slice(numbers({12}, 2), 0, 0, 12, 3), shift = numbers({4}, 3);
    for (const Tensor& x : {transpose(numbers({4, 5})), slice(numbers({5, 8}), 1, 0, 8, 2),
                            permute(numbers({3, 4, 5}), {0, 2, 1})})
        check_against([](const auto& in) { return layer_norm(in[0], in[1], in[2]); },
                      [](const auto& in) { return layer_norm_definition(in[0], in[1], in[2]); },
                      {x, scale, shift});
}

TEST_CASE("layer_norm over many rows: sums over rows agree with the definition", "[grad]") {
    const std::vector<Tensor> in{numbers({1000, 33}, 1), numbers({33}, 2), numbers({33}, 3)};
    const auto fast = gradients_of([](const auto& x) { return layer_norm(x[0], x[1], x[2]); }, in);
    const auto plain =
        gradients_of([](const auto& x) { return layer_norm_definition(x[0], x[1], x[2]); }, in);
    for (int i = 0; i < 3; ++i) CHECK(largest_difference(fast[i], plain[i]) < 1e-12);
}

TEST_CASE("layer_norm in float32 keeps its digits far from zero") {
    Rng rng(5);
    const Tensor x = normal({9, 130}, 1000, 1, rng);
    const Tensor y = layer_norm(x);
    CHECK(largest_difference(y, to_dtype(layer_norm(to_dtype(x, Dtype::float64)), Dtype::float32)) <
          2e-4);
    CHECK(largest_difference(mean(square(y), -1), ones({9})) < 1e-4);
}

TEST_CASE("layer_norm says what is wrong", "[errors]") {
    const Tensor x = numbers({2, 3});
    CHECK_THROWS_WITH(layer_norm(x, numbers({2})), ContainsSubstring("scale must have shape [3]") &&
                                                       ContainsSubstring("got [2]"));
    CHECK_THROWS_WITH(layer_norm(x, {}, numbers({1, 3})), ContainsSubstring("shift"));
    CHECK_THROWS_WITH(layer_norm(x, ones({3})), ContainsSubstring("do not mix"));
    CHECK_THROWS_WITH(layer_norm(scalar(1)), ContainsSubstring("shape []"));
}

TEST_CASE("layer norm: a row of equal numbers becomes zeros, however large they are",
          "[layer_norm]") {
    for (double number : {0.1, 1000.1, 100000.1, -3e7, 1e30})
        for (int64_t width : {5, 64, 768}) {
            INFO(number << ", " << width << " of them");
            CHECK(max(abs(layer_norm(full({2, width}, number)))).item() == 0);
        }
}
