#include "autograd/record/remember.h"

namespace heed {

namespace {
constinit thread_local RememberValues* latest = nullptr;
}  // namespace

RememberValues::RememberValues()
    : before_(watch_nodes(this)), outer_(std::exchange(latest, this)) {}

RememberValues::~RememberValues() {
    watch_nodes(before_);
    latest = outer_;
    for (Node* node : nodes_) release(node);
}

void RememberValues::made(Node& node, const Tensor& value) {
    retain(&node);
    nodes_.push_back(&node);
    numbers_[&node].value = copy_of(value);
}

void RememberValues::reached(Node& node, const Tensor& gradient) {
    numbers_[&node].gradient = copy_of(gradient);
}

RememberValues::Numbers RememberValues::of(const Node& node) {
    if (!latest) return {};
    const auto found = latest->numbers_.find(&node);
    return found == latest->numbers_.end() ? Numbers{} : found->second;
}

}  // namespace heed
