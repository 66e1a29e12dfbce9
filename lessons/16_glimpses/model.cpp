#include "lessons/16_glimpses/model.h"

#include "autograd/autograd.h"

namespace heed::lesson16 {

GlimpseModel::GlimpseModel(const ModelOptions& sizes, Rng& rng) : options(sizes) {
    const int64_t seen = sizes.glimpse.size * sizes.glimpse.size * sizes.glimpse.scales;
    const int64_t wide = sizes.hidden, half = wide / 2;
    pixels = Linear(seen, half, rng);
    location = Linear(2, half, rng);
    what = Linear(half, wide, rng);
    where = Linear(half, wide, rng);
    input = Linear(wide, wide, rng);
    recurrent = Linear(wide, wide, rng);
    output = Linear(wide, sizes.classes, rng);
    locator = Linear(wide, half, rng);
    mean = Linear(half, 2, rng);
    baseline = LearnedBaseline(wide, rng);
}

Output GlimpseModel::look(const Tensor& images, LocationRule rule, Rng& rng) const {
    const int64_t batch = images.size(0);
    Output seen;
    std::vector<Tensor> log_probs, baselines;
    Tensor at = uniform({batch, 2}, -1, 1, rng), state = zeros({batch, options.hidden});
    for (int t = 0; t < options.glimpses; ++t) {
        if (t > 0) {
            const Tensor centre = tanh(mean(relu(locator(detach(state)))));
            const LocationSample drawn = sample_location(centre, options.deviation, rng);
            if (rule == LocationRule::random) at = uniform({batch, 2}, -1, 1, rng);
            if (rule == LocationRule::mean) at = detach(centre);
            if (rule == LocationRule::learned) at = clamp(drawn.location, -1, 1);
            if (rule == LocationRule::leaking)
                at = clamp(centre + (drawn.location - detach(centre)), -1, 1);
            log_probs.push_back(drawn.log_prob);
            baselines.push_back(baseline(state));
        }
        seen.locations.push_back(detach(at));
        const Tensor view = reshape(glimpse(images, detach(at), options.glimpse), {batch, -1});
        const Tensor g = relu(what(relu(pixels(view))) + where(relu(location(at))));
        state = relu(input(g) + recurrent(state));
    }
    seen.logits = output(state);
    seen.log_prob = stack(log_probs, 1);
    seen.baseline = stack(baselines, 1);
    return seen;
}

}  // namespace heed::lesson16
