// A grid of cells that the reader switches on and off: a mask, or a picture that is drawn.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

struct Grid {
    std::string title{};
    std::string control{};  // the name of its switches (controls.h), row by row
    int rows = 0, columns = 0;
    std::vector<bool> on{};
    bool painted = false;  // a pointer that is held down switches all cells that it passes
    std::vector<std::string> row_labels{}, column_labels{};
    double cell = 28;  // in pixels
};

std::string to_svg(const Grid& grid);

}  // namespace heed::course
