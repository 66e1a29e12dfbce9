// Positions, and self-attention with each kind of them.
#include "attention/heads/latent_attention.h"
#include "attention/heads/self_attention.h"
#include "attention/scores/mask.h"
#include "autograd/ops/shape/shape_ops.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

std::vector<Case> positions() {
    Rng rng(31);
    std::vector<Case> cases;
    cases.push_back({"rotary [2, 1, 3, 4]",
                     [](const Xs& x) { return rotary(x[0], 2); },
                     {sample({2, 1, 3, 4})}});
    cases.push_back(
        {"rotary in halves, at given positions",
         [](const Xs& x) {
             return rotary(x[0], Indices({0, 3, 1, 5, 6, 2}, {2, 3}), 100, RotaryLayout::halves);
         },
         {sample({2, 2, 3, 4})}});
    cases.push_back(
        {"rotary, interpolated",
         [](const Xs& x) { return rotary(x[0], 3, ntk_base(2, 6), RotaryLayout::halves, 4); },
         {sample({2, 3, 6})}});
    cases.push_back({"with_rotary_layout",
                     [](const Xs& x) {
                         return with_rotary_layout(x[0], 2, RotaryLayout::pairs,
                                                   RotaryLayout::halves);
                     },
                     {sample({12, 3})}});
    for (PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned})
        cases.push_back(
            with_parameters(fmt::format("AbsolutePositions {}", name_of(kind)),
                            AbsolutePositions({.kind = kind, .width = 4, .max_positions = 5}, rng),
                            {sample({2, 3, 4})},
                            [](const AbsolutePositions& p, const Xs& x) { return p(x[0], 1); }));
    cases.push_back(with_parameters(
        "AbsolutePositions learned, at given positions",
        AbsolutePositions({.kind = PositionKind::learned, .width = 4, .max_positions = 4}, rng),
        {sample({2, 3, 4})}, [](const AbsolutePositions& p, const Xs& x) {
            return p(x[0], Indices({0, 1, 2, 3, 3, 0}, {2, 3}));
        }));
    for (PositionKind kind : position_kinds()) {
        const PositionOptions positions{.kind = kind, .max_distance = 1};
        const SelfAttention layer({.width = 4, .heads = 2}, positions, rng);
        // A rotation makes of the constant bias a vector that differs from key to key.
        const auto add = [&](const Case& one) {
            cases.push_back(kind == PositionKind::rotary
                                ? one
                                : one.zero_gradient("key.bias", softmax_cancels));
        };
        add(with_parameters(
            fmt::format("SelfAttention {}, causal", name_of(kind)), layer, {sample({2, 3, 4})},
            [](const SelfAttention& a, const Xs& x) { return a(x[0], {.causal = true}); }));
        if (kind != PositionKind::relative && kind != PositionKind::rotary) continue;
        PositionOptions stretched = positions;
        stretched.base = 100;
        stretched.interpolation = 2;
        add(with_parameters(
            fmt::format("SelfAttention {}, grouped queries", name_of(kind)),
            SelfAttention({.width = 8, .heads = 4, .key_value_heads = 2}, stretched, rng),
            {sample({2, 3, 8})},
            [](const SelfAttention& a, const Xs& x) { return a(x[0], {.causal = true}); }));
        add(with_parameters(
            fmt::format("SelfAttention {}, padding, cached, dropout", name_of(kind)),
            SelfAttention({.width = 4, .heads = 2, .dropout = 0.3}, positions, rng),
            {sample({2, 2, 4}), sample({2, 1, 4}, -1, 1, 2)},
            [](const SelfAttention& a, const Xs& x) {
                Rng same(5);
                KeyValueCache cache;
                const Mode mode = Mode::training(same);
                const Tensor first = a(x[0], {.causal = true, .mode = mode, .cache = &cache});
                const Tensor second = a(
                    x[1],
                    {.mask = padding_mask({3, 2}, 3, x[0].dtype()), .mode = mode, .cache = &cache});
                return concat({first, second}, 1);
            }));
    }
    for (bool absorbed : {false, true})
        cases.push_back(with_parameters(
            absorbed ? "LatentAttention absorbed" : "LatentAttention",
            LatentAttention({.width = 4, .heads = 2, .latent = 3, .rotary_width = 2}, rng),
            {sample({2, 3, 4})}, [=](const LatentAttention& a, const Xs& x) {
                return absorbed ? a.absorbed(x[0], {.causal = true}) : a(x[0], {.causal = true});
            }));
    return cases;
}

const bool added_position = add_cases(positions);

}  // namespace
}  // namespace heed
