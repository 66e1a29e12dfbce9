// The elementary functions on registers against long double: the error in units of the last place,
// over every 2003rd float there is and over random arguments where the function bends.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "autograd/kernels/vec_math.h"
#include "tests/catch.h"

using namespace heed;

namespace {

constexpr int lanes = Vec<float>::lanes;

// The distance of neighbouring floats around y.
long double last_place(long double y) {
    int exponent;
    std::frexp(y, &exponent);
    return std::ldexp(1.0L, exponent - FLT_MANT_DIG);
}

// How far `got` is from `exact`, in last places; infinite where one is NaN or inf and the other
// not. Where the exact value is below the normal floats, any number as small will do.
double error(float got, long double exact) {
    const float rounded = static_cast<float>(exact);
    if (std::isnan(got) || std::isnan(rounded))
        return std::isnan(got) && std::isnan(rounded) ? 0 : INFINITY;
    if (got == rounded) return 0;
    if (std::isinf(got) || std::isinf(rounded)) return INFINITY;
    if (std::fabs(exact) < FLT_MIN) return std::fabs(got) <= FLT_MIN ? 0 : INFINITY;
    return static_cast<double>(std::fabs(got - exact) / last_place(exact));
}

struct Worst {
    double error = 0;
    float argument = 0;
};

template <class F, class Exact>
Worst worst_error(const std::vector<float>& arguments, F f, Exact exact) {
    Worst worst;
    for (size_t i = 0; i + lanes <= arguments.size(); i += lanes) {
        const Vec<float> y = f(Vec<float>::load(arguments.data() + i));
        for (int lane = 0; lane < lanes; ++lane) {
            const float x = arguments[i + lane];
            const double e = error(y[lane], exact(static_cast<long double>(x)));
            if (e > worst.error) worst = {e, x};
        }
    }
    return worst;
}

// Every 2003rd bit pattern (NaNs, infinities and denormals among them), then random numbers.
std::vector<float> arguments() {
    std::vector<float> xs{0.0f,         -0.0f,   INFINITY, -INFINITY, NAN,         1.0f,
                          -1.0f,        FLT_MAX, -FLT_MAX, FLT_MIN,   88.7228394f, 88.73f,
                          -87.3365448f, -87.34f, -104.0f,  100.0f};
    for (uint64_t pattern = 0; pattern < (1ull << 32); pattern += 2003) {
        const uint32_t bits = static_cast<uint32_t>(pattern);
        float x;
        std::memcpy(&x, &bits, sizeof x);
        xs.push_back(x);
    }
    std::mt19937 random(1);
    for (float scale : {1.0f, 10.0f, 100.0f, 8191.0f}) {
        std::uniform_real_distribution<float> uniform(-scale, scale);
        for (int i = 0; i < 100000; ++i) xs.push_back(uniform(random));
    }
    while (xs.size() % lanes != 0) xs.push_back(0.5f);
    return xs;
}

}  // namespace

TEST_CASE("float functions on registers stay within their ulp bounds", "[vec]") {
    const std::vector<float> xs = arguments();
    using V = Vec<float>;
    using Real = long double;
    auto holds = [&](const std::string& name, double bound, auto f, auto exact) {
        const Worst worst = worst_error(xs, f, exact);
        INFO(name << ": " << worst.error << " ulp at " << worst.argument);
        CHECK(worst.error <= bound);
    };
    holds(
        "exp", 1.0, [](V x) { return exp(x); }, [](Real x) { return std::exp(x); });
    holds(
        "log", 0.9, [](V x) { return log(x); }, [](Real x) { return std::log(x); });
    holds(
        "log1p", 1.5, [](V x) { return log1p(x); }, [](Real x) { return std::log1p(x); });
    holds(
        "sin", 2.4, [](V x) { return sin(x); }, [](Real x) { return std::sin(x); });
    holds(
        "cos", 2.4, [](V x) { return cos(x); }, [](Real x) { return std::cos(x); });
    holds(
        "tanh", 1.4, [](V x) { return tanh(x); }, [](Real x) { return std::tanh(x); });
    holds(
        "erf", 1.3, [](V x) { return erf(x); }, [](Real x) { return std::erf(x); });
    holds(
        "sigmoid", 2.5, [](V x) { return sigmoid(x); },
        [](Real x) { return 1 / (1 + std::exp(-x)); });
    holds(
        "square by pow", 0.6, [](V x) { return pow(x, V(2)); }, [](Real x) { return x * x; });
}

TEST_CASE("double functions on registers are libm's", "[vec]") {
    double x[Vec<double>::lanes];
    std::mt19937 random(2);
    std::uniform_real_distribution<double> uniform(0.1, 3);
    for (double& value : x) value = uniform(random);
    const Vec<double> v = Vec<double>::load(x);
    for (int i = 0; i < Vec<double>::lanes; ++i) {
        CHECK(exp(v)[i] == std::exp(x[i]));
        CHECK(log(v)[i] == std::log(x[i]));
        CHECK(log1p(v)[i] == std::log1p(x[i]));
        CHECK(sin(v)[i] == std::sin(x[i]));
        CHECK(cos(v)[i] == std::cos(x[i]));
        CHECK(tanh(v)[i] == std::tanh(x[i]));
        CHECK(erf(v)[i] == std::erf(x[i]));
        CHECK(sqrt(v)[i] == std::sqrt(x[i]));
        CHECK(pow(v, Vec<double>(1.5))[i] == std::pow(x[i], 1.5));
        CHECK(sigmoid(v)[i] == 1 / (1 + std::exp(-x[i])));
    }
}

TEST_CASE("lanes: partial loads, sums, the largest, selection", "[vec]") {
    auto check_lanes = []<class T>(T) {
        constexpr int n = Vec<T>::lanes;
        T x[n], y[n];
        for (int i = 0; i < n; ++i) x[i] = static_cast<T>((i * 7 + 3) % n + 1);
        const Vec<T> v = Vec<T>::load(x);
        CHECK(sum(v) == T(n * (n + 1) / 2));
        CHECK(largest(v) == T(n));
        CHECK(largest(-v) == T(-1));
        for (int count = 0; count <= n; ++count) {
            std::fill(y, y + n, T(-5));
            Vec<T>::load(x, count).store(y);
            for (int i = 0; i < n; ++i) CHECK(y[i] == (i < count ? x[i] : T(0)));
            std::fill(y, y + n, T(-5));
            v.store(y, count);
            for (int i = 0; i < n; ++i) CHECK(y[i] == (i < count ? x[i] : T(-5)));
        }
        const Vec<T> half = Vec<T>(T(n) / 2);
        for (int i = 0; i < n; ++i) {
            CHECK(maximum(v, half)[i] == std::max(x[i], T(n) / 2));
            CHECK(minimum(v, half)[i] == std::min(x[i], T(n) / 2));
            CHECK(where(v > half, v, -v)[i] == (x[i] > T(n) / 2 ? x[i] : -x[i]));
            CHECK(abs(-v)[i] == x[i]);
            CHECK(copy_sign(v, -half)[i] == -x[i]);
        }
        CHECK(std::signbit(Vec<T>(-0.0)[0]));
        CHECK_FALSE(std::signbit(abs(Vec<T>(-0.0))[0]));
    };
    check_lanes(float());
    check_lanes(double());
}
