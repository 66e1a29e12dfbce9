// Which keys each query of a long sequence attends to: a window, further apart with a dilation, some
// global positions, and blocks drawn at random.
//
//     window          j - i is a multiple of the dilation d, and -before <= (j - i) / d <= after
//                     (Beltagy, Peters, Cohan 2020, "Longformer", section 3.1; d = 1: no gaps)
//     global          i or j is one of the global positions (Longformer, section 3.1; the
//                     internal transformer construction of Zaheer et al. 2020, "BigBird", section 2)
//     random blocks   the block of j is one of those drawn for the block of i (BigBird, appendix D)
//     causal          j <= i as well
//
// Query i may attend to key j if one of the first three says so. The sequence is cut into blocks of
// up to 64 positions, and the pattern is kept as a list of key blocks for each query block:
//
//     const BlockPattern pattern(4096, {.before = 128, .after = 128, .global = {0}});
//     const int64_t computed = pattern.scores();       // of 4096² = 16777216
//     const Tensor mask = pattern.mask();              // [1, 4096, 4096]: the same, dense
//
// With a dilation d, block_sparse_attention() sorts the positions by their remainder modulo d, so that
// the keys of a window lie side by side. order() is that order; blocks are cut in it.
//
// For a window of a fixed size, a fixed number of global positions and of random blocks, the bytes of
// the pattern grow linearly with the length. Make it once for all layers; a copy shares the lists.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct BlockPatternOptions {
    int64_t before = 0, after = 0;  // the window, in steps of the dilation
    int64_t dilation = 1;
    std::vector<int64_t> global = {};  // positions that attend to all, and to which all attend
    int64_t random_blocks = 0;         // for each query block; fewer if no more are left
    uint64_t seed = 1;                 // of the random blocks
    bool causal = false;
    int64_t block = 64;  // positions in a block, 1 to 64
};

// A key block in the list of a query block, or a query block in the list of a key block.
struct BlockEntry {
    int32_t block = 0;
    int32_t mask = 0;  // where the allowed pairs are noted; -1: all pairs are allowed
};

class BlockPattern {
  public:
    // Throws unless the length is positive, the window not negative, the dilation positive, the block
    // 1 to 64, and the global positions inside the sequence.
    BlockPattern(int64_t length, const BlockPatternOptions& options);

    int64_t length() const { return lists_->length; }
    int64_t block() const { return lists_->block; }
    int64_t blocks() const { return (length() + block() - 1) / block(); }
    // The number of positions in block b: the last one may be smaller.
    int64_t size_of(int64_t b) const { return std::min(block(), length() - b * block()); }

    // The blocks that block b attends to, and those that attend to it, in rising order.
    std::span<const BlockEntry> keys_of(int64_t b) const { return entries(lists_->keys, b); }
    std::span<const BlockEntry> queries_of(int64_t b) const { return entries(lists_->queries, b); }
    // Bit j: query number `row` of its block may attend to key j of the other block.
    uint64_t allowed_keys(const BlockEntry& entry, int64_t row) const {
        return entry.mask < 0 ? ~uint64_t(0) : lists_->words[entry.mask * block() + row];
    }

    // Element i: the position that is number i when blocks are cut.
    const Indices& order() const { return lists_->order; }
    bool in_order() const { return lists_->in_order; }  // order() is 0, 1, 2, ...

    // The pattern as a dense mask [1, T, T]: 1 = may attend. With block_order = true its rows and
    // columns are in order().
    Tensor mask(Dtype dtype = Dtype::float32, bool block_order = false) const;

    int64_t allowed() const { return lists_->allowed; }  // pairs (i, j) that the pattern allows
    // Scores that block_sparse_attention() computes for one head: all of each block it goes through.
    int64_t scores() const { return lists_->scores; }

  private:
    struct List {
        std::vector<int64_t> first;  // of block b: entries first[b] to first[b + 1]
        std::vector<BlockEntry> entries;
    };
    struct Lists {
        int64_t length = 0, block = 0, allowed = 0, scores = 0;
        List keys, queries;
        std::vector<uint64_t> words;
        Indices order;
        bool in_order = false;
    };
    static std::span<const BlockEntry> entries(const List& list, int64_t b) {
        return {list.entries.data() + list.first[b],
                static_cast<std::size_t>(list.first[b + 1] - list.first[b])};
    }
    static List transposed(const List& list);
    struct Builder;

    std::shared_ptr<const Lists> lists_;
};

}  // namespace heed
