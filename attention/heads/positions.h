// Positions. Attention ignores the order of its inputs: if the keys are permuted, the context stays
// the same. So position information has to be added, in one of two ways.
//
// Added to the embeddings, before the first layer (AbsolutePositions):
//     sinusoidal   sines and cosines of many wavelengths     Vaswani et al. 2017, section 3.5
//     learned      a learned vector for each position        Gehring et al. 2017, section 3.1
// In the attention of every layer, by distance only (RelativePositions):
//     relative     a learned vector for each distance        Shaw, Uszkoreit, Vaswani 2018, 3.1
//     rotary       queries and keys rotated by an angle      Su et al. 2021, section 3.2.2
//                  proportional to their position
//     alibi        a penalty proportional to the distance    Press, Smith, Lewis 2021, section 3
//
//     Tensor x = AbsolutePositions({.kind = PositionKind::learned, .width = 64}, rng)(embedded);
//     Tensor q = rotary(queries, 0), k = rotary(keys, 0);    // [B, H, T, D]
//
// Positions count from 0. The queries are at the last Q of the K positions, as for causal masks:
// query i is at position K - Q + i. So all of this works with a cache of keys.
//
// Positions may also be given, [B, T], one for each token. In a batch padded on the left a text begins
// behind its padding, and positions_of(mask) counts from there. What goes by distance does not need it:
// between two tokens of a text there is no padding.
#pragma once

#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

enum class PositionKind { none, sinusoidal, learned, relative, rotary, alibi };
const char* name_of(PositionKind kind);
const std::vector<PositionKind>& position_kinds();  // all, in this order

// Which two numbers of a head are rotated together: (x₂ᵢ, x₂ᵢ₊₁) as in the paper, or (xᵢ, xᵢ₊D/2) as in
// GPT-NeoX and Llama ("rotate_half").
enum class RotaryLayout { pairs, halves };

struct PositionOptions {
    PositionKind kind = PositionKind::sinusoidal;
    int64_t width = 0;            // of the model, D
    int64_t heads = 1;            // H
    int64_t max_positions = 512;  // learned: the longest sequence
    int64_t max_distance = 16;    // relative: larger distances count as this one (k in the paper)
    // Rotary.
    RotaryLayout layout = RotaryLayout::pairs;
    double base = 10000;       // of the angles; ntk_base() for longer texts
    double interpolation = 1;  // positions are divided by it
    // In place of both: the angle of each pair for one position, as llama3_frequencies() gives them.
    std::vector<double> frequencies = {};
};

// The positions [B, T] of the last T of K tokens, by the padding mask [B, 1, K]: how many tokens that are
// no padding come before. T = 0: all of them.
Indices positions_of(const Tensor& mask, Integer steps = 0);

// [count, width] for the positions first, first + 1, ...:
// PE(p, 2i) = sin(p / 10000^(2i / D)), PE(p, 2i + 1) = cos of the same angle. Throws when the width
// is odd.
Tensor sinusoidal_positions(Integer first, Integer count, Integer width,
                            Dtype dtype = Dtype::float32);

// Rotates each pair (x₂ᵢ, x₂ᵢ₊₁) by the angle p base^(-2i / D), p = first, first + 1, ... along the
// last axis but one: [..., T, D] -> [..., T, D]. The dot product of a rotated query and a rotated
// key depends on their positions only through the distance. Throws when D is odd.
//
// A model that was trained on L positions reads s L of them, with a little more training, if all angles
// are again those of positions up to L: the angle is then (p / s) base^(-2i / D), s the interpolation
// (Chen et al. 2023, equation 4).
Tensor rotary(const Tensor& x, Integer first, double base = 10000,
              RotaryLayout layout = RotaryLayout::pairs, double interpolation = 1);
// The same at given positions [T], or [B, T] for x [B, ..., T, D].
Tensor rotary(const Tensor& x, const Indices& positions, double base = 10000,
              RotaryLayout layout = RotaryLayout::pairs, double interpolation = 1);

// The angle of pair i for one position, base^(-2i / D) / s, [D / 2]; and the rotation by any such list.
std::vector<double> rotary_frequencies(Integer width, double base = 10000,
                                       double interpolation = 1);
Tensor rotary(const Tensor& x, Integer first, const std::vector<double>& frequencies,
              RotaryLayout layout = RotaryLayout::pairs);
Tensor rotary(const Tensor& x, const Indices& positions, const std::vector<double>& frequencies,
              RotaryLayout layout = RotaryLayout::pairs);

// Another way to s times the length: a larger base, base s^(D / (D - 2)) for heads of width D. The slowest
// pair then turns s times more slowly, the fastest as before (Peng et al. 2023, section 3.1, "NTK-aware").
double ntk_base(double factor, Integer width, double base = 10000);

// And a third, that of Llama 3.1 (apply_scaling() of the published code).
// Count the turns of a pair over the positions of the first training. A pair with at least `high` turns keeps
// its frequency. One with at most `low` turns is slowed by the factor. Between the two, the factor of the
// frequency is linear in the number of turns.
struct Llama3Scaling {
    double factor = 8, low = 1, high = 4, positions = 8192;
};
std::vector<double> llama3_frequencies(Integer width, double base, const Llama3Scaling& scaling);

// The weight or the bias [Out, ...], Out = H D, of the projection of queries or of keys for the other
// layout: the numbers of each head in another order. If both projections are changed, all scores stay the
// same. Throws unless the heads divide Out into even widths.
Tensor with_rotary_layout(const Tensor& weight, Integer heads, RotaryLayout from, RotaryLayout to);

// [H, Q, K]: -slope * |distance|. The slopes are 2^(-8/H), 2^(-16/H), ...; if H is not a power of
// two, those of the next smaller one and then every other of the next larger one. Throws when Q >
// K.
Tensor alibi_bias(Integer heads, Integer queries, Integer keys, Dtype dtype = Dtype::float32);
std::vector<double> alibi_slopes(Integer heads);

// Positions that are added to embeddings. Kinds other than sinusoidal and learned add nothing.
struct AbsolutePositions {
    static constexpr bool is_embedding = true;  // for weight decay
    PositionKind kind = PositionKind::none;
    Tensor table;  // learned: [P, D], P = max_positions, initialised with N(0, 0.02)

    AbsolutePositions() = default;
    AbsolutePositions(const PositionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("table", table);
    }

    // x [B, T, D], at the positions first, first + 1, ... Throws beyond the last learned position.
    Tensor operator()(const Tensor& x, Integer first = 0) const;
    // At given positions [B, T].
    Tensor operator()(const Tensor& x, const Indices& positions) const;
};

// Positions in attention: what is done to queries, keys, scores and context. Kinds other than
// relative, rotary and alibi change nothing. Queries and keys are split into heads of width D.
struct RelativePositions {
    static constexpr bool is_embedding = true;  // for weight decay
    PositionKind kind = PositionKind::none;
    RotaryLayout layout = RotaryLayout::pairs;
    std::vector<double> frequencies = {};  // rotary: of the pairs of a head
    // Relative: [R, D], R = 2 max_distance + 1, the middle row for distance 0. D is the width of a head.
    Tensor key, value;

    RelativePositions() = default;
    // Throws unless the heads divide the width; for rotary, when a head's width is odd.
    RelativePositions(const PositionOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("relative_key", key);
        f("relative_value", value);
    }

    // x [B, H, T, D] at the positions first, first + 1, ..., or at those given, [B, T]. Rotary: rotated.
    // Others: x itself.
    Tensor rotate(const Tensor& x, Integer first) const;
    Tensor rotate(const Tensor& x, const Indices& positions) const;
    // What is added to the scaled scores of q [B, H, Q, D] and K keys; not defined for other kinds.
    //     relative: scale qᵢ · a(j - i), a the rows of `key`        alibi: -slope |j - i|
    // scale is that of the scores; 0: 1 / √D.
    Tensor bias(const Tensor& q, Integer keys, double scale = 0) const;
    // Relative: what is added to the context, Σⱼ wᵢⱼ a(j - i), a the rows of `value`;
    // weights [B, H, Q, K] -> [B, H, Q, D]. Not defined for other kinds.
    Tensor context(const Tensor& weights) const;
};

}  // namespace heed
