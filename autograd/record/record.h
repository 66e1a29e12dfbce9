// The tape: how operations are recorded and how gradients flow back.
//
// Every recorded operation makes a Node: its inputs, and for each of them a rule that turns the
// gradient with respect to the result, g, into the gradient with respect to that input. Recording is
// one line per input:
//
//     // C = A B          dL/dA = G Bᵀ          dL/dB = Aᵀ G
//     return record("matmul", product(a, b),
//                   a, [=](const Tensor& g) { return matmul(g, transpose(b)); },
//                   b, [=](const Tensor& g) { return matmul(transpose(a), g); });
//
// A rule that needs the result takes it as a second argument, (g, y); it must not capture it. Rules
// are written in differentiable operations, so gradients can be differentiated again. What a rule need
// not do: sum over broadcast axes, add up contributions, ask whether the gradient is wanted. The walk
// does these for all.
//
// A graph belongs to the thread that recorded it. What it is made of is in node.h.
#pragma once

#include <vector>

#include "autograd/tensor/node.h"

namespace heed {

// --- what programs use ------------------------------------------------------------------------

// Adds dL/dx to the grad() of every leaf x that L was computed from. L has one element, or `g` (of
// its shape) says what to weigh its elements with. Uses the graph up: a second backward() through it
// throws. To keep it, use grad().
void backward(const Tensor& loss, const Tensor& g = {});

// The gradients of y with respect to each of xs (leaves or intermediate results), weighed by `g` if y
// has several elements. The graph stays. With create_graph the gradients are recorded themselves and
// can be differentiated again; without it they have memory of their own. An x that y does not depend on
// gets zeros.
std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& xs, bool create_graph = false,
                         const Tensor& g = {});

// While one lives, nothing is recorded on this thread.
class NoGrad {
  public:
    NoGrad();
    ~NoGrad();
    NoGrad(const NoGrad&) = delete;

  private:
    bool before_;
};
bool grad_enabled();

// While one lives, graphs remember every value and gradient, for graph_dot.
class RememberValues {
  public:
    RememberValues();
    ~RememberValues();
    RememberValues(const RememberValues&) = delete;

  private:
    bool before_;
};

// The graph behind y as text for Graphviz: operations, shapes, and what is remembered of values and
// gradients.
std::string graph_dot(const Tensor& y);

// --- what operations use ----------------------------------------------------------------------

// Records `value` as the result of an operation on x; likewise of two and three inputs.
template <class Rule>
Tensor record(const char* name, Tensor value, const Tensor& x, Rule rule) {
    if (!tape::should_record(x)) return value;
    return tape::make_node<1>(name, std::move(value), {&x}, std::move(rule));
}
template <class RuleA, class RuleB>
Tensor record(const char* name, Tensor value, const Tensor& a, RuleA rule_a, const Tensor& b,
              RuleB rule_b) {
    if (!tape::should_record(a) && !tape::should_record(b)) return value;
    return tape::make_node<2>(name, std::move(value), {&a, &b}, std::move(rule_a), std::move(rule_b));
}
template <class RuleA, class RuleB, class RuleC>
Tensor record(const char* name, Tensor value, const Tensor& a, RuleA rule_a, const Tensor& b,
              RuleB rule_b, const Tensor& c, RuleC rule_c) {
    if (!tape::should_record(a) && !tape::should_record(b) && !tape::should_record(c)) return value;
    return tape::make_node<3>(name, std::move(value), {&a, &b, &c}, std::move(rule_a),
                              std::move(rule_b), std::move(rule_c));
}

// Records an operation on any number of inputs: rule(i, g) is the gradient of input i.
template <class Rule>
Tensor record_many(const char* name, Tensor value, const std::vector<Tensor>& xs, Rule rule) {
    bool any = false;
    for (const Tensor& x : xs) any |= tape::should_record(x);
    if (!any) return value;
    using Op = tape::ManyInputs<Rule>;
    Node* node = new (tape::allocate_node(sizeof(Op))) Op(name, value, xs, std::move(rule));
    return tape::attach(std::move(value), node);
}

// Records an operation whose input gradients are computed together: rule(g, wanted), or if it needs the
// result rule(g, y, wanted) -> std::array<Tensor, inputs>; those not wanted may stay empty.
template <int inputs, class Rule>
Tensor record_joint(const char* name, Tensor value, const Tensor* const (&xs)[inputs], Rule rule) {
    bool any = false;
    for (const Tensor* x : xs) any |= tape::should_record(*x);
    if (!any) return value;
    return tape::make_node<inputs>(name, std::move(value), xs, std::move(rule));
}

// The gradients of a fused kernel by way of its plain definition; differentiable again. Kernels call
// it when grad_enabled(), that is, when somebody wants to differentiate the gradient.
template <class Definition, std::size_t inputs>
std::array<Tensor, inputs> through_definition(const Definition& definition,
                                              const std::array<Tensor, inputs>& xs, const Tensor& g);

// The same tensor as a new place in the graph.
Tensor identity(const Tensor& x);

template <class Definition, std::size_t inputs>
std::array<Tensor, inputs> through_definition(const Definition& definition,
                                              const std::array<Tensor, inputs>& xs,
                                              const Tensor& g) {
    std::array<Tensor, inputs> own = xs;  // so that the inner walk ends here
    std::vector<Tensor> wanted;
    for (Tensor& x : own)
        if (x.defined() && x.requires_grad()) wanted.push_back(x = identity(x));
    std::vector<Tensor> gradients = grad(std::apply(definition, own), wanted, true, g);
    std::array<Tensor, inputs> result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < inputs; ++i)
        if (own[i].defined() && own[i].requires_grad()) result[i] = std::move(gradients[next++]);
    return result;
}

}  // namespace heed
