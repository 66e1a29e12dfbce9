// Every elementwise operation against the plain loop: one element at a time, in long double.
#include <functional>
#include <map>

#include "tests/autograd/compare.h"
#include "tests/autograd/elementwise_operations.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Real = long double;

Real phi(Real x) { return (1 + std::erf(x * std::sqrt(Real(0.5)))) / 2; }
Real logistic(Real x) { return 1 / (1 + std::exp(-x)); }

const std::map<std::string, Real (*)(Real)> unary_references{
    {"neg", [](Real x) { return -x; }},
    {"exp", [](Real x) { return std::exp(x); }},
    {"log", [](Real x) { return std::log(x); }},
    {"sqrt", [](Real x) { return std::sqrt(x); }},
    {"rsqrt", [](Real x) { return 1 / std::sqrt(x); }},
    {"square", [](Real x) { return x * x; }},
    {"pow", [](Real x) { return x * x * x; }},
    {"abs", [](Real x) { return std::abs(x); }},
    {"sign", [](Real x) { return Real((x > 0) - (x < 0)); }},
    {"sin", [](Real x) { return std::sin(x); }},
    {"cos", [](Real x) { return std::cos(x); }},
    {"tanh", [](Real x) { return std::tanh(x); }},
    {"sigmoid", logistic},
    {"relu", [](Real x) { return x > 0 ? x : 0; }},
    {"leaky_relu", [](Real x) { return x > 0 ? x : Real(0.01) * x; }},
    {"elu", [](Real x) { return x > 0 ? x : std::expm1(x); }},
    {"softplus", [](Real x) { return std::log1p(std::exp(x)); }},
    {"erf", [](Real x) { return std::erf(x); }},
    {"gelu", [](Real x) { return x * phi(x); }},
    {"gelu_tanh",
     [](Real x) {
         const Real root = std::sqrt(2 / std::acos(Real(-1)));
         return x * (1 + std::tanh(root * (x + Real(0.044715) * x * x * x))) / 2;
     }},
    {"silu", [](Real x) { return x * logistic(x); }},
    {"log1p", [](Real x) { return std::log1p(x); }},
    {"expm1", [](Real x) { return std::expm1(x); }},
    {"reciprocal", [](Real x) { return 1 / x; }},
    {"tan", [](Real x) { return std::tan(x); }},
    {"asin", [](Real x) { return std::asin(x); }},
    {"acos", [](Real x) { return std::acos(x); }},
    {"atan", [](Real x) { return std::atan(x); }},
    {"sinh", [](Real x) { return std::sinh(x); }},
    {"cosh", [](Real x) { return std::cosh(x); }},
    {"floor", [](Real x) { return std::floor(x); }},
    {"ceil", [](Real x) { return std::ceil(x); }},
    {"round", [](Real x) { return std::rint(x); }},
    {"normal_pdf",
     [](Real x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(Real(-1))); }},
    {"normal_cdf", phi},
    {"sigmoid_slope", [](Real x) { return logistic(x) * logistic(-x); }},
    {"asin_slope", [](Real x) { return 1 / std::sqrt(1 - x * x); }},
    {"log_sigmoid", [](Real x) { return std::log(logistic(x)); }},
    {"clamp", [](Real x) { return x < -1  ? -1
                                  : x > 1 ? 1
                                          : x; }},
};
const std::map<std::string, Real (*)(Real, Real)> binary_references{
    {"add", [](Real a, Real b) { return a + b; }},
    {"sub", [](Real a, Real b) { return a - b; }},
    {"mul", [](Real a, Real b) { return a * b; }},
    {"div", [](Real a, Real b) { return a / b; }},
    {"maximum", [](Real a, Real b) { return a > b ? a : b; }},
    {"minimum", [](Real a, Real b) { return a < b ? a : b; }},
    {"pow", [](Real a, Real b) { return std::pow(a, b); }},
    {"atan2", [](Real a, Real b) { return std::atan2(a, b); }},
    {"logaddexp", [](Real a, Real b) { return std::log(std::exp(a) + std::exp(b)); }},
    {"weighted", [](Real w, Real x) { return w * x; }},
};

// The expected result for one number: that of the reference. An operation without one fails its
// tests, for it must not be compared with itself.
template <class References>
auto reference(const References& references, const ListedOperation& op) {
    const auto found = references.find(op.name);
    if (found == references.end()) FAIL(op.name << " has no reference in the tables above");
    return found->second;
}
std::function<double(double)> expected_unary(const ListedOperation& op) {
    return [f = reference(unary_references, op)](double x) { return static_cast<double>(f(x)); };
}
std::function<double(double, double)> expected_binary(const ListedOperation& op) {
    return [f = reference(binary_references, op)](double a, double b) {
        return static_cast<double>(f(a, b));
    };
}

Tensor numbers_for(const ListedOperation& op, const Shape& shape, Dtype dtype, uint64_t seed = 1) {
    return draw(shape, dtype, seed, op.interval.low, op.interval.high);
}

double tolerance(Dtype dtype) { return dtype == Dtype::float32 ? 4e-6 : 1e-14; }

TEST_CASE("what an operation makes of a number does not depend on its neighbours") {
    const std::vector<double> far{1e4, 3e9, 1e30, 0, -1e5, nan_value, infinity};
    for (const ListedOperation& op : elementwise_operations()) {
        if (op.inputs != 1) continue;
        for (double number : {0.7, -0.3, 1.5, 8191.0, 8193.0, 1e30}) {
            std::vector<double> alone(17, number);
            const Tensor expected = op.apply({tensor(alone)});
            for (double neighbour : far)
                for (int at : {0, 3, 16}) {
                    std::vector<double> numbers = alone;
                    numbers[at] = neighbour;
                    const Tensor y = op.apply({tensor(numbers)});
                    for (int i = 0; i < 17; ++i) {
                        if (i == at) continue;
                        INFO(op.name << " of " << number << " beside " << neighbour);
                        CHECK(all(equal_or_nan(y[i], expected[i])).item() == 1);
                    }
                }
        }
    }
}

// f'' at x in this dtype.
double second_derivative(Tensor (*f)(const Tensor&), double x, Dtype dtype) {
    const Tensor leaf = scalar(x, dtype).set_requires_grad();
    return grad(grad(f(leaf), {leaf}, true)[0], {leaf})[0].item();
}

TEST_CASE("second derivatives keep their digits near 0 and at poles", "[grad]") {
    for (Dtype dtype : both_dtypes)
        for (double x : {1e-8, -1e-6, 1e-4, 0.01}) {
            INFO(x << " in " << name_of(dtype));
            const double t = std::tanh(x), s = logistic(x);
            const auto close_to = [&](double exact) {
                return Approx(exact).epsilon(dtype == Dtype::float32 ? 1e-5 : 1e-12).margin(0);
            };
            CHECK(second_derivative(tanh, x, dtype) == close_to(-2 * t * (1 - t * t)));
            CHECK(second_derivative(sigmoid, x, dtype) ==
                  close_to(-s * (1 - s) * std::tanh(x / 2)));
            CHECK(second_derivative(asin, x, dtype) == close_to(x / std::pow(1 - x * x, 1.5)));
            CHECK(second_derivative(acos, x, dtype) == close_to(-x / std::pow(1 - x * x, 1.5)));
            CHECK(second_derivative(atan, x, dtype) == close_to(-2 * x / std::pow(1 + x * x, 2)));
        }
    CHECK(second_derivative(asin, 1, Dtype::float32) == infinity);
    CHECK(second_derivative(asin, -1, Dtype::float32) == -infinity);
    CHECK(second_derivative(acos, 1, Dtype::float64) == -infinity);
}

TEST_CASE("unary operations equal the plain loop, for every length and layout") {
    for (const ListedOperation& op : elementwise_operations()) {
        if (op.inputs != 1) continue;
        const auto expected = expected_unary(op);
        for (Dtype dtype : both_dtypes) {
            const auto compare = [&](const Tensor& x) {
                std::vector<double> values;
                for (double number : x.to_vector()) values.push_back(expected(number));
                const Tensor y = op.apply({x});
                CHECK(y.shape() == x.shape());
                CHECK(y.is_contiguous());
                require_close(y, values, tolerance(dtype));
            };
            for (int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 67, 40001}) {
                INFO(op.name << " of " << n << " in " << name_of(dtype));
                compare(numbers_for(op, {n}, dtype));
            }
            compare(numbers_for(op, {}, dtype));
            for (const Shape& shape : {Shape{1}, Shape{2}, Shape{2, 2}, Shape{3, 5, 19}})
                for (const NamedLayout& layout : layouts_of(numbers_for(op, shape, dtype))) {
                    INFO(op.name << " of " << to_string(shape) << ", " << layout.name << ", "
                                 << name_of(dtype));
                    compare(layout.x);
                }
            compare(expand(numbers_for(op, {3, 1}, dtype), {2, 3, 35}));
        }
    }
}

TEST_CASE("binary operations equal the plain loop, for every layout and broadcast") {
    struct Pair {
        Shape a, b, result;
    };
    const Pair pairs[] = {{{}, {}, {}},
                          {{2}, {}, {2}},
                          {{1}, {2}, {2}},
                          {{3}, {1}, {3}},
                          {{2, 1}, {1, 2}, {2, 2}},
                          {{37}, {37}, {37}},
                          {{37}, {}, {37}},
                          {{}, {3, 5}, {3, 5}},
                          {{3, 35}, {35}, {3, 35}},
                          {{3, 35}, {3, 1}, {3, 35}},
                          {{3, 1}, {1, 35}, {3, 35}},
                          {{2, 1, 4, 1}, {3, 1, 17}, {2, 3, 4, 17}},
                          {{1, 1}, {1}, {1, 1}},
                          {{0, 3}, {3}, {0, 3}},
                          {{0, 1}, {1, 4}, {0, 4}}};
    for (const ListedOperation& op : elementwise_operations()) {
        if (op.inputs != 2) continue;
        const auto expected = expected_binary(op);
        const auto compare = [&](const NamedLayout& a, const NamedLayout& b, const Shape& result) {
            INFO(op.name << " of " << to_string(a.x.shape()) << " " << a.name << " and "
                         << to_string(b.x.shape()) << " " << b.name);
            const Tensor y = op.apply({a.x, b.x});
            CHECK(y.shape() == result);
            std::vector<double> values;
            each_index(result, [&](const Axes& index) {
                values.push_back(expected(at(a.x, index), at(b.x, index)));
            });
            require_close(y, values, tolerance(y.dtype()));
        };
        for (Dtype dtype : both_dtypes) {
            for (const Pair& pair : pairs)
                for (const NamedLayout& a : layouts_of(numbers_for(op, pair.a, dtype)))
                    for (const NamedLayout& b : layouts_of(numbers_for(op, pair.b, dtype, 2)))
                        compare(a, b, pair.result);
            compare({"large", numbers_for(op, {7, 1}, dtype)},
                    {"large", numbers_for(op, {7, 5300}, dtype, 2)}, {7, 5300});
        }
    }
}

TEST_CASE("the tables above hold exactly the operations of the library") {
    std::size_t unary = 0, binary = 0;
    for (const ListedOperation& op : elementwise_operations()) {
        INFO(op.name);
        CHECK(op.interval.low < op.interval.high);
        CHECK((op.inputs == 1 ? unary_references.count(op.name)
                              : binary_references.count(op.name)) == 1);
        ++(op.inputs == 1 ? unary : binary);
    }
    CHECK(unary == unary_references.size());
    CHECK(binary == binary_references.size());
}

TEST_CASE("parameters of operations are heeded") {
    const Tensor x = tensor({-2, -0.5, 0.5, 3}, Dtype::float64);
    require_close(pow(clamp(x, 0.1, 9), 0.5), sqrt(clamp(x, 0.1, 9)), 1e-15);
    require_close(pow(x, 2.0), square(x), 1e-15);
    require_close(clamp(x, -1, 0.25), {-1, -0.5, 0.25, 0.25}, 0);
    require_close(leaky_relu(x, 0.5), {-1, -0.25, 0.5, 3}, 0);
    require_close(elu(x, 2), {2 * std::expm1(-2), 2 * std::expm1(-0.5), 0.5, 3}, 1e-15);
}

TEST_CASE("pow at 0, at infinity and with the exponent 0 has the slopes of its limits", "[grad]") {
    struct Point {
        double a, b, slope_a, slope_b;
    };
    const double inf = std::numeric_limits<double>::infinity();
    const Point points[] = {{0, 2, 0, 0},          {0, 1, 1, 0},        {0, 0, 0, 0},
                            {0, 0.5, inf, 0},      {0, -1, -inf, -inf}, {inf, 2, inf, inf},
                            {inf, 1, 1, inf},      {inf, -1, -0.0, 0},  {2, 0, 0, std::log(2.0)},
                            {1e-300, 2, 2e-300, 0}};
    for (const Point& p : points) {
        INFO("pow(" << p.a << ", " << p.b << ")");
        Tensor a = scalar(p.a, Dtype::float64).set_requires_grad();
        Tensor b = scalar(p.b, Dtype::float64).set_requires_grad();
        for (bool again : {false, true}) {
            const auto d = grad(pow(a, b), {a, b}, again);
            CHECK(d[0].item() == p.slope_a);
            if (p.a != inf || p.b > 0) CHECK(d[1].item() == Approx(p.slope_b));
        }
        const Tensor d = grad(pow(a, p.b), {a})[0];
        CHECK(d.item() == p.slope_a);
    }
    // d²/dadb aᵇ at b = 0 is 1 / a.
    Tensor a = scalar(4, Dtype::float64).set_requires_grad(),
           b = scalar(0, Dtype::float64).set_requires_grad();
    CHECK(grad(grad(pow(a, b), {a}, true)[0], {b})[0].item() == Approx(0.25));
}

TEST_CASE("slopes where an input is NaN or infinite, and at a pole", "[grad]") {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    const auto slopes = [](auto f, std::vector<double> as, std::vector<double> bs, Dtype dtype) {
        Tensor a = tensor(as, dtype).set_requires_grad(), b = tensor(bs, dtype).set_requires_grad();
        const auto d = grad(f(a, b), {a, b}, false, full(a.shape(), 3.0, dtype));
        const auto again = grad(f(a, b), {a, b}, true, full(a.shape(), 3.0, dtype));
        for (int i : {0, 1}) require_close(again[i], d[i].to_vector(), 0);
        return d;
    };
    for (Dtype dtype : both_dtypes) {
        // A gradient of 0 would hide the NaN of the result.
        for (auto f : {static_cast<Tensor (*)(const Tensor&, const Tensor&)>(maximum),
                       static_cast<Tensor (*)(const Tensor&, const Tensor&)>(minimum)}) {
            const auto d = slopes(f, {nan, 1, nan, 2}, {1, nan, nan, 2}, dtype);
            require_close(d[0], {3, 3, 3, 1.5}, 0);
            require_close(d[1], {3, 3, 3, 1.5}, 0);
        }
        const auto relus =
            slopes([](const Tensor& a, const Tensor& b) { return relu(a) + relu(b); }, {nan, 0, -1},
                   {nan, 2, inf}, dtype);
        require_close(relus[0], {3, 0, 0}, 0);
        require_close(relus[1], {3, 3, 3}, 0);
        const auto elus =
            slopes([](const Tensor& a, const Tensor& b) { return elu(a, 0.5) + elu(b, 0.5); },
                   {nan, 0, -inf}, {nan, 2, inf}, dtype);
        require_close(elus[0], {3, 1.5, 0}, 0);
        require_close(elus[1], {3, 3, 3}, 0);

        // NaN to the power 0 is 1, a constant.
        const auto powers = slopes([](const Tensor& a, const Tensor& b) { return pow(a, b); },
                                   {nan, nan, 2}, {0, 2, 0}, dtype);
        require_close(powers[0], {0, nan, 0}, 0);

        // atan2: nothing overflows, 0 at the origin and at infinity, NaN for NaN.
        const auto atan2_of = [](const Tensor& a, const Tensor& b) { return atan2(a, b); };
        const auto d = slopes(atan2_of, {0, inf, 1, inf, nan, nan, nan, inf, 1, 0},
                              {0, 1, -inf, inf, 0, 1, inf, nan, nan, nan}, dtype);
        require_close(d[0], {0, 0, 0, 0, nan, nan, nan, nan, nan, nan}, 0);
        require_close(d[1], {0, 0, 0, 0, nan, nan, nan, nan, nan, nan}, 0);
        const auto far = slopes(atan2_of, {1e30, 1e-30, 0}, {1e30, 1e-30, -1e30}, dtype);
        require_close(far[0] * 1e30, {1.5, dtype == Dtype::float32 ? inf : 1.5e60, -3}, 1e-6);
        require_close(far[1] * 1e30, {-1.5, dtype == Dtype::float32 ? -inf : -1.5e60, 0}, 1e-6);
    }
}

TEST_CASE("a number may stand on either side") {
    for (Dtype dtype : both_dtypes) {
        const Tensor x = tensor({1, 2, -4}, dtype);
        require_close(x + 2, {3, 4, -2}, 0);
        require_close(2 + x, {3, 4, -2}, 0);
        require_close(x - 2, {-1, 0, -6}, 0);
        require_close(2 - x, {1, 0, 6}, 0);
        require_close(x * 2, {2, 4, -8}, 0);
        require_close(2 * x, {2, 4, -8}, 0);
        require_close(x / 2, {0.5, 1, -2}, 0);
        require_close(2 / x, {2, 1, -0.5}, 0);
        require_close(-x, {-1, -2, 4}, 0);
        require_close(maximum(x, 1.5), {1.5, 2, 1.5}, 0);
        require_close(minimum(x, 1.5), {1, 1.5, -4}, 0);
        CHECK((x + 2).dtype() == dtype);
    }
}

TEST_CASE("dividing by a number is division") {
    // 49 * (1 / 49.) is 0.9999999999999999.
    CHECK((scalar(49, Dtype::float64) / 49.0).item() == 1);
    for (int n = 1; n < 200; ++n) CHECK((full({}, n) / static_cast<double>(n)).item() == 1);
}

}  // namespace
}  // namespace heed
