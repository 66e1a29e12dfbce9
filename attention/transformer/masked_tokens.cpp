#include "attention/transformer/masked_tokens.h"

#include "autograd/base/settings.h"

namespace heed {

MaskedTokens mask_tokens(const Indices& ids, const MaskingOptions& o, Rng& rng) {
    check_positive("mask_tokens", {{"vocabulary", o.vocabulary}});
    check(o.mask_id >= 0 && o.mask_id < o.vocabulary,
          "mask_tokens: mask_id is {}; expected an id of the vocabulary of {}", o.mask_id,
          o.vocabulary);
    check_not_negative("mask_tokens",
                       {{"share", o.share}, {"masked", o.masked}, {"random", o.random}});
    check(o.share <= 1 && o.masked + o.random <= 1,
          "mask_tokens: share {}, masked {} and random {}; expected probabilities, the last two "
          "with a sum of at most 1",
          o.share, o.masked, o.random);
    check_range(ids, o.vocabulary, "mask_tokens", "the vocabulary");
    check_range(o.special, o.vocabulary, "mask_tokens", "the vocabulary, for a special token");

    std::vector<bool> special(o.vocabulary, false);
    special[o.mask_id] = true;
    for (int id : o.special) special[id] = true;
    std::vector<int> ordinary;  // what random tokens are drawn from
    for (int id = 0; id < o.vocabulary; ++id)
        if (!special[id]) ordinary.push_back(id);
    check(!ordinary.empty(), "mask_tokens: all {} tokens of the vocabulary are special",
          o.vocabulary);

    std::vector<int> replaced = ids.values(), labels(ids.count(), MaskedTokens::not_asked);
    for (int64_t i = 0; i < ids.count(); ++i) {
        if (special[ids[i]] || rng.uniform() >= o.share) continue;
        labels[i] = ids[i];
        const double fate = rng.uniform();
        if (fate < o.masked)
            replaced[i] = o.mask_id;
        else if (fate < o.masked + o.random)
            replaced[i] = ordinary[rng.below(ordinary.size())];
    }
    return {Indices(std::move(replaced), ids.shape()), Indices(std::move(labels), ids.shape())};
}

}  // namespace heed
