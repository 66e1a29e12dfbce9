#include "lessons/22_transformer/diagrams.h"

#include <string>
#include <utility>

namespace heed::lesson22 {

using course::Diagram;

namespace {

Diagram::Box box(const char* name, double column, double row, bool source = false) {
    return {.name = name, .column = column, .row = row, .source = source};
}

// The sum stands on the upper line; the sublayer stands below it.
Diagram pre_norm() {
    return {.title = "pre-norm",
            .boxes = {box("x", 0, 0, true), box("norm₁", 0.45, 1), box("self-attention", 1.15, 1),
                      box("+₁", 1.8, 0), box("norm₂", 2.2, 1), box("feed-forward", 2.85, 1),
                      box("+₂", 3.45, 0), box("y", 3.8, 0)},
            .arrows = {{0, 3}, {0, 1}, {1, 2}, {2, 3}, {3, 6}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}};
}

Diagram post_norm() {
    return {.title = "post-norm",
            .boxes = {box("x", 0, 0, true), box("self-attention", 0.65, 1), box("+₁", 1.25, 0),
                      box("norm₁", 1.65, 0), box("feed-forward", 2.3, 1), box("+₂", 2.9, 0),
                      box("norm₂", 3.3, 0), box("y", 3.65, 0)},
            .arrows = {{0, 2}, {0, 1}, {1, 2}, {2, 3}, {3, 5}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}};
}

Diagram::Box stack(const char* name, std::vector<std::string> lines, double column, double row) {
    return {.name = name, .lines = std::move(lines), .column = column, .row = row};
}

Diagram whole() {
    return {.title = "the Transformer",
            .boxes = {box("source words", 0, 0, true), box("source embedding", 0.9, 0),
                      box("+ positions", 1.7, 0),
                      stack("encoder blocks", {"self-attention", "feed-forward"}, 2.55, 0),
                      stack("norm₁", {"the memory"}, 3.2, 0), box("target words", 0, 1.4, true),
                      box("target embedding", 0.9, 1.4), box("+ positions", 1.7, 1.4),
                      stack("decoder blocks",
                            {"causal self-attention", "cross-attention", "feed-forward"}, 4, 1.4),
                      box("norm₂", 4.75, 1.4), stack("output layer", {"logits"}, 5.45, 1.4)},
            .arrows = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8}, {4, 8}, {8, 9},
                       {9, 10}}};
}

Diagram decoder_block() {
    return {.title = "a block of the decoder (pre-norm)",
            .boxes = {box("x", 0, 0, true), box("norm₁", 0.42, 1),
                      stack("self-attention", {"causal mask"}, 1.1, 1), box("+₁", 1.7, 0),
                      box("norm₂", 2.1, 1), stack("cross-attention", {"queries from x"}, 2.8, 1),
                      stack("memory", {"keys and values"}, 2.1, 2), box("+₂", 3.4, 0),
                      box("norm₃", 3.8, 1), box("feed-forward", 4.45, 1), box("+₃", 5.0, 0),
                      box("y", 5.35, 0)},
            .arrows = {{0, 3}, {0, 1}, {1, 2}, {2, 3}, {3, 7}, {3, 4}, {4, 5}, {6, 5}, {5, 7},
                       {7, 10}, {7, 8}, {8, 9}, {9, 10}, {10, 11}}};
}

}  // namespace

std::vector<Diagram> block_diagrams() { return {pre_norm(), post_norm()}; }

std::vector<Diagram> transformer_diagrams() {
    Diagram block = decoder_block();
    block.boxes[6].source = true;
    return {whole(), block};
}

}  // namespace heed::lesson22
