// What somebody else's program does with the installed headers and libraries. It is compiled with no option
// of heed's own: neither for the registers that the libraries were compiled for nor optimised. So each
// kernel in a header exists twice, as wide as two kinds of registers, and neither may replace the other.
#include <fmt/core.h>
#include <heed/attention/attention.h>
#include <heed/autograd/autograd.h>
#include <heed/nn/nn.h>

#include <cmath>
#include <vector>

namespace {

// y = x tanh eˣ, an operation of the program's own
struct Own {
    static constexpr auto name = "own";
    template <class T>
    T value(T x) const {
        return x * tanh(exp(x));
    }
    static constexpr auto saved = heed::Saved::input;
    template <class T>
    T slope(T g, T x) const {
        const T e = exp(x), t = tanh(e);
        return g * (t + x * e * (1 - t * t));
    }
};

// The same as the library's exp().
const auto own_exp = heed::unary<heed::Saved::result>(
    "own_exp", {}, [](auto x) { return exp(x); }, [](auto g, auto y) { return g * y; });

// The largest difference to what the standard library computes.
template <class F>
double error_of(const heed::Tensor& y, const std::vector<double>& x, const F& f) {
    const std::vector<double> values = y.to_vector();
    double error = values.size() == x.size() ? 0 : 1;
    for (std::size_t i = 0; i < values.size() && i < x.size(); ++i)
        error = std::max(error, std::abs(values[i] - f(x[i])));
    return error;
}

}  // namespace

int main() {
    double error = 0;
    for (const heed::Dtype dtype : {heed::Dtype::float32, heed::Dtype::float64}) {
        std::vector<double> numbers;
        for (int i = 0; i < 77; ++i) numbers.push_back(0.0625 * (i - 38));
        const heed::Tensor x = heed::tensor(numbers, {77}, dtype).set_requires_grad();
        const heed::Tensor own = heed::elementwise(Own{}, x);  // compiled here
        heed::backward(heed::sum(own));
        error = std::max(
            {error, error_of(own, numbers, [](double a) { return a * std::tanh(std::exp(a)); }),
             error_of(x.grad(), numbers,
                      [](double a) {
                          const double t = std::tanh(std::exp(a));
                          return t + a * std::exp(a) * (1 - t * t);
                      }),
             // compiled in the library, and compiled here
             error_of(heed::tanh(x), numbers, [](double a) { return std::tanh(a); }),
             error_of(own_exp(x), numbers, [](double a) { return std::exp(a); }),
             error_of(heed::exp(x), numbers, [](double a) { return std::exp(a); })});
    }
    fmt::print("registers of {} bytes here, largest error {:.2g}\n", heed::vec_bytes, error);
    return error < 1e-5 ? 0 : 1;
}
