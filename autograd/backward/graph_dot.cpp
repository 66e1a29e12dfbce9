// The recorded graph drawn: text for Graphviz (`dot -Tsvg`), with an arrow from each input to what
// was computed from it.
#include <algorithm>
#include <vector>

#include "autograd/backward/backward.h"
#include "autograd/tensor/node.h"

namespace heed {
namespace {

constexpr int64_t small = 6;  // of so many numbers or fewer, the values are shown

// All nodes behind the first, itself included, each once; oldest first. Newer nodes are visited
// before older ones, so all ways to a node have met in the heap by the time it comes to the top.
std::vector<const Node*> nodes_behind(const Node* first) {
    const auto older = [](const Node* a, const Node* b) { return a->order < b->order; };
    std::vector<const Node*> nodes, waiting{first};
    while (!waiting.empty()) {
        std::pop_heap(waiting.begin(), waiting.end(), older);
        const Node* node = waiting.back();
        waiting.pop_back();
        if (!nodes.empty() && nodes.back() == node) continue;
        nodes.push_back(node);
        for (uint32_t i = 0; i < node->input_count; ++i) {
            if (!node->inputs[i].node) continue;
            waiting.push_back(node->inputs[i].node);
            std::push_heap(waiting.begin(), waiting.end(), older);
        }
    }
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
}

// "\nvalue 1.5, 2" if something is remembered and small.
std::string numbers(const char* what, const Tensor& x) {
    if (!x.defined() || x.numel() > small) return "";
    std::string text = fmt::format("\\n{}", what);
    const char* separator = " ";
    for (double value : x.to_vector()) {
        text += fmt::format("{}{:.4g}", separator, value);
        separator = ", ";
    }
    return text;
}

}  // namespace

std::string graph_dot(const Tensor& y) {
    check(y.defined(), "graph_dot: the tensor is not defined");
    check(y.requires_grad(),
          "graph_dot: no graph stands behind this tensor: no input of it asked for a gradient "
          "(x.set_requires_grad()), or it was computed under NoGrad");
    std::string text =
        "digraph {\n"
        "    rankdir = BT;\n"
        "    node [fontname = \"sans-serif\", fontsize = 11];\n";
    for (const Node* node : nodes_behind(y.body()->node)) {
        const bool leaf = node->is_leaf();
        const Tensor& gradient =
            leaf && node->leaf_gradient.defined() ? node->leaf_gradient : node->remembered_gradient;
        text += fmt::format("    n{} [label = \"{} {}{}{}\", shape = {}];\n", node->order,
                            node->operation, node->shape, numbers("value", node->remembered_value),
                            numbers("gradient", gradient),
                            leaf ? "box, style = filled, fillcolor = lightyellow" : "ellipse");
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (const Node* input = node->inputs[i].node)
                text += fmt::format("    n{} -> n{};\n", input->order, node->order);
    }
    return text + "}\n";
}

}  // namespace heed
