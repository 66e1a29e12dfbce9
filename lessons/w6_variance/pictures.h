// The two lines of the cameras, and exact variances, as a figure and tables.
#pragma once

#include "lessons/course/lesson/lesson.h"
#include "lessons/material/corpora/three_looks_exact.h"
#include "lessons/material/corpora/two_cameras.h"

namespace heed::workshop6 {

// The two estimates against the baseline. Shows the plot.
void show_two_lines(course::AtCall lesson, const two_cameras::EstimateOf& estimate, double x);

// The constants of the three steps and the exact variance with them: the mean loss, each step by itself, and
// the best. Shows the table.
void show_constants(course::AtCall lesson, const three_looks::Exact& exact, const Tensor& alone,
                    const Tensor& best);

// The exact variances of REINFORCE with three baselines: the mean loss, and the best constants by
// two formulas. Shows the table.
struct SharedResult {
    double mean_loss, without_term, with_term;
};
SharedResult show_shared(course::AtCall lesson, const three_looks::Exact& exact,
                         const Tensor& without_term, const Tensor& with_term);

}  // namespace heed::workshop6
