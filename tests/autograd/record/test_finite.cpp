// The finite check: HEED_CHECK=finite, FiniteCheck, and the training loop.
#include <limits>

#include "attention/attention.h"
#include "autograd/record/finite.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan_value = std::nan("");

Tensor leaf(std::vector<double> values) {
    return tensor(values, Dtype::float64).set_requires_grad();
}

TEST_CASE("the first operation that makes a bad number is named, with what led to it", "[finite]") {
    const FiniteCheck on;
    const Tensor x = leaf({1, 2, 3});
    const Tensor h = x - 1.0;
    CHECK(error_of([&] { return sum(log(h * 2.0)); }) ==
          "finite check: 'log' gave -inf at [0] of its result [3]\n"
          "  input 0: the result of 'mul' of shape [3], from 0 to 4\n"
          "    computed by 'mul' [3] <- 'sub' [3] <- leaf [3]");
    CHECK(error_of([&] { return x / h; }) ==
          "finite check: 'div' gave inf at [0] of its result [3]\n"
          "  input 0: a leaf of shape [3], from 1 to 3\n"
          "  input 1: the result of 'sub' of shape [3], from 0 to 2\n"
          "    computed by 'sub' [3] <- leaf [3]");
    CHECK_THROWS_AS(sqrt(x - 2.0), NotFinite);
    CHECK_THROWS_WITH(exp(x * 1000.0), ContainsSubstring("'exp' gave inf at [0]"));
    CHECK_THROWS_WITH(to_dtype(x * 1e39, Dtype::float32), ContainsSubstring("'to_dtype' gave inf"));
    NoGrad no_grad;  // what is not recorded is checked too
    CHECK_THROWS_WITH(log(h), ContainsSubstring("'log' gave -inf at [0]"));
    CHECK_THROWS_WITH(matmul(full({2, 2}, 1e38), full({2, 2}, 10)),
                      ContainsSubstring("'matmul' gave inf"));
}

TEST_CASE("a NaN of a parameter is traced to it, one of the data is let through", "[finite]") {
    const FiniteCheck on;
    const Tensor x = leaf({1, nan_value, 3}), w = leaf({1, 2, 3});
    CHECK(error_of([&] { return w * x; }) ==
          "finite check: 'mul' gave nan at [1] of its result [3]; no operation made it: it came "
          "with the numbers of input 1\n"
          "  input 0: a leaf of shape [3], from 1 to 3\n"
          "  input 1: a leaf of shape [3], which holds NaN");
    CHECK_NOTHROW(where(x == x, x, 0.0));  // NaN is left out here
    const Tensor data = tensor({1, nan_value, 3}, Dtype::float64);
    CHECK_NOTHROW(sum(where(isnan(data), 0.0, w * data)));
    // It excuses NaN, and no infinity that the operation makes elsewhere.
    CHECK(error_of([&] {
              return data / leaf({1, 1, 0});
          })
              .starts_with(
                  "finite check: 'div' gave inf at [2] of its result [3]\n  input 0: a constant"));
    CHECK_THROWS_WITH(grad(sum(where(isnan(data), 0.0, w * data)), {w}),  // 0 times NaN
                      ContainsSubstring("backward pass of 'mul' gave nan at [1]"));
}

TEST_CASE("infinities that were asked for are no errors", "[finite]") {
    const FiniteCheck on;
    const Tensor x = leaf({1, 2, 3}), mask = tensor({1, 0, 1}, Dtype::float64);
    const Tensor bias = tensor({0, -infinity, 0}, Dtype::float64);
    for (const Tensor& scores :
         {masked_fill(x, mask == 0.0, -infinity), x + bias, where(mask, x, -infinity)}) {
        require_close(softmax(scores), {1 / (1 + std::exp(2)), 0, 1 / (1 + std::exp(-2))}, 1e-15);
        CHECK_NOTHROW(grad(softmax(scores)[0], {x}));
        CHECK_NOTHROW(grad(logsumexp(scores), {x}, true));
        CHECK_THROWS_WITH(scores - scores, ContainsSubstring("'sub' gave nan at [1]"));
    }
    CHECK(pad(x, 0, 1, 0, -infinity).at({0}) == -infinity);
    CHECK_NOTHROW(masked_softmax(x, zeros({3})));
    CHECK_NOTHROW(x < infinity);
    const Tensor nothing = full({2}, -infinity, Dtype::float64);
    CHECK(logsumexp(nothing).item() == -infinity);  // passes through log(0)
    CHECK_NOTHROW(stddev(x * 0.0));
    CHECK_NOTHROW(norm(x * 0.0));
    {
        const FiniteCheck off(false);
        CHECK(log(x - 1.0).at({0}) == -infinity);
    }
    CHECK_THROWS_AS(log(x - 1.0), NotFinite);
}

TEST_CASE("a bad gradient is named with the operations it came through", "[finite]") {
    const FiniteCheck on;
    const Tensor x = leaf({1, 2, 3});
    const std::string text =
        "finite check: the backward pass of 'sqrt' gave inf at [0] of the gradient of its input, "
        "'sub' [3], from a finite gradient of its result [3]\n"
        "  input 0 of 'sqrt': 'sub' [3] <- leaf [3]\n"
        "  the gradient came through: 'sum' [] -> 'mul' [3] -> 'sqrt' [3]";
    const auto loss = [&] { return sum(sqrt(x - 1.0) * 2.0); };
    CHECK(error_of([&] { grad(loss(), {x}); }) == text);
    CHECK(error_of([&] { grad(loss(), {x}, true); }) == text);
    CHECK(error_of([&] { backward(loss()); }) == text);
    CHECK_FALSE(x.grad().defined());

    // A sum of gradients that overflows, and sums in place.
    const Tensor zero = zeros({2}).set_requires_grad();
    const auto twice = [&](const Tensor& y) { return sum(y * 3e38) + sum(y * 3e38); };
    CHECK_THROWS_WITH(grad(twice(zero), {zero}),
                      ContainsSubstring("backward pass of 'mul' gave inf at [0]"));
    CHECK_THROWS_WITH(grad(twice(zero[0]) + twice(zero[0]), {zero}),
                      ContainsSubstring("gave inf at []"));
    const auto slices = [&](const Tensor& y) { return sum(y[0] * 3e38) + sum(y[0] * 3e38); };
    CHECK_THROWS_WITH(grad(slices(zero), {zero}),
                      ContainsSubstring("backward pass of 'select' gave inf at [0]"));
    // A pass that starts with an infinity is the caller's wish.
    CHECK_NOTHROW(grad(x * 2.0, {x}, false, full({3}, infinity, Dtype::float64)));
}

TEST_CASE("without the check nothing is refused", "[finite]") {
    const FiniteCheck off(false);
    const Tensor x = leaf({0, 1});
    CHECK(grad(sum(sqrt(x)), {x})[0].at({0}) == infinity);
    CHECK(std::isnan((log(x) * 0.0).at({0})));
}

TEST_CASE("all numbers are looked at, in whatever layout", "[finite]") {
    const FiniteCheck off(false);
    for (Dtype dtype : both_dtypes)
        for (double bad : {nan_value, infinity, -infinity})
            for (const auto& [name, layout] : layouts_of(draw({3, 5}, dtype))) {
                INFO(name);
                const Tensor x = layout;  // Clang before 16 captures no name of a binding
                CHECK(all_finite(x));
                Tensor changed = x;
                with_dtype(dtype, [&]<class T>(T) {
                    for (int64_t i = 0; i < x.numel(); ++i) {
                        T& number =
                            changed.edit<T>()[i / 5 * x.strides()[0] + i % 5 * x.strides()[1]];
                        const T before = std::exchange(number, static_cast<T>(bad));
                        CHECK_FALSE(all_finite(x));
                        number = before;
                    }
                });
            }
    // Of the numbers behind a view only its own count, and all of them.
    Tensor rows = zeros({4, 2});
    const Tensor first = transpose(slice(rows, 0, 0, 2)), last = transpose(slice(rows, 0, 2, 4));
    rows.edit<float>()[5] = std::numeric_limits<float>::infinity();
    CHECK(all_finite(first));
    CHECK_FALSE(all_finite(last));
    Tensor large = zeros({200000});  // several threads' work
    CHECK(all_finite(large));
    for (int64_t i : {0, 32767, 32768, 199999}) {
        large.edit<float>()[i] = std::numeric_limits<float>::infinity();
        CHECK_FALSE(all_finite(large));
        large.edit<float>()[i] = std::numeric_limits<float>::max();
    }
    CHECK(all_finite(large));
}

// The check must not refuse what is right: whole models, with masks and padding, forward, backward and
// twice differentiated.
TEST_CASE("healthy models pass the check", "[finite]") {
    const FiniteCheck on;
    Rng rng(1);
    const Indices source({1, 2, 3, 4, 0, 0}, {2, 3}), target({1, 2, 3, 1, 2, 0}, {2, 3});
    const Transformer transformer({.source_vocabulary = 5,
                                   .target_vocabulary = 5,
                                   .stack = {.width = 8, .heads = 2, .layers = 2}},
                                  rng);
    CHECK_NOTHROW(backward(sum(square(transformer(source, {3, 1}, target).logits))));
    const EncoderDecoder recurrent(
        {.source_vocabulary = 5, .target_vocabulary = 5, .embedding = 3, .hidden = 4}, rng);
    CHECK_NOTHROW(backward(sum(square(recurrent(source, {3, 1}, target).logits))));
    const LanguageModel gpt_model({.vocabulary = 5, .stack = {.width = 8, .heads = 2}}, rng);
    const Tensor loss = sequence_cross_entropy(gpt_model(source), target, 0);
    CHECK_NOTHROW(grad(sum(square(grad(loss, {gpt_model.embedding.weight}, true)[0])),
                       {gpt_model.embedding.weight}));
}

}  // namespace
}  // namespace heed
