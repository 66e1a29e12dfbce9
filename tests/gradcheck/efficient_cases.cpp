// Attention for long sequences: block-sparse, Linformer, Performer, hashing, Synthesizer; and reversible
// blocks.
#include "attention/efficient/efficient.h"
#include "attention/scores/mask.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// The second of two sequences has two keys less. In the dtype of x.
Tensor padding_of_heads(const Tensor& x, int64_t keys) {
    return unsqueeze(
        padding_mask({static_cast<int>(keys), static_cast<int>(keys) - 2}, keys, x.dtype()), 1);
}

const Xs self{sample({2, 2, 7, 4}, -1, 1, 1), sample({2, 2, 7, 4}, -1, 1, 2),
              sample({2, 2, 7, 3}, -1, 1, 3)};  // q, k, v
const Xs cross{sample({2, 2, 3, 4}, -1, 1, 1), sample({2, 2, 5, 4}, -1, 1, 2),
               sample({2, 2, 5, 3}, -1, 1, 3)};

std::vector<Case> sparse() {
    const BlockPattern window(7, {.before = 2, .after = 1, .block = 3});
    const BlockPattern many(7, {.before = 1,
                                .dilation = 2,
                                .global = {1},
                                .random_blocks = 1,
                                .causal = true,
                                .block = 2});
    return {
        {"block_sparse_attention, a window",
         [=](const Xs& x) { return block_sparse_attention(x[0], x[1], x[2], window); }, self},
        {"block_sparse_attention, dilated, causal, global and random, padding",
         [=](const Xs& x) {
             return block_sparse_attention(x[0], x[1], x[2], many,
                                           {.mask = padding_of_heads(x[0], 7), .scale = 0.7});
         },
         self},
        {"block_sparse_definition with its weights",
         [=](const Xs& x) { return joined(block_sparse_definition(x[0], x[1], x[2], many)); },
         self},
    };
}

std::vector<Case> projected() {
    Rng rng(7);
    const Tensor w = orthogonal_features(6, 4, rng, Dtype::float64);
    std::vector<Case> cases{
        {"positive_features",
         [=](const Xs& x) { return positive_features(x[0], like(x[0], w)); },
         {sample({2, 3, 4})}},
        {"performer_attention, padding",
         [=](const Xs& x) {
             return performer_attention(x[0], x[1], x[2], like(x[0], w),
                                        {.mask = padding_of_heads(x[0], 5)});
         },
         cross},
        {"performer_attention, causal",
         [=](const Xs& x) {
             return performer_attention(x[0], x[1], x[2], like(x[0], w),
                                        {.causal = true, .chunk = 3});
         },
         self},
        {"performer_definition with its weights",
         [=](const Xs& x) { return joined(performer_definition(x[0], x[1], x[2], like(x[0], w))); },
         cross},
        with_parameters("Linformer, padding",
                        scattered(Linformer({.length = 6, .projected = 3}, rng)), cross,
                        [](const Linformer& l, const Xs& x) {
                            return joined(l(x[0], x[1], x[2], padding_of_heads(x[0], 5)));
                        }),
        with_parameters(
            "Linformer, one projection of keys and values",
            scattered(Linformer({.length = 5, .projected = 2, .shared = true}, rng)), cross,
            [](const Linformer& l, const Xs& x) { return joined(l(x[0], x[1], x[2])); })};
    return cases;
}

std::vector<Case> hashed() {
    return {
        {"lsh_attention, two hashes, causal, padding",
         [](const Xs& x) {
             return lsh_attention(x[0], x[1],
                                  {.buckets = 2,
                                   .chunk = 3,
                                   .hashes = 2,
                                   .causal = true,
                                   .mask = padding_of_heads(x[0], 7)});
         },
         {self[0], self[2]}},
        {"lsh_definition with its weights",
         [](const Xs& x) { return joined(lsh_definition(x[0], x[1], {.buckets = 2, .chunk = 4})); },
         {self[0], self[2]}},
    };
}

std::vector<Case> synthesized() {
    std::vector<Case> cases;
    for (SynthesizerKind kind : synthesizer_kinds()) {
        Rng rng(9);
        const bool reads =
            kind == SynthesizerKind::dense || kind == SynthesizerKind::factored_dense;
        // The random kinds ignore the numbers of x, so it is no input of theirs.
        const Xs inputs = reads ? Xs{sample({2, 2, 4, 3}, -1, 1, 2), sample({2, 3, 4})}
                                : Xs{sample({2, 2, 4, 3}, -1, 1, 2)};
        cases.push_back(with_parameters(
            fmt::format("Synthesizer {}", name_of(kind)),
            scattered(Synthesizer(
                kind, {.width = 4, .length = 5, .heads = 2, .hidden = 3, .factor = 2}, rng)),
            inputs, [](const Synthesizer& s, const Xs& x) {
                const Tensor tokens = x.size() > 1 ? x[1] : zeros({2, 3, 4}, x[0].dtype());
                return concat({reshape(s(tokens, x[0], padding_of_heads(x[0], 4)).context, {-1}),
                               reshape(s.scores(tokens, 4), {-1})},
                              0);
            }));
    }
    return cases;
}

std::vector<Case> reversed() {
    const auto blocks = [](const Tensor& weight) -> std::vector<ReversibleBlock> {
        const auto f = [weight](const Tensor& x) { return tanh(matmul(x, weight)); };
        const auto g = [](const Tensor& x) { return sin(x); };
        return {{f, g}, {g, f}};
    };
    // f may use a leaf, or constants; here the weight is a constant.
    const Tensor weight = sample({2, 2}, -1, 1, 5);
    return {
        {"reversible",
         [=](const Xs& x) { return reversible(blocks(like(x[0], weight)), x[0]); },
         {sample({3, 4})}},
        {"reversible_definition",
         [=](const Xs& x) { return reversible_definition(blocks(x[1]), x[0]); },
         {sample({3, 4}), weight}},
    };
}

const bool added_efficient = add_cases(sparse) && add_cases(projected) && add_cases(hashed) &&
                             add_cases(synthesized) && add_cases(reversed);

}  // namespace
}  // namespace heed
