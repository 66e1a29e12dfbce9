// Buffers: numbers that belong to a model and that a forward pass may change, such as the running mean
// of batch normalisation. The caller of a function can learn which buffers it changes: train() does,
// because a checkpoint must hold them (nn/train/checkpoint.h), and so does what computes a function
// once more in backward, because a buffer must not change twice (backward/recompute.h).
//
// The mark belongs to the numbers of a tensor, so edit() and assign() notice every change, through
// whatever handle or view.
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// Marks x as a buffer. Buffer (nn/module/module.h) does it.
void mark_as_buffer(const Tensor& x);
bool is_buffer(const Tensor& x);
// Called when a model takes another tensor in place of a buffer.
void note_replaced_buffer(const Tensor& buffer);

// Collects the buffers that this thread changes while the object exists.
class WatchBuffers {
  public:
    struct Change {
        Tensor buffer;
        Tensor before;  // all numbers of its storage; not defined if the model took another tensor
        uint32_t version = 0;  // of the storage, then
    };

    WatchBuffers();
    ~WatchBuffers();
    WatchBuffers(const WatchBuffers&) = delete;
    WatchBuffers& operator=(const WatchBuffers&) = delete;

    // Each buffer once, in the order of their first changes.
    const std::vector<Change>& changes() const { return changes_; }
    // Gives the buffers the numbers and versions that they had before.
    void undo();
    // Gives one the numbers that it had before, which is a change like any other.
    static void go_back(const Change& change);

    // Called before buffer x is changed.
    static void about_to_change(const Tensor& x);

  private:
    friend void note_replaced_buffer(const Tensor& buffer);
    void add(const Change& change);

    std::vector<Change> changes_;
    WatchBuffers* outer_ = nullptr;
};

}  // namespace heed
