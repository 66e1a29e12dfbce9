#include "autograd/record/grad_mode.h"

#include <utility>

#include "autograd/tensor/node.h"

namespace heed {

namespace {
constinit thread_local bool recording = true;
}

bool grad_enabled() { return recording; }
bool enable_grad(bool enabled) { return std::exchange(recording, enabled); }

NoGrad::NoGrad() : before_(enable_grad(false)) {}
NoGrad::~NoGrad() { enable_grad(before_); }

RememberValues::RememberValues() : before_(remember_values(true)) {}
RememberValues::~RememberValues() { remember_values(before_); }

}  // namespace heed
