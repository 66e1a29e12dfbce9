#include "autograd/backward/pass.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "autograd/backward/backward.h"
#include "autograd/record/record.h"
#include "autograd/tensor/storage.h"

namespace heed::backward_detail {

namespace {
// Of all threads: a node that one thread has marked must not look marked to a pass of another.
constinit std::atomic<uint64_t> passes_made = 0;
}  // namespace

Pass::Pass() : every_leaf_(true), number_(++passes_made) {}

// Marks the nodes between `newest` and the targets. A node created before the oldest target cannot
// depend on any target, so the search stops there.
Pass::Pass(Node* newest, const std::vector<Node*>& targets)
    : every_leaf_(false), number_(++passes_made) {
    uint64_t oldest = newest->order;
    for (Node* target : targets) oldest = std::min(oldest, target->order);

    std::vector<Node*> reached;  // everything that `newest` depends on, each node once
    const auto reach = [&](Node* node) {
        if (!node || node->order < oldest || node->last_pass == number_) return;
        node->last_pass = number_;
        node->leads_to_target = false;
        reached.push_back(node);
    };
    reach(newest);
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (uint32_t i = 0; i < reached[next]->input_count; ++i)
            reach(reached[next]->inputs[i].node);

    // Oldest first: a node leads to a target if it is one, or if one of its inputs does.
    for (Node* target : targets) target->leads_to_target = target->last_pass == number_;
    std::sort(reached.begin(), reached.end(), older);
    for (Node* node : reached) node->leads_to_target |= any_input_wanted(*node);
}

// Throws if the rules of the node are gone, or if what they kept is no longer what was recorded.
void Pass::check_usable(const Node& node) const {
    const char* call = every_leaf_ ? "backward" : "grad";
    check(!node.rules_dropped,
          "{}: the graph through '{}' was used up by an earlier backward(); build it again, or use "
          "grad(), which keeps it",
          call, node.operation);
    for (uint32_t i = 0; i < node.input_count; ++i) {
        const Input& input = node.inputs[i];
        if (!input.watched || input.version == input.watched->version) continue;
        const std::string what = !input.node ? "a constant"
                                 : input.node->is_leaf()
                                     ? fmt::format("a leaf of shape {}", input.node->shape)
                                     : fmt::format("the result of '{}', of shape {}",
                                                   input.node->operation, input.node->shape);
        fail(
            "{}: input {} of '{}', {}, was changed after the operation was recorded, which reads "
            "it again for the gradient; change it after backward(), or change a copy, copy_of(x)",
            call, i, node.operation, what);
    }
    check(node.result_unchanged(),
          "{}: the result of '{}', of shape {}, was changed after it was recorded, and the "
          "operation reads it again for the gradient; change it after backward(), or change a "
          "copy, copy_of(x)",
          call, node.operation, node.shape);
}

void Pass::drop_rules(Node& node) {
    node.drop_rules();
    node.rules_dropped = true;
}

void Pass::fail_fit(const Tensor& gradient, const Node& input, const Node& from) {
    if (!gradient.defined())
        fail("{}: its rule gave no gradient for an input of shape {}", from.operation, input.shape);
    if (gradient.dtype() != input.dtype)
        fail(
            "{}: its rule gave a gradient of {} for an input of {}, of shape {}; convert it with "
            "to_dtype(g, Dtype::{})",
            from.operation, gradient.dtype(), input.dtype, input.shape, input.dtype);
    fail("{}: its rule gave a gradient of shape {} for an input of shape {}", from.operation,
         gradient.shape(), input.shape);
}

// A pass that starts with a NaN or an infinity is left alone.
void Pass::begin_finite_check(const Tensor& g) {
    if (finite_check_on() && all_finite(g)) finite_.emplace(false);
}

void Pass::fail_gradient(const Tensor& gradient, const Node& input, const Node& from) {
    // From the loss to `from`, the last ones if there are many.
    std::string through;
    const Node* node = &from;
    for (int i = 0; node && i < 8; ++i, node = node->gradient_from)
        through = fmt::format("'{}' {}{}{}", node->operation, to_string(node->shape),
                              through.empty() ? "" : " -> ", through);
    fail_gradient_not_finite(gradient, input, from, (node ? "... -> " : "") + through);
}

Tensor& Pass::gathered(Node& input, bool* fresh) {
    Tensor& sum = input.gradient;
    if (fresh) *fresh = !sum.defined();
    if (!sum.defined()) {
        sum = fresh ? empty(input.shape, input.dtype) : zeros(input.shape, input.dtype);
        input.gradient_from = current_;
        waiting_.add(&input);
    } else if (!is_unshared(sum) || !sum.is_contiguous()) {
        sum = copy_of(sum);
    }
    input.sum_unchecked = true;
    return sum;
}

// The inputs become new nodes, so that this inner pass ends at them.
std::vector<Tensor> Pass::differentiate(const Function& f, const std::vector<Tensor>& xs,
                                        const Tensor& g) {
    std::vector<Tensor> own = xs, wanted;
    for (Tensor& x : own)
        if (x.defined() && x.requires_grad()) {
            x = record("identity", detach(x), x, [](const Tensor& gx) { return gx; });
            wanted.push_back(x);
        }
    std::vector<Tensor> found = grad(f(own), wanted, true, g);
    std::vector<Tensor> gradients(xs.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < xs.size(); ++i)
        if (own[i].defined() && own[i].requires_grad()) gradients[i] = std::move(found[next++]);
    return gradients;
}

}  // namespace heed::backward_detail
