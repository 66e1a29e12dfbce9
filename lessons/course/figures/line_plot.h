// Line plots.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// A line through (x, y), with a band from low to high around it where those are given.
struct Series {
    std::string name{};
    std::vector<double> x{}, y{};
    std::vector<double> low{}, high{};
    bool dashed = false;  // what was computed, beside what was measured
    bool dots = false;    // points without a line between them

    // One point is no line.
    bool is_dots() const { return dots || x.size() == 1; }

    // The line as it grows during a training, for its checkpoint.
    template <class F>
    void visit_state(F&& f) {
        f("x", x), f("y", y);
    }
};

// The mean over several runs (one vector of values per seed) as the line, mean ± one standard
// deviation as the band, but nothing that no run reached: losses stay positive, shares below 1.
Series over_seeds(std::string name, std::vector<double> x,
                  const std::vector<std::vector<double>>& runs);

struct LinePlot {
    std::string title{}, x_label{}, y_label{};
    std::vector<Series> series{};
    bool log_x = false, log_y = false;  // values of 0 or less are then gaps
    std::vector<double> y_range{};      // {low, high}; empty: chosen from the data
    std::vector<double> x_range{};      // the same
    // Names stand at the ends of the lines where they fit, and that of a single point beside it. Not in a live figure,
    // whose lines move: a legend that comes and goes would change its size.
    bool names_at_ends = true;

    template <class F>
    void visit_state(F&& f) {
        for (std::size_t i = 0; i < series.size(); ++i) f(std::to_string(i), series[i]);
    }
};

void check_sizes(const LinePlot& plot);
std::string to_text(const LinePlot& plot, const Screen& screen);
std::string to_svg(const LinePlot& plot,
                   double size = 480);  // its width without the names of the lines

}  // namespace heed::course
