// An attention mechanism: a score and a span (Luong et al. 2015, section 3).
//
//     Attention attention{AttentionScore(ScoreKind::general, {.query = 64, .key = 128}, rng), {}};
//     PreparedKeys keys = attention.prepare(states, states, padding_mask(lengths, states.size(1)));
//     auto [context, weights] = attention(query, keys);     // [B, Q, 128], [B, Q, K]
//
// The recurrent encoder-decoder models attend to their source with it.
#pragma once

#include "attention/scores/score.h"
#include "attention/scores/soft.h"
#include "attention/scores/span.h"

namespace heed {

// Keys and values, prepared once for many queries.
struct PreparedKeys {
    Tensor key;              // [B, K, ...], what AttentionScore::prepare() returns
    Tensor value;            // [B, K, D]
    Tensor mask;             // [B, 1, K], or not defined
    Tensor not_finite = {};  // the keys before they were prepared, if some number is not finite
};

struct Attention {
    AttentionScore score;
    AttentionSpan span;

    template <class F>
    void visit(F&& f) {
        f("score", score);
        f("span", span);
    }

    // What the mask hides from all queries is not read. Throws when key [B, K, Dk] and value [B, K, D]
    // differ in B or K.
    PreparedKeys prepare(const Tensor& key, const Tensor& value, const Tensor& mask = {}) const;

    // query [B, Q, Dq], the first of which is at first_position of its sequence (for local_m) ->
    // weights [B, Q, K], context [B, Q, D].
    Tensor weights(const Tensor& query, const PreparedKeys& keys, Integer first_position = 0) const;
    AttentionOutput operator()(const Tensor& query, const PreparedKeys& keys,
                               Integer first_position = 0) const;
    // Σⱼ αⱼ xⱼ with the weights [B, Q, K] of these keys, for any x [B, K, X] that belong to them.
    Tensor context(const Tensor& weights, const Tensor& x, const PreparedKeys& keys) const;

  private:
    bool sees_all(const PreparedKeys& keys) const;  // whether no query is kept from any key
    Tensor weights_apart(const Tensor& query, const PreparedKeys& keys,
                         int64_t first_position) const;
};

}  // namespace heed
