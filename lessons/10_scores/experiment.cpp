#include "lessons/10_scores/experiment.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson10 {

namespace {

constexpr int random_keys = 32;

}  // namespace

double score_variance(int64_t width, int pairs, Rng& rng) {
    double squares = 0;
    constexpr int together = 1000;
    for (int done = 0; done < pairs; done += together) {
        const Tensor q = normal({together, width}, 0, 1, rng),
                     k = normal({together, width}, 0, 1, rng);
        squares += sum(square(sum(q * k, 1))).item();
    }
    return squares / pairs;  // the mean is 0
}

Saturation saturation(int64_t width, int queries, Scale scale, Match match, Rng& rng) {
    const Tensor q = normal({queries, 1, width}, 0, 1, rng);
    Tensor k = normal({queries, random_keys, width}, 0, 1, rng);
    if (match == Match::one) k = concat({q, slice(k, 1, 1, random_keys)}, 1);
    const double factor = scale == Scale::root ? 1 / std::sqrt(static_cast<double>(width)) : 1;
    Tensor scores = detach(factor * matmul(q, transpose(k)));
    scores.set_requires_grad();  // [B, 1, K]
    const Tensor weights = softmax(scores);
    const Tensor g = normal(weights.shape(), 0, 1, rng);
    const Tensor norms = sqrt(sum(square(grad(weights, {scores}, false, g)[0]), -1));
    const NoGrad no_grad;
    const Tensor a = detach(weights);  // the gradient of value j is that of the context, times aⱼ
    return {mean(sum(-a * log(a + 1e-30), -1)).item(), mean(norms).item(),
            mean(norms < 1e-3).item(), mean(sqrt(sum(square(a), -1))).item()};
}

std::vector<Sweep> sweep_widths(const std::vector<double>& widths, int queries, Rng& rng) {
    struct Case {
        const char* name;
        Scale scale;
        Match match;
    };
    std::vector<Sweep> sweeps;
    for (const Case& c :
         {Case{"unscaled", Scale::none, Match::none}, Case{"scaled", Scale::root, Match::none},
          Case{"scaled, one key matches", Scale::root, Match::one}}) {
        Sweep sweep{c.name, {}, {}, {}, {}};
        for (double width : widths) {
            sweep.last = saturation(static_cast<int64_t>(width), queries, c.scale, c.match, rng);
            if (sweep.entropy.empty()) sweep.first = sweep.last;
            sweep.entropy.push_back(sweep.last.entropy);
            sweep.vanished.push_back(sweep.last.vanished);
        }
        sweeps.push_back(sweep);
    }
    return sweeps;
}

}  // namespace heed::lesson10
