// Attention pooling: learned queries, with context, with heads; and fixed scores.
#include "attention/heads/pooling.h"
#include "attention/scores/mask.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

std::vector<Case> pooling() {
    Rng rng(31);
    const Tensor items = sample({2, 4, 3}), context = sample({2, 2}, -1, 1, 2);
    const auto mask = [](const Tensor& x) { return padding_mask({4, 2}, 4, x.dtype()); };
    return {
        with_parameters("AttentionPooling", AttentionPooling({.width = 3, .hidden = 2}, rng),
                        {items},
                        [](const AttentionPooling& p, const Xs& x) { return joined(p(x[0])); }),
        with_parameters("AttentionPooling of three queries, with context and padding",
                        AttentionPooling({.width = 3, .queries = 3, .context = 2}, rng),
                        {items, context},
                        [=](const AttentionPooling& p, const Xs& x) {
                            return joined(p(x[0], x[1], mask(x[0])));
                        }),
        with_parameters("MultiHeadPooling, padding",
                        MultiHeadPooling({.width = 4, .queries = 2, .heads = 2}, rng),
                        {sample({2, 4, 4})},
                        [=](const MultiHeadPooling& p, const Xs& x) {
                            return joined(with_weights(p, x[0], {.mask = mask(x[0])}));
                        })
            .zero_gradient("key.bias", softmax_cancels),
        {"gaussian_scores",
         [](const Xs& x) { return gaussian_scores(x[0], x[1], 0.8); },
         {sample({2, 3, 2}), sample({2, 4, 2}, -1, 1, 2)}},
        {"nadaraya_watson, padding",
         [=](const Xs& x) { return joined(nadaraya_watson(x[0], x[1], x[2], 0.8, mask(x[0]))); },
         {sample({2, 3, 2}), sample({2, 4, 2}, -1, 1, 2), sample({2, 4, 1}, -1, 1, 3)}},
    };
}

const bool added_pooling = add_cases(pooling);

}  // namespace
}  // namespace heed
