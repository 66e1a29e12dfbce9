#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("cross_entropy is its definition, with every option", "[grad]") {
    const Tensor logits = numbers({2, 3, 19});
    const Indices labels({4, 18, 0, -100, 7, 7}, {2, 3});
    for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
        for (const double smoothing : {0.0, 0.1, 1.0})
            for (const int ignored : {-100, 7}) {
                const CrossEntropyOptions options{smoothing, ignored, reduction};
                const Indices used = ignored == 7 ? Indices({4, 18, 0, 3, 7, 7}, {2, 3}) : labels;
                CAPTURE(static_cast<int>(reduction), smoothing, ignored);
                check_against(
                    [&](const auto& x) { return cross_entropy(x[0], used, options); },
                    [&](const auto& x) { return cross_entropy_definition(x[0], used, options); },
                    {logits});
                CHECK(largest_difference(
                          cross_entropy(transpose(permute(logits, {2, 0, 1}), 0, 2),
                                        Indices({4, 18, 0, 3, 7, 7}, {3, 2}), options),
                          cross_entropy_definition(clone(permute(logits, {1, 0, 2})),
                                                   Indices({4, 18, 0, 3, 7, 7}, {3, 2}), options)) <
                      1e-12);
            }
}

TEST_CASE("cross_entropy by hand") {
    // Uniform logits: ln C, whatever the label and the smoothing.
    const Tensor even = zeros({4, 8}, Dtype::float64);
    CHECK(cross_entropy(even, {0, 3, 5, 7}).item() == Approx(std::log(8.0)));
    CHECK(cross_entropy(even, {0, 3, 5, 7}, {.smoothing = 0.3}).item() == Approx(std::log(8.0)));
    CHECK(cross_entropy(even, {0, -100, 5, -100}, {.reduction = Reduction::sum}).item() ==
          Approx(2 * std::log(8.0)));

    // One row without axes before the classes.
    CHECK(cross_entropy(tensor({0, std::log(3.0)}), Indices(std::vector<int>{1}, Shape{})).item() ==
          Approx(-std::log(0.75)));

    // A class ruled out costs nothing, without smoothing; large logits do not overflow.
    CHECK(cross_entropy(tensor({-infinity, 0, 0}, {1, 3}), {1}).item() == Approx(std::log(2.0)));
    CHECK(cross_entropy(tensor({1000, 0, -1000}, {1, 3}), {1}).item() == Approx(1000));
}

TEST_CASE("rows that do not count give no loss and no gradient, whatever is in them", "[grad]") {
    Tensor logits = tensor({1, 2, nan_value, infinity}, {2, 2}).set_requires_grad();
    const Tensor loss = cross_entropy(logits, {0, -100});
    CHECK(loss.item() == Approx(std::log(1 + std::exp(1.0))));
    backward(loss);
    CHECK(logits.grad().at({1, 0}) == 0);
    CHECK(logits.grad().at({1, 1}) == 0);
    CHECK(logits.grad().at({0, 0}) == Approx(-logits.grad().at({0, 1})));

    Tensor none = numbers({2, 3}).set_requires_grad();
    const Tensor zero = cross_entropy(none, {-100, -100});
    CHECK(zero.item() == 0);
    backward(zero);
    CHECK(largest_difference(none.grad(), zeros_like(none)) == 0);
}

TEST_CASE("cross_entropy in float32 over a large vocabulary") {
    Rng rng(2);
    const Tensor x = normal({7, 30011}, 0, 3, rng);
    const Indices labels({0, 30010, 17, 4242, -100, 29999, 5});
    for (const double smoothing : {0.0, 0.1}) {
        const auto f = [&](const auto& in) {
            return cross_entropy(in[0], labels, {.smoothing = smoothing});
        };
        const Tensor exact = to_dtype(x, Dtype::float64);
        CHECK(f(std::vector{x}).item() == Approx(f(std::vector{exact}).item()).epsilon(1e-6));
        CHECK(largest_difference(to_dtype(gradients_of(f, {x})[0], Dtype::float64),
                                 gradients_of(f, {exact})[0]) < 1e-6);
    }
}

TEST_CASE("cross_entropy says what is wrong", "[errors]") {
    const Tensor logits = numbers({2, 2, 5});
    CHECK_THROWS_WITH(cross_entropy(logits, Indices({0, 1, 2, 5}, {2, 2})),
                      ContainsSubstring("label 5 at [1, 1] is outside [0, 5)"));
    CHECK_THROWS_WITH(cross_entropy(logits, Indices({0, -1, 2, 4}, {2, 2})),
                      ContainsSubstring("label -1 at [0, 1]") && ContainsSubstring("-100"));
    CHECK_THROWS_WITH(cross_entropy(logits, {0, 1, 2, 4}),
                      ContainsSubstring("[2, 2]") && ContainsSubstring("got [4]"));
    CHECK_THROWS_WITH(cross_entropy(logits, Indices({0, 1, 2, 4}, {2, 2}), {.smoothing = 1.5}),
                      ContainsSubstring("smoothing"));
}
