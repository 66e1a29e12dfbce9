#include "lessons/course/figures/in_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// "a, b, c"
std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::string name_or(const std::string& name, const char* other) {
    return name.empty() ? other : name;
}

}  // namespace

std::string in_words(const LinePlot& plot) {
    constexpr std::size_t few = 8;
    std::string out = fmt::format("Lines. Across: {}. Up: {}.", name_or(plot.x_label, "x"),
                                  name_or(plot.y_label, "y"));
    for (const Series& series : plot.series) {
        out += fmt::format(" {}: ", name_or(series.name, "The line"));
        const auto point = [&](std::size_t i) {
            return fmt::format("{} at {}", number(series.y[i]), number(series.x[i]));
        };
        if (series.y.size() <= few) {
            std::vector<std::string> points;
            for (std::size_t i = 0; i < series.y.size(); ++i) points.push_back(point(i));
            out += listed(points) + ".";
            continue;
        }
        const auto [lowest, highest] = std::minmax_element(series.y.begin(), series.y.end());
        out += fmt::format("from {} to {}, lowest {}, highest {}.", point(0),
                           point(series.y.size() - 1),
                           point(static_cast<std::size_t>(lowest - series.y.begin())),
                           point(static_cast<std::size_t>(highest - series.y.begin())));
    }
    return out;
}

std::string in_words(const Arrows& arrows) {
    std::string out = "Lines in a plane.";
    if (!arrows.x_label.empty()) out += fmt::format(" Across: {}.", arrows.x_label);
    if (!arrows.y_label.empty()) out += fmt::format(" Up: {}.", arrows.y_label);
    for (const Arrows::Line& line : arrows.lines)
        out += fmt::format(" {}{} from ({}, {}) to ({}, {}).", line.name,
                           line.end != Arrows::End::head ? (line.name.empty() ? "A line" : ",")
                           : line.name.empty()           ? "An arrow"
                                                         : ", an arrow",
                           number(line.x.front(), 3), number(line.y.front(), 3),
                           number(line.x.back(), 3), number(line.y.back(), 3));
    return out;
}

std::string in_words(const BarChart& chart) {
    std::string out = fmt::format("Bars of {}.", name_or(chart.value_label, "values"));
    for (std::size_t i = 0; i < chart.labels.size(); ++i) {
        std::vector<std::string> values;
        for (const BarChart::Set& set : chart.sets)
            values.push_back((chart.sets.size() > 1 ? set.name + " " : "") + number(set.values[i]));
        out += fmt::format(" {}: {}.", chart.labels[i], listed(values));
    }
    return out;
}

std::string in_words(const HeatMap& map) {
    constexpr int few = 36, many_rows = 24;
    const int rows = map.height(), columns = map.width();
    const auto label = [](const std::vector<std::string>& labels, int at) {
        return labels.empty() ? std::to_string(at + 1) : labels[static_cast<std::size_t>(at)];
    };
    const auto value = [&](int row, int column) {
        return map.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                          static_cast<std::size_t>(column)];
    };
    std::string out = fmt::format("A map of {} rows ({}) and {} columns ({}) of {}s.", rows,
                                  name_or(map.row_axis, "rows"), columns,
                                  name_or(map.column_axis, "columns"), map.value_name);
    for (int row = 0; row < std::min(rows, many_rows); ++row) {
        std::vector<std::string> values;
        int largest = 0;
        bool gap = columns > 0;  // an empty row
        for (int column = 0; column < columns; ++column) {
            if (value(row, column) > value(row, largest)) largest = column;
            values.push_back(label(map.column_labels, column) + " " + number(value(row, column)));
            gap = gap && std::isnan(value(row, column));
        }
        if (gap) continue;
        const std::string most = values.empty() ? "" : values[static_cast<std::size_t>(largest)];
        out += fmt::format(" {}: {}.", label(map.row_labels, row),
                           rows * columns <= few ? listed(values) : "largest at " + most);
    }
    return out;
}

std::string in_words(const ScatterPlot& plot) {
    std::string out = "Points in a plane.";
    for (const ScatterPlot::Group& group : plot.groups) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < group.names.size(); ++i)
            if (std::isfinite(group.x[i]) && std::isfinite(group.y[i]))
                names.push_back(group.names[i]);
        out += fmt::format(
            " {}: {}.", name_or(group.name, "One group"),
            group.names.empty() ? fmt::format("{} points", group.x.size()) : listed(names));
    }
    return out;
}

std::string in_words(const ShadedText& text) {
    std::string out = "Words shaded by their weights.";
    for (const ShadedText::Row& row : text.rows) {
        std::vector<std::size_t> order(row.words.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return row.weights[a] > row.weights[b];
        });
        order.resize(std::min<std::size_t>(order.size(), 3));
        std::vector<std::string> most;
        for (const std::size_t at : order)
            most.push_back(row.words[at] + " " + number(row.weights[at], 3));
        out += row.name.empty() ? "" : " " + row.name + ":";
        for (const std::string& word : row.words) out += " " + word;
        out += fmt::format("; {}.", listed(most));
    }
    return out;
}

std::string in_words(const Picture& picture) {
    std::string out =
        fmt::format("A grey picture of {} by {} pixels.", picture.width, picture.height);
    if (!picture.weights.empty()) {
        std::vector<std::size_t> order(picture.weights.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return picture.weights[a] > picture.weights[b];
        });
        order.resize(std::min<std::size_t>(order.size(), 3));
        std::vector<std::string> patches;
        for (const std::size_t at : order)
            patches.push_back(fmt::format(
                "row {} column {} {}", static_cast<int>(at) / picture.patch_columns + 1,
                static_cast<int>(at) % picture.patch_columns + 1, number(picture.weights[at])));
        out += " Patches with the largest weights: " + listed(patches) + ".";
    }
    if (!picture.path.empty()) {
        std::vector<std::string> centres;
        for (const auto& [x, y] : picture.path)
            centres.push_back(fmt::format("({:.0f}, {:.0f})", x, y));
        out += " Centres of the glimpses: " + listed(centres) + ".";
    }
    return out;
}

std::string in_words(const Diagram& diagram) {
    std::string out = "Boxes and arrows.";
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        const Diagram::Box& box = diagram.boxes[i];
        std::vector<std::string> words{box.name}, from;
        words.insert(words.end(), box.lines.begin(), box.lines.end());
        for (const Diagram::Arrow& arrow : diagram.arrows)
            if (arrow.to == static_cast<int>(i))
                from.push_back(diagram.boxes[static_cast<std::size_t>(arrow.from)].name);
        out += fmt::format(" {}{}.", listed(words), from.empty() ? "" : ", from " + listed(from));
    }
    return out;
}

}  // namespace heed::course
