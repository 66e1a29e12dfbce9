// Bar charts. The bars are horizontal, so that labels of any length fit to the left of them, in a
// terminal as well as on a page. With error bars, the numbers stand in a column at the right edge, and a
// row whose label is in brackets, "(chance)", is there for comparison and grey.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// One group of bars for each label; in each group one bar for each set.
struct BarChart {
    struct Set {
        std::string name{};
        std::vector<double> values{};
        std::vector<double> spread{};  // optional: half the length of the error bar
    };
    std::string title{}, value_label{};
    std::vector<std::string> labels{};
    std::vector<Set> sets{};
    double high = 0;  // the value at the right end; 0: chosen from the data
};

void check_sizes(const BarChart& chart);
std::string to_text(const BarChart& chart, const Screen& screen);
std::string to_svg(const BarChart& chart);

}  // namespace heed::course
