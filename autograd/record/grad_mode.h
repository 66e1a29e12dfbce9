// Whether operations are recorded on this thread. They are, unless something switches it off.
#pragma once

#include "autograd/base/arguments.h"

namespace heed {

bool grad_enabled();

// Recording on or off, for as long as it lives.
class GradMode {
  public:
    explicit GradMode(Flag enabled);
    ~GradMode();
    GradMode(const GradMode&) = delete;

  private:
    bool before_ = false;
};

// While one lives, nothing is recorded on this thread.
struct NoGrad : GradMode {
    NoGrad() : GradMode(false) {}
};

}  // namespace heed
