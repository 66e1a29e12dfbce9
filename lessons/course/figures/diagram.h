// Boxes and arrows, from left to right: a graph of operations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

struct Diagram {
    struct Box {
        std::string name{};
        std::vector<std::string> lines{};  // smaller, below the name
        double column = 0, row = 0;        // of its centre, counted in boxes
        bool source = false;               // no arrow leads to it; it is drawn filled
    };
    std::string title{};
    std::vector<Box> boxes{};
    std::vector<std::pair<int, int>> arrows{};  // from one box to another, as indices into boxes
};

void check_sizes(const Diagram& diagram);
std::string to_text(const Diagram& diagram, const Screen& screen);
std::string to_svg(const Diagram& diagram);

}  // namespace heed::course
