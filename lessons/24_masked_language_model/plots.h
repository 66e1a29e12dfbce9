// The figures of this lesson.
#pragma once

#include "lessons/24_masked_language_model/experiment.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson24 {

// Rows: the texts with a gap; columns: the persons that may stand in it.
course::HeatMap heat_map_of(const Fills& fills);

// Accuracy against the number of labelled texts.
course::LinePlot plot_of(const Accuracies& reached, const std::vector<int>& labelled);

// A probability for each word of a text.
course::BarChart bars_of(const std::vector<std::string>& words, const std::vector<double>& p);

}  // namespace heed::lesson24
