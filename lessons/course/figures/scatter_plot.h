// Named points in a plane, in the colours of their groups: words by their vectors.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Both axes have the same scale, so that distances can be compared. They have no numbers: what is
// drawn is a projection, in which only the distances mean something.
struct ScatterPlot {
    struct Group {
        std::string name{};
        std::vector<double> x{}, y{};
        std::vector<std::string> names{};  // of the points; empty: points without names
    };
    std::string title{}, x_label{}, y_label{};
    std::vector<Group> groups{};
    // Where there are too many names: those that are shown, and those of them with a ring around their point. Empty:
    // all have names.
    std::vector<std::string> shown{}, ringed{};
};

void check_sizes(const ScatterPlot& plot);

// On the terminal a point is its name, or a dot where the name has no room; without colours each dot
// is the letter of its group.
std::string to_text(const ScatterPlot& plot, const Screen& screen);

// Names that would overlap others are left out; pointing at a point shows its name.
std::string to_svg(const ScatterPlot& plot);

}  // namespace heed::course
