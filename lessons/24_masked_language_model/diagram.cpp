#include "lessons/24_masked_language_model/diagram.h"

namespace heed::lesson24 {

using course::Diagram;

Diagram two_heads() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "Filling gaps, then naming topics", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "tokens", .lines = {"15 % hidden"}, .kind = input},
        {.name = "table E", .lines = {"a row for each word"}, .row = 1, .kind = learned},
        {.name = "positions", .column = -1, .row = 1, .kind = learned},
        {.name = "segments", .column = 1, .row = 1, .kind = learned},
        {.name = "+", .row = 2, .round = true},
        {.name = "norm", .row = 3, .kind = learned},
        {.name = "self-attention", .lines = {"both directions"}, .row = 4, .kind = learned},
        {.name = "+, norm", .row = 5, .kind = learned},
        {.name = "feed-forward", .row = 6, .kind = learned},
        {.name = "+, norm", .row = 7, .kind = learned},
        {.name = "word head", .lines = {"ends with E"}, .column = -0.75, .row = 8, .kind = learned},
        {.name = "logits of words",
         .lines = {"loss at the gaps"},
         .column = -0.75,
         .row = 9,
         .kind = output},
        {.name = "mean", .lines = {"of all tokens"}, .column = 0.75, .row = 8},
        {.name = "4 logits",
         .lines = {"loss of the topic"},
         .column = 0.75,
         .row = 9,
         .kind = output}};
    diagram.arrows = {{0, 1},
                      {1, 4},
                      {2, 4},
                      {3, 4},
                      {4, 5},
                      {5, 6},
                      {6, 7},
                      {5, 7, "", Diagram::Side::left},
                      {7, 8},
                      {8, 9},
                      {7, 9, "", Diagram::Side::left},
                      {9, 10, "pre-training"},
                      {10, 11},
                      {9, 12, "fine-tuning"},
                      {12, 13}};
    diagram.frames = {{"each of the layers", {6, 7, 8, 9}}};
    return diagram;
}

}  // namespace heed::lesson24
