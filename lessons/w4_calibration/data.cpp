#include "lessons/w4_calibration/data.h"

#include <cmath>

namespace heed::workshop4 {

Climate::Climate(Rng& rng)
    : centre(normal({outcomes * patterns, measurements}, 0, 1, rng, Dtype::float64)) {}

Days Climate::days(int count, Rng& rng) const {
    std::vector<double> x;
    std::vector<int> drawn;
    for (int i = 0; i < count; ++i) {
        const double u = rng.uniform();
        drawn.push_back(u < how_often[0] ? 0 : u < how_often[0] + how_often[1] ? 1 : 2);
        const int64_t pattern = patterns * drawn.back() + rng.below(patterns);
        for (int m = 0; m < measurements; ++m) x.push_back(centre.at({pattern, m}) + rng.normal());
    }
    return {tensor(x, {count, measurements}), Indices(drawn)};
}

Tensor Climate::logits(const Tensor& x) const {
    const Tensor apart = unsqueeze(to_dtype(x, Dtype::float64), 1) - centre;  // [N, patterns, M]
    const Tensor density = -0.5 * sum(square(apart), 2);                      // its logarithm
    const Tensor either = logsumexp(reshape(density, {x.size(0), outcomes, patterns}), 2);
    std::vector<double> prior;
    for (double p : how_often) prior.push_back(std::log(p));
    return either + tensor(prior, Dtype::float64);
}

Tensor Climate::probabilities(const Tensor& x) const { return softmax(logits(x)); }

}  // namespace heed::workshop4
