// Attention sinks (Xiao et al. 2023, "Efficient streaming language models with attention sinks", section
// 3.2): a cache of keys and values is kept at a fixed size, and a model generates far past the length it
// was trained on. The last `last` tokens are kept, and the first `first`: a softmax has to put its weight
// somewhere, and trained models put what they do not need on the first tokens, the sinks. A window without
// them breaks such a model as soon as the first token leaves it.
//
//     model(token, {.causal = true, .cache = &cache});
//     keep_first_and_last(cache, 4, 252, model.positions);
#pragma once

#include "attention/heads/self_attention.h"

namespace heed {

// Drops the keys and values between the first `first` and the last `last` tokens, in every layer; a cache
// that has no more stays as it is. The tokens that are kept count as neighbours, as in the paper: keys in
// a cache are already rotated, each at its own position, so those of the last tokens are rotated back by the
// number of tokens dropped. `positions` are those of the SelfAttention that wrote the cache. Throws for
// negative numbers. A model with absolute positions cannot be served so.
void keep_first_and_last(KeyValueCache& cache, Integer first, Integer last,
                         const RelativePositions& positions);

}  // namespace heed
