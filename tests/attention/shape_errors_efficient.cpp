// Wrong shapes for attention for long sequences; see shape_errors.h.
#include "attention/attention.h"
#include "tests/attention/shape_errors.h"

namespace heed::shape_errors {

std::vector<Row> efficient_rows() {
    static Rng rng(1);
    static const BlockPattern pattern(5, {.before = 1});
    static const Tensor h = z({2, 2, 5, 4}), short_v = z({2, 2, 4, 4}), w = z({6, 4});
    static const Linformer linformer({.length = 5, .projected = 2}, rng);
    static const Synthesizer synthesizer(SynthesizerKind::dense, {.width = 4, .length = 5, .heads = 2},
                                         rng);
    static const std::vector<ReversibleBlock> blocks{
        {[](const Tensor& x) { return x; }, [](const Tensor& x) { return x; }}};
    return {
        {"block_sparse_attention", [] { block_sparse_attention(h, h, short_v, pattern); },
         "block_sparse_attention: q [2, 2, 5, 4], k [2, 2, 5, 4], v [2, 2, 4, 4]; expected"},
        {"block_sparse_attention",
         [] { block_sparse_attention(short_v, short_v, short_v, pattern); },
         "q [2, 2, 4, 4] with a pattern for 5 positions; make a pattern of length 4"},
        {"block_sparse_attention",
         [] { block_sparse_attention(h, h, h, pattern, {.mask = z({1, 1, 4, 5})}); },
         "block_sparse_attention: the mask [1, 1, 4, 5] does not broadcast to the scores"},
        {"block_sparse_definition", [] { block_sparse_definition(h, h, short_v, pattern); },
         "block_sparse_definition: q [2, 2, 5, 4], k [2, 2, 5, 4], v [2, 2, 4, 4]; expected"},
        {"BlockPattern", [] { BlockPattern(5, {.block = 65}); },
         "BlockPattern: a block of 65 positions; expected 1 to 64"},
        {"BlockPattern", [] { BlockPattern(5, {.global = {5}}); },
         "BlockPattern: global position 5 in a sequence of length 5"},
        {"BlockPattern", [] { BlockPattern(0, {}); },
         "BlockPattern: length 0, before 0, after 0, dilation 1, random_blocks 0; length and"},
        {"Linformer", [] { linformer(h, short_v, h); },
         "Linformer: q [2, 2, 5, 4], k [2, 2, 4, 4], v [2, 2, 5, 4]; expected [B, H, Q, D]"},
        {"Linformer", [] { linformer(h, h, h, z({2, 1, 5, 5})); },
         "Linformer: the mask [2, 1, 5, 5] with keys [2, 2, 5, 4]; expected [B, 1, 1, 5]"},
        {"orthogonal_features", [] { orthogonal_features(0, 4, rng); },
         "orthogonal_features: 0 features of width 4; both must be positive"},
        {"positive_features", [] { positive_features(h, z({6, 3})); },
         "positive_features: x [2, 2, 5, 4] and features [6, 3]; expected [..., D] and [M, D]"},
        {"performer_attention", [] { performer_attention(h, h, h, z({6, 3})); },
         "performer_attention: features [6, 3] for queries [2, 2, 5, 4]; expected [M, 4]"},
        {"performer_attention", [] { performer_attention(h, short_v, short_v, w, {.causal = true}); },
         "performer_attention: 5 queries and 4 keys; with causal, both are the same positions"},
        {"performer_definition", [] { performer_definition(h, h, short_v, w); },
         "performer_definition: q [2, 2, 5, 4], k [2, 2, 5, 4], v [2, 2, 4, 4]; expected"},
        {"lsh_attention", [] { lsh_attention(h, short_v); },
         "lsh_attention: qk [2, 2, 5, 4], v [2, 2, 4, 4]; expected [B, H, T, D] and [B, H, T, D']"},
        {"lsh_definition", [] { lsh_definition(h, short_v); },
         "lsh_definition: qk [2, 2, 5, 4], v [2, 2, 4, 4]; expected [B, H, T, D] and [B, H, T, D']"},
        {"lsh_buckets", [] { lsh_buckets(h, {.buckets = 3}); },
         "lsh_buckets: 3 buckets, chunk 64, 1 hashes; the buckets must be an even number"},
        {"lsh_mask", [] { lsh_mask(z({5, 4})); }, "lsh_mask: qk [5, 4]; expected [B, H, T, D]"},
        {"Synthesizer", [] { synthesizer(z({2, 5, 4}), z({2, 3, 5, 4})); },
         "Synthesizer: x [2, 5, 4], v [2, 3, 5, 4]; expected [B, T, D] and [B, 2, K, D']"},
        {"reversible", [] { reversible(blocks, z({2, 3})); },
         "reversible: x [2, 3]; expected [..., 2 D], a last axis of two equal halves"},
        {"reversible_definition", [] { reversible_definition(blocks, z({2, 3})); },
         "reversible_definition: x [2, 3]; expected [..., 2 D], a last axis of two equal halves"},
    };
}

}  // namespace heed::shape_errors
