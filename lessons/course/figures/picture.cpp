#include "lessons/course/figures/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/base/error.h"
#include "lessons/course/figures/heat_map.h"
#include "lessons/course/figures/in_words.h"
#include "lessons/course/figures/png.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

double strongest(const std::vector<double>& weights) {
    double most = 0;
    for (const double weight : weights)
        if (std::isfinite(weight)) most = std::max(most, weight);
    return most > 0 ? most : 1;
}

double grey_at(const Picture& picture, int y, int x) {
    if (y >= picture.height) return 0;
    const double grey = picture.grey[static_cast<std::size_t>(y * picture.width + x)];
    return std::isfinite(grey) ? std::clamp(grey, 0.0, 1.0) : 0;
}

// Two pixels as one character: an upper half block in the colour of the upper pixel, on a
// background in the colour of the lower one. Without colours, one character whose darkness is their
// mean.
std::string text_pixels(const Picture& picture, int y, int x, const Screen& screen) {
    const double above = grey_at(picture, y, x), below = grey_at(picture, y + 1, x);
    if (!screen.colour) {
        constexpr std::string_view ramp = " .:-=+*#%@";
        const double mean = (above + below) / 2;
        return std::string(1, ramp[static_cast<std::size_t>(std::lround(mean * 9))]);
    }
    if (picture.two_colours) return screen.paint_halves(1 - 2 * above, 1 - 2 * below);
    const auto code = [](double grey) { return 232 + static_cast<int>(std::lround(grey * 23)); };
    return fmt::format("\x1b[38;5;{};48;5;{}m▀\x1b[0m", code(above), code(below));
}

void draw_weights(Svg& svg, const Picture& picture, double top, double scale) {
    const double most = strongest(picture.weights);
    const double width = scale * picture.width / picture.patch_columns;
    const double height = scale * picture.height / picture.patch_rows;
    for (int row = 0; row < picture.patch_rows; ++row) {
        for (int column = 0; column < picture.patch_columns; ++column) {
            const double weight =
                picture.weights[static_cast<std::size_t>(row * picture.patch_columns + column)];
            if (!(weight > 0.01 * most)) continue;
            svg.add(R"(<rect class="shade" fill-opacity="{:.2f}" x="{:.1f}" y="{:.1f}" )"
                    R"(width="{:.1f}" height="{:.1f}"><title>weight {}</title></rect>)",
                    0.72 * weight / most, 4 + width * column, top + height * row, width, height,
                    number(weight, 3));
        }
    }
}

void draw_path(Svg& svg, const Picture& picture, double top, double scale) {
    std::string line;
    for (std::size_t i = 0; i < picture.path.size(); ++i) {
        const double x = 4 + scale * picture.path[i].first,
                     y = top + scale * picture.path[i].second;
        if (!std::isfinite(x) || !std::isfinite(y)) continue;
        line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
        const double side = scale * picture.glimpse;
        if (side > 0)
            svg.add(R"(<rect class="path" stroke-opacity="0.55" x="{:.1f}" y="{:.1f}" )"
                    R"(width="{:.1f}" height="{:.1f}"/>)",
                    x - side / 2, y - side / 2, side, side);
        svg.add(R"(<circle class="shade" cx="{:.1f}" cy="{:.1f}" r="7"/>)", x, y);
        svg.text(x, y + 3.7, fmt::format("{}", i + 1), "middle", "small",
                 R"(style="fill:#1d1b18;font-weight:600")");
    }
    if (!line.empty()) svg.add(R"(<path class="path" stroke-opacity="0.8" d="{}"/>)", line);
}

}  // namespace

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

std::string to_text(const Picture& picture, const Screen& screen) {
    check_sizes(picture);
    std::string out = title_text(picture.title, screen);
    for (int y = 0; y < picture.height; y += 2) {
        out += "  ";
        for (int x = 0; x < std::min(picture.width, screen.width - 2); ++x)
            out += text_pixels(picture, y, x, screen);
        out += '\n';
    }
    if (!picture.weights.empty()) {
        HeatMap map;
        map.values = picture.weights;
        map.rows = picture.patch_rows;
        map.columns = picture.patch_columns;
        map.high = strongest(picture.weights);
        out += to_text(map, screen);
    }
    std::string path;
    for (const auto& [x, y] : picture.path)
        path += fmt::format("{}({:.0f}, {:.0f})", path.empty() ? "" : " → ", x, y);
    return path.empty() ? out
                        : out + wrap("glimpses at " + path,
                                     std::min(std::max(picture.width, 28) + 2, screen.width), "  ");
}

std::string to_svg(const Picture& picture) {
    check_sizes(picture);
    const int side = std::max(picture.height, picture.width);  // in pixels
    const double scale = std::max(1.0, std::floor((side > 60 ? 300.0 : 168.0) / side));
    const double width = scale * picture.width, height = scale * picture.height;
    const double top = picture.title.empty() ? 4 : 26;
    Svg svg(std::max(width + 8, 8 + svg_text_width(picture.title) * 1.08), top + height + 4,
            picture.title.empty() ? "image" : picture.title);
    svg.describe(in_words(picture));
    if (!picture.title.empty()) svg.text(4, 18, picture.title, "start", "title");
    svg.add(R"(<image x="4" y="{}" width="{}" height="{}" preserveAspectRatio="none" )"
            R"(style="image-rendering:pixelated" href="{}"/>)",
            top, width, height,
            data_address((picture.two_colours ? two_coloured_png : grey_png)(
                             picture.grey, picture.height, picture.width),
                         "image/png"));
    if (!picture.weights.empty()) draw_weights(svg, picture, top, scale);
    if (!picture.path.empty()) draw_path(svg, picture, top, scale);
    return svg.finish();
}

}  // namespace heed::course
