// The results as tables and figures.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/w8_clipping/experiment.h"

namespace heed::workshop8 {

// The gradient in a plain network, for several matrices.
class PlainTable {
  public:
    double gap = 0;        // largest relative difference of the norm by hand from the engine's
    double off = 0;        // largest relative difference of the fitted factor from rho times s
    double left_at_1 = 0;  // the norm after 50 steps for rho = 1

    void add(double rho, double s, const std::vector<double>& norms, double engine);
    void show(course::AtCall lesson) const;

  private:
    course::Table table_{{"rho", "s", "rho times s", "fitted factor", "left after 50 steps"}};
    course::LinePlot plot_{
        .x_label = "steps back", .y_label = "norm of the gradient", .log_y = true};
};

// The loss, and where the descents without clipping and with it reach the minimum.
void show_descents(course::AtCall lesson, const Descents& unclipped, const Descents& clipped);

}  // namespace heed::workshop8
