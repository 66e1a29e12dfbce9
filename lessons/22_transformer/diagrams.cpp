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
            .boxes = {box("x", 0, 0, true), box("norm₁", 1, 1), box("self-attention", 2, 1),
                      box("+₁", 3, 0), box("norm₂", 4, 1), box("feed-forward", 5, 1),
                      box("+₂", 6, 0), box("y", 7, 0)},
            .arrows = {{0, 3}, {0, 1}, {1, 2}, {2, 3}, {3, 6}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}};
}

Diagram post_norm() {
    return {.title = "post-norm",
            .boxes = {box("x", 0, 0, true), box("self-attention", 1, 1), box("+₁", 2, 0),
                      box("norm₁", 3, 0), box("feed-forward", 4, 1), box("+₂", 5, 0),
                      box("norm₂", 6, 0), box("y", 7, 0)},
            .arrows = {{0, 2}, {0, 1}, {1, 2}, {2, 3}, {3, 5}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}};
}

Diagram::Box stack(const char* name, std::vector<std::string> lines, double column, double row) {
    return {.name = name, .lines = std::move(lines), .column = column, .row = row};
}

Diagram whole() {
    return {.title = "the Transformer",
            .boxes = {box("source words", 0, 0, true), box("source embedding", 1, 0),
                      box("+ positions", 2, 0),
                      stack("encoder blocks", {"self-attention", "feed-forward"}, 3, 0),
                      stack("norm₁", {"the memory"}, 4, 0), box("target words", 0, 1.4, true),
                      box("target embedding", 1, 1.4), box("+ positions", 2, 1.4),
                      stack("decoder blocks",
                            {"causal self-attention", "cross-attention", "feed-forward"}, 4, 1.4),
                      box("norm₂", 5, 1.4), stack("output layer", {"logits"}, 6, 1.4)},
            .arrows = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8}, {4, 8}, {8, 9},
                       {9, 10}}};
}

Diagram decoder_block() {
    return {.title = "a block of the decoder (pre-norm)",
            .boxes = {box("x", 0, 0, true), box("norm₁", 1, 1),
                      stack("self-attention", {"causal mask"}, 2, 1), box("+₁", 3, 0),
                      box("norm₂", 4, 1), stack("cross-attention", {"queries from x"}, 5, 1),
                      stack("memory", {"keys and values"}, 4, 2), box("+₂", 6, 0),
                      box("norm₃", 7, 1), box("feed-forward", 8, 1), box("+₃", 9, 0),
                      box("y", 10, 0)},
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
