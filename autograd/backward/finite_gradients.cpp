#include "autograd/backward/finite_gradients.h"

namespace heed::backward_detail {

void FiniteGradients::made(Node& node, const Tensor& value) {
    if (before_) before_->made(node, value);
}

void FiniteGradients::reached(Node& node, const Tensor& gradient) {
    if (const Came& came = came_[&node]; came.unseen) look_at(gradient, node, *came.from);
    current_ = gradient.body()->storage;
    if (before_) before_->reached(node, gradient);
}

void FiniteGradients::handed_on(const Node& from, Node& input, const Tensor& gradient) {
    if (gradient.defined() && gradient.body()->storage != current_) look_at(gradient, input, from);
    Came& came = came_[&input];
    came.unseen = came.from || !gradient.defined();
    if (!came.from) came.from = &from;
    if (before_) before_->handed_on(from, input, gradient);
}

void FiniteGradients::look_at(const Tensor& gradient, const Node& input, const Node& from) const {
    if (all_finite(gradient)) [[likely]]
        return;
    // From the loss to `from`, the last ones if there are many.
    std::string through;
    const Node* node = &from;
    for (int i = 0; node && i < 8; ++i) {
        through = fmt::format("'{}' {}{}{}", node->operation, to_string(node->shape),
                              through.empty() ? "" : " -> ", through);
        const auto came = came_.find(node);
        node = came == came_.end() ? nullptr : came->second.from;
    }
    fail_gradient_not_finite(gradient, input, from, (node ? "... -> " : "") + through);
}

}  // namespace heed::backward_detail
