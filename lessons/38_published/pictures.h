// The figures of the lesson.
#pragma once

#include <string>
#include <vector>

#include "lessons/38_published/experiment.h"

namespace heed::lesson38 {

// What each wrong detail adds to the loss.
course::BarChart details_chart(const std::vector<std::string>& names,
                               const std::vector<double>& more);

// A number for each head, [layers, heads].
course::HeatMap heads_map(const std::string& title, int64_t layers, int64_t heads,
                          const std::vector<double>& scores);

// The mean weight on the first token by layer, against an even share.
course::LinePlot sink_plot(const std::vector<double>& on_first, double even);

// A head of width 16 whose query is made to look one token back, with the base 500 and pairs in halves: its
// weight on each of 64 distances, if it is rotated with this base and layout. See live.cpp.
std::vector<double> weights_by_distance(double base, RotaryLayout layout);
course::LinePlot distance_plot(double base, RotaryLayout layout);

}  // namespace heed::lesson38
