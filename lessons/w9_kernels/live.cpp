// Kernel regression as attention: a query is answered by the mean of all points, weighted by how
// near they are. The points and the curve are those of the lesson (data.h).
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/svg.h"
#include "lessons/w9_kernels/data.h"

namespace heed::workshop9 {

using namespace course;

namespace {

constexpr double left = 40, top = 50, wide = 560, high = 300, lowest = -2, highest = 2.5;

double across(double x) { return left + wide * x; }
double down(double y) {
    return top + high * std::min(std::max((highest - y) / (highest - lowest), 0.0), 1.0);
}

std::string line_through(const std::vector<double>& x, const std::vector<double>& y) {
    std::string path;
    for (std::size_t i = 0; i < x.size(); ++i)
        path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", across(x[i]), down(y[i]));
    return path;
}

// The axes, the two curves, and the points: the more weight, the larger.
std::string picture(const NoisyCurve& curve, const std::vector<double>& answers, double query,
                    double answer, const std::vector<double>& weights) {
    Svg svg(left + wide + 20, top + high + 30, "Points, the curve through them, and a query");
    svg.text(10, 16, "The estimate at every q. A larger point has a larger weight for the query",
             "start", "title");
    const char* names[] = {"estimate", "true curve", "points", "query and its answer"};
    for (int i = 0; i < 4; ++i) {
        svg.add(R"(<path class="line s{}" d="M{} 32h22"/>)", i, left + 140 * i);
        svg.text(left + 140 * i + 28, 36, names[i]);
    }
    for (int y = -2; y <= 2; ++y) {
        svg.add(R"(<path class="grid" d="M{} {:.1f}h{}"/>)", left, down(y), wide);
        svg.text(left - 8, down(y) + 4, std::to_string(y), "end", "faint");
    }
    for (int i = 0; i <= 5; ++i)
        svg.text(across(0.2 * i), top + high + 18, fmt::format("{:.1f}", 0.2 * i), "middle",
                 "faint");
    svg.add(R"(<g class="s1"><path class="line" d="{}"/></g>)", line_through(curve.q, curve.truth));
    svg.add(R"(<g class="s0"><path class="line" d="{}"/></g>)", line_through(curve.q, answers));
    for (std::size_t j = 0; j < weights.size(); ++j)
        svg.add(R"(<g class="s2"><circle class="dot" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/></g>)",
                across(curve.k[j]), down(curve.v[j]), std::sqrt(3 + 140 * weights[j]));
    svg.add(R"(<g class="s3"><path class="line" d="M{0:.1f} {1}v{2}"/>)"
            R"(<circle class="dot" cx="{0:.1f}" cy="{3:.1f}" r="5"/></g>)",
            across(query), top, high, down(answer));
    return svg.finish();
}

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
    const NoisyCurve curve(60, rng);
    const double h = std::pow(10, inputs.number("width")), query = inputs.number("query");
    const auto column = [](const std::vector<double>& x) {
        return tensor(x, {1, static_cast<std::int64_t>(x.size()), 1}, Dtype::float64);
    };
    const Tensor keys = column(curve.k), values = column(curve.v);
    const std::vector<double> answers =
        nadaraya_watson(column(curve.q), keys, values, h).context.to_vector();
    const AttentionOutput one = nadaraya_watson(column({query}), keys, values, h);
    const double answer = one.context.item();
    return {.svgs = {picture(curve, answers, query, answer, one.weights.to_vector())},
            .numbers = {{"width h", h},
                        {"answer to the query", answer},
                        {"largest weight", max(one.weights).item()},
                        {"mean squared error against the true curve", curve.error(answers)}}};
}

const Registered figure({.name = "kernel_regression",
                         .controls = {slider("query", "Query q", {0, 1, 0.01, 0.3}),
                                      slider("width", "Width h, as a power of ten",
                                             {-3, 0.5, 0.1, -1.3}),
                                      slider("seed", "Other points", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::workshop9
