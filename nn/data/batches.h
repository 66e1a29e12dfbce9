// Batches of sentences, which have different lengths: padding, masks, and batches of similar
// length.
//
//     for (const std::vector<int>& batch : bucket_batches(lengths, {.batch_size = 32}, rng)) {
//         PaddedBatch source = pad_sequences(pick(sentences, batch));
//         ...
//     }
//
// Shapes: B batch, T time.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed {

struct PaddedBatch {
    Indices ids;             // [B, T], where T is the length of the longest
    Indices lengths;         // [B]
    int64_t tokens() const;  // without padding
};

// One row for each sequence, filled up at the end with the padding id.
PaddedBatch pad_sequences(const std::vector<std::vector<int>>& sequences, Integer padding = 0);

// For lengths [B] the mask [B, T]: 1 in the first lengths[b] columns of row b, 0 in the others.
// Throws for a length above T.
Tensor length_mask(const Indices& lengths, int64_t T, Dtype dtype = Dtype::float32);

// The items with the given indices, in that order. Throws for an index that is not one of them.
template <class Item>
std::vector<Item> pick(const std::vector<Item>& items, const std::vector<int>& indices) {
    std::vector<Item> picked;
    picked.reserve(indices.size());
    for (int index : indices) {
        check(index >= 0 && static_cast<std::size_t>(index) < items.size(),
              "pick: index {} is not one of {} items", index, items.size());
        picked.push_back(items[index]);
    }
    return picked;
}

struct BatchOptions {
    int batch_size = 32;  // the largest number of sentences in a batch
    int64_t tokens = 0;   // if above 0, also the largest number of tokens with padding (sentences
                          // times the longest); a longer sentence becomes a batch of its own
    int pool = 50;        // how many batches of sentences are sorted by length together
};

// Batches of sentences of similar length, as lists of sentence indices. All sentences are shuffled;
// each pool of them is sorted by length and cut into batches; the batches are shuffled. Each
// sentence is in exactly one batch. With pool = 0 nothing is sorted and the batches are random.
std::vector<std::vector<int>> bucket_batches(const std::vector<int>& lengths,
                                             const BatchOptions& options, Rng& rng);

// Splits the indices 0 .. count - 1 at random into sets of the given shares, say {0.8, 0.1, 0.1}
// for training, validation and test set. Each set is in rising order. Throws when the shares sum to
// more than 1; when they sum to less, some indices are in no set.
std::vector<std::vector<int>> random_split(Integer count, const std::vector<double>& shares,
                                           Rng& rng);

// One batch after another, through an epoch and on into the next, for batches that a function
// makes:
//
//     BatchStream<std::vector<int>> batches([&] { return bucket_batches(lengths, {}, rng); });
//     const std::vector<int>& batch = batches.next();
template <class Batch>
class BatchStream {
  public:
    // make_epoch() returns all batches of one epoch.
    explicit BatchStream(std::function<std::vector<Batch>()> make_epoch)
        : make_epoch_(std::move(make_epoch)) {
        check(bool(make_epoch_), "BatchStream: there is no function that makes an epoch");
        start();
    }
    const Batch& next() {
        if (at_ == batches_.size()) start();
        return batches_[at_++];
    }
    int64_t epoch() const { return epoch_; }                                       // counted from 1
    int64_t epoch_steps() const { return static_cast<int64_t>(batches_.size()); }  // of this one
    // The position in the data, for checkpoints (nn/saved/saved_state.h); for batches of type
    // std::vector<int>. What make_epoch uses, such as a generator, must be saved beside it.
    template <class F>
    void visit_state(F&& f) {
        f("batches", batches_), f("at", at_), f("epoch", epoch_);
    }

  private:
    void start() {
        batches_ = make_epoch_();
        check(!batches_.empty(), "BatchStream: an epoch has no batches");
        at_ = 0;
        ++epoch_;
    }
    std::function<std::vector<Batch>()> make_epoch_;
    std::vector<Batch> batches_;
    std::size_t at_ = 0;
    int64_t epoch_ = 0;
};

}  // namespace heed
