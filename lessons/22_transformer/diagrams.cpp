#include "lessons/22_transformer/diagrams.h"

#include <string>
#include <utility>

namespace heed::lesson22 {

using course::Diagram;

namespace {

using Kind = Diagram::Kind;
constexpr auto left = Diagram::Side::left, right = Diagram::Side::right;

Diagram::Box box(const char* name, double row, Kind kind = Kind::computed,
                 std::vector<std::string> lines = {}, double column = 0) {
    return {.name = name, .lines = std::move(lines), .column = column, .row = row, .kind = kind};
}

Diagram::Box plus(double row, double column = 0) {
    return {.name = "+", .column = column, .row = row, .round = true};
}

// The residual connections are the arrows on the left.
Diagram pre_norm() {
    return {
        .title = "pre-norm",
        .boxes = {box("x", 0, Kind::input), box("norm", 1, Kind::learned),
                  box("self-attention", 2, Kind::learned), plus(3), box("norm", 4, Kind::learned),
                  box("feed-forward", 5, Kind::learned), plus(6), box("y", 7, Kind::output)},
        .arrows = {{0, 1},
                   {1, 2},
                   {2, 3},
                   {3, 4},
                   {4, 5},
                   {5, 6},
                   {6, 7},
                   {0, 3, "", left},
                   {3, 6, "", left}},
        .flow = Diagram::Flow::up};
}

Diagram post_norm() {
    return {.title = "post-norm",
            .boxes = {box("x", 0, Kind::input), box("self-attention", 1, Kind::learned), plus(2),
                      box("norm", 3, Kind::learned), box("feed-forward", 4, Kind::learned), plus(5),
                      box("norm", 6, Kind::learned), box("y", 7, Kind::output)},
            .arrows = {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {5, 6},
                       {6, 7},
                       {0, 2, "", left},
                       {3, 5, "", left}},
            .flow = Diagram::Flow::up};
}

// The encoder in column 0, the decoder in column 1.
Diagram whole() {
    return {.title = "the Transformer",
            .boxes = {box("source words", 0, Kind::input), box("embedding", 1, Kind::learned),
                      box("+ positions", 2), box("self-attention", 3, Kind::learned),
                      box("feed-forward", 5, Kind::learned),
                      box("norm", 6, Kind::learned, {"the memory"}),
                      box("target words", 0, Kind::input, {}, 1),
                      box("embedding", 1, Kind::learned, {}, 1),
                      box("+ positions", 2, Kind::computed, {}, 1),
                      box("self-attention", 3, Kind::learned, {"causal mask"}, 1),
                      box("cross-attention", 4, Kind::learned, {"keys, values: memory"}, 1),
                      box("feed-forward", 5, Kind::learned, {}, 1),
                      box("norm", 6, Kind::learned, {}, 1),
                      box("output layer", 7, Kind::learned, {}, 1),
                      box("logits of the next word", 8, Kind::output, {}, 1)},
            .arrows = {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {6, 7},
                       {7, 8},
                       {8, 9},
                       {9, 10},
                       {10, 11},
                       {11, 12},
                       {12, 13},
                       {13, 14},
                       {5, 10, "", left}},
            .frames = {{"encoder, N blocks", {3, 4}}, {"decoder, N blocks", {9, 10, 11}}},
            .flow = Diagram::Flow::up};
}

Diagram decoder_block() {
    return {.title = "a block of the decoder (pre-norm)",
            .boxes = {box("x", 0, Kind::input), box("norm", 1, Kind::learned),
                      box("self-attention", 2, Kind::learned, {"causal mask"}), plus(3),
                      box("norm", 4, Kind::learned),
                      box("cross-attention", 5, Kind::learned, {"queries from x"}), plus(6),
                      box("norm", 7, Kind::learned), box("feed-forward", 8, Kind::learned), plus(9),
                      box("y", 10, Kind::output),
                      box("memory", 4, Kind::input, {"keys and values"}, 1)},
            .arrows = {{0, 1},
                       {1, 2},
                       {2, 3},
                       {3, 4},
                       {4, 5},
                       {5, 6},
                       {6, 7},
                       {7, 8},
                       {8, 9},
                       {9, 10},
                       {0, 3, "", left},
                       {3, 6, "", left},
                       {6, 9, "", left},
                       {11, 5, "", right}},
            .flow = Diagram::Flow::up};
}

}  // namespace

std::vector<Diagram> block_diagrams() { return {pre_norm(), post_norm()}; }

std::vector<Diagram> transformer_diagrams() { return {whole(), decoder_block()}; }

}  // namespace heed::lesson22
