// An image, and what a model attends to in it: its patches shaded by their weights, or the path
// of its glimpses.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

struct Picture {
    std::string title{};
    int height = 0, width = 0;
    std::vector<double> grey{};  // [height, width], 0 black, 1 white
    bool two_colours = false;    // or 0 blue, 1 orange, and white between them

    int patch_rows = 0, patch_columns = 0;
    std::vector<double> weights{};  // [patch_rows, patch_columns]: the weights of the patches

    std::vector<std::pair<double, double>>
        path{};          // centres (x, y) of the glimpses, in pixels, in order
    double glimpse = 0;  // side of the square that a glimpse sees, in pixels
};

void check_sizes(const Picture& picture);
std::string to_text(const Picture& picture, const Screen& screen);
std::string to_svg(const Picture& picture);

}  // namespace heed::course
