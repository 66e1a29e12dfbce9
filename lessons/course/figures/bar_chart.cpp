#include "lessons/course/figures/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/figures/axis.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

double spread_of(const BarChart::Set& set, std::size_t i) {
    return set.spread.empty() ? 0 : set.spread[i];
}

bool has_spread(const BarChart& chart) {
    return std::any_of(chart.sets.begin(), chart.sets.end(),
                       [](const BarChart::Set& set) { return !set.spread.empty(); });
}

// A row for comparison, which is grey.
bool is_reference(const BarChart& chart, std::size_t i) {
    return has_spread(chart) && chart.labels[i].starts_with("(");
}

// Bars start at 0; with negative values, 0 lies inside the chart.
Axis value_axis(const BarChart& chart) {
    double low = 0, high = chart.high;
    for (const BarChart::Set& set : chart.sets) {
        for (std::size_t i = 0; i < set.values.size(); ++i) {
            if (!std::isfinite(set.values[i])) continue;
            low = std::min(low, set.values[i] - (set.values[i] < 0 ? spread_of(set, i) : 0));
            if (chart.high == 0) high = std::max(high, set.values[i] + spread_of(set, i));
        }
    }
    return make_axis(low, high > low ? high : low + 1, false, 5, chart.high == 0);
}

// Spreads that are all 0 come from a single run and are not printed.
std::string value_text(const BarChart::Set& set, std::size_t i) {
    if (!std::isfinite(set.values[i])) return "none";
    const bool single =
        std::all_of(set.spread.begin(), set.spread.end(), [](double s) { return s == 0; });
    return single ? number(set.values[i], 3)
                  : number(set.values[i], 3) + " ± " + number(set.spread[i], 2);
}

// A bar of whole and eighth characters; "#" where there is no colour.
std::string text_bar(double columns, const Screen& screen) {
    constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int eights = static_cast<int>(std::lround(std::max(0.0, columns) * 8));
    std::string bar;
    for (int i = 0; i < eights / 8; ++i) bar += screen.colour ? "█" : "#";
    return screen.colour ? bar + eighths[eights % 8] : bar;
}

// With a light edge, so that it shows on the bar as well as beside it.
void draw_error_bar(Svg& svg, double from, double to, double y) {
    const std::string path =
        fmt::format("M{:.1f} {:.1f}H{:.1f}m0 -3v6M{:.1f} {:.1f}v6", from, y, to, from, y - 3);
    svg.add(R"(<path class="halo" fill="none" d="{}"/>)", path);
    svg.add(R"(<path class="mark" d="{}"/>)", path);
}

}  // namespace

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

std::string to_text(const BarChart& chart, const Screen& screen) {
    check_sizes(chart);
    const Axis axis = value_axis(chart);
    int label_width = 0, set_width = 0, value_width = 0;
    for (const std::string& label : chart.labels)
        label_width = std::max(label_width, display_width(label));
    for (const BarChart::Set& set : chart.sets) {
        set_width = std::max(set_width, display_width(set.name) + 2);
        for (std::size_t i = 0; i < set.values.size(); ++i)
            value_width = std::max(value_width, display_width(value_text(set, i)));
    }
    if (chart.sets.size() == 1) set_width = 0;  // the labels are enough
    label_width = std::min(label_width, std::min(24, screen.width / 3));
    set_width = std::min(set_width, screen.width / 4);
    const int beside = 2 + label_width + set_width + 2 + value_width;
    const int room = std::clamp(screen.width - beside, 1, 48);
    const double zero = axis.position(0) * room;  // bars of negative values end here

    std::string out = title_text(chart.title, screen);
    for (std::size_t i = 0; i < chart.labels.size(); ++i) {
        for (std::size_t s = 0; s < chart.sets.size(); ++s) {
            const BarChart::Set& set = chart.sets[s];
            const double length =
                std::isfinite(set.values[i]) ? axis.position(set.values[i]) * room - zero : 0;
            const int before = static_cast<int>(std::lround(zero + std::min(0.0, length)));
            std::string label = s == 0 ? printable(chart.labels[i]) : "";
            if (display_width(label) > label_width)  // it stands above its bar
                out += wrap(std::exchange(label, ""), screen.width, "  ");
            std::string line = "  " + pad(label, label_width);
            std::string name = set_width > 0 ? printable(set.name) : "";
            if (display_width(name) > set_width - 2 &&
                set_width > 0) {  // so does the name of a set
                out += wrap(std::exchange(name, ""), screen.width, line + "  ");
                line = pad("", 2 + label_width);
            }
            out += line + (set_width > 0 ? pad("  " + name, set_width) : "");
            const double drawn =
                length < 0 ? std::lround(zero) - before : std::min<double>(room - before, length);
            out += pad("", 1 + before);
            const std::string drawn_bar = text_bar(drawn, screen);
            out += is_reference(chart, i) ? screen.paint(drawn_bar, Ink::faint)
                                          : screen.paint_series(drawn_bar, static_cast<int>(s));
            out += " " + value_text(set, i) + "\n";
        }
    }
    return out + wrap(screen.paint(printable(chart.value_label), Ink::faint), screen.width, "  ");
}

std::string to_svg(const BarChart& chart) {
    check_sizes(chart);
    constexpr double total_width = 480, bar = 15, between = 12;
    const Axis axis = value_axis(chart);
    const bool legend = chart.sets.size() > 1;
    double left = 0, values = 0;
    for (const std::string& label : chart.labels) left = std::max(left, svg_text_width(label));
    for (const BarChart::Set& set : chart.sets)
        for (std::size_t i = 0; i < set.values.size(); ++i)
            values = std::max(values, svg_text_width(value_text(set, i), 12));
    left = std::min(left, 200.0) + 14;
    const double width = total_width - left - values - 16;
    const double group = bar * static_cast<double>(chart.sets.size()) + between;
    const double top = 6 + (chart.title.empty() ? 0 : 24) + (legend ? 24 : 0);
    const double bottom = top + group * static_cast<double>(chart.labels.size());
    const auto x_of = [&](double value) {
        return left + width * std::clamp(axis.position(value), 0.0, 1.0);
    };

    Svg svg(std::max(total_width, svg_text_width(chart.title) * 1.08 + 8),
            bottom + (chart.value_label.empty() ? 26 : 46),
            chart.title.empty() ? chart.value_label : chart.title, "heed plot");
    svg.describe(in_words(chart));
    if (!chart.title.empty()) svg.text(4, 18, chart.title, "start", "title");
    double legend_x = left;
    for (std::size_t s = 0; legend && s < chart.sets.size(); ++s) {
        svg.add(R"(<rect class="bar s{}" x="{:.1f}" y="{:.1f}" width="12" height="12" rx="2"/>)",
                s % 6, legend_x, top - 21);
        svg.text(legend_x + 18, top - 10.5, chart.sets[s].name);
        legend_x += 36 + svg_text_width(chart.sets[s].name);
    }
    for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
        svg.add(R"(<path class="grid" d="M{:.1f} {:.1f}V{:.1f}"/>)", x_of(axis.ticks[i]), top,
                bottom);
        svg.text(x_of(axis.ticks[i]), bottom + 18, axis.labels[i], "middle", "faint");
    }
    for (std::size_t i = 0; i < chart.labels.size(); ++i) {
        const double y = top + group * static_cast<double>(i) + between / 2;
        svg.text(left - 10, y + (group - between) / 2 + 4.5, chart.labels[i], "end",
                 is_reference(chart, i) ? "faint" : "");
        for (std::size_t s = 0; s < chart.sets.size(); ++s) {
            const BarChart::Set& set = chart.sets[s];
            const double value = std::isfinite(set.values[i]) ? set.values[i] : 0;
            const double from = std::min(x_of(0), x_of(value)), to = std::max(x_of(0), x_of(value));
            const double above = y + bar * static_cast<double>(s), spread = spread_of(set, i);
            svg.add(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}"/>)",
                    is_reference(chart, i) ? "faint" : fmt::format("bar s{}", s % 6), from,
                    above + 1, to - from, bar - 2);
            if (spread > 0)
                draw_error_bar(svg, x_of(value - spread), x_of(value + spread), above + bar / 2);
            // Beside the bar; of a negative value, on the free side of the axis.
            if (has_spread(chart))
                svg.text(total_width - 4, above + bar / 2 + 4.5, value_text(set, i), "end",
                         "faint");
            else
                svg.text(std::max(x_of(value), x_of(0)) + 6, above + bar / 2 + 4.5,
                         value_text(set, i), "start", "faint");
        }
    }
    svg.add(R"(<path class="axis" d="M{:.1f} {:.1f}V{:.1f}"/>)", x_of(0), top, bottom);
    svg.text(left + width / 2, bottom + 38, chart.value_label, "middle", "faint");
    return svg.finish();
}

}  // namespace heed::course
