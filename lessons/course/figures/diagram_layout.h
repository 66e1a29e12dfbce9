// Where the boxes, arrows and frames of a diagram go, in pixels or in characters.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lessons/course/figures/diagram.h"

namespace heed::course {

struct DiagramPoint {
    double x = 0, y = 0;
};

struct DiagramRect {
    double left = 0, top = 0, right = 0, bottom = 0;

    double centre_x() const { return (left + right) / 2; }
    double centre_y() const { return (top + bottom) / 2; }
};

// The sizes on which a layout depends. All lengths are pixels, or characters.
struct DiagramSizes {
    std::function<std::pair<double, double>(const Diagram::Box&)> box;  // width, height
    std::function<std::pair<double, double>(const std::string&)> label;
    double ahead_x = 0,
           ahead_y = 0;  // between two boxes along an arrow, for either direction of flow
    double beside_x = 0, beside_y = 0;  // between two boxes beside each other
    double pad_x = 0, pad_y = 0;        // from a frame to what is inside it
    double title = 0;                   // the height of a frame's title
    double lane_x = 0, lane_y = 0;      // between a box and an arrow that goes round it
    bool whole = false;                 // only whole coordinates
};

struct DiagramLayout {
    struct Route {
        std::vector<DiagramPoint> points{};  // corners, from one box to the other
        bool direct = false;                 // two points only, drawn as a curve if not a line
        DiagramPoint label{};                // its left lower corner
    };
    std::vector<DiagramRect> boxes{};
    std::vector<DiagramRect> frames{};
    std::vector<Route> routes{};
    double width = 0, height = 0;
};

DiagramLayout lay_out(const Diagram& diagram, const DiagramSizes& sizes);

}  // namespace heed::course
