// Comparisons and choices, and what happens to NaN, infinities and signed zeros on the way.
#include <limits>

#include "tests/autograd/elementwise_operations.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

TEST_CASE("comparisons give 1 and 0, as those of C++ do") {
    const std::vector<double> numbers{-infinity, -1, -0.0, 0.0, 2, infinity, nan};
    const int64_t n = static_cast<int64_t>(numbers.size());
    for (Dtype dtype : both_dtypes) {
        const Tensor a = tensor(numbers, {n, 1}, dtype), b = tensor(numbers, dtype);
        const auto table = [&](auto relation) {
            std::vector<double> values;
            for (double x : numbers)
                for (double y : numbers) values.push_back(relation(x, y));
            return values;
        };
        require_close(a < b, table([](double x, double y) { return x < y; }), 0);
        require_close(a > b, table([](double x, double y) { return x > y; }), 0);
        require_close(a <= b, table([](double x, double y) { return x <= y; }), 0);
        require_close(a >= b, table([](double x, double y) { return x >= y; }), 0);
        require_close(a == b, table([](double x, double y) { return x == y; }), 0);
        require_close(a != b, table([](double x, double y) { return x != y; }), 0);
        CHECK((a < b).dtype() == dtype);
    }
    const Tensor x = tensor({1, 2, 3});
    require_close(x < 2, {1, 0, 0}, 0);
    require_close(x > 2, {0, 0, 1}, 0);
    require_close(x <= 2, {1, 1, 0}, 0);
    require_close(x >= 2, {0, 1, 1}, 0);
    require_close(x == 2, {0, 1, 0}, 0);
    require_close(x != 2, {1, 0, 1}, 0);
}

TEST_CASE("comparisons are constants") {
    Tensor x = tensor({1, 2}).set_requires_grad();
    CHECK_FALSE((x < 2).requires_grad());
    CHECK_FALSE((x == x).requires_grad());
}

TEST_CASE("where chooses among broadcast operands") {
    for (Dtype dtype : both_dtypes)
        for (const NamedLayout& yes : layouts_of(draw({3, 20}, dtype, 1)))
            for (const NamedLayout& no : layouts_of(draw({20}, dtype, 2))) {
                const Tensor mask = draw({2, 3, 1}, dtype, 3) > 0;
                const Tensor y = where(mask, yes.x, no.x);
                REQUIRE(y.shape() == Shape{2, 3, 20});
                std::vector<double> values;
                each_index(y.shape(), [&](const Axes& index) {
                    values.push_back(at(mask, index) != 0 ? at(yes.x, index) : at(no.x, index));
                });
                require_close(y, values, 0);
            }
    const Tensor mask = tensor({1, 0, -3});
    require_close(where(mask, tensor({1, 2, 3}), 9), {1, 9, 3}, 0);
    require_close(where(mask, 9, tensor({1, 2, 3})), {9, 2, 9}, 0);
}

TEST_CASE("isnan, isinf and isfinite") {
    for (Dtype dtype : both_dtypes) {
        const Tensor x = tensor({1, nan, infinity, -infinity, 0, 1e30}, dtype);
        CHECK(isnan(x).to_vector() == std::vector<double>{0, 1, 0, 0, 0, 0});
        CHECK(isinf(x).to_vector() == std::vector<double>{0, 0, 1, 1, 0, 0});
        CHECK(isfinite(x).to_vector() == std::vector<double>{1, 0, 0, 0, 1, 1});
        CHECK(isnan(x).dtype() == dtype);
        CHECK_FALSE(isnan(tensor({1, 2}, dtype).set_requires_grad()).requires_grad());
    }
}

TEST_CASE("masks are joined whatever their dtypes; what is not 0 counts as true") {
    const Tensor a = tensor({0, 0, 2, -1}, {4}), b = tensor({0, 1e-300, 0, 5}, Dtype::float64);
    CHECK(logical_and(a, b).to_vector() == std::vector<double>{0, 0, 0, 1});
    CHECK(logical_or(a, b).to_vector() == std::vector<double>{0, 1, 1, 1});
    CHECK(logical_or(b, a).dtype() == Dtype::float64);
    CHECK(logical_not(a).to_vector() == std::vector<double>{1, 1, 0, 0});
    CHECK(mask_to_dtype(b, Dtype::float32).to_vector() == std::vector<double>{0, 1, 0, 1});
    CHECK(logical_and(a, ones({2, 1})).shape() == Shape{2, 4});
}

TEST_CASE("a mask may have another dtype than what it is used with") {
    const Tensor mask = tensor({1, 0, 1}), wide = to_dtype(mask, Dtype::float64);
    const Tensor x = draw({2, 3}), y = draw({2, 3}, Dtype::float64, 2);
    CHECK(same_bits(where(mask, x, y), where(wide, x, y)));
    CHECK(same_bits(masked_fill(x, mask, 3), masked_fill(x, wide, 3)));
    CHECK(same_bits(masked_softmax(x, mask), masked_softmax(x, wide)));
    CHECK(same_bits(masked_softmax(x, tensor({1, 0}, {2, 1}), 0),
                    masked_softmax(x, tensor({1, 0}, {2, 1}, Dtype::float64), 0)));
    Tensor leaf = clone(x).set_requires_grad();
    backward(sum(where(mask, leaf, 0.0) * y));
    require_close(leaf.grad(), where(wide, y, 0.0), 0);
}

TEST_CASE("allclose") {
    const Tensor x = tensor({1, 100, infinity, 0});
    CHECK(allclose(x, x));
    CHECK(allclose(tensor({1, 100}), tensor({1 + 5e-6, 100 - 5e-4})));
    CHECK_FALSE(allclose(tensor({1, 100}), tensor({1 + 5e-5, 100})));
    CHECK_FALSE(allclose(tensor({infinity}), tensor({1})));
    CHECK_FALSE(allclose(tensor({1}), tensor({infinity})));
    CHECK_FALSE(allclose(tensor({infinity}), tensor({-infinity})));
    CHECK_FALSE(allclose(tensor({nan}), tensor({nan})));
    CHECK(allclose(tensor({nan}), tensor({nan}), 1e-5, 1e-8, true));
    CHECK_FALSE(allclose(tensor({nan}), tensor({1}), 1e-5, 1e-8, true));
    CHECK(allclose(tensor({1, 1.4}), tensor({1}), 0, 0.5));
    CHECK(allclose(ones({2, 3}), ones({3})));
}

TEST_CASE("what where does not choose has no effect and gets gradient 0, whatever it is") {
    for (double poison : {nan, infinity, -infinity}) {
        Tensor yes = tensor({1, poison}, Dtype::float64).set_requires_grad();
        Tensor no = tensor({poison, 4}, Dtype::float64).set_requires_grad();
        const Tensor y = where(tensor({1, 0}, Dtype::float64), yes, no);
        require_close(y, {1, 4}, 0);
        backward(y, tensor({5, 6}, Dtype::float64));
        require_close(yes.grad(), {5, 0}, 0);
        require_close(no.grad(), {0, 6}, 0);
    }
}

TEST_CASE("NaN stays NaN: a diverged network must not look healthy") {
    for (Dtype dtype : both_dtypes)
        for (const ListedOperation& op : elementwise_operations()) {
            INFO(op.name << " in " << name_of(dtype));
            const Tensor bad = full({3}, nan, dtype), good = full({3}, 1.5, dtype);
            if (op.inputs == 1 && std::string(op.name) != "sign") {
                CHECK(std::isnan(op.apply({bad}).at({0})));
            } else if (op.inputs == 2) {
                CHECK(std::isnan(op.apply({bad, good}).at({0})));
                CHECK(std::isnan(op.apply({good, bad}).at({0})));
            }
        }
}

TEST_CASE("equal operands of maximum and minimum share the gradient") {
    Tensor a = tensor({1, 2, 3}, Dtype::float64).set_requires_grad();
    Tensor b = tensor({1, 3, 2}, Dtype::float64).set_requires_grad();
    backward(sum(maximum(a, b)));
    require_close(a.grad(), {0.5, 0, 1}, 0);
    require_close(b.grad(), {0.5, 1, 0}, 0);
    a.clear_grad();
    b.clear_grad();
    backward(sum(minimum(a, b)));
    require_close(a.grad(), {0.5, 1, 0}, 0);
    require_close(b.grad(), {0.5, 0, 1}, 0);
}

TEST_CASE("the sign of zero survives, broadcast or not") {
    for (Dtype dtype : both_dtypes) {
        const Tensor zero = scalar(-0.0, dtype);
        require_close(full({40}, 1, dtype) / zero, std::vector<double>(40, -infinity), 0);
        require_close(1 / full({40}, -0.0, dtype), std::vector<double>(40, -infinity), 0);
        require_close(full({40}, 1, dtype) / expand(zero, {40}), std::vector<double>(40, -infinity),
                      0);
    }
}

// Each element is right relative to itself, e^-50 as well: a tolerance that is absolute below 1
// would take 0 for it.
void require_relative(const Tensor& y, const std::vector<double>& expected, double tolerance) {
    const std::vector<double> found = y.to_vector();
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        INFO("element " << i << ": found " << found[i] << ", expected " << expected[i]);
        CHECK(std::abs(found[i] - expected[i]) <= tolerance * std::abs(expected[i]));
    }
}

TEST_CASE("stable formulas neither overflow nor lose their tails") {
    for (Dtype dtype : both_dtypes) {
        const Tensor x = tensor({-1000, -50, 50, 1000}, dtype);
        require_relative(softplus(x), {0, std::log1p(std::exp(-50.0)), 50, 1000}, 1e-6);
        require_relative(sigmoid(x), {0, std::exp(-50.0), 1, 1}, 1e-6);
        require_close(tanh(x), {-1, -1, 1, 1}, 0);
        require_relative(logaddexp(x, 0 * x), {0, std::log1p(std::exp(-50.0)), 50, 1000}, 1e-6);
        require_relative(log_sigmoid(x), {-1000, -50, -std::log1p(std::exp(-50.0)), 0}, 1e-6);
        require_close(elu(x), {-1, -1, 50, 1000}, 1e-6);
        require_close(gelu(x), {0, 0, 50, 1000}, 1e-6);
        require_close(gelu_tanh(x), {0, 0, 50, 1000}, 1e-6);
        require_relative(silu(x), {0, -50 * std::exp(-50.0), 50, 1000}, 1e-6);
        for (auto f : {softplus, sigmoid, gelu, gelu_tanh, silu}) {
            Tensor leaf = clone(x).set_requires_grad();
            backward(sum(f(leaf)));
            for (double slope : leaf.grad().to_vector()) CHECK(std::isfinite(slope));
        }
    }
}

}  // namespace
}  // namespace heed
