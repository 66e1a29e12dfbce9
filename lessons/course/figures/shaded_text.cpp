#include "lessons/course/figures/shaded_text.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/error.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

void check_sizes(const ShadedText& text) {
    check(!text.rows.empty(), "shaded text '{}': no rows", text.title);
    for (const ShadedText::Row& row : text.rows)
        check(row.words.size() == row.weights.size(),
              "shaded text '{}': row '{}' has {} words and {} weights", text.title, row.name,
              row.words.size(), row.weights.size());
}

namespace {

constexpr double weakest_shade = 0.05;  // a weaker one is not drawn

// 0 to 1: how strongly a word is shaded.
double shade_of(const ShadedText& text, double weight) {
    double high = text.high;
    if (!(high > 0))
        for (const ShadedText::Row& row : text.rows)
            for (const double other : row.weights)
                if (std::isfinite(other)) high = std::max(high, other);
    return high > 0 && std::isfinite(weight) ? std::clamp(weight / high, 0.0, 1.0) : 0;
}

}  // namespace

std::string to_text(const ShadedText& text, const Screen& screen) {
    check_sizes(text);
    int names = 0;
    for (const ShadedText::Row& row : text.rows)
        names = std::max(names, display_width(printable(row.name)));
    const bool above = names > screen.width / 3;  // long names stand on a line of their own
    const int start = names == 0 ? 2 : above ? 4 : names + 4;
    std::string out = title_text(text.title, screen);
    for (const ShadedText::Row& row : text.rows) {
        const std::string name = screen.paint(printable(row.name), Ink::faint);
        if (above) out += wrap(name, screen.width, "  ");
        std::string line = pad(above ? "" : "  " + name, start);
        int used = start;
        for (std::size_t i = 0; i < row.words.size(); ++i) {
            const double shade = shade_of(text, row.weights[i]);
            std::string word = printable(row.words[i]);
            if (screen.colour)
                word = " " + word + " ";
            else if (shade >= weakest_shade)
                word += fmt::format(" [{}] ", number(row.weights[i], 2));
            else
                word += " ";
            const int width = display_width(word);
            if (used > start && used + width > screen.width) {
                out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
                line = pad("", start);
                used = start;
            }
            line += screen.paint_level(word, shade);
            used += width;
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
}

std::string to_svg(const ShadedText& text) {
    check_sizes(text);
    constexpr double most = narrow_page - 4, high = 22, between = 6, inside = 8;
    struct Place {
        double x, y, width;
    };
    double names = 0;
    for (const ShadedText::Row& row : text.rows)
        names = std::max(names, svg_text_width(row.name, 12));
    const double start = names > 0 ? names + 20 : 4;
    std::vector<std::vector<Place>> places;
    double width = svg_text_width(text.title) * 1.08 + 8, y = text.title.empty() ? 4 : 30;
    for (const ShadedText::Row& row : text.rows) {
        double x = start;
        places.emplace_back();
        for (const std::string& word : row.words) {
            const double w = svg_text_width(word) + 2 * inside;
            if (x > start && x + w > most) x = start, y += high + 3;
            places.back().push_back({x, y, w});
            width = std::max(width, x + w + 4);
            x += w + 1;
        }
        y += high + between;
    }
    Svg svg(width, y, text.title.empty() ? "a shaded text" : text.title);
    svg.describe(in_words(text));
    if (!text.title.empty()) svg.text(4, 18, text.title, "start", "title");
    for (std::size_t r = 0; r < text.rows.size(); ++r) {
        const ShadedText::Row& row = text.rows[r];
        if (!row.name.empty() && !places[r].empty())
            svg.text(4, places[r][0].y + 15.5, row.name, "start", "faint");
        for (std::size_t i = 0; i < row.words.size(); ++i) {
            const Place at = places[r][i];
            const double shade = shade_of(text, row.weights[i]);
            if (shade < weakest_shade) {
                svg.text(at.x + at.width / 2, at.y + 15.5, row.words[i], "middle");
                continue;
            }
            svg.add(
                R"(<g class="cell"><rect class="hot" fill-opacity="{:.2f}" x="{:.1f}" )"
                R"(y="{:.1f}" rx="4" width="{:.1f}" height="{:.0f}"><title>{} {}</title></rect>)",
                shade, at.x, at.y, at.width, high, escape(text.value_name),
                number(row.weights[i], 3));
            // From these strengths on, the other letters have more contrast (heat_map.cpp).
            svg.text(at.x + at.width / 2, at.y + 15.5, row.words[i], "middle",
                     shade > 0.803   ? "on"
                     : shade > 0.557 ? "mid"
                                     : "");
            svg.add("</g>");
        }
    }
    return svg.finish();
}

}  // namespace heed::course
