// Gradients: from a result back to everything it was computed from.
//
//     Tensor x = tensor({1, 2, 3}).set_requires_grad();
//     backward(sum(exp(x)));
//     fmt::print("{}\n", x.grad());                      // eˣ
//     const Tensor dx = grad(sum(exp(x)), {x})[0];        // the same, returned
//
// What a graph is made of: tensor/node.h. How operations get into it: record/record.h.
#pragma once

#include <string>
#include <vector>

#include "autograd/record/grad_mode.h"
#include "autograd/record/remember.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Adds dL/dx to the grad() of every leaf x that L was computed from. L has one element; or `g`, of
// its shape, says with which weights its elements are summed. Uses the graph up: a second backward()
// through it throws. To keep it, use grad().
void backward(const Tensor& loss, const Tensor& g = {});

// The same in its plainest form, to be read first (backward_definition.cpp) and to test the other against.
// It keeps the graph, and may take exponentially long.
void backward_definition(const Tensor& loss, const Tensor& g = {});

// The gradients of y with respect to each of xs (leaves or intermediate results), weighed by `g` if y
// has several elements. The graph stays. With create_graph the gradients are recorded themselves and
// can be differentiated again; without it they have memory of their own. An x that y does not depend
// on gets zeros.
std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& xs, Flag create_graph = false,
                         const Tensor& g = {});

// The graph behind y as text for Graphviz (`dot -Tsvg`): operations and shapes; and, if a RememberValues
// (record/remember.h) lives, the values and gradients that it has seen.
std::string graph_dot(const Tensor& y);

}  // namespace heed
