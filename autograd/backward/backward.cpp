#include "autograd/backward/backward.h"

#include <algorithm>
#include <utility>

#include "autograd/backward/untrained.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/record/record.h"
#include "autograd/tensor/node.h"

namespace heed {
namespace {

constinit thread_local uint64_t passes_made = 0;

bool older(const Node* a, const Node* b) { return a->order < b->order; }

// Nodes to which a gradient has arrived. They are taken newest first: a node is newer than all its
// inputs, so by the time it is taken all uses of its result have handed their gradients on.
class Waiting {
  public:
    bool empty() const { return heap_.empty(); }
    void add(Node* node) {
        heap_.push_back(node);
        std::push_heap(heap_.begin(), heap_.end(), older);
    }
    Node* take_newest() {
        std::pop_heap(heap_.begin(), heap_.end(), older);
        Node* node = heap_.back();
        heap_.pop_back();
        return node;
    }
    // After an error gradients may be left half summed.
    ~Waiting() {
        for (Node* node : heap_) node->gradient = Tensor();
    }

  private:
    std::vector<Node*> heap_;
};

// Throws if the rules of the node are gone, or if what they kept is no longer what was recorded.
void check_usable(const Node& node) {
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

// --- the backward pass --------------------------------------------------------------------------

// One pass through the graph. It either serves every leaf and drops the rules it has used, for
// backward(); or it serves chosen targets and leaves the graph as it is, for grad().
class Pass final : public BackwardPass {
  public:
    Pass() = default;  // every leaf
    Pass(Node* last, const std::vector<Node*>& targets) : every_leaf_(false) {
        mark_targets(last, targets);
    }

    // Starts with the gradient g of the newest node. arrive(node, g) is called for every node once
    // its gradient is complete.
    template <class Arrive>
    void run(Node* last, Tensor g, const Arrive& arrive) {
        accumulate(*last, std::move(g), last->operation);
        while (!waiting_.empty()) {
            Node* node = waiting_.take_newest();
            const Tensor complete = std::move(node->gradient);
            if (values_remembered()) node->remembered_gradient = copy_of(complete);
            arrive(node, complete);
            if (!any_input_wanted(*node)) continue;
            check_usable(*node);
            node->backward(*this, complete);  // accumulates the gradients of the inputs
            if (every_leaf_) {
                node->drop_rules();
                node->rules_dropped = true;
            }
        }
    }

    // The one place where gradients are summed over broadcast axes and added up.
    void accumulate(Node& input, Tensor gradient, const char* operation) override {
        if (!gradient.defined() || !broadcasts_to(input.shape, gradient.shape())) [[unlikely]]
            fail("{}: its rule gave a gradient of shape {} for an input of shape {}", operation,
                 gradient.defined() ? to_string(gradient.shape()) : "(none)", input.shape);
        if (!(gradient.shape() == input.shape)) gradient = sum_to(gradient, input.shape);
        Tensor& sum = input.gradient;
        if (!sum.defined()) {
            sum = std::move(gradient);
            waiting_.add(&input);
        } else if (!grad_enabled() && is_unshared(sum) && sum.is_contiguous()) {
            add_in_place(sum, gradient);
        } else {
            sum = add(sum, gradient);
        }
    }

    bool wants(const Node& input) const override {
        return every_leaf_ || (input.last_pass == number_ && input.leads_to_target);
    }

    Tensor& gathered(Node& input, bool* fresh) override {
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

    std::vector<Tensor> differentiate(const Function& f, const std::vector<Tensor>& xs,
                                      const Tensor& g) override;

  private:
    bool any_input_wanted(const Node& node) const {
        for (uint32_t i = 0; i < node.input_count; ++i)
            if (node.inputs[i].node && wants(*node.inputs[i].node)) return true;
        return false;
    }

    void mark_targets(Node* last, const std::vector<Node*>& targets);

    bool every_leaf_ = true;
    uint64_t number_ = ++passes_made;
    Waiting waiting_;
};

// Finds the nodes between `last` and the targets. A node created before the oldest target cannot
// depend on any target, so the search stops there.
void Pass::mark_targets(Node* last, const std::vector<Node*>& targets) {
    uint64_t oldest = last->order;
    for (Node* target : targets) oldest = std::min(oldest, target->order);

    std::vector<Node*> reached;  // everything that `last` depends on, each node once
    const auto reach = [&](Node* node) {
        if (!node || node->order < oldest || node->last_pass == number_) return;
        node->last_pass = number_;
        node->leads_to_target = false;
        reached.push_back(node);
    };
    reach(last);
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (uint32_t i = 0; i < reached[next]->input_count; ++i)
            reach(reached[next]->inputs[i].node);

    // Oldest first: a node leads to a target if it is one, or if one of its inputs does.
    for (Node* target : targets) target->leads_to_target = target->last_pass == number_;
    std::sort(reached.begin(), reached.end(), older);
    for (Node* node : reached) node->leads_to_target |= any_input_wanted(*node);
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

// --- backward() and grad() ----------------------------------------------------------------------

// Whether a gradient can be handed out: optimisers and clipping change gradients in place.
bool owns_its_memory(const Tensor& gradient) {
    return is_unshared(gradient) && gradient.is_contiguous();
}

// The gradient a pass starts with.
Tensor first_gradient(const Tensor& y, const Tensor& g, const char* operation) {
    check(y.defined() && y.requires_grad(),
          "{}: nothing to differentiate: no input of this tensor asked for a gradient "
          "(x.set_requires_grad())",
          operation);
    if (g.defined()) {
        check(g.shape() == y.shape(), "{}: expected weights of shape {}, got {}", operation,
              y.shape(), g.shape());
        check_same_dtype(y, g, operation);
        return g;
    }
    check(y.numel() == 1,
          "{}: the result has shape {}; it must have one element, or pass g, the weights of its "
          "elements",
          operation, y.shape());
    return ones_like(y);
}

}  // namespace

void backward(const Tensor& loss, const Tensor& g) {
    Tensor first = first_gradient(loss, g, "backward");
    NoGrad no_grad;
    Pass pass;
    UntrainedParameters untrained;
    pass.run(loss.body()->node, std::move(first), [&](Node* node, const Tensor& gradient) {
        if (!node->is_leaf()) return;
        untrained.look_at(*node);
        Tensor& kept = node->leaf_gradient;
        if (kept.defined())
            kept = add(kept, gradient);
        else
            kept = owns_its_memory(gradient) ? gradient : copy_of(gradient);
    });
    untrained.remember();
}

std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& xs, bool create_graph,
                         const Tensor& g) {
    Tensor first = first_gradient(y, g, "grad");
    std::vector<Node*> targets;
    for (const Tensor& x : xs) {
        check(x.defined() && x.requires_grad(),
              "grad: argument {} takes no part in the graph; call x.set_requires_grad() before "
              "computing y",
              targets.size());
        targets.push_back(x.body()->node);
    }
    struct Restore {
        bool before;
        ~Restore() { enable_grad(before); }
    } restore{enable_grad(create_graph)};

    std::vector<Tensor> gradients(xs.size());
    Node* last = y.body()->node;
    Pass pass(last, targets);
    pass.run(last, std::move(first), [&](Node* node, const Tensor& gradient) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (targets[i] == node) gradients[i] = gradient;
    });
    for (std::size_t i = 0; i < xs.size(); ++i)
        if (!gradients[i].defined())
            gradients[i] = zeros_like(xs[i]);
        else if (!create_graph && !owns_its_memory(gradients[i]))
            gradients[i] = copy_of(gradients[i]);
    return gradients;
}

}  // namespace heed
