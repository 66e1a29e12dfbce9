#include "lessons/28_two_modalities/pictures.h"

namespace heed::lesson28 {

using namespace course;

Diagram two_encoders() {
    using enum Diagram::Kind;
    Diagram diagram{.title = "Two encoders and a table of scores", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "N pictures", .column = 0, .kind = input},
        {.name = "N captions", .column = 2, .kind = input},
        {.name = "encoder f", .column = 0, .row = 1, .kind = learned},
        {.name = "encoder g", .column = 2, .row = 1, .kind = learned},
        {.name = "a", .lines = {"N unit vectors"}, .column = 0, .row = 2},
        {.name = "b", .lines = {"N unit vectors"}, .column = 2, .row = 2},
        {.name = "scores", .lines = {"N x N cosines, over τ"}, .column = 1, .row = 3},
        {.name = "τ", .column = 2, .row = 3, .kind = learned, .round = true},
        {.name = "softmax of a row", .lines = {"which caption?"}, .column = 0, .row = 4},
        {.name = "softmax of a column", .lines = {"which picture?"}, .column = 2, .row = 4},
        {.name = "loss",
         .lines = {"-ln of the diagonal,", "mean of both"},
         .column = 1,
         .row = 5,
         .kind = output}};
    diagram.arrows = {{0, 2}, {1, 3}, {2, 4}, {3, 5},  {4, 6}, {5, 6},
                      {7, 6}, {6, 8}, {6, 9}, {8, 10}, {9, 10}};
    return diagram;
}

}  // namespace heed::lesson28
