#include "autograd/backward/pass.h"

#include <algorithm>

#include "autograd/backward/backward.h"
#include "autograd/record/record.h"

namespace heed::backward_detail {

namespace {
constinit thread_local uint64_t passes_made = 0;
}

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
void Pass::check_usable(const Node& node) {
    check(!node.rules_dropped,
          "backward: the graph through '{}' was used up by an earlier backward(); build it again, or "
          "use grad(), which keeps it",
          node.operation);
    for (uint32_t i = 0; i < node.input_count; ++i)
        if (const Input& input = node.inputs[i]; input.node)
            check(input.version == input.node->version(),
                  "backward: an input of '{}', a leaf{} of shape {}, was changed after the operation "
                  "was recorded; its gradient would be wrong",
                  node.operation, input.node->is_leaf() ? "" : " seen through a view",
                  input.node->shape);
}

void Pass::drop_rules(Node& node) {
    node.drop_rules();
    node.rules_dropped = true;
}

void Pass::fail_fit(const Tensor& gradient, const Node& input, const char* operation) {
    fail("{}: its rule gave a gradient of shape {} for an input of shape {}", operation,
         gradient.defined() ? to_string(gradient.shape()) : "(none)", input.shape);
}

Tensor& Pass::gathered(Node& input, bool* fresh) {
    Tensor& sum = input.gradient;
    if (fresh) *fresh = !sum.defined();
    if (!sum.defined()) {
        sum = fresh ? empty(input.shape, input.dtype) : zeros(input.shape, input.dtype);
        waiting_.add(&input);
    } else if (!is_unshared(sum) || !sum.is_contiguous()) {
        sum = copy_of(sum);
    }
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
