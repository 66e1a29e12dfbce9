// Group, batch, layer and RMS normalisation against plain loops over what they average: values, the
// gradients of the input, the weight and the bias, and BatchNorm's running averages.
#include <functional>

#include "nn/nn.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Real = long double;

// y = (x - m) r w + b over the elements with the same number set(i); w and b by channel(i).
struct Normalised {
    std::vector<Real> y, dx, dw, db;
    std::vector<Real> means, variances;  // of each set, with the divisor n
    std::vector<Real> counts;

    Normalised(const std::vector<double>& x, const std::vector<double>& g,
               const std::vector<double>& w, const std::vector<double>& b, int64_t sets,
               const std::function<int64_t(int64_t)>& set,
               const std::function<int64_t(int64_t)>& channel, Real eps, bool centred = true)
        : y(x.size()),
          dx(x.size()),
          dw(w.size()),
          db(w.size()),
          means(sets),
          variances(sets),
          counts(sets) {
        const int64_t n = static_cast<int64_t>(x.size());
        std::vector<Real> sum_h(sets), sum_hu(sets);
        for (int64_t i = 0; i < n; ++i) counts[set(i)] += 1;
        for (int64_t i = 0; centred && i < n; ++i) means[set(i)] += x[i] / counts[set(i)];
        const auto distance = [&](int64_t i) { return x[i] - means[set(i)]; };
        for (int64_t i = 0; i < n; ++i)
            variances[set(i)] += distance(i) * distance(i) / counts[set(i)];
        const auto r = [&](int64_t i) { return 1 / std::sqrt(variances[set(i)] + eps); };
        for (int64_t i = 0; i < n; ++i) {
            const Real u = distance(i) * r(i), h = g[i] * w[channel(i)];
            y[i] = u * w[channel(i)] + (b.empty() ? 0 : b[channel(i)]);
            dw[channel(i)] += g[i] * u;
            db[channel(i)] += g[i];
            sum_h[set(i)] += h;
            sum_hu[set(i)] += h * u;
        }
        for (int64_t i = 0; i < n; ++i) {
            const Real u = distance(i) * r(i), h = g[i] * w[channel(i)], count = counts[set(i)];
            dx[i] = r(i) * (h - (centred ? sum_h[set(i)] / count : 0) - u * sum_hu[set(i)] / count);
        }
    }
};

void require_near(const Tensor& found, const std::vector<Real>& expected) {
    require_close(found, std::vector<double>(expected.begin(), expected.end()),
                  found.dtype() == Dtype::float32 ? 2e-5 : 1e-12);
}

// A layer with random weights, called with x in every layout, against the loops.
template <class Layer, class Call>
void compare(Layer layer, const Tensor& numbers, Call call, int64_t sets,
             const std::function<int64_t(int64_t)>& set,
             const std::function<int64_t(int64_t)>& channel, double eps, bool centred = true) {
    const Dtype dtype = numbers.dtype();
    to_dtype(layer, dtype);
    std::vector<Tensor> learned;
    for (const Parameter& p : parameters(layer)) {
        learned.push_back(p.tensor);
        learned.back().assign(draw(p.tensor.shape(), dtype, 5 + learned.size(), 0.5, 1.5));
    }
    const Tensor g = draw(numbers.shape(), dtype, 9);
    const std::vector<double> none;
    const Normalised expected(numbers.to_vector(), g.to_vector(), learned[0].to_vector(),
                              learned.size() > 1 ? learned[1].to_vector() : none, sets, set,
                              channel, eps, centred);
    for (const NamedLayout& layout : layouts_of(numbers))
        for (bool again : {false, true}) {
            INFO(layout.name << (again ? ", with a graph" : ""));
            std::vector<Tensor> wanted{detach(layout.x).set_requires_grad()};
            wanted.insert(wanted.end(), learned.begin(), learned.end());
            const Tensor y = call(layer, wanted[0]);
            require_near(y, expected.y);
            const std::vector<Tensor> gradients = grad(y, wanted, again, g);
            require_near(gradients[0], expected.dx);
            require_near(gradients[1], expected.dw);
            if (learned.size() > 1) require_near(gradients[2], expected.db);
        }
}

TEST_CASE("channels, groups and rows of equal numbers become zeros") {
    for (double number : {7.3, -1e5 / 3, 0.1})
        for (const Shape& shape :
             {Shape{3, 2}, Shape{2, 4, 3}, Shape{3, 4, 5, 7}, Shape{7, 2, 31}}) {
            INFO(number << " in " << to_string(shape));
            const Tensor x = full(shape, number);
            const auto all_zero = [](const Tensor& y) { return sum(abs(y)).item() == 0; };
            BatchNorm batch(shape[1]);
            CHECK(all_zero(batch(x, Mode::training())));
            CHECK(all_zero(batch.running_var - (1 - batch.momentum)));
            CHECK(all_zero(GroupNorm(2, shape[1])(x)));
            CHECK(all_zero(LayerNorm(shape.back())(x)));
        }
}

TEST_CASE("normalisation layers equal the plain loops, values and gradients", "[oracle]") {
    const auto call = [](const auto& layer, const Tensor& x) { return layer(x); };
    const auto train = [](const auto& layer, const Tensor& x) {
        return layer(x, Mode::training());
    };
    for (Dtype dtype : both_dtypes)
        for (uint64_t seed = 1; seed <= 6; ++seed) {
            Rng rng(seed);
            const auto number = [&](int64_t low, int64_t high) {
                return low + static_cast<int64_t>(rng.below(high - low + 1));
            };
            const int64_t batch = number(2, 4), groups = number(1, 3), per_group = number(1, 3);
            const int64_t channels = groups * per_group, height = number(2, 5),
                          width = number(1, 20);
            const int64_t pixels = height * width;
            INFO("[" << batch << ", " << channels << ", " << height << ", " << width << "], "
                     << groups << " groups");
            const Tensor x = draw({batch, channels, height, width}, dtype, seed, -1, 3);
            const auto channel = [&](int64_t i) { return i / pixels % channels; };
            compare(
                GroupNorm(groups, channels), x, call, batch * groups,
                [&](int64_t i) { return i / (pixels * per_group); }, channel, 1e-5);
            compare(BatchNorm2d(channels), x, train, channels, channel, channel, 1e-5);
            compare(BatchNorm1d(channels), flatten(x, 2), train, channels, channel, channel, 1e-5);
            const auto row = [&](int64_t i) { return i / width; };
            const auto column = [&](int64_t i) { return i % width; };
            compare(LayerNorm(width), x, call, batch * channels * height, row, column, 1e-5);
            compare(RmsNorm(width, 1e-5), x, call, batch * channels * height, row, column, 1e-5,
                    false);

            // Three batches of training: r = 0.9 r + 0.1 now, the variance with the divisor n - 1.
            BatchNorm2d norm(channels);
            to_dtype(norm, dtype);
            std::vector<Real> mean(channels, 0), variance(channels, 1);
            for (uint64_t step = 0; step < 3; ++step) {
                const Tensor now = draw(x.shape(), dtype, 50 + step, -1, 3);
                norm(now, Mode::training());
                const std::vector<double> numbers = now.to_vector(), one(channels, 1.0);
                const Normalised moments(numbers, numbers, one, {}, channels, channel, channel,
                                         1e-5);
                for (int64_t c = 0; c < channels; ++c) {
                    const Real n = moments.counts[c];
                    mean[c] = 0.9L * mean[c] + 0.1L * moments.means[c];
                    variance[c] = 0.9L * variance[c] + 0.1L * moments.variances[c] * n / (n - 1);
                }
            }
            require_near(norm.running_mean, mean);
            require_near(norm.running_var, variance);

            // Evaluation is (x - mean) / √(variance + eps), with those.
            std::vector<Real> evaluated;
            const std::vector<double> numbers = x.to_vector();
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const int64_t c = channel(static_cast<int64_t>(i));
                evaluated.push_back((numbers[i] - mean[c]) / std::sqrt(variance[c] + 1e-5L));
            }
            require_near(norm(x, Mode::evaluation()), evaluated);
        }
}

}  // namespace
}  // namespace heed
