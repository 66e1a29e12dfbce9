#include "autograd/record/grad_mode.h"

#include <utility>

#include "autograd/tensor/node.h"

namespace heed {

namespace {
constinit thread_local bool recording = true;

struct Remember final : NodeWatcher {
    void made(Node& node, const Tensor& value) override { node.remembered_value = copy_of(value); }
    void reached(Node& node, const Tensor& gradient) override {
        node.remembered_gradient = copy_of(gradient);
    }
};
Remember remember;
}  // namespace

bool grad_enabled() { return recording; }
bool enable_grad(Flag enabled) { return std::exchange(recording, enabled); }

NoGrad::NoGrad() : before_(enable_grad(false)) {}
NoGrad::~NoGrad() { enable_grad(before_); }

RememberValues::RememberValues() : before_(watch_nodes(&remember)) {}
RememberValues::~RememberValues() { watch_nodes(before_); }

}  // namespace heed
