#include <cstring>

#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

Tensor as_float(const Tensor& x) { return to_dtype(x, Dtype::float32); }

// Random zeros and ones.
Tensor random_mask(const Shape& shape, uint64_t seed) {
    Rng rng(seed);
    return bernoulli(shape, 0.6, rng, Dtype::float64);
}

// The bits of a float tensor, made with the given number of threads.
template <class F>
std::vector<uint32_t> bits_with(int thread_count, const F& f) {
    const int before = threads();
    set_threads(thread_count);
    const Tensor y = contiguous(f());
    set_threads(before);
    std::vector<uint32_t> bits(y.numel());
    std::memcpy(bits.data(), y.data<float>(), bits.size() * 4);
    return bits;
}

}  // namespace

TEST_CASE("softmax and log_softmax are their definitions along every axis", "[grad]") {
    for (const Shape& shape : {Shape{5}, Shape{3, 1}, Shape{2, 3, 4}, Shape{2, 19}, Shape{17, 2}})
        for (int axis = -1; axis < shape.count; ++axis) {
            const std::vector<Tensor> x{numbers(shape)};
            CAPTURE(shape.count, axis);
            check_against([&](const auto& in) { return softmax(in[0], axis); },
                          [&](const auto& in) { return softmax_definition(in[0], axis); }, x);
            check_against([&](const auto& in) { return log_softmax(in[0], axis); },
                          [&](const auto& in) { return log_softmax_definition(in[0], axis); }, x);
        }
}

TEST_CASE("softmax of strided inputs", "[grad]") {
    const Tensor base = numbers({4, 5, 6});
    for (const Tensor& x : {transpose(base), slice(base, 2, 1, 6, 2), permute(base, {2, 0, 1}),
                            expand(numbers({4, 1, 6}), {4, 5, 6}), expand(numbers({4, 1}), {4, 7})})
        for (int axis = -1; axis < x.dim() - 1; ++axis) {
            CAPTURE(x.shape().count, axis);
            CHECK(largest_difference(softmax(x, axis), softmax_definition(clone(x), axis)) < 1e-14);
            CHECK(largest_difference(log_softmax(x, axis), log_softmax_definition(clone(x), axis)) <
                  1e-14);
        }
    check_against([](const auto& in) { return softmax(transpose(in[0]), 0); },
                  [](const auto& in) { return softmax_definition(transpose(in[0]), 0); },
                  {numbers({3, 4})});
}

TEST_CASE("softmax in float32: rows sum to 1, nothing overflows") {
    Rng rng(3);
    const Tensor x = normal({37, 203}, 0, 30, rng) + 1000.0;
    const Tensor y = softmax(x);
    CHECK(largest_difference(sum(y, -1), ones({37})) < 1e-6);
    CHECK(largest_difference(y, as_float(softmax(to_dtype(x, Dtype::float64)))) < 1e-6);
    CHECK(largest_difference(log_softmax(x), as_float(log_softmax(to_dtype(x, Dtype::float64)))) <
          1e-4);
    CHECK(softmax(tensor({0, -infinity, 0})).to_vector() == std::vector<double>{0.5, 0, 0.5});
    CHECK(std::isnan(softmax(tensor({0, nan_value, 0})).at({2})));
}

TEST_CASE("masked_softmax is its definition, for all ways in which the mask broadcasts", "[grad]") {
    const Shape shape{2, 3, 4, 5};
    const Tensor x = numbers(shape);
    const std::vector<Tensor> masks{random_mask(shape, 1),
                                    random_mask({4, 5}, 2),
                                    random_mask({2, 1, 1, 5}, 3),
                                    random_mask({3, 4, 1}, 4),
                                    random_mask({5}, 5),
                                    random_mask({}, 6),
                                    transpose(random_mask({5, 4}, 7)),
                                    slice(random_mask({4, 10}, 8), 1, 0, 10, 2),
                                    expand(random_mask({2, 1, 4, 1}, 9), shape)};
    for (const Tensor& mask : masks)
        for (int axis = 0; axis < 4; ++axis) {
            CAPTURE(mask.shape().count, axis);
            const Tensor y = masked_softmax(x, mask, axis);
            CHECK(largest_difference(y, masked_softmax_definition(x, mask, axis)) < 1e-14);
            CHECK(largest_difference(y * expand(mask, shape), y) == 0);
        }
    for (const Tensor& mask : {random_mask({2, 3, 5}, 1), random_mask({3, 1}, 2)})
        for (int axis : {-1, 1})
            check_against(
                [&](const auto& in) { return masked_softmax(in[0], mask, axis); },
                [&](const auto& in) { return masked_softmax_definition(in[0], mask, axis); },
                {numbers({2, 3, 5})});
}

TEST_CASE("what is masked has weight 0 and gradient 0, whatever is in it", "[grad]") {
    const Tensor mask = tensor({1, 0, 1, 0, 0, 0}, {2, 3}, Dtype::float64);
    for (double strange : {nan_value, infinity, -infinity, 1e300}) {
        const Tensor x = tensor({1, strange, 2, strange, strange, strange}, {2, 3}, Dtype::float64);
        for (const bool again : {false, true}) {
            Tensor leaf = clone(x).set_requires_grad();
            const Tensor y = masked_softmax(leaf, mask);
            // A gradient that is itself not finite where the mask is 0.
            const Tensor g = tensor({1, strange, 3, strange, 1, strange}, {2, 3}, Dtype::float64);
            const Tensor dx = grad(y, {leaf}, again, g)[0];
            const double e = std::exp(1.0), p = 1 / (1 + e);
            CHECK(y.at({0, 0}) == Approx(p));
            CHECK(dx.at({0, 0}) == Approx(p * (1 - (p + 3 * (1 - p)))));
            for (int i = 0; i < 6; ++i)
                if (mask.to_vector()[i] == 0) {
                    CHECK(y.to_vector()[i] == 0);
                    CHECK(dx.to_vector()[i] == 0);
                }
        }
    }
    // With nothing masked it is softmax; a NaN that is not masked is not hidden.
    const Tensor x = numbers({3, 9});
    CHECK(largest_difference(masked_softmax(x, ones({9}, Dtype::float64)), softmax(x)) == 0);
    CHECK(std::isnan(masked_softmax(tensor({nan_value, 1}), tensor({1, 0})).at({0})));
}

TEST_CASE("fused kernels give the same bits with any number of threads") {
    Rng rng(4);
    const Tensor x = normal({300, 257}, 0, 1, rng), scale = normal({257}, 1, 1, rng);
    std::vector<int> labels(300);
    for (int& label : labels) label = static_cast<int>(rng.below(257));
    const Indices ids(labels);
    const auto gradient = [&](const auto& f) {
        return [&, f] { return gradients_of([&](const auto& in) { return f(in[0]); }, {x})[0]; };
    };
    const auto same = [](const auto& f) { return bits_with(1, f) == bits_with(2, f); };
    CHECK(same(gradient([](const Tensor& in) { return softmax(in); })));
    CHECK(same(gradient([&](const Tensor& in) { return cross_entropy(in, ids); })));
    CHECK(same(gradient([&](const Tensor& in) { return layer_norm(in, scale); })));
    CHECK(same(gradient([&](const Tensor& in) { return embedding(in, ids); })));
    CHECK(same([&] {
        return gradients_of([&](const auto& in) { return layer_norm(x, in[0]); }, {scale})[0];
    }));
}

TEST_CASE("a large common offset costs no digits, with create_graph neither") {
    Rng rng(9);
    const Tensor exact = normal({4, 7}, 0, 1, rng, Dtype::float64);
    const Indices labels({0, 3, 6, 2});
    for (double offset : {0.0, 1e3, 1e4}) {
        // What float32 keeps of the logits, in both dtypes.
        const Tensor x = as_float(exact + offset), same = to_dtype(x, Dtype::float64);
        for (bool again : {false, true}) {
            INFO("offset " << offset << (again ? ", create_graph" : ""));
            const auto gradient = [&](const Tensor& at, auto f) {
                Tensor leaf = clone(at).set_requires_grad();
                return to_dtype(grad(sum(f(leaf)), {leaf}, again)[0], Dtype::float64);
            };
            const auto loss = [&](const Tensor& z) { return cross_entropy(z, labels); };
            const auto sum_of_logs = [](const Tensor& z) {
                return square(logsumexp(z, -1) * 1e-4);
            };
            CHECK(largest_difference(gradient(x, loss), gradient(same, loss)) < 3e-7);
            CHECK(largest_difference(gradient(x, sum_of_logs), gradient(same, sum_of_logs)) < 3e-7);
        }
        CHECK(largest_difference(to_dtype(log_softmax_definition(x), Dtype::float64),
                                 log_softmax(same)) < 2e-6);
    }
}

TEST_CASE("softmax says what is wrong", "[errors]") {
    const Tensor x = numbers({2, 3});
    CHECK_THROWS_WITH(softmax(x, 2), ContainsSubstring("softmax: there is no axis 2"));
    CHECK_THROWS_WITH(softmax(Tensor()), ContainsSubstring("not defined"));
    CHECK_THROWS_WITH(masked_softmax(x, ones({2}, Dtype::float64)),
                      ContainsSubstring("[2]") && ContainsSubstring("[2, 3]"));
}
