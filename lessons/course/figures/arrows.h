// Arrows and curves in a plane: words as vectors, the steps of a ball on a hill, the hands of a clock.
//
//     Arrows plane{.title = "Three words", .x_label = "person", .y_label = "verb"};
//     plane.lines = {arrow("나는", 3, 0, 0), arrow("이다", 0, 2, 1)};
//
// A name stands beside the end of its line, where it covers as little as possible.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

struct Arrows {
    enum class End { head, ball, none };
    struct Line {
        std::string name{};
        std::vector<double> x{}, y{};  // its corners, in order; a curve has many
        int colour = 0;                // of the six series
        End end = End::head;
        bool dashed = false;
    };
    std::string title{}, x_label{}, y_label{};
    std::vector<Line> lines{};
    // With one scale for both axes, angles and lengths are seen as they are, and the axes cross in the origin.
    // Without it the plane is as wide as a plot, and the axes stand at its left and below.
    bool same_scale = true;
    bool axes = true;  // without: the plane is a drawing, such as a road
};

// An arrow from the origin, or from another point.
Arrows::Line arrow(std::string name, double x, double y, int colour = 0, double from_x = 0,
                   double from_y = 0);

void check_sizes(const Arrows& arrows);
std::string to_text(const Arrows& arrows, const Screen& screen);
std::string to_svg(const Arrows& arrows);

}  // namespace heed::course
