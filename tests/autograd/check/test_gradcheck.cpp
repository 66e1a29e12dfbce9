// The gradient check itself: it passes what is right, over the whole library and to second order, and
// catches each of the usual mistakes, planted here.
#include "autograd/ops/elementwise.h"
#include "tests/autograd/oracle.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using Xs = std::vector<Tensor>;

void check_all(int order) {
    int checked = 0;
    for (const Case& one : all_cases()) {
        if (order > one.highest_order) continue;
        ++checked;
        const GradcheckReport report = gradcheck(one.f, one.inputs, {.order = order});
        if (!report.pass) FAIL_CHECK(one.name << ": " << to_string(report));
    }
    CHECK(checked > 100);
}

TEST_CASE("every gradient of the library is right", "[grad]") { check_all(1); }
TEST_CASE("every gradient of a gradient of the library is right", "[grad]") { check_all(2); }

TEST_CASE("the cases hold enough: a hundred at least, none twice", "[grad]") {
    const std::vector<Case> cases = all_cases();
    CHECK(cases.size() > 100);
    for (std::size_t i = 1; i < cases.size(); ++i) CHECK(cases[i - 1].name != cases[i].name);
}

// An operation with the value of f and a rule of the test's own.
template <class F, class Rule>
DifferentiableFunction planted(F f, Rule rule) {
    return [=](const Xs& x) {
        return record("planted", f(detach(x[0])), x[0], [x = x[0], rule](const Tensor& g) {
            return rule(g, x);
        });
    };
}
Tensor square_value(const Tensor& x) { return x * x; }
Tensor softmax_value(const Tensor& x) { return softmax(x); }
Tensor sin_value(const Tensor& x) { return sin(x); }

bool passes(const DifferentiableFunction& f, const Shape& shape, int order = 1) {
    return gradcheck(f, {draw(shape)}, {.order = order}).pass;
}

TEST_CASE("what is right passes, small and large, at both orders", "[grad]") {
    const auto right = planted(square_value, [](const Tensor& g, const Tensor& x) { return 2 * g * x; });
    for (int order : {1, 2})
        for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3, 4}, Shape{20, 30}})
            CHECK(passes(right, shape, order));
}

TEST_CASE("a softmax without gradient passes the check of a plain sum, but not ours", "[grad]") {
    const auto blind = planted(softmax_value, [](const Tensor& g, const Tensor&) { return g * 0.0; });
    const auto plain_sum = [&](const Xs& x) { return sum(blind(x)); };
    CHECK(passes(plain_sum, {3, 4}));
    CHECK_FALSE(passes(blind, {3, 4}));
    CHECK_FALSE(passes(blind, {30, 40}));  // along random directions too
}

TEST_CASE("planted mistakes are caught", "[grad]") {
    const auto caught = [](const DifferentiableFunction& f, const Shape& shape) {
        return !passes(f, shape);
    };
    SECTION("a wrong sign") {
        const auto f = planted(sin_value, [](const Tensor& g, const Tensor& x) { return -g * cos(x); });
        CHECK(caught(f, {3}));
        CHECK(caught(f, {300}));
    }
    SECTION("a missing factor") {
        CHECK(caught(planted(square_value, [](const Tensor& g, const Tensor& x) { return g * x; }), {3}));
    }
    SECTION("a factor that is nearly right") {
        const auto f =
            planted(square_value, [](const Tensor& g, const Tensor& x) { return 2.000001 * g * x; });
        CHECK(caught(f, {3}));
    }
    SECTION("one wrong element among many") {
        const auto f = planted(square_value, [](const Tensor& g, const Tensor& x) {
            const Tensor at_77 = tensor([] {
                std::vector<double> one(100);
                one[77] = 1;
                return one;
            }(), Dtype::float64);
            return 2 * g * x + 0.01 * at_77;
        });
        CHECK(caught(f, {100}));
    }
    SECTION("a sum over a broadcast axis forgotten") {
        const auto f = planted([](const Tensor& x) { return expand(x, {4, 3}); },
                               [](const Tensor& g, const Tensor&) { return select(g, 0, 0); });
        CHECK(caught(f, {3}));
    }
    SECTION("a transposition forgotten, which the shapes of square matrices hide") {
        const auto f = [](const Xs& x) {
            return record("planted", matmul(detach(x[0]), detach(x[1])),  //
                          x[0], [b = x[1]](const Tensor& g) { return matmul(g, b); },
                          x[1], [a = x[0]](const Tensor& g) { return matmul(transpose(a), g); });
        };
        const GradcheckReport report = gradcheck(f, {draw({3, 3}), draw({3, 3}, Dtype::float64, 2)});
        CHECK_FALSE(report.pass);
        CHECK(report.input == 0);
    }
    SECTION("a gradient that overwrites instead of adding") {
        const auto f = planted([](const Tensor& x) { return concat({x, 2 * x}, 0); },
                               [](const Tensor& g, const Tensor&) { return slice(g, 0, 0, 3); });
        CHECK(caught(f, {3}));
    }
    SECTION("NaN") {
        CHECK(caught(planted(square_value, [](const Tensor& g, const Tensor&) { return g / 0.0 * 0.0; }),
                     {3}));
    }
    SECTION("a gradient where there is none") {
        CHECK(caught(planted([](const Tensor& x) { return ones_like(x); },
                             [](const Tensor& g, const Tensor&) { return g; }),
                     {3}));
    }
    SECTION("a detach in the middle") {
        CHECK(caught([](const Xs& x) { return x[0] * detach(x[0]); }, {3}));
    }
}

TEST_CASE("a mistake in the second order only is caught by order 2", "[grad]") {
    const auto f = planted(square_value, [](const Tensor& g, const Tensor& x) {
        return 2 * g * detach(x);  // a right number, but a constant
    });
    CHECK(passes(f, {3}, 1));
    CHECK_FALSE(passes(f, {3}, 2));
    CHECK_FALSE(passes(f, {10, 10}, 2));
}

TEST_CASE("the report says where, and both numbers", "[grad]") {
    const auto f = [](const Xs& x) {
        const auto wrong = planted([](const Tensor& t) { return 3 * t; },
                                   [](const Tensor& g, const Tensor&) {
                                       return g * tensor({3, 3, 5}, Dtype::float64);
                                   });
        return x[0] + wrong({x[1]});
    };
    const GradcheckReport report = gradcheck(f, {draw({3}), draw({3}, Dtype::float64, 2)});
    CHECK_FALSE(report.pass);
    CHECK(report.input == 1);
    CHECK(report.index == 2);
    CHECK(report.analytic / report.numeric == Approx(5.0 / 3));
    CHECK_THAT(to_string(report), ContainsSubstring("FAIL order 1"));
    CHECK_THAT(to_string(report), ContainsSubstring("input 1, element 2: backward says"));
}

TEST_CASE("the inputs are left as they were", "[grad]") {
    Tensor x = draw({2, 3});
    const Tensor before = clone(x);
    x.set_requires_grad();
    gradcheck([](const Xs& in) { return exp(in[0]); }, {x}, {.order = 2});
    CHECK(same_bits(x, before));
    CHECK_FALSE(x.grad().defined());
    const Tensor constant = draw({2});
    gradcheck([](const Xs& in) { return exp(in[0]); }, {constant});
    CHECK_FALSE(constant.requires_grad());
}

// y = x eˣ          dy/dx = eˣ (1 + x)
struct XExp {
    static constexpr auto name = "x_exp";
    template <class T> T value(T x) const { return x * exp(x); }
    static constexpr auto saved = Saved::input;
    template <class T> T slope(T g, T x) const { return g * exp(x) * (1 + x); }
};

// y = √(a² + b²)          dy/da = a / y          dy/db = b / y
struct Hypot {
    static constexpr auto name = "hypot";
    template <class T> T value(T a, T b) const { return sqrt(a * a + b * b); }
    static constexpr auto saved_a = Saved::a | Saved::result;
    template <class T> T slope_a(T g, T a, T y) const { return g * a / y; }
    static constexpr auto saved_b = Saved::b | Saved::result;
    template <class T> T slope_b(T g, T b, T y) const { return g * b / y; }
};

TEST_CASE("an operation of one's own is one struct", "[grad]") {
    const Tensor x = draw({2, 35}, Dtype::float32);
    std::vector<double> expected;
    for (double v : x.to_vector()) expected.push_back(v * std::exp(v));
    require_close(elementwise(XExp{}, x), expected, 2e-6);
    for (int order : {1, 2}) {
        CHECK(passes([](const Xs& in) { return elementwise(XExp{}, in[0]); }, {2, 3}, order));
        const GradcheckReport report =
            gradcheck([](const Xs& in) { return elementwise(Hypot{}, in[0], in[1]); },
                      {draw({2, 3}, Dtype::float64, 1, 1, 2), draw({3}, Dtype::float64, 2, 1, 2)},
                      {.order = order});
        CHECK(report.pass);
    }
}

}  // namespace
}  // namespace heed
