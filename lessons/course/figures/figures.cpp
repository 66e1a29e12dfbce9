#include "lessons/course/figures/figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/lesson/statistics.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

HeatMap attention_map(std::vector<std::string> queries, std::vector<std::string> keys,
                      std::vector<double> weights) {
    HeatMap map;
    map.values = std::move(weights);
    map.row_labels = std::move(queries);
    map.column_labels = std::move(keys);
    map.row_axis = "query";
    map.column_axis = "key";
    map.softmax = true;
    return map;
}

int HeatMap::height() const {
    return row_labels.empty() ? rows : static_cast<int>(row_labels.size());
}

int HeatMap::width() const {
    return column_labels.empty() ? columns : static_cast<int>(column_labels.size());
}

double HeatMap::level(int row, int column) const {
    const double value = values[static_cast<std::size_t>(row * width() + column)];
    const double level =
        low < 0 ? value / std::max(-low, std::fabs(high)) : (value - low) / (high - low);
    return std::clamp(level, low < 0 ? -1.0 : 0.0, 1.0);
}

Series over_seeds(std::string name, std::vector<double> x,
                  const std::vector<std::vector<double>>& runs) {
    Series series{std::move(name), std::move(x), {}, {}, {}};
    for (const std::vector<double>& run : runs) {
        check(run.size() == series.x.size(), "series '{}': a run of {} values over {} places",
              series.name, run.size(), series.x.size());
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        std::vector<double> across;
        for (const std::vector<double>& run : runs) across.push_back(run[i]);
        const Summary summary = summarise(across);
        series.y.push_back(summary.mean);
        series.low.push_back(summary.mean - summary.deviation);
        series.high.push_back(summary.mean + summary.deviation);
    }
    return series;
}

std::string title_text(const std::string& title, const Screen& screen) {
    return wrap(screen.paint(printable(title), Ink::strong), screen.width, "  ");
}

void check_sizes(const HeatMap& map) {
    const int height = map.height(), width = map.width();
    check(height > 0 && width > 0, "heat map '{}': {} rows and {} columns; give labels or sizes",
          map.title, height, width);
    const std::size_t cells = static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    check(map.values.size() == cells, "heat map '{}': {} values for {} rows of {} columns",
          map.title, map.values.size(), height, width);
    check(map.scores.empty() || map.scores.size() == cells,
          "heat map '{}': {} scores for {} rows of {} columns", map.title, map.scores.size(),
          height, width);
    check(map.low < map.high, "heat map '{}': its range runs from {} to {}", map.title, map.low,
          map.high);
    for (const auto& [row, column] : map.gold) {
        check(0 <= row && row < height && 0 <= column && column < width,
              "heat map '{}': outlined cell ({}, {}) lies outside {} x {}", map.title, row, column,
              height, width);
    }
}

void check_sizes(const LinePlot& plot) {
    check(!plot.series.empty(), "line plot '{}': no series", plot.title);
    check(plot.y_range.empty() || (plot.y_range.size() == 2 && plot.y_range[0] < plot.y_range[1]),
          "line plot '{}': y_range is {{low, high}}", plot.title);
    for (const Series& series : plot.series) {
        const std::size_t points = series.x.size();
        const bool band = series.low.empty() && series.high.empty();
        check(points > 0, "line plot '{}': series '{}' is empty", plot.title, series.name);
        check(series.y.size() == points, "line plot '{}': series '{}' has {} x and {} y",
              plot.title, series.name, points, series.y.size());
        check(band || (series.low.size() == points && series.high.size() == points),
              "line plot '{}': series '{}' has a band of {} and {} values for {} points",
              plot.title, series.name, series.low.size(), series.high.size(), points);
    }
}

void check_sizes(const BarChart& chart) {
    check(!chart.labels.empty() && !chart.sets.empty(), "bar chart '{}': nothing to draw",
          chart.title);
    for (const BarChart::Set& set : chart.sets) {
        check(set.values.size() == chart.labels.size(),
              "bar chart '{}': set '{}' has {} values for {} labels", chart.title, set.name,
              set.values.size(), chart.labels.size());
        check(set.spread.empty() || set.spread.size() == set.values.size(),
              "bar chart '{}': set '{}' has {} spreads for {} values", chart.title, set.name,
              set.spread.size(), set.values.size());
    }
}

void check_sizes(const Picture& picture) {
    const auto area = [](int height, int width) {
        return static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
    };
    check(picture.height > 0 && picture.width > 0, "picture '{}': {} x {} pixels", picture.title,
          picture.height, picture.width);
    check(picture.grey.size() == area(picture.height, picture.width),
          "picture '{}': {} grey values for {} x {} pixels", picture.title, picture.grey.size(),
          picture.height, picture.width);
    check(picture.patch_rows >= 0 && picture.patch_columns >= 0 &&
              picture.weights.size() == area(picture.patch_rows, picture.patch_columns),
          "picture '{}': {} weights for {} x {} patches", picture.title, picture.weights.size(),
          picture.patch_rows, picture.patch_columns);
}

}  // namespace heed::course
