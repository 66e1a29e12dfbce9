// Recording: what an operation leaves behind so that its gradient can be computed later.
//
// Let L be some number computed from y, and g = dL/dy. An operation y = f(a, b) has one *rule* for
// each input, a function that turns g into the gradient with respect to that input. To record the
// operation is to say its name, its value, and each input with its rule:
//
//     // C = A B          dL/dA = G Bᵀ          dL/dB = Aᵀ G
//     return record("matmul", product(a, b),
//                   a, [=](const Tensor& g) { return matmul(g, transpose(b)); },
//                   b, [=](const Tensor& g) { return matmul(transpose(a), g); });
//
// If no input asked for a gradient, record() returns the value and that is all. Otherwise the value
// gets a Node (tensor/node.h) that holds the rules. The backward pass (backward/pass.h) then
// calls them, the newest node first:
//
//     for each node, newest first:
//         g = the sum of all gradients that arrived at this node
//         for each input that needs a gradient:
//             add rule(g) to what has arrived at the input's node
//
// A rule that needs the result takes it as a second argument, (g, y). It must not capture the result
// instead: node and result would then keep each other alive for ever. Rules are written in recorded
// operations, so a gradient can itself be differentiated. A rule need not sum over axes along which
// its input was broadcast, nor add up several uses of one input, nor ask whether its gradient is
// wanted: the backward pass does that for all operations.
//
// A graph may be built by several threads, one after the other, and of a model that another thread
// made. Two threads must not use the same tensors at the same time: their counts are not atomic.
#pragma once

#include <array>
#include <vector>

#include "autograd/record/finite.h"
#include "autograd/record/grad_mode.h"
#include "autograd/record/operation.h"

namespace heed {

// Whether an operation on x has to be recorded.
inline bool needs_record(const Tensor& x) {
    return grad_enabled() && x.defined() && x.requires_grad();
}

// Records `value` as the result of an operation on one, two or three inputs. An input may be not
// defined (a bias that is not there); its rule is then never called.
template <class Rule>
Tensor record(const char* name, Tensor value, const Tensor& x, Rule rule) {
    check_finite(name, value, x);
    if (!needs_record(x)) return value;
    return make_node<Operation<Rule>>(name, std::move(value), std::array{&x}, std::move(rule));
}
template <class RuleA, class RuleB>
Tensor record(const char* name, Tensor value, const Tensor& a, RuleA rule_a, const Tensor& b,
              RuleB rule_b) {
    check_finite(name, value, a, b);
    if (!needs_record(a) && !needs_record(b)) return value;
    return make_node<Operation<RuleA, RuleB>>(name, std::move(value), std::array{&a, &b},
                                              std::move(rule_a), std::move(rule_b));
}
template <class RuleA, class RuleB, class RuleC>
Tensor record(const char* name, Tensor value, const Tensor& a, RuleA rule_a, const Tensor& b,
              RuleB rule_b, const Tensor& c, RuleC rule_c) {
    check_finite(name, value, a, b, c);
    if (!needs_record(a) && !needs_record(b) && !needs_record(c)) return value;
    return make_node<Operation<RuleA, RuleB, RuleC>>(name, std::move(value), std::array{&a, &b, &c},
                                                     std::move(rule_a), std::move(rule_b),
                                                     std::move(rule_c));
}

// Records an operation on any number of inputs: rule(i, g) is the gradient of input i.
template <class Rule>
Tensor record_many(const char* name, Tensor value, const std::vector<Tensor>& xs, Rule rule) {
    check_finite_of_all(name, value, xs);
    bool any = false;
    for (const Tensor& x : xs) any |= needs_record(x);
    if (!any) return value;
    return make_node<ManyInputs<Rule>>(name, std::move(value), xs, std::move(rule));
}

// Records a fused kernel, one that computes in one go what several plain operations would. It
// carries its definition: definition(xs[0], xs[1], ...) is the same value in plain operations.
// backward(g), or backward(g, y) if it needs the result, computes the gradients of all inputs
// together as a std::array; when the gradient is to be differentiated again, the definition is
// differentiated instead.
template <std::size_t inputs, class Definition, class Backward>
Tensor record_fused(const char* name, Tensor value, const std::array<Tensor, inputs>& xs,
                    Definition definition, Backward backward) {
    check_finite_of_all(name, value, xs);
    bool any = false;
    for (const Tensor& x : xs) any |= needs_record(x);
    if (!any) return value;
    return make_node<FusedOperation<inputs, Definition, Backward>>(
        name, std::move(value), xs, std::move(definition), std::move(backward));
}

}  // namespace heed
