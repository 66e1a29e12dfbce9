// Linformer (Wang, Li, Khabsa, Fang, Ma 2020, equation 7): K keys and values are projected along the
// sequence to P rows, and the queries attend to these.
//
//     context = softmax(scale q (E k)ᵀ) (F v),    E, F [P, K] learned, scale = 1 / √D
//
//     Linformer attention({.length = 4096, .projected = 256}, rng);
//     Tensor context = attention(q, k, v).context;       // [B, H, Q, D']
//
// It costs Q P + K P products of width D instead of Q K. E and F belong to positions: a shorter
// sequence uses their first columns, a longer one is refused. One projected row mixes all positions, so
// it cannot be causal, and a mask can exclude keys for all queries together but not for single ones.
#pragma once

#include "attention/scores/soft.h"
#include "autograd/base/rng.h"

namespace heed {

struct LinformerOptions {
    int64_t length = 0;     // the most keys
    int64_t projected = 0;  // P
    bool shared = false;    // F = E (section 4, "key-value sharing")
};

struct Linformer {
    Tensor key;    // E [P, length]
    Tensor value;  // F [P, length], or not defined if it is E

    Linformer() = default;
    Linformer(const LinformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("key", key);
        f("value", value);
    }

    // q [B, H, Q, D], k [B, H, K, D], v [B, H, K, D'], mask [B, 1, 1, K] or not defined -> context
    // [B, H, Q, D'], weights [B, H, Q, P] over the projected rows. Without an allowed key the context
    // is 0. Throws when sizes do not fit, and for more keys than the length.
    AttentionOutput operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                               const Tensor& mask = {}) const;
};

}  // namespace heed
