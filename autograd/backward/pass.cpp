#include "autograd/backward/pass.h"

#include <algorithm>
#include <string>

#include "autograd/backward/backward.h"
#include "autograd/backward/recompute.h"
#include "autograd/record/record.h"
#include "autograd/tensor/storage.h"

namespace heed::backward_detail {

// A node older than all targets cannot depend on any, so the walk stops there.
Pass::Pass(Node* newest, const std::vector<Node*>& targets, uint64_t since) : every_leaf_(false) {
    std::vector<const Node*> sorted(targets.begin(), targets.end());
    std::sort(sorted.begin(), sorted.end(), older);
    const auto is_target = [&](const Node& node) {
        return std::binary_search(sorted.begin(), sorted.end(), &node, older);
    };
    std::vector<const Node*> behind;  // newest first
    walk_back(newest, [&](const Node& node) {
        if (sorted.empty() || node.order < sorted[0]->order) return false;
        if (node.order < since && !is_target(node)) return false;
        behind.push_back(&node);
        return true;
    });
    // Oldest first: a node is wanted if it is a target, or if one of its inputs is wanted.
    for (std::size_t i = behind.size(); i-- > 0;)
        if (is_target(*behind[i]) || any_input_wanted(*behind[i])) wanted_.push_back(behind[i]);
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

void Pass::check_fits(const Tensor& gradient, const Node& input, const Node& from) {
    if (!gradient.defined())
        fail("{}: its rule gave no gradient for an input of shape {}", from.operation, input.shape);
    if (gradient.dtype() != input.dtype)
        fail(
            "{}: its rule gave a gradient of {} for an input of {}, of shape {}; convert it with "
            "to_dtype(g, Dtype::{})",
            from.operation, gradient.dtype(), input.dtype, input.shape, input.dtype);
    check(broadcasts_to(input.shape, gradient.shape()),
          "{}: its rule gave a gradient of shape {} for an input of shape {}", from.operation,
          gradient.shape(), input.shape);
}

Tensor& Pass::gathered(Node& input, bool* fresh) {
    if (watcher_) watcher_->handed_on(*current_, input, Tensor());
    Tensor& sum = arrived_.at(input);
    if (fresh) *fresh = !sum.defined();
    if (!sum.defined())
        sum = fresh ? empty(input.shape, input.dtype) : zeros(input.shape, input.dtype);
    else if (!is_unshared(sum) || !sum.is_contiguous())
        sum = copy_of(sum);
    return sum;
}

// The inputs become new nodes, so that this inner pass ends at them.
std::vector<Tensor> Pass::differentiate(const Function& f, const std::vector<Tensor>& xs,
                                        const Tensor& g) {
    std::vector<Tensor> own = xs, wanted;
    for (Tensor& x : own)
        if (x.defined() && x.requires_grad()) {
            x = recompute_detail::same_numbers(x);
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
