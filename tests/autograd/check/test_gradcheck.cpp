// The gradient check itself: it passes what is right, over the whole library and to second order, and
// catches each of the usual mistakes, planted here.
#include <set>
#include <string>

#include "autograd/ops/elementwise/elementwise.h"
#include "tests/autograd/oracle.h"
#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using Xs = std::vector<Tensor>;

TEST_CASE("every gradient of the library is right, and every gradient of a gradient", "[grad]") {
    int checked = 0;
    std::set<std::string> seen;  // functions
    for (const Case& one : all_cases()) {
        ++checked;
        // Sanitizers take twenty times as long: with them, only one small case of each function is
        // checked to order 2.
        const std::string function = one.name.substr(0, one.name.find_first_of(" ,"));
        const bool full = !sanitized || (!is_large(one) && seen.insert(function).second);
        const int order = full ? 2 : 1;
        const GradcheckReport report = check_case(one, order);
        if (!report.pass) FAIL_CHECK(one.name << ": " << to_string(report));
        CHECK(static_cast<int>(report.orders.size()) == std::min(order, one.highest_order));
    }
    CHECK(checked > 100);
}

TEST_CASE("the cases hold enough: a hundred at least, none twice", "[grad]") {
    const std::vector<Case> cases = all_cases();
    CHECK(cases.size() > 1100);
    for (std::size_t i = 1; i < cases.size(); ++i) CHECK(cases[i - 1].name != cases[i].name);
}

// An operation with the value of f and a rule of the test's own.
template <class F, class Rule>
DifferentiableFunction planted(F f, Rule rule) {
    return [=](const Xs& x) {
        return record("planted", f(detach(x[0])), x[0],
                      [x = x[0], rule](const Tensor& g) { return rule(g, x); });
    };
}
Tensor square_value(const Tensor& x) { return x * x; }
Tensor softmax_value(const Tensor& x) { return softmax(x); }
Tensor sin_value(const Tensor& x) { return sin(x); }

bool passes(const DifferentiableFunction& f, const Shape& shape, int order = 1) {
    return gradcheck(f, {draw(shape)}, {.order = order}).pass;
}

TEST_CASE("what is right passes, small and large, at both orders", "[grad]") {
    const auto right =
        planted(square_value, [](const Tensor& g, const Tensor& x) { return 2 * g * x; });
    for (int order : {1, 2})
        for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3, 4}, Shape{20, 30}})
            CHECK(passes(right, shape, order));
}

TEST_CASE("a softmax without gradient passes the check of a plain sum, but not ours", "[grad]") {
    const auto blind =
        planted(softmax_value, [](const Tensor& g, const Tensor&) { return g * 0.0; });
    const auto plain_sum = [&](const Xs& x) { return sum(blind(x)); };
    CHECK(gradcheck(plain_sum, {draw({3, 4})}, {.floor = 0}).pass);
    CHECK(gradcheck(plain_sum, {draw({3, 4})}).hollow == std::vector<int>{0});
    CHECK_FALSE(passes(blind, {3, 4}));
    CHECK_FALSE(passes(blind, {30, 40}));  // along random directions too
}

TEST_CASE("the plainest gradient check tells right from wrong", "[grad]") {
    const Tensor x = draw({2, 3});
    CHECK(gradcheck_definition([](const Tensor& v) { return sum(tanh(v) * v); }, x) < 1e-9);
    const auto wrong = [](const Tensor& v) {
        return sum(record("cube", detach(v * v * v), v,
                          [=](const Tensor& g) { return g * v * v; }));  // 3 v² would be right
    };
    CHECK(gradcheck_definition(wrong, x) > 0.01);
}

TEST_CASE("planted mistakes are caught", "[grad]") {
    const auto caught = [](const DifferentiableFunction& f, const Shape& shape) {
        return !passes(f, shape);
    };
    SECTION("a wrong sign") {
        const auto f =
            planted(sin_value, [](const Tensor& g, const Tensor& x) { return -g * cos(x); });
        CHECK(caught(f, {3}));
        CHECK(caught(f, {300}));
    }
    SECTION("a missing factor") {
        CHECK(caught(planted(square_value, [](const Tensor& g, const Tensor& x) { return g * x; }),
                     {3}));
    }
    SECTION("a factor that is nearly right") {
        const auto f = planted(square_value,
                               [](const Tensor& g, const Tensor& x) { return 2.000001 * g * x; });
        CHECK(caught(f, {3}));
    }
    SECTION("one wrong element among many") {
        const auto f = planted(square_value, [](const Tensor& g, const Tensor& x) {
            const Tensor at_77 = tensor(
                [] {
                    std::vector<double> one(100);
                    one[77] = 1;
                    return one;
                }(),
                Dtype::float64);
            return 2 * g * x + 0.01 * at_77;
        });
        CHECK(caught(f, {100}));
    }
    SECTION("a sum over a broadcast axis forgotten") {
        const auto f = planted(
            [](const Tensor& x) {
                return expand(x, {4, 3});
            },
            [](const Tensor& g, const Tensor&) { return select(g, 0, 0); });
        CHECK(caught(f, {3}));
    }
    SECTION("a transposition forgotten, which the shapes of square matrices hide") {
        const auto f = [](const Xs& x) {
            return record(
                "planted", matmul(detach(x[0]), detach(x[1])),  //
                x[0], [b = x[1]](const Tensor& g) { return matmul(g, b); }, x[1],
                [a = x[0]](const Tensor& g) { return matmul(transpose(a), g); });
        };
        const GradcheckReport report =
            gradcheck(f, {draw({3, 3}), draw({3, 3}, Dtype::float64, 2)});
        CHECK_FALSE(report.pass);
        CHECK(report.input == 0);
    }
    SECTION("a gradient that overwrites instead of adding") {
        const auto f = planted(
            [](const Tensor& x) {
                return concat({x, 2 * x}, 0);
            },
            [](const Tensor& g, const Tensor&) { return slice(g, 0, 0, 3); });
        CHECK(caught(f, {3}));
    }
    SECTION("NaN") {
        CHECK(caught(
            planted(square_value, [](const Tensor& g, const Tensor&) { return g / 0.0 * 0.0; }),
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

// y = x sin x          dy/dx = sin x, which forgets x cos x
struct ForgottenTerm {
    static constexpr auto name = "x_sin_x";
    template <class T>
    T value(T x) const {
        return x * sin(x);
    }
    static constexpr auto saved = Saved::input;
    template <class T>
    T slope(T g, T x) const {
        return g * sin(x);
    }
};

TEST_CASE("order 2 checks order 1 as well: a wrong gradient with the right gradient of its own",
          "[grad]") {
    const auto f = [](const Xs& x) { return elementwise(ForgottenTerm{}, x[0]); };
    for (const Shape& shape : {Shape{}, Shape{3, 4}, Shape{30, 40}}) {
        const GradcheckReport report = gradcheck(f, {draw(shape)}, {.order = 2});
        CHECK_FALSE(report.pass);
        REQUIRE(report.orders.size() == 2);
        CHECK_FALSE(report.orders[0].pass);
        CHECK(report.order == 1);
        CHECK(report.operation == "x_sin_x");
        CHECK_THAT(to_string(report), ContainsSubstring("FAIL order 1 of x_sin_x"));
    }
    // The whole call of the README: one line for each order.
    const auto right = [](const Xs& x) { return x[0] * sin(x[0]); };
    const std::string text = to_string(gradcheck(right, {draw({3, 4})}, {.order = 3}));
    for (const char* line : {"pass order 1: ", "\npass order 2: ", "\npass order 3: "})
        CHECK_THAT(text, ContainsSubstring(line));
}

TEST_CASE("a rule that takes its g for a constant is caught by order 2", "[grad]") {
    const auto f = planted(square_value, [](const Tensor& g, const Tensor& x) {
        return 2 * detach(g) * x;  // right as long as nothing is done with y but a weighed sum
    });
    CHECK(passes(f, {3}, 1));
    CHECK_FALSE(passes(f, {3}, 2));
    CHECK_FALSE(passes(f, {10, 10}, 2));
}

TEST_CASE("a fused kernel whose definition is another function is caught by order 2", "[grad]") {
    // y = x², but the definition has a linear term more: another gradient, the same second one. With a
    // sum that has no term in y², order 2 would find both right.
    const auto f = [](const Xs& x) {
        return record_fused(
            "planted", square_value(detach(x[0])), std::array{x[0]},
            [](const Tensor& t) { return t * t + 0.1 * t; },
            [x = detach(x[0])](const Tensor& g) { return std::array{2 * g * x}; });
    };
    const GradcheckReport report = gradcheck(f, {draw({3})}, {.order = 2});
    CHECK(report.orders[0].pass);
    CHECK_FALSE(report.orders[1].pass);
    CHECK(report.orders[1].recorded_error > 1e-3);
    CHECK_THAT(to_string(report),
               ContainsSubstring("the gradient that is recorded (create_graph)"));
}

TEST_CASE("an error is relative to the gradient, however small that is", "[grad]") {
    for (double size : {1e-9, 1e-4, 1.0, 1e6})
        for (double factor : {2.0, 2.00001}) {
            const auto f =
                planted([=](const Tensor& x) { return size * x * x; },
                        [=](const Tensor& g, const Tensor& x) { return size * factor * g * x; });
            CHECK(passes(f, {3}) == (factor == 2));
            CHECK(passes(f, {300}) == (factor == 2));
        }
}

TEST_CASE("a small element of a gradient is checked as well as a large one beside it", "[grad]") {
    for (double large : {1e3, 1e8}) {
        const Tensor factors = tensor({large, 1}, Dtype::float64);
        const Tensor hidden = tensor({0, 1}, Dtype::float64);  // this half of y has no gradient
        const auto f = [=](const auto& x) { return x[0] * factors + detach(x[0]) * hidden; };
        const GradcheckReport report = gradcheck(f, {tensor({0.7, 0.3}, Dtype::float64)});
        CHECK_FALSE(report.pass);
        CHECK(report.index == 1);
    }
}

TEST_CASE("a check that proves nothing fails", "[grad]") {
    const auto second = [](const Xs& x) { return exp(x[1]); };
    const Xs inputs{draw({3}), draw({3}, Dtype::float64, 2)};
    SECTION("the output does not depend on an input") {
        const GradcheckReport report = gradcheck(second, inputs, {.order = 2});
        CHECK_FALSE(report.pass);
        CHECK(report.hollow == std::vector<int>{0});
        CHECK_THAT(to_string(report), ContainsSubstring("input 0 is hollow: its largest gradient "
                                                        "is 0 of the output"));
        CHECK_THAT(to_string(report), ContainsSubstring("say so: .zero = {0}"));
    }
    SECTION("or it does next to not") {
        const auto f = [&](const Xs& x) { return second(x) + 1e-20 * x[0]; };
        CHECK(gradcheck(f, inputs).hollow == std::vector<int>{0});
    }
    SECTION("a gradient that is 0 can be stated, and is checked to be 0") {
        CHECK(gradcheck(second, inputs, {.order = 2, .zero = {0}}).pass);
        CHECK_FALSE(gradcheck(second, inputs, {.zero = {0, 1}}).pass);
        const auto wrong = [&](const Xs& x) {
            return second(x) + planted([](const Tensor& t) { return 0.0 * t; },
                                       [](const Tensor& g, const Tensor&) { return 1e-6 * g; })(x);
        };
        CHECK_FALSE(gradcheck(wrong, inputs, {.zero = {0}}).pass);
    }
    SECTION("a name stands in the report") {
        const GradcheckReport report = gradcheck(second, inputs, {.names = {"mask", "x"}});
        CHECK_THAT(to_string(report), ContainsSubstring("input 0 (mask) is hollow"));
    }
    SECTION("a case of the list, too") {
        const Case hollow{"second", second, inputs};
        CHECK_FALSE(check_case(hollow, 2).pass);
        CHECK(check_case(hollow.zero_gradient("x0", "it is not read"), 2).pass);
        CHECK_THROWS_WITH(check_case(hollow.zero_gradient("x7", "it is not read"), 2),
                          ContainsSubstring("exempts the input 'x7'"));
        CHECK_THROWS_WITH(check_case(hollow.zero_gradient("x0", ""), 2),
                          ContainsSubstring("no reason"));
    }
}

TEST_CASE("what is no function, or no float64, is refused", "[grad][errors]") {
    const Tensor x = draw({3});
    const auto refused = [&](const DifferentiableFunction& f, const std::string& text) {
        CHECK_THROWS_WITH(gradcheck(f, {x}), ContainsSubstring(text));
    };
    Rng rng(1);
    refused([&](const Xs& in) { return in[0] * normal({3}, 0, 1, rng, Dtype::float64); },
            "called again with the same inputs");
    refused([&](const Xs& in) { return in[0] * normal({3}, 0, 1, rng, Dtype::float64); },
            "f must be a function: seed its random numbers inside it");
    int calls = 0;
    refused([&](const Xs& in) { return ++calls > 10 ? in[0] * 2 : in[0]; }, "called again");
    int lengths = 3;
    refused([&](const Xs& in) { return expand(sum(in[0]), {++lengths}); }, "f returned [4] and");
    refused([](const Xs& in) { return in[0].requires_grad() ? in[0] * 2 : in[0] * 3; },
            "with gradients recorded");
    refused([](const Xs& in) { return to_dtype(in[0], Dtype::float32); }, "f returned float32");
    refused([](const Xs& in) { return log(in[0] - 5); }, "of f's output is nan");
    refused([](const Xs&) { return Tensor(); }, "not defined");
    refused(
        [](const Xs& in) {
            Tensor same_numbers = detach(in[0]);
            same_numbers.edit<double>()[0] = 0.5;
            return exp(in[0]);
        },
        "gradcheck: f has changed its input 0");
    CHECK_THROWS_WITH(gradcheck([](const Xs&) { return scalar(1, Dtype::float64); }, {}),
                      "gradcheck: no inputs, so no gradient to check");
    CHECK_THROWS_WITH(gradcheck([](const Xs& in) { return in[0]; }, {x, Tensor()}),
                      "gradcheck: input 1 is not defined");
    CHECK_THROWS_WITH(gradcheck([](const Xs& in) { return in[0]; }, {x, draw({2}, Dtype::float32)}),
                      "gradcheck: input 1 is float32; differences need float64 (to_dtype)");
    CHECK_THROWS_WITH(gradcheck([](const Xs& in) { return in[0]; }, {x}, {.zero = {1}}),
                      "gradcheck: zero names input 1 of 1");
}

// ------------------------------------------------------------------ wrong operations, each caught

// One of the library's formulas with a wrong slope, at which order it is found, and on which numbers.
struct WrongOperation {
    const char* mistake;
    DifferentiableFunction f;
    std::vector<Shape> shapes;
    int order = 1;
};

// Laid out by hand: each mistake at a glance.
// clang-format off

template <class Formula>
WrongOperation wrong(const char* mistake, Formula f) {
    if constexpr (requires(Tensor t) { f(t, t); })
        return {mistake, [=](const Xs& x) { return f(x[0], x[1]); }, {{2, 3}, {3}}};
    else
        return {mistake, [=](const Xs& x) { return f(x[0]); }, {{2, 3}}};
}

std::vector<WrongOperation> wrong_operations() {
    using T = const Tensor&;
    const auto product = [](auto da, auto db) {
        return [=](const Xs& x) {
            const Tensor a = x[0], b = x[1];
            return record("matmul", matmul(detach(a), detach(b)),  //
                          a, [=](T g) { return da(g, a, b); }, b, [=](T g) { return db(g, a, b); });
        };
    };
    const auto right_a = [](T g, T, T b) { return matmul(g, transpose(b)); };
    const auto right_b = [](T g, T a, T) { return matmul(transpose(a), g); };
    const auto one = [](auto value, auto rule) {
        return [=](const Xs& x) {
            return record("planted", value(detach(x[0])), x[0], [=, x = x[0]](T g) { return rule(g, x); });
        };
    };
    return {
        wrong("tan: the sign of its slope", unary<Saved::result>("tan", {},
             [](auto x) { return tan(x); }, [](auto g, auto y) { return g * (1 - y * y); })),
        wrong("tanh: 1 + y² for 1 - y²", unary<Saved::result>("tanh", {},
             [](auto x) { return tanh(x); }, [](auto g, auto y) { return g * (1 + y * y); })),
        wrong("sqrt: a factor", unary<Saved::result>("sqrt", {},
             [](auto x) { return sqrt(x); }, [](auto g, auto y) { return g / y; })),
        wrong("sigmoid: y for 1 - y", unary<Saved::result>("sigmoid", {},
             [](auto x) { return sigmoid(x); }, [](auto g, auto y) { return g * y * y; })),
        wrong("gelu: the second term", unary<Saved::input>("gelu", {},
             [](auto x) { return x * normal_cdf(x); },
             [](auto g, auto x) { return g * normal_cdf(x); })),
        wrong("silu: the sign of the second term", unary<Saved::input>("silu", {},
             [](auto x) { return x * sigmoid(x); },
             []<class V>(V g, V x) {
                 const V s = sigmoid(x);
                 return g * (s - x * s * (1 - s));
             })),
        wrong("acos: the sign", unary<Saved::input>("acos", {},
             [](auto x) { return acos(x); }, [](auto g, auto x) { return g / sqrt(1 - x * x); })),
        wrong("div: the sign of the second slope", binary<Saved::b, Saved::b | Saved::result>("div", {},
             [](auto a, auto b) { return a / b; }, [](auto g, auto b) { return g / b; },
             [](auto g, auto b, auto y) { return g * y / b; })),
        {"matmul: b not transposed", product([](T g, T, T b) { return matmul(g, b); }, right_b),
         {{3, 3}, {3, 3}}},
        {"matmul: a not transposed", product(right_a, [](T g, T a, T) { return matmul(a, g); }),
         {{3, 3}, {3, 3}}},
        {"matmul: the factors of dB exchanged",
         product(right_a, [](T g, T a, T) { return matmul(transpose(g), a); }), {{3, 3}, {3, 3}}},
        {"matmul: a constant to the gradient of order 2",
         product([](T g, T, T b) { return matmul(g, transpose(detach(b))); }, right_b),
         {{3, 4}, {4, 2}}, 2},
        {"embedding: a repeated id overwrites", one(
             [](T x) { return index_select(x, 0, {1, 1, 0}); },
             [](T g, T x) { return concat({slice(g, 0, 2, 3), slice(g, 0, 1, 2)}, 0) + 0.0 * x; }),
         {{2, 3}}},
        {"sum over axis 0: the gradient of axis 1", one(
             [](T x) { return sum(x, 0); },
             [](T g, T) { return expand(unsqueeze(g, 1), {3, 3}); }), {{3, 3}}},
        {"mean: not divided by n", one([](T x) { return mean(x, -1); },
                                       [](T g, T x) { return expand(unsqueeze(g, -1), x.shape()); }),
         {{3, 4}}},
        {"softmax: the sum over the row forgotten", one(
             [](T x) { return softmax(x); }, [](T g, T x) { return softmax(x) * g; }), {{3, 4}}},
        {"softmax: the sum over the wrong axis", one(
             [](T x) { return softmax(x); },
             [](T g, T x) { const Tensor y = softmax(x); return y * (g - sum(g * y, 0, true)); }),
         {{4, 4}}},
        {"layer norm: the mean held constant", one(
             [](T x) { return layer_norm(x); },
             [](T g, T x) {
                 const Tensor s = sqrt(var(x, -1, true, 0) + 1e-5), h = (x - mean(x, -1, true)) / s;
                 return (g - h * mean(g * h, -1, true)) / s;
             }), {{3, 5}}},
        {"permute: its own inverse it is not", one(
             [](T x) { return permute(x, {1, 2, 0}); }, [](T g, T) { return permute(g, {1, 2, 0}); }),
         {{3, 3, 3}}},
        {"roll: in the same direction", one([](T x) { return roll(x, 1, 0); },
                                            [](T g, T) { return roll(g, 1, 0); }), {{5}}},
        {"slice: one element later", one(
             [](T x) { return slice(x, 0, 1, 4); }, [](T g, T) { return pad(g, 0, 2, 0); }), {{5}}},
        {"concat: the pieces exchanged", [](const Xs& x) {
             return record("concat", concat({detach(x[0]), detach(x[1])}, 0),
                           x[0], [](T g) { return slice(g, 0, 3, 6); },
                           x[1], [](T g) { return slice(g, 0, 0, 3); });
         }, {{3}, {3}}},
        {"masked fill: the mask inverted", [](const Xs& x) {
             const Tensor mask = tensor({1, 0, 1}, Dtype::float64);
             return record("masked_fill", masked_fill(detach(x[0]), mask, 0.0),
                           x[0], [=](T g) { return g * mask; });
         }, {{2, 3}}},
        {"causal mask in the gradient is one late", one(
             [](T x) { return tril(x, 0); }, [](T g, T) { return tril(g, -1); }), {{3, 3}}},
        {"attention: the scale dropped", [](const Xs& x) {
             const Tensor k = detach(x[1]);
             const auto rule = [k](T g) { return matmul(g, k); };
             return record("scores", 0.5 * matmul(detach(x[0]), transpose(k)), x[0], rule) +
                    0.5 * matmul(detach(x[0]), transpose(x[1]));
         }, {{2, 4}, {3, 4}}},
        {"exp: constant to order 2", one([](T x) { return exp(x); },
                                         [](T g, T x) { return g * exp(detach(x)); }), {{3}}, 2},
        {"mul: g a constant to order 2", [](const Xs& x) {
             return record("mul", detach(x[0]) * detach(x[1]),
                           x[0], [b = x[1]](T g) { return detach(g) * b; },
                           x[1], [a = x[0]](T g) { return g * a; });
         }, {{3}, {3}}, 2},
    };
}

// clang-format on

TEST_CASE("every wrong operation is caught, at the order at which it is wrong", "[grad]") {
    const std::vector<WrongOperation> all = wrong_operations();
    CHECK(all.size() >= 25);
    for (const WrongOperation& one : all) {
        INFO(one.mistake);
        Xs inputs;
        for (const Shape& shape : one.shapes)
            inputs.push_back(draw(shape, Dtype::float64, 1 + inputs.size(), 0.2, 0.8));
        CHECK(gradcheck(one.f, inputs, {.order = 1}).pass == (one.order == 2));
        const GradcheckReport report = gradcheck(one.f, inputs, {.order = 2});
        CHECK_FALSE(report.pass);
        CHECK(report.order == one.order);
        CHECK(report.hollow.empty());
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
    template <class T>
    T value(T x) const {
        return x * exp(x);
    }
    static constexpr auto saved = Saved::input;
    template <class T>
    T slope(T g, T x) const {
        return g * exp(x) * (1 + x);
    }
};

// y = √(a² + b²)          dy/da = a / y          dy/db = b / y
struct Hypot {
    static constexpr auto name = "hypot";
    template <class T>
    T value(T a, T b) const {
        return sqrt(a * a + b * b);
    }
    static constexpr auto saved_a = Saved::a | Saved::result;
    template <class T>
    T slope_a(T g, T a, T y) const {
        return g * a / y;
    }
    static constexpr auto saved_b = Saved::b | Saved::result;
    template <class T>
    T slope_b(T g, T b, T y) const {
        return g * b / y;
    }
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
