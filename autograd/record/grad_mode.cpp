#include "autograd/record/grad_mode.h"

#include <utility>

namespace heed {

namespace {
constinit thread_local bool recording = true;
}  // namespace

bool grad_enabled() { return recording; }

GradMode::GradMode(Flag enabled) : before_(std::exchange(recording, enabled)) {}
GradMode::~GradMode() { recording = before_; }

}  // namespace heed
