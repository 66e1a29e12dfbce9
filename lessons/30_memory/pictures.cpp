#include "lessons/30_memory/pictures.h"

namespace heed::lesson30 {

using namespace course;

Diagram training_step() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "The bytes of a training step"};
    diagram.boxes = {
        {.name = "tokens", .column = 0, .row = 0, .kind = input},
        {.name = "layer 1", .column = 1, .row = 0},
        {.name = "layer 2", .column = 2, .row = 0},
        {.name = "loss", .column = 3, .row = 0, .kind = output},
        {.name = "kept", .lines = {"4 c B T D bytes"}, .column = 1, .row = 1},
        {.name = "kept", .lines = {"4 c B T D bytes"}, .column = 2, .row = 1},
        {.name = "backward 2", .column = 2, .row = 2},
        {.name = "backward 1", .column = 1, .row = 2},
        {.name = "gradients", .lines = {"4 P bytes, until the step"}, .column = 0, .row = 2},
        {.name = "Adam", .lines = {"8 P bytes, always there"}, .column = 0, .row = 3},
        {.name = "parameters",
         .lines = {"4 P bytes, always there"},
         .column = 1,
         .row = 3,
         .kind = learned}};
    diagram.arrows = {{0, 1}, {1, 2}, {2, 3}, {1, 4}, {2, 5}, {5, 6},
                      {4, 7}, {3, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}};
    diagram.frames = {{"activations", {4, 5}}};
    return diagram;
}

}  // namespace heed::lesson30
