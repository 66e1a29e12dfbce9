#include "lessons/14_glimpses/eye.h"

#include "autograd/autograd.h"

namespace heed::lesson14 {

Eye::Eye(const EyeOptions& sizes, Rng& rng) : options(sizes) {
    const int64_t seen = sizes.glimpse.size * sizes.glimpse.size * sizes.glimpse.scales;
    const int64_t wide = sizes.hidden, half = wide / 2;
    pixels = Linear(seen, half, rng);
    place = Linear(2, half, rng);
    what = Linear(half, wide, rng);
    where = Linear(half, wide, rng);
    input = Linear(wide, wide, rng);
    memory = Linear(wide, wide, rng);
    answer = Linear(wide, sizes.classes, rng);
    propose = Linear(wide, half, rng);
    point = Linear(half, 2, rng);
    baseline = LearnedBaseline(wide, rng);
}

Seen Eye::look(const Tensor& images, Looking looking, Rng& rng) const {
    const int64_t batch = images.size(0);
    Seen seen;
    std::vector<Tensor> log_probs, baselines;
    Tensor at = uniform({batch, 2}, -1, 1, rng), state = zeros({batch, options.hidden});
    for (int t = 0; t < options.glimpses; ++t) {
        if (t > 0) {
            const Tensor mean = tanh(point(relu(propose(detach(state)))));
            const LocationSample drawn = sample_location(mean, options.deviation, rng);
            if (looking == Looking::random) at = uniform({batch, 2}, -1, 1, rng);
            if (looking == Looking::steady) at = detach(mean);
            if (looking == Looking::learned) at = clamp(drawn.location, -1, 1);
            if (looking == Looking::leaking) at = clamp(mean + (drawn.location - detach(mean)), -1, 1);
            log_probs.push_back(drawn.log_prob);
            baselines.push_back(baseline(state));
        }
        seen.places.push_back(detach(at));
        const Tensor view = reshape(glimpse(images, detach(at), options.glimpse), {batch, -1});
        const Tensor g = relu(what(relu(pixels(view))) + where(relu(place(at))));
        state = relu(input(g) + memory(state));
    }
    seen.logits = answer(state);
    seen.log_prob = stack(log_probs, 1);
    seen.baseline = stack(baselines, 1);
    return seen;
}

}  // namespace heed::lesson14
