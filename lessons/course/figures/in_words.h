// Figures in words, for readers who hear a page: what an SVG holds as its description.
#pragma once

#include <string>

#include "lessons/course/figures/arrows.h"
#include "lessons/course/figures/bar_chart.h"
#include "lessons/course/figures/diagram.h"
#include "lessons/course/figures/heat_map.h"
#include "lessons/course/figures/line_plot.h"
#include "lessons/course/figures/picture.h"
#include "lessons/course/figures/scatter_plot.h"
#include "lessons/course/figures/shaded_text.h"

namespace heed::course {

// Each line: its values, or with many points its ends, its lowest and its highest value.
std::string in_words(const LinePlot& plot);

// Each line with its two ends.
std::string in_words(const Arrows& arrows);

// Each bar with its value.
std::string in_words(const BarChart& chart);

// The values row by row; of a large map the largest value of each row and where it stands.
std::string in_words(const HeatMap& map);

// The names of the points of each group, or their number.
std::string in_words(const ScatterPlot& plot);

// The size, the patches with the largest weights, the centres of the glimpses.
std::string in_words(const Picture& picture);

// Each text, and its words with the largest weights.
std::string in_words(const ShadedText& text);

// The boxes that each box reads.
std::string in_words(const Diagram& diagram);

}  // namespace heed::course
