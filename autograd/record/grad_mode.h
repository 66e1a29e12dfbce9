// Switches of recording, for the thread that sets them.
#pragma once

#include "autograd/base/arguments.h"

namespace heed {

struct NodeWatcher;

// While one lives, nothing is recorded on this thread.
class NoGrad {
  public:
    NoGrad();
    ~NoGrad();
    NoGrad(const NoGrad&) = delete;

  private:
    bool before_ = false;
};
bool grad_enabled();
bool enable_grad(Flag enabled);  // returns what it was before

// While one lives, graphs keep a copy of every value and gradient, for graph_dot().
class RememberValues {
  public:
    RememberValues();
    ~RememberValues();
    RememberValues(const RememberValues&) = delete;

  private:
    NodeWatcher* before_ = nullptr;
};

}  // namespace heed
