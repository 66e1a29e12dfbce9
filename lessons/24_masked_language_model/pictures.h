// The figures of this lesson.
#pragma once

#include "lessons/24_masked_language_model/experiment.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/terminal/table.h"

namespace heed::lesson24 {

// BERT with its two heads: one fills the gaps, the other one names the topic.
course::Diagram two_heads();

// Rows: the texts with a gap; columns: the persons that may stand in it.
course::HeatMap heat_map_of(const Fills& fills);

// Accuracy against the number of labelled texts, as a table with a row for each kind of reader, and as
// a plot.
course::Table table_of(const Accuracies& reached, const std::vector<int>& labelled);
course::LinePlot plot_of(const Accuracies& reached, const std::vector<int>& labelled);

// A probability for each word of a text.
course::BarChart bars_of(const std::vector<std::string>& words, const std::vector<double>& p);

}  // namespace heed::lesson24
