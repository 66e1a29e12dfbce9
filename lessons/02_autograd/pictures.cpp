#include "lessons/02_autograd/pictures.h"

#include <algorithm>
#include <cmath>

#include "autograd/record/remember.h"
#include "lessons/course/terminal/text.h"

namespace heed::lesson02 {

using namespace course;

namespace {

// The node and all nodes it was computed from, oldest first.
std::vector<const Node*> nodes_behind(Node* last) {
    std::vector<const Node*> nodes;
    walk_back(last, [&](const Node& node) {
        nodes.push_back(&node);
        return true;
    });
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
}

// Three decimals, as in the text, where they say enough.
std::string line(const char* what, const Tensor& x) {
    const double value = x.item(), size = std::abs(value);
    const double rounded = std::round(1000 * value) / 1000;
    return fmt::format("{} {}", what,
                       size >= 0.01 && size < 1000 ? number(rounded, 6) : number(value, 3));
}

}  // namespace

Diagram picture_of(const Tensor& y, const std::vector<std::pair<std::string, Tensor>>& leaves) {
    const std::vector<const Node*> nodes = nodes_behind(y.body()->node);
    Diagram diagram;
    for (const Node* node : nodes) {
        Diagram::Box box{.name = node->operation, .source = node->is_leaf()};
        for (const auto& [name, leaf] : leaves)
            if (leaf.body()->node == node) box.name = name;
        const Leaf* source = node->leaf();
        const RememberValues::Numbers seen = RememberValues::of(*node);
        const Tensor& gradient =
            source && source->gradient.defined() ? source->gradient : seen.gradient;
        if (seen.value.defined()) box.lines.push_back(line("value", seen.value));
        if (gradient.defined()) box.lines.push_back(line("slope", gradient));

        // One column to the right of the inputs and midway between them; leaves under each other.
        double rows = 0, inputs = 0;
        for (std::uint32_t i = 0; i < node->input_count; ++i) {
            const auto at = std::find(nodes.begin(), nodes.end(), node->inputs[i].node);
            if (at == nodes.end()) continue;
            const int from = static_cast<int>(at - nodes.begin());
            const Diagram::Box& input = diagram.boxes[static_cast<std::size_t>(from)];
            diagram.arrows.push_back({from, static_cast<int>(diagram.boxes.size())});
            box.column = std::max(box.column, input.column + 1);
            rows += input.row, ++inputs;
        }
        if (inputs > 0) box.row = rows / inputs;
        for (const Diagram::Box& other : diagram.boxes)
            if (other.column == box.column) box.row = std::max(box.row, other.row + 1);
        diagram.boxes.push_back(std::move(box));
    }
    return diagram;
}

}  // namespace heed::lesson02
