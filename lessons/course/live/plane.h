// A plane with axes, in which points and arrows stand and some points can be dragged. Both axes have
// the same scale, so that angles are seen as they are.
//
//     Plane plane{.title = "Query and keys", .low = -2, .high = 2};
//     plane.arrows = {{.x = 1, .y = 0.5, .name = "key 1", .colour = 0, .strength = 0.7}};
//     plane.handles = {{.control = "query", .x = 0.5, .y = 1, .name = "query"}};
//     to_svg(plane)
#pragma once

#include <string>
#include <vector>

namespace heed::course {

struct Plane {
    struct Arrow {  // from (from_x, from_y) to (x, y)
        double x = 0, y = 0;
        std::string name{};
        int colour = 0;       // of the six series
        double strength = 1;  // 0 to 1: how strongly it is drawn
        double from_x = 0, from_y = 0;
        bool head = true;  // without: a line
    };
    struct Dot {
        double x = 0, y = 0;
        std::string name{};
        int colour = 0;
        double radius = 4;  // in pixels
    };
    struct Handle {
        std::string control{};  // the name of its place (controls.h)
        double x = 0, y = 0;
        std::string name{};
        bool arrow = true;  // an arrow from the origin ends in it
    };
    std::string title{};
    double low = -1, high = 1;  // of both axes
    std::vector<Arrow> arrows{};
    std::vector<Dot> dots{};
    std::vector<Handle> handles{};
    double size = 400;  // of the square, in pixels
    bool axes = true;
};

std::string to_svg(const Plane& plane);

}  // namespace heed::course
