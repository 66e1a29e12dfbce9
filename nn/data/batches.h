// From sentences of different lengths to rectangular batches.
//
//     for (const std::vector<int>& batch : bucket_batches(lengths, {.batch_size = 32}, rng)) {
//         PaddedBatch source = pad_sequences(pick(sentences, batch));
//         ...
//     }
#pragma once

#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct PaddedBatch {
    Indices ids;             // [B, T], T the longest
    Indices lengths;         // [B]
    int64_t tokens() const;  // that are not padding
};

// Puts sequences side by side, filled up at the end with the padding id.
PaddedBatch pad_sequences(const std::vector<std::vector<int>>& sequences, int padding = 0);

// 1 at the first lengths[b] places of row b, 0 after them: [B, T]. T is at least the longest.
Tensor length_mask(const Indices& lengths, int64_t T, Dtype dtype = Dtype::float32);

// The items with the given numbers, in that order.
template <class Item>
std::vector<Item> pick(const std::vector<Item>& items, const std::vector<int>& numbers) {
    std::vector<Item> picked;
    picked.reserve(numbers.size());
    for (int number : numbers) picked.push_back(items.at(number));
    return picked;
}

struct BatchOptions {
    int batch_size = 32;  // sentences a batch, at most
    int64_t tokens = 0;   // if given: also at most so many places (sentences times the longest); a
                          // sentence longer than that is a batch of its own
    int pool = 50;        // so many batches are sorted by length at a time
};

// Batches, as lists of sentence numbers, of sentences of similar length: all are shuffled, pools of
// some batches' worth sorted by length and cut, and the batches shuffled. Each sentence is in
// exactly one batch. Without sorting (pool = 0) the batches are random.
std::vector<std::vector<int>> bucket_batches(const std::vector<int>& lengths,
                                             const BatchOptions& options, Rng& rng);

// 0 .. count - 1 shuffled and cut into parts of the given shares, which must add up to 1 (at most);
// each part is in rising order. For training, validation and test.
std::vector<std::vector<int>> random_split(int count, const std::vector<double>& shares, Rng& rng);

}  // namespace heed
