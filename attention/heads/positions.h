// Where a token stands. Attention sees a set: permute the keys and nothing changes. Order has to be
// told, in one of two ways.
//
// Added to the embeddings, once, before the first layer (AbsolutePositions):
//     sinusoidal   waves of many lengths                     Vaswani et al. 2017, section 3.5
//     learned      a row of a table for each place           Gehring et al. 2017, section 3.1
// In the attention itself, in every layer, by distance only (RelativePositions):
//     relative     a learned vector per distance, clipped    Shaw, Uszkoreit, Vaswani 2018, 3.1
//     rotary       queries and keys turned by their place    Su et al. 2021, section 3.2.2
//     alibi        a penalty that grows with the distance    Press, Smith, Lewis 2021, section 3
//
//     Tensor x = AbsolutePositions({.kind = PositionKind::learned, .width = 64}, rng)(embedded);
//     Tensor q = rotary(queries, 0), k = rotary(keys, 0);    // [B, H, T, D]
//
// Places count from 0. Queries are the last Q of the K places, as for causal masks: query i stands
// at K - Q + i. So all of this works with a cache of keys.
#pragma once

#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

enum class PositionKind { none, sinusoidal, learned, relative, rotary, alibi };
const char* name_of(PositionKind kind);
const std::vector<PositionKind>& position_kinds();  // all, in this order

struct PositionOptions {
    PositionKind kind = PositionKind::sinusoidal;
    int64_t width = 0;          // of the model, D
    int64_t heads = 1;          // H
    int64_t max_positions = 512;  // learned: the longest sequence
    int64_t reach = 16;         // relative: farther keys count as this far (k in the paper)
};

// [count, width] for the places first, first + 1, ...:
// PE(p, 2i) = sin(p / 10000^(2i / D)), PE(p, 2i + 1) = cos of the same.
Tensor sinusoidal_positions(int64_t first, int64_t count, int64_t width,
                            Dtype dtype = Dtype::float32);

// Turns the pair (x₂ᵢ, x₂ᵢ₊₁) by the angle p base^(-2i / D), p = first, first + 1, ... along the
// last axis but one: [..., T, D] -> the same. The dot product of a turned query and a turned key
// depends on their distance, not on where they stand. Throws when D is odd.
Tensor rotary(const Tensor& x, int64_t first, double base = 10000);

// [H, Q, K]: minus slope times |distance|. The slopes are 2^(-8/H), 2^(-16/H), ...; when H is no
// power of two, those of the next lower one and then every other of the next higher.
Tensor alibi_bias(int64_t heads, int64_t queries, int64_t keys, Dtype dtype = Dtype::float32);
std::vector<double> alibi_slopes(int64_t heads);

// Positions that are added to embeddings. Of another kind it changes nothing.
struct AbsolutePositions {
    static constexpr bool is_embedding = true;  // for weight decay
    PositionKind kind = PositionKind::none;
    Tensor table;  // learned: [max_positions, D], drawn from N(0, 0.02)

    AbsolutePositions() = default;
    AbsolutePositions(const PositionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("table", table);
    }

    // x [B, T, D], standing at the places first, first + 1, ... Throws beyond the last learned one.
    Tensor operator()(const Tensor& x, int64_t first = 0) const;
};

// Positions within attention: what happens to queries, keys, scores and context. Of another kind
// it changes nothing. Shapes as in multi_head.h: [B, H, Q, D] are split heads.
struct RelativePositions {
    static constexpr bool is_embedding = true;  // for weight decay
    PositionKind kind = PositionKind::none;
    Tensor key, value;  // relative: [2 reach + 1, D / H], the row in the middle for distance 0

    RelativePositions() = default;
    RelativePositions(const PositionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("relative_key", key);
        f("relative_value", value);
    }

    // Rotary: x [B, H, T, D] turned by its places. Others: x.
    Tensor turned(const Tensor& x, int64_t first) const;
    // Added to the scaled scores of q [B, H, Q, D] and K keys; not defined if nothing is.
    //     relative: qᵢ · a(j - i) / √D, a the rows of `key`        alibi: -slope |j - i|
    Tensor bias(const Tensor& q, int64_t keys) const;
    // Relative: what the distances add to the context, Σⱼ wᵢⱼ a(j - i), a the rows of `value`;
    // weights [B, H, Q, K] -> [B, H, Q, D]. Others: not defined.
    Tensor context(const Tensor& weights) const;
};

}  // namespace heed
