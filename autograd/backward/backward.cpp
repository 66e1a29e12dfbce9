#include "autograd/backward/backward.h"

#include <optional>
#include <utility>

#include "autograd/backward/finite_gradients.h"
#include "autograd/backward/pass.h"
#include "autograd/backward/recompute.h"
#include "autograd/backward/untrained.h"
#include "autograd/ops/elementwise/binary.h"

namespace heed {

using backward_detail::FiniteGradients;
using backward_detail::Pass;

namespace {

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

// Whether a pass that begins with g is checked: one that starts with a NaN or an infinity is left alone.
bool is_checked(const Tensor& g) { return finite_check_on() && all_finite(g); }

}  // namespace

void backward(const Tensor& loss, const Tensor& g) {
    Tensor first = first_gradient(loss, g, "backward");
    const NoGrad no_grad;
    std::optional<FiniteGradients> finite;
    if (is_checked(first)) finite.emplace();
    UntrainedParameters untrained;
    Pass().run(loss.body()->node, std::move(first), [&](Node& node, const Tensor& gradient) {
        Leaf* leaf = node.leaf();
        if (!leaf) return;
        untrained.look_at(*leaf);
        if (leaf->gradient.defined())
            leaf->gradient = add(leaf->gradient, gradient);
        else
            leaf->gradient = owns_its_memory(gradient) ? gradient : copy_of(gradient);
    });
    untrained.remember();
}

std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& xs, Flag create_graph,
                         const Tensor& g) {
    return recompute_detail::grad_since(0, y, xs, create_graph, g);
}

std::vector<Tensor> recompute_detail::grad_since(uint64_t since, const Tensor& y,
                                                 const std::vector<Tensor>& xs, bool create_graph,
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
    const GradMode recording(create_graph);
    std::optional<FiniteGradients> finite;
    if (is_checked(first)) finite.emplace();
    std::vector<Tensor> gradients(xs.size());
    Node* last = y.body()->node;
    Pass(last, targets, since).run(last, std::move(first), [&](Node& node, const Tensor& gradient) {
        for (std::size_t i = 0; i < targets.size(); ++i)
            if (targets[i] == &node) gradients[i] = gradient;
    });
    for (std::size_t i = 0; i < xs.size(); ++i)
        if (!gradients[i].defined())
            gradients[i] = zeros_like(xs[i]);
        else if (!create_graph && !owns_its_memory(gradients[i]))
            gradients[i] = copy_of(gradients[i]);
    return gradients;
}

}  // namespace heed
