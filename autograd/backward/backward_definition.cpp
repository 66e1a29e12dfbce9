// What backward() computes, without its order and its bookkeeping.
#include "autograd/backward/backward.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/node.h"

namespace heed {
namespace {

// The chain rule, every way from the loss to a leaf by itself. Where ways meet, all that lies behind is
// computed once for each of them, and their number may double with every operation. That is what the
// order of backward/pass.h avoids.
struct EveryWay final : BackwardPass {
    void accumulate(Node& input, Tensor g, const Node&) override {
        g = sum_to(g, input.shape);  // over axes along which the input was broadcast
        if (Leaf* leaf = input.leaf())
            leaf->gradient = detach(leaf->gradient.defined() ? leaf->gradient + g : g);
        else
            input.backward(*this, g);  // for each input x: accumulate(x, rule(g))
    }

    bool wants(const Node&) const override { return true; }
    std::vector<Tensor> differentiate(const Function& f, const std::vector<Tensor>& xs,
                                      const Tensor& g) override {
        std::vector<Tensor> own = xs, gradients(xs.size());
        for (Tensor& x : own)
            if (x.defined() && x.requires_grad()) x = detach(x).set_requires_grad();
        backward_definition(f(own), g);
        for (std::size_t i = 0; i < own.size(); ++i)
            if (own[i].defined() && own[i].requires_grad())
                gradients[i] = own[i].grad().defined() ? own[i].grad() : zeros_like(own[i]);
        return gradients;
    }
    Tensor& gathered(Node&, bool*) override { fail("backward_definition: sums nothing in place"); }
};

}  // namespace

void backward_definition(const Tensor& loss, const Tensor& g) {
    check_defined("backward_definition", loss);
    check(loss.requires_grad(),
          "backward_definition: no input of this tensor asked for a gradient");
    const GradMode plain_rules(true);  // and not those that work in place, or are fused
    Node& last = *loss.body()->node;
    EveryWay().accumulate(last, g.defined() ? g : ones_like(loss), last);
}

}  // namespace heed
