// Which buffers a training step changes, such as the running means of batch normalisation. A
// checkpoint that lacks one of them could not go on with the same numbers, so train() watches its
// first step (nn/train/checkpoint.h).
#pragma once

#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// A layer calls it after it has changed one of its buffers. Costs nothing while nobody watches.
void note_changed_buffer(const Tensor& buffer);

// Collects the buffers that this thread changes while the object exists.
class WatchBuffers {
  public:
    WatchBuffers();
    ~WatchBuffers();
    WatchBuffers(const WatchBuffers&) = delete;
    WatchBuffers& operator=(const WatchBuffers&) = delete;

    std::vector<Tensor> changed;

  private:
    WatchBuffers* before_ = nullptr;
};

}  // namespace heed
