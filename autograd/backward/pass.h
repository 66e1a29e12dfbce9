// The backward pass: from a result back to everything it was computed from.
//
// It starts with the gradient of the newest node. As long as gradients wait, it takes those of the newest
// node: all uses of its result are newer still, so they are complete. The node's rules turn that gradient
// into gradients of its inputs (record/record.h), which are added to what has arrived there. No
// recursion: a chain of a million nodes is fine.
//
// A pass either serves every leaf and drops the rules it has used, for backward(); or it serves chosen
// targets and leaves the graph as it is, for grad(). All that it knows of its way is kept here and not
// in the nodes, so a rule may begin another pass inside it (checkpoint(), fused kernels).
#pragma once

#include <vector>

#include "autograd/backward/arrivals.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/node.h"

namespace heed::backward_detail {

class Pass final : public BackwardPass {
  public:
    Pass() = default;  // serves every leaf
    // Serves these. It goes back to nodes from number `since` on only, and to the targets.
    Pass(Node* newest, const std::vector<Node*>& targets, uint64_t since);

    // arrive(node, gradient) is called for every node once its gradient is complete.
    template <class Arrive>
    void run(Node* newest, Tensor g, const Arrive& arrive) {
        arrived_.at(*newest) = std::move(g);
        while (!arrived_.empty()) {
            const auto [node, gradient] = arrived_.take_newest();
            if (watcher_) watcher_->reached(*node, gradient);
            arrive(*node, gradient);
            if (!any_input_wanted(*node)) continue;
            check_usable(*node);
            current_ = node;
            node->backward(*this, gradient);  // for each input: accumulate(input, rule(gradient))
            if (every_leaf_) drop_rules(*node);
        }
    }

    // The one place where gradients are summed over broadcast axes and added up.
    void accumulate(Node& input, Tensor gradient, const Node& from) override {
        if (!gradient.defined() || gradient.dtype() != input.dtype ||
            !(gradient.shape() == input.shape)) {
            check_fits(gradient, input, from);
            gradient = sum_to(gradient, input.shape);
        }
        if (watcher_) watcher_->handed_on(from, input, gradient);
        Tensor& sum = arrived_.at(input);
        if (sum.defined())
            add_to(sum, gradient);
        else
            sum = std::move(gradient);
    }

    // The other services to rules: see BackwardPass in tensor/node.h.
    bool wants(const Node& input) const override {
        return every_leaf_ || std::binary_search(wanted_.begin(), wanted_.end(), &input, older);
    }
    Tensor& gathered(Node& input, bool* fresh) override;
    std::vector<Tensor> differentiate(const Function& f, const std::vector<Tensor>& xs,
                                      const Tensor& g) override;

  private:
    bool any_input_wanted(const Node& node) const {
        for (uint32_t i = 0; i < node.input_count; ++i)
            if (node.inputs[i].node && wants(*node.inputs[i].node)) return true;
        return false;
    }
    void check_usable(const Node& node) const;
    static void drop_rules(Node& node);
    static void check_fits(const Tensor& gradient, const Node& input, const Node& from);

    bool every_leaf_ = true;
    std::vector<const Node*>
        wanted_;  // if not every leaf: the nodes that lead to targets, oldest first
    Arrivals arrived_;
    const Node* current_ = nullptr;  // whose rules are at work
    NodeWatcher* watcher_ = node_watcher();
};

}  // namespace heed::backward_detail
