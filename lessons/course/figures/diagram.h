// Boxes and arrows: a graph of operations, a cell, a block, a whole model.
//
//     Diagram block{.title = "A block", .flow = Diagram::Flow::up};
//     block.boxes = {{.name = "x", .row = 0, .kind = Diagram::Kind::input},
//                    {.name = "attention", .lines = {"4 heads"}, .row = 1,
//                     .kind = Diagram::Kind::learned},
//                    {.name = "+", .row = 2, .round = true}};
//     block.arrows = {{0, 1}, {1, 2}, {0, 2, "", Diagram::Side::left}};
//     block.frames = {{"x 2 layers", {1, 2}}};
//
// A box gives its place in a grid; the sizes of columns and rows follow from what stands in them, so
// that no text leaves its box and no two boxes touch. An arrow leaves a box at its front and enters
// the next one at its back, with no regard to boxes in between. Where there are boxes in between
// (residual connections, an encoder's output for every layer of the decoder), give the arrow a side:
// it then goes round them and enters at that side of its last box.
//
// A name or a line that begins with "▸" is emphasised: the picture has it bold and in colour.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

struct Diagram {
    enum class Flow { right, up };  // in which direction the arrows point
    enum class Kind { computed, input, learned, output };
    enum class Side { back, left, right };  // with Flow::right: left is above, right is below
    struct Box {
        std::string name{};
        std::vector<std::string> lines{};  // smaller, below the name
        double column = 0, row = 0;        // of its centre; row 0 is at the top, or with Flow::up
                                           // at the bottom
        bool source = false;               // the same as Kind::input
        Kind kind = Kind::computed;
        bool round = false;  // a circle, for operations with short names: +, x, tanh
    };
    struct Arrow {
        int from = 0, to = 0;  // indices into boxes
        std::string label{};
        Side side = Side::back;
        bool dashed = false;
    };
    struct Frame {
        std::string title{};
        std::vector<int> boxes{};  // indices; a frame inside another has some of its boxes
    };
    std::string title{};
    std::vector<Box> boxes{};
    std::vector<Arrow> arrows{};
    std::vector<Frame> frames{};
    Flow flow = Flow::right;
    double least_width =
        0;  // of a box, in pixels: so a picture keeps its size when its numbers change
};

void check_sizes(const Diagram& diagram);

// In the terminal: a drawing if it fits into the window and is readable, otherwise the boxes below each other in
// the order of the computation, with their arrows beside them (diagram_rails.h).
std::string to_text(const Diagram& diagram, const Screen& screen);
std::string to_svg(const Diagram& diagram);

}  // namespace heed::course
