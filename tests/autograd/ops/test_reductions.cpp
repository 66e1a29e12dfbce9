// Reductions against the naive loop over all elements.
#include <limits>

#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

const double nan = std::nan("");

using Group = std::vector<double>;  // the elements that become one

struct Reduction {
    const char* name;
    Tensor (*reduce)(const Tensor&, const AxesOrAll&, Flag);
    double (*naive)(const Group&);
};

double sum_of(const Group& x) {
    long double total = 0;
    for (double v : x) total += v;
    return static_cast<double>(total);
}
double mean_of(const Group& x) { return sum_of(x) / static_cast<double>(x.size()); }
double square_distance(const Group& x) {
    const double mean = mean_of(x);
    long double total = 0;
    for (double v : x) total += (v - mean) * (v - mean);
    return static_cast<double>(total);
}

const Reduction reductions[] = {
    {"sum", sum, sum_of},
    {"mean", mean, mean_of},
    {"var", [](const Tensor& x, const AxesOrAll& r, Flag k) { return var(x, r, k, 0); },
     [](const Group& x) { return square_distance(x) / static_cast<double>(x.size()); }},
    {"stddev", [](const Tensor& x, const AxesOrAll& r, Flag k) { return stddev(x, r, k, 0); },
     [](const Group& x) { return std::sqrt(square_distance(x) / static_cast<double>(x.size())); }},
    {"norm", [](const Tensor& x, const AxesOrAll& r, Flag k) { return norm(x, 2, r, k); },
     [](const Group& x) {
         long double total = 0;
         for (double v : x) total += static_cast<long double>(v) * v;
         return static_cast<double>(std::sqrt(total));
     }},
    {"norm with p = 3",
     [](const Tensor& x, const AxesOrAll& r, Flag k) { return norm(x, 3, r, k); },
     [](const Group& x) {
         long double total = 0;
         for (double v : x) total += std::pow(std::abs(static_cast<long double>(v)), 3);
         return static_cast<double>(std::cbrt(total));
     }},
    {"prod", prod,
     [](const Group& x) {
         long double product = 1;
         for (double v : x) product *= v;
         return static_cast<double>(product);
     }},
    {"max", max, [](const Group& x) { return *std::max_element(x.begin(), x.end()); }},
    {"min", min, [](const Group& x) { return *std::min_element(x.begin(), x.end()); }},
    {"logsumexp", logsumexp,
     [](const Group& x) {
         long double total = 0;
         for (double v : x) total += std::exp(static_cast<long double>(v));
         return static_cast<double>(std::log(total));
     }},
};

// What reducing the axes in the bit set `gone` should give.
struct Naive {
    Shape shape, keepdim;
    std::vector<Group> groups;
};
Naive gather_groups(const Tensor& x, unsigned gone) {
    Naive naive;
    for (int i = 0; i < x.dim(); ++i) {
        if (!(gone >> i & 1)) naive.shape.push(x.shape()[i]);
        naive.keepdim.push(gone >> i & 1 ? 1 : x.shape()[i]);
    }
    naive.groups.resize(naive.shape.numel());
    const Strides step = contiguous_strides(naive.keepdim);
    each_index(x.shape(), [&](const Axes& index) {
        int64_t group = 0;
        for (int i = 0; i < x.dim(); ++i)
            if (!(gone >> i & 1)) group += index[i] * step[i];
        naive.groups[group].push_back(at(x, index));
    });
    return naive;
}

void compare(const Reduction& reduction, const Tensor& x, unsigned gone) {
    const Naive naive = gather_groups(x, gone);
    AxesOrAll axes;
    for (int i = 0; i < x.dim(); ++i)
        if (gone >> i & 1) axes.push(i % 2 ? i : i - x.dim());  // from either end
    std::vector<double> expected;
    for (const Group& group : naive.groups) expected.push_back(reduction.naive(group));
    INFO(reduction.name << " over " << to_string(axes) << " of " << to_string(x.shape()));
    const Tensor y = reduction.reduce(x, axes, false);
    CHECK(y.shape() == naive.shape);
    const double tolerance = (x.dtype() == Dtype::float32 ? 1e-6 : 1e-14) *
                             std::max(4.0, std::sqrt(static_cast<double>(x.numel())));
    require_close(y, expected, tolerance);
    const Tensor kept = reduction.reduce(x, axes, true);
    CHECK(kept.shape() == naive.keepdim);
    CHECK(same_bits(flatten(unsqueeze(kept, 0)), flatten(unsqueeze(y, 0))));
}

TEST_CASE("reductions equal the naive loop over every set of axes, in every layout") {
    for (Dtype dtype : both_dtypes)
        for (const Shape& shape :
             {Shape{2, 3, 1, 5}, Shape{3, 70}, Shape{70, 3}, Shape{1}, Shape{9}, Shape{150}})
            for (const NamedLayout& layout : layouts_of(draw(shape, dtype)))
                for (unsigned gone = 1; gone < 1u << shape.dim(); ++gone)
                    for (const Reduction& reduction : reductions) {
                        INFO(layout.name);
                        compare(reduction, layout.x, gone);
                    }
}

TEST_CASE("without axes everything is reduced") {
    for (const Reduction& reduction : reductions) {
        const Tensor x = draw({2, 3, 4});
        CHECK(reduction.reduce(x, {}, false).shape() == Shape{});
        CHECK(reduction.reduce(x, {}, true).shape() == Shape{1, 1, 1});
        const Naive all = gather_groups(x, 7);
        require_close(reduction.reduce(x, {}, false), {reduction.naive(all.groups[0])}, 1e-13);
        require_close(reduction.reduce(scalar(3, Dtype::float64), {}, false),
                      {reduction.naive({3})}, 1e-13);
    }
}

TEST_CASE("large reductions, shared among threads") {
    for (Dtype dtype : both_dtypes) {
        const Tensor x = draw({300, 700}, dtype);
        for (const Reduction& reduction : reductions)
            for (const Tensor& view : {x, transpose(x)})
                for (unsigned gone : {1u, 2u, 3u}) compare(reduction, view, gone);
    }
}

TEST_CASE("expanded operands are reduced as if they were copies") {
    const Tensor x = expand(draw({3, 1, 4}), {3, 5, 4});
    for (const Reduction& reduction : reductions)
        for (unsigned gone = 1; gone < 8; ++gone) compare(reduction, x, gone);
}

TEST_CASE("sums over nothing are 0, extremes of nothing an error") {
    CHECK(sum(empty({3, 0}), 1).to_vector() == std::vector<double>{0, 0, 0});
    CHECK(sum(empty({0, 3}), 0).to_vector() == std::vector<double>{0, 0, 0});
    CHECK(sum(empty({2, 0, 3}), {1, 2}).to_vector() == std::vector<double>{0, 0});
    CHECK(sum(empty({0})).item() == 0);
    CHECK(prod(empty({0})).item() == 1);
    CHECK(prod(empty({2, 0}), 1).to_vector() == std::vector<double>{1, 1});
    CHECK(norm(empty({2, 0}), 2, 1).to_vector() == std::vector<double>{0, 0});
    CHECK(cumsum(empty({2, 0}), 1).shape() == Shape{2, 0});
    CHECK(any(empty({0})).item() == 0);
    CHECK(all(empty({0})).item() == 1);
    CHECK(sum(empty({3, 0}), 0).numel() == 0);
    CHECK(sum(empty({0, 4}), 1).shape() == Shape{0});
    CHECK(std::isnan(mean(empty({0})).item()));
    CHECK(mean(empty({0, 4}), 1).shape() == Shape{0});
    // A batch of no rows has no extremes; a row of no elements has none to give.
    CHECK(max(empty({0, 3}), 1).shape() == Shape{0});
    CHECK(min(empty({2, 0, 3}), 2, true).shape() == Shape{2, 0, 1});
    CHECK_THROWS_AS(max(empty({0, 0}), {0, 1}, true), Error);
    Tensor none = empty({0, 3}).set_requires_grad();
    backward(sum(max(none, 1)));
    CHECK(none.grad().shape() == Shape{0, 3});
    CHECK_THROWS_WITH(max(empty({3, 0}), 1), "max: shape [3, 0] holds no element along axis [1]");
    CHECK_THROWS_AS(max(empty({0, 3}), 0), Error);
    CHECK_THROWS_AS(max(empty({0, 0}), 1), Error);
    CHECK_THROWS_AS(min(empty({0})), Error);
    CHECK(argmax(empty({0, 3}), 1).count() == 0);
    CHECK_THROWS_AS(argmax(empty({3, 0}), 1), Error);
}

TEST_CASE("logsumexp of large numbers, of infinities and of NaN") {
    for (Dtype dtype : both_dtypes) {
        const auto of = [&](std::vector<double> x) { return logsumexp(tensor(x, dtype)).item(); };
        CHECK(of({1000, 1000}) == Approx(1000 + std::log(2.0)));
        CHECK(of({-1000, -1000}) == Approx(-1000 + std::log(2.0)));
        CHECK(of({-infinity, 3}) == Approx(3));
        CHECK(of({-infinity, -infinity}) == -infinity);
        CHECK(of({infinity, 3}) == infinity);
        CHECK(of({infinity, -infinity}) == infinity);
        CHECK(std::isnan(of({nan, 3})));
        CHECK(std::isnan(of({3, nan})));
        CHECK(logsumexp(empty({2, 0}, dtype), 1).to_vector() ==
              std::vector<double>{-infinity, -infinity});
    }
}

TEST_CASE("the gradient of logsumexp is a softmax, also next to infinities") {
    Tensor x = tensor({-infinity, 1, 1, -1000}, Dtype::float64).set_requires_grad();
    backward(logsumexp(x));
    require_close(x.grad(), {0, 0.5, 0.5, 0}, 1e-15);
    for (Dtype dtype : both_dtypes) {
        const double huge = dtype == Dtype::float32 ? 1e38 : 1e308;
        Tensor y = tensor({infinity, huge, -huge, 2}, dtype).set_requires_grad();
        backward(logsumexp(y));
        require_close(y.grad(), {std::nan(""), 0, 0, 0}, 0);
    }
}

TEST_CASE("NaN anywhere makes the maximum and minimum NaN") {
    for (Dtype dtype : both_dtypes)
        for (int64_t n : {1, 2, 3, 16, 17, 64, 65, 130, 1000})
            for (int64_t where_nan : {int64_t{0}, n / 3, n / 2, n - 1}) {
                INFO(n << " numbers, NaN at " << where_nan << ", " << name_of(dtype));
                Tensor x = draw({n}, dtype);
                with_dtype(dtype,
                           [&]<class T>(T) { x.edit<T>()[where_nan] = static_cast<T>(nan); });
                for (const NamedLayout& layout : layouts_of(x)) {
                    CHECK(std::isnan(max(layout.x).item()));
                    CHECK(std::isnan(min(layout.x).item()));
                }
                const Tensor columns = max(transpose(expand(x, {40, n})), 0);
                CHECK(std::isnan(columns.at({20})));
            }
    CHECK(max(tensor({-infinity, -infinity})).item() == -infinity);
    CHECK(min(tensor({infinity, 2})).item() == 2);
}

TEST_CASE("argmax and argmin find the first extreme along an axis") {
    const Tensor x = tensor({3, 1, 3, 0, 0, 5}, {2, 3});
    CHECK(argmax(x).values() == std::vector<int>{0, 2});
    CHECK(argmin(x).values() == std::vector<int>{1, 0});
    CHECK(argmax(x, 0).values() == std::vector<int>{0, 0, 1});
    CHECK(argmax(tensor({1, 2})).shape() == Shape{});
    CHECK(argmax(tensor({1, nan, 3, nan})).values() == std::vector<int>{1});
    CHECK(argmin(tensor({1, nan, -3, nan})).values() == std::vector<int>{1});
    for (const NamedLayout& layout : layouts_of(draw({4, 5, 6})))
        for (int axis : {0, 1, 2}) {
            const Indices indices = argmax(layout.x, axis);
            const Tensor largest = max(layout.x, axis, true);
            Shape kept = layout.x.shape();
            kept[axis] = 1;
            CHECK(same_bits(gather(layout.x, axis, indices.reshaped(kept)), largest));
        }
}

TEST_CASE("equal extremes share the gradient") {
    Tensor x = tensor({3, 1, 3, 2, 2, 2}, {2, 3}, Dtype::float64).set_requires_grad();
    backward(max(x, 1), tensor({6, 9}, Dtype::float64));
    require_close(x.grad(), {3, 0, 3, 3, 3, 3}, 1e-15);
}

TEST_CASE("the gradient of a cumulative product is right for zeros among the factors", "[grad]") {
    const Tensor x = tensor({2, 0, 3, 4, 0, 5, 0, 2, 1, 2, 3, 4}, {3, 4}, Dtype::float64);
    const Tensor g = draw({3, 4}, Dtype::float64, 5);
    std::vector<double> expected;  // Σ g[i] Π x[j] over i >= k and the j <= i other than k
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k < 4; ++k) {
            double total = 0;
            for (int i = k; i < 4; ++i) {
                double product = 1;
                for (int j = 0; j <= i; ++j)
                    if (j != k) product *= x.at({row, j});
                total += g.at({row, i}) * product;
            }
            expected.push_back(total);
        }
    for (const bool create_graph : {false, true}) {
        const Tensor leaf = clone(x).set_requires_grad();
        require_close(grad(cumprod(leaf, 1), {leaf}, create_graph, g)[0], expected, 1e-15);
    }
    // A float would overflow on the way: the products are handed on in double precision.
    CHECK(cumprod(tensor({1e30, 1e30, 1e-30}), 0).at({2}) == Approx(1e30));
    CHECK(cumprod(tensor({0, 1e30, 1e30}), 0).to_vector() == std::vector<double>{0, 0, 0});
}

// --- conventions: the rules of PYTORCH.md --------------------------------------------------------------

TEST_CASE("a maximum that is NaN gives its gradient to the elements that are NaN", "[grad]") {
    const auto gradient = [](const auto& f, const std::vector<double>& numbers) {
        const Tensor x = tensor(numbers, Dtype::float64).set_requires_grad();
        return grad(f(x), {x})[0].to_vector();
    };
    const auto functions = {
        +[](const Tensor& x) { return max(x); },
        +[](const Tensor& x) { return min(x); },
        +[](const Tensor& x) { return norm(x, infinity); },
        +[](const Tensor& x) {
            return sum(max(unsqueeze(x, 0), {0, 1}, true));
        },
        +[](const Tensor& x) {
            return sum(segment_max(x, Segments({0, 0, 0}, 1)));
        },
        +[](const Tensor& x) { return max_with_indices(x, 0).values; },
        +[](const Tensor& x) { return min_with_indices(x, 0).values; },
        +[](const Tensor& x) { return sum(topk(x, 1).values); },
        +[](const Tensor& x) {
            return sum(max_pool1d(reshape(x, {1, 1, 3}), 3));
        },
    };
    for (const auto f : functions)
        for (int at = 0; at < 3; ++at) {
            std::vector<double> numbers{1, 2, 3}, expected{0, 0, 0};
            numbers[at] = nan;
            expected[at] = 1;
            CHECK(gradient(f, numbers) == expected);
        }
    for (int k = 0; k < 5; ++k)  // several share it, as equal ones do
        CHECK(gradient(functions.begin()[k], {nan, -2, nan}) == std::vector<double>{0.5, 0, 0.5});
}

TEST_CASE("equal numbers have no spread, and it has no gradient", "[grad]") {
    for (Dtype dtype : both_dtypes)
        for (double number : {7.3, 0.1, -1e5 / 3, 1e-30, 3e38})
            for (int64_t n : {2, 3, 5, 7, 17, 100, 1000, 30011}) {
                INFO(n << " times " << number << " in " << name_of(dtype));
                const Tensor x = full({2, n}, number, dtype).set_requires_grad();
                const auto all_zero = [](const Tensor& y) { return sum(abs(y)).item() == 0; };
                CHECK(all_zero(stddev(x, 1)));
                CHECK(all_zero(grad(sum(stddev(x, 1)), {x})[0]));
                CHECK(all_zero(layer_norm(x, {}, {}, 1e-5)));
                if (number == 3e38 && dtype == Dtype::float32) continue;  // the sum overflows
                CHECK(all_zero(centred(x, 1)));
                CHECK(all_zero(var(x, 1)));
                CHECK(all_zero(grad(sum(var(x, 1)), {x})[0]));
                CHECK(all_zero(stddev(x, 1, false, 0)));
                CHECK(all_zero(stddev(transpose(x), 0)));
                CHECK(all_zero(layer_norm_definition(x, {}, {}, 1e-5)));
            }
}

TEST_CASE("derivatives of every order are 0 where a norm or a standard deviation is", "[grad]") {
    for (double p : {1.0, 1.5, 2.0, 3.0, infinity}) {
        const Tensor x = tensor({0, 0, 0, 0, 1, -2}, {2, 3}, Dtype::float64).set_requires_grad();
        const Tensor first = grad(sum(norm(x, p, 1)), {x}, true)[0];
        INFO("p = " << p);
        CHECK(sum(abs(first[0])).item() == 0);
        CHECK(first.at({1, 0}) == 0);
        const Tensor weights = tensor({1, 2, 3, 4, 5, 6}, {2, 3}, Dtype::float64);
        if (!first.requires_grad()) continue;
        const Tensor second = grad(sum(first * weights), {x})[0];
        CHECK(sum(abs(second[0])).item() == 0);
        CHECK(all(isfinite(second)).item() == 1);
    }
    const FiniteCheck on;  // the divisor ∞ is no number that anything has computed
    Tensor none = zeros({3}).set_requires_grad();
    backward(norm(none) + norm(none, 3) + stddev(none));
    CHECK(sum(abs(none.grad())).item() == 0);
    const Tensor same = full({4}, 0.3, Dtype::float64).set_requires_grad();
    const Tensor first = grad(stddev(same), {same}, true)[0];
    CHECK(sum(abs(first)).item() == 0);
    CHECK(sum(abs(grad(sum(first * tensor({1, 2, 3, 5}, Dtype::float64)), {same})[0])).item() == 0);
}

TEST_CASE("var with divisor n - 1 is the unbiased estimate") {
    const Tensor x = tensor({1, 2, 4, 5}, Dtype::float64);
    CHECK(var(x).item() == Approx(10.0 / 3));
    CHECK(var(x, {}, false, 0).item() == Approx(2.5));
    // Around a large mean, where a difference of squares would be lost.
    CHECK(var(x + 1e9).item() == Approx(10.0 / 3));
}

TEST_CASE("the gradient of a norm or a standard deviation of 0 is 0", "[grad]") {
    for (double p : {1.0, 1.5, 2.0, 3.0, infinity}) {
        Tensor x = zeros({2, 3}, Dtype::float64).set_requires_grad();
        backward(sum(norm(x, p, 1)));
        for (double g : x.grad().to_vector()) CHECK(std::isfinite(g));
        if (p > 1 && p < infinity) CHECK(sum(abs(x.grad())).item() == 0);
    }
    Tensor same = full({4}, 0.3, Dtype::float64).set_requires_grad();
    backward(stddev(same));
    CHECK(sum(abs(same.grad())).item() == 0);
    CHECK(norm(tensor({3, -4})).item() == 5);
    CHECK(norm(tensor({3, -4}), 1).item() == 7);
    CHECK(norm(tensor({3, -4}), infinity).item() == 4);
    CHECK(stddev(tensor({1, 2, 4, 5}, Dtype::float64)).item() == Approx(std::sqrt(10.0 / 3)));
}

TEST_CASE("the gradient of a standard deviation at the largest and the smallest numbers",
          "[grad]") {
    for (double scale : {3e38, 1e30, 1.0, 1e-30, 1e-37}) {
        INFO(scale);
        const Tensor shape = tensor({1, -1, 0.25, 0.0}, Dtype::float64);
        const Tensor x = to_dtype(shape * scale, Dtype::float32).set_requires_grad();
        const Tensor exact = copy_of(shape).set_requires_grad();
        require_close(grad(stddev(x), {x})[0], grad(stddev(exact), {exact})[0].to_vector(), 1e-6);
    }
}

TEST_CASE("the gradient of a product is the product of the other factors, zeros included",
          "[grad]") {
    Tensor x = tensor({2, 0, 3, 0, 5, 0, 1, 2, 4}, {3, 3}, Dtype::float64).set_requires_grad();
    backward(sum(prod(x, 1)));
    CHECK(x.grad().to_vector() == std::vector<double>{0, 6, 0, 0, 0, 0, 8, 4, 2});
}

TEST_CASE("cumsum and cumprod equal the loop along every axis, in every layout") {
    for (Dtype dtype : both_dtypes)
        for (const NamedLayout& layout : layouts_of(draw({3, 4, 5}, dtype)))
            for (int axis : {0, 1, 2}) {
                std::vector<double> row_sums, products;
                each_index(layout.x.shape(), [&](Axes index) {
                    double total = 0, product = 1;
                    for (int64_t last = index[axis]; last >= 0; --last) {
                        index[axis] = last;
                        total += at(layout.x, index);
                        product *= at(layout.x, index);
                    }
                    row_sums.push_back(total);
                    products.push_back(product);
                });
                require_close(cumsum(layout.x, axis - 3), row_sums, 4 * rounding(dtype));
                require_close(cumprod(layout.x, axis - 3), products, 4 * rounding(dtype));
                require_close(cumprod_definition(layout.x, axis), products, 4 * rounding(dtype));
            }
    const Tensor large = draw({400, 300});
    require_close(select(cumsum(large, 0), 0, -1), sum(large, 0), 1e-12);
}

TEST_CASE("any and all of masks") {
    const Tensor mask = tensor({0, 1, 0, 0, 1, 1}, {3, 2});
    CHECK(any(mask).item() == 1);
    CHECK(all(mask).item() == 0);
    CHECK(any(mask, 1).to_vector() == std::vector<double>{1, 0, 1});
    CHECK(all(mask, 1, true).shape() == Shape{3, 1});
    CHECK(all(mask, 1).to_vector() == std::vector<double>{0, 0, 1});
    CHECK(any(zeros({3})).item() == 0);
    CHECK(all(isfinite(mask)).item() == 1);
}

TEST_CASE("sum_to undoes a broadcast") {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{4}, Shape{3, 1}, Shape{1, 4},
                               Shape{1, 1, 1}, Shape{2, 1, 4}, Shape{2, 3, 4}}) {
        const Tensor x = draw({2, 3, 4});
        const Tensor y = sum_to(x, shape);
        REQUIRE(y.shape() == shape);
        // The adjoint of expand: <sum_to x, c> = <x, expand c>
        const Tensor c = draw(shape, Dtype::float64, 2);
        CHECK(sum(y * c).item() == Approx(sum(x * expand(c, x.shape())).item()));
    }
}

// The largest |found / expected - 1|.
double relative_error(const Tensor& found, double expected) {
    double worst = 0;
    for (double each : found.to_vector()) worst = std::max(worst, std::abs(each / expected - 1));
    return worst;
}

TEST_CASE("sums in float32 keep their digits over four million terms, along every axis") {
    const double tenth = 0.1f, n = 4000000;
    const Tensor x = full({4000000}, 0.1);
    CHECK(relative_error(sum(x), n * tenth) < 3e-7);
    CHECK(relative_error(mean(x), tenth) < 3e-7);
    for (int64_t other : {1, 3, 20, 70}) {
        INFO("beside an axis of " << other);
        const int64_t rows = 4000000 / other;
        const double expected = static_cast<double>(rows) * tenth;
        const Tensor tall = full({rows, other}, 0.1), wide = full({other, rows}, 0.1);
        CHECK(relative_error(sum(tall, 0), expected) < 3e-7);             // down the columns
        CHECK(relative_error(sum(wide, 1), expected) < 3e-7);             // along the rows
        CHECK(relative_error(sum(transpose(wide), 0), expected) < 3e-7);  // rows, seen as columns
        CHECK(relative_error(sum(transpose(tall), 1), expected) < 3e-7);  // columns, seen as rows
        CHECK(relative_error(sum(slice(full({other, 2 * rows}, 0.1), 1, 0, 2 * rows, 2), 1),
                             expected) < 3e-7);  // every second
        CHECK(relative_error(sum(expand(full({1, other}, 0.1), {rows, other}), 0), expected) <
              3e-7);
    }
    CHECK(relative_error(sum(full({1000, 4, 1000}, 0.1), {0, 2}), 1e6 * tenth) < 3e-7);
    CHECK(relative_error(sum(transpose(full({1000, 4, 1000}, 0.1), 0, 1), {1, 2}), 1e6 * tenth) <
          3e-7);
    CHECK(relative_error(select(cumsum(x, 0), 0, -1), n * tenth) < 3e-7);
    CHECK(relative_error(select(cumsum(full({1000000, 3}, 0.1), 0), 0, -1), 1e6 * tenth) < 3e-7);
    CHECK(mean(full({1000, 1000}, 7), 0).to_vector() == std::vector<double>(1000, 7));

    // Numbers of all sizes, against float64.
    const Tensor y = exp(draw({300000, 7}, Dtype::float32, 2, -8, 8));
    const Tensor exact = sum(to_dtype(y, Dtype::float64), 0);
    for (int i = 0; i < 7; ++i) {
        CHECK(relative_error(select(sum(y, 0), 0, i), select(exact, 0, i).item()) < 3e-7);
        CHECK(relative_error(sum(select(y, 1, i)), select(exact, 0, i).item()) < 3e-7);
    }
    // In float64, too.
    CHECK(std::abs(sum(full({4000000}, 0.1, Dtype::float64)).item() / (n * 0.1) - 1) < 1e-15);
    // An infinity is not turned into NaN by what compensates.
    for (int64_t size : {1, 5, 40, 1000, 100000}) {
        Tensor z = ones({size, 3});
        z.edit<float>()[0] = std::numeric_limits<float>::infinity();
        CHECK(sum(z).item() == infinity);
        CHECK(sum(z, 0).to_vector()[0] == infinity);
        CHECK(sum(transpose(z), 1).to_vector()[0] == infinity);
    }
}

TEST_CASE("sums inside gradients, softmax, norms and losses keep their digits") {
    const double tenth = 0.1f;
    {  // the gradient of a bias over a million rows
        Tensor bias = zeros({20}).set_requires_grad();
        const Tensor y = linear(zeros({1000000, 2}), zeros({20, 2}), bias);
        CHECK(relative_error(grad(y, {bias}, false, full(y.shape(), 0.1))[0], 1e6 * tenth) < 3e-7);
    }
    {  // those of a layer norm's scale and shift
        Tensor scale = ones({2}).set_requires_grad(), shift = zeros({2}).set_requires_grad();
        const Tensor x = expand(tensor({-1, 1}), {1000000, 2});
        const Tensor y = layer_norm(x, scale, shift, 0);
        const auto d = grad(y, {scale, shift}, false, expand(full({1, 1}, 0.1), y.shape()));
        CHECK(relative_error(abs(d[0]), 1e6 * tenth) < 3e-7);
        CHECK(relative_error(d[1], 1e6 * tenth) < 3e-7);
    }
    // Rows of a million numbers, e^(xᵢ - m) = 0.1 but for the largest.
    Tensor x = full({1, 1000000}, std::log(0.1));
    x.edit<float>()[0] = 0;
    const double e = std::exp(static_cast<double>(static_cast<float>(std::log(0.1))));
    const double total = 1 + 999999 * e;
    CHECK(relative_error(slice(softmax(x), 1, 1, 1000000), e / total) < 5e-7);
    CHECK(std::abs(logsumexp(x).item() / std::log(total) - 1) < 5e-7);
    CHECK(std::abs(cross_entropy(x, Indices({0}, {1})).item() / std::log(total) - 1) < 5e-7);
    CHECK(std::abs(log_softmax(x).at({0, 0}) / -std::log(total) - 1) < 5e-7);
    CHECK(relative_error(norm(full({1000000}, 0.1)), 1000 * tenth) < 3e-7);
    CHECK(relative_error(var(concat({full({500000}, 0.1), full({500000}, -0.1)}, 0), {}, false, 0),
                         tenth * tenth) < 5e-7);
}

}  // namespace
}  // namespace heed
