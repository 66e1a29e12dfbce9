// The recorded graph drawn: text for Graphviz (`dot -Tsvg`), with an arrow from each input to what
// was computed from it.
#include <vector>

#include "autograd/backward/backward.h"
#include "autograd/tensor/node.h"

namespace heed {
namespace {

constexpr int64_t small = 6;  // of so many numbers or fewer, the values are shown

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
    std::vector<const Node*> nodes;  // newest first
    walk_back(y.body()->node, [&](const Node& node) {
        nodes.push_back(&node);
        return true;
    });
    for (std::size_t k = nodes.size(); k-- > 0;) {
        const Node* node = nodes[k];
        const Leaf* leaf = node->leaf();
        const RememberValues::Numbers seen = RememberValues::of(*node);
        const Tensor& gradient = leaf && leaf->gradient.defined() ? leaf->gradient : seen.gradient;
        text += fmt::format("    n{} [label = \"{} {}{}{}\", shape = {}];\n", node->order,
                            node->operation, node->shape, numbers("value", seen.value),
                            numbers("gradient", gradient),
                            leaf ? "box, style = filled, fillcolor = lightyellow" : "ellipse");
        for (uint32_t i = 0; i < node->input_count; ++i)
            if (const Node* input = node->inputs[i].node)
                text += fmt::format("    n{} -> n{};\n", input->order, node->order);
    }
    return text + "}\n";
}

}  // namespace heed
