// Softmax tile by tile: the running maximum, the running sum and the context, which at the end are those of
// the whole row.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson30 {

using namespace course;

namespace {

constexpr int keys = 12;

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
    const Tensor scores = inputs.number("spread") * normal({keys}, 0, 1, rng, Dtype::float64);
    const Tensor values = normal({keys}, 0, 1, rng, Dtype::float64);
    const int size = inputs.whole("size"), all = (keys + size - 1) / size;
    const int tiles = std::min(inputs.whole("tiles"), all);

    // m is the largest score so far, l the sum of e^(score - m), c the same sum with the values.
    double m = -INFINITY, l = 0, c = 0, factor = 1;
    for (int tile = 0; tile < tiles; ++tile) {
        const int first = tile * size, end = std::min(first + size, keys);
        const Tensor s = slice(scores, 0, first, end), v = slice(values, 0, first, end);
        const double larger = std::max(m, max(s).item());
        factor = std::exp(m - larger);  // what was added up before is rescaled by this
        const Tensor e = exp(s - larger);
        l = l * factor + sum(e).item();
        c = c * factor + sum(e * v).item();
        m = larger;
    }
    const double exact = sum(softmax(scores) * values).item();
    const std::vector<double> s = scores.to_vector();
    BarChart chart{
        .title = "e^(score - m) of the keys that have been read, and of those that have not",
        .value_label = "e^(score - m)",
        .sets = {{.name = "read"}, {.name = "not read yet"}},
        .high = 1};
    const double top = std::isfinite(m) ? m : *std::max_element(s.begin(), s.end());
    for (int j = 0; j < keys; ++j) {
        chart.labels.push_back("key " + std::to_string(j + 1));
        const double height = std::exp(s[static_cast<std::size_t>(j)] - top);
        const bool read = j < tiles * size;
        chart.sets[0].values.push_back(read ? height : 0);
        chart.sets[1].values.push_back(read ? 0 : std::min(height, 1.0));
    }
    return {.svgs = {to_svg(chart)},
            .numbers = {{"largest score so far, m", m},
                        {"old sums were multiplied by", factor},
                        {"sum l", l},
                        {"context so far, c / l", l > 0 ? c / l : 0, 6},
                        {"context of the whole row", exact, 6}}};
}

const Registered figure({.name = "tiles",
                         .controls = {slider("tiles", "Tiles read so far", {0, 6, 1, 1}),
                                      slider("size", "Keys in a tile", {2, 6, 1, 3}),
                                      slider("spread", "Spread of the scores", {0.5, 4, 0.5, 1.5}),
                                      slider("seed", "Other scores", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson30
