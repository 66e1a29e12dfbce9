// Hiding tokens, the task BERT is trained on (Devlin et al. 2019, section 3.1, task 1, and A.1): a
// share of the tokens is chosen at random and has to be predicted from the others. Of the chosen tokens
//
//     80 %   become [MASK]                   my dog is hairy -> my dog is [MASK]
//     10 %   become another random token     my dog is hairy -> my dog is apple
//     10 %   stay as they are                my dog is hairy -> my dog is hairy
//
// so that the model cannot know which tokens it will be asked for, and has to keep a vector of each.
//
//     MaskedTokens batch = mask_tokens(ids, {.vocabulary = 30522, .mask_id = 103,
//                                            .special = {0, 101, 102}}, rng);
//     Tensor loss = cross_entropy(model(batch.ids), batch.labels);
#pragma once

#include <vector>

#include "autograd/base/rng.h"
#include "autograd/tensor/indices.h"

namespace heed {

struct MaskingOptions {
    int64_t vocabulary = 0;         // random tokens are drawn from 0 .. vocabulary - 1
    int mask_id = -1;               // the id of [MASK]
    std::vector<int> special = {};  // never chosen and never drawn: padding, [CLS], [SEP], ...
    double share = 0.15;            // the probability with which each token is chosen
    double masked = 0.8;            // of the chosen ones: that become [MASK],
    double random = 0.1;            // that become a random token; the others stay
};

struct MaskedTokens {
    static constexpr int not_asked = -100;  // the ignored label of cross_entropy()
    Indices ids;                            // [B, T], some of them replaced
    Indices labels;                         // [B, T], the original ids of the chosen tokens
};

// ids of any shape. Each token is chosen independently; a sequence may keep all of its tokens. [MASK] is
// special too. Throws for ids outside the vocabulary, for shares outside [0, 1], and when all of the
// vocabulary is special.
MaskedTokens mask_tokens(const Indices& ids, const MaskingOptions& options, Rng& rng);

}  // namespace heed
