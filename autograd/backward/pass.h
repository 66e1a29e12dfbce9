// The backward pass: from a result back to everything it was computed from.
//
// It starts with the gradient of the newest node. As long as nodes are waiting, it takes the newest of
// them: all uses of its result are newer still, so its gradient is complete. The node's rules turn
// that gradient into gradients of its inputs (record/record.h), which are added to what has arrived
// there. No recursion: a chain of a million nodes is fine.
//
// A pass either serves every leaf and drops the rules it has used, for backward(); or it serves chosen
// targets and leaves the graph as it is, for grad().
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "autograd/backward/waiting.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/record/finite.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/node.h"

namespace heed::backward_detail {

class Pass final : public BackwardPass {
  public:
    Pass();                                                 // serves every leaf
    Pass(Node* newest, const std::vector<Node*>& targets);  // serves these

    // arrive(node, gradient) is called for every node once its gradient is complete.
    template <class Arrive>
    void run(Node* newest, Tensor g, const Arrive& arrive) {
        begin_finite_check(g);
        newest->gradient = std::move(g);
        newest->gradient_from = nullptr;
        newest->sum_unchecked = false;
        waiting_.add(newest);
        while (!waiting_.empty()) {
            Node* node = waiting_.take_newest();
            const Tensor gradient = std::move(node->gradient);
            if (finite_ && std::exchange(node->sum_unchecked, false)) [[unlikely]]
                check_gradient_finite(gradient, *node, *node->gradient_from);
            current_ = node;
            current_numbers_ = gradient.body()->storage;
            if (NodeWatcher* watcher = node_watcher()) [[unlikely]]
                watcher->reached(*node, gradient);
            arrive(node, gradient);
            if (!any_input_wanted(*node)) continue;
            check_usable(*node);
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
        if (finite_ && gradient.body()->storage != current_numbers_) [[unlikely]]
            check_gradient_finite(gradient, input, from);
        Tensor& sum = input.gradient;
        input.sum_unchecked = sum.defined();
        if (!sum.defined()) {
            input.gradient_from = &from;
            sum = std::move(gradient);
            waiting_.add(&input);
        } else if (!grad_enabled() && is_unshared(sum) && sum.is_contiguous()) {
            add_in_place(sum, gradient);
        } else {
            sum = add(sum, gradient);
        }
    }

    // The other services to rules: see BackwardPass in tensor/node.h.
    bool wants(const Node& input) const override {
        return every_leaf_ || (input.last_pass == number_ && input.leads_to_target);
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
    static void check_fits(const Tensor& gradient, const Node& input, const Node& from) {
        if (!gradient.defined() || gradient.dtype() != input.dtype ||
            !broadcasts_to(input.shape, gradient.shape())) [[unlikely]]
            fail_fit(gradient, input, from);
    }
    [[noreturn, gnu::cold]] static void fail_fit(const Tensor& gradient, const Node& input,
                                                 const Node& from);
    void begin_finite_check(const Tensor& g);
    static void check_gradient_finite(const Tensor& gradient, const Node& input, const Node& from) {
        if (!all_finite(gradient)) [[unlikely]]
            fail_gradient(gradient, input, from);
    }
    [[noreturn, gnu::cold]] static void fail_gradient(const Tensor& gradient, const Node& input,
                                                      const Node& from);

    bool every_leaf_ = false;
    uint64_t number_ = 0;
    Waiting waiting_;
    const Node* current_ = nullptr;             // whose rules are at work,
    const Storage* current_numbers_ = nullptr;  // on this gradient: its views are not checked again
    // Set while gradients are checked (record/finite.h). Single operations are not checked meanwhile,
    // for a rule may pass through an infinity.
    std::optional<FiniteCheck> finite_;
};

}  // namespace heed::backward_detail
