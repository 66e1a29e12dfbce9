#include "lessons/material/corpora/glyphs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::course {
namespace {

struct Point {
    double x, y;
};
using Line = std::vector<Point>;  // a stroke with corners, in a square from -1 to 1, y downwards

std::vector<Line> strokes_of(int label) {
    switch (label) {
        case 0: {
            Line ring;
            for (int i = 0; i <= 12; ++i) {
                const double angle = i * std::numbers::pi / 6;
                ring.push_back({std::cos(angle), std::sin(angle)});
            }
            return {ring};
        }
        case 1:
            return {{{0, -1}, {1, 1}, {-1, 1}, {0, -1}}};
        case 2:
            return {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}};
        case 3:
            return {{{0, -1}, {0, 1}}, {{-1, 0}, {1, 0}}};
        case 4:
            return {{{-1, -1}, {1, 1}}, {{1, -1}, {-1, 1}}};
        case 5:
            return {{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};
        case 6:
            return {{{-1, -1}, {1, -1}}, {{0, -1}, {0, 1}}};
        case 7:
            return {{{-1, -1}, {0, 1}, {1, -1}}};
        case 8:
            return {{{-1, -1}, {-1, 1}}, {{1, -1}, {1, 1}}, {{-1, 0}, {1, 0}}};
        case 9:
            return {{{0, 1}, {0, -1}}, {{-0.8, -0.2}, {0, -1}, {0.8, -0.2}}};
    }
    check(false, "glyphs: there is no sign {}, only 0 to {}", label, glyph_count - 1);
    return {};
}

std::vector<Line> distractor(Rng& rng) {
    std::vector<Line> lines;
    for (int i = 0; i < 2; ++i) {
        const double angle = rng.uniform(0, 2 * std::numbers::pi), half = rng.uniform(0.3, 0.7);
        const Point middle{rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)};
        const double dx = half * std::cos(angle), dy = half * std::sin(angle);
        lines.push_back({{middle.x - dx, middle.y - dy}, {middle.x + dx, middle.y + dy}});
    }
    return lines;
}

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / std::max(length, 1e-12);
    const double t = std::clamp(along, 0.0, 1.0);
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// The pixels of one picture. The centre of pixel (x, y) is (x + 0.5, y + 0.5).
struct Canvas {
    float* pixels;
    int side;

    void segment(const Point& a, const Point& b, double thickness) {
        const double margin = thickness / 2 + 1;
        const auto low = [&](double u, double v) {
            return std::max(0, static_cast<int>(std::floor(std::min(u, v) - margin)));
        };
        const auto high = [&](double u, double v) {
            return std::min(side - 1, static_cast<int>(std::ceil(std::max(u, v) + margin)));
        };
        for (int y = low(a.y, b.y); y <= high(a.y, b.y); ++y)
            for (int x = low(a.x, b.x); x <= high(a.x, b.x); ++x) {
                const double d = distance_to_segment({x + 0.5, y + 0.5}, a, b);
                const double ink = std::clamp(thickness / 2 + 0.5 - d, 0.0, 1.0);
                float& pixel = pixels[y * side + x];
                pixel = std::max(pixel, static_cast<float>(ink));
            }
    }

    void draw(const std::vector<Line>& lines, const Point& centre, double half,
              const GlyphOptions& options, Rng& rng) {
        const double angle = rng.uniform(-options.turn, options.turn);
        const double thickness = rng.uniform(options.thin, options.thick);
        const double c = std::cos(angle) * half, s = std::sin(angle) * half;
        const double wide = rng.uniform(0.75, 1);  // narrower than high
        for (const Line& line : lines) {
            Line moved;
            for (const Point& p : line) {
                const double x = wide * p.x + rng.uniform(-options.bend, options.bend);
                const double y = p.y + rng.uniform(-options.bend, options.bend);
                moved.push_back({centre.x + c * x - s * y, centre.y + s * x + c * y});
            }
            for (std::size_t i = 1; i < moved.size(); ++i)
                segment(moved[i - 1], moved[i], thickness);
        }
    }
};

// The largest distance of ink from the centre of a sign: the corners after rotation and shift, half
// a stroke, half a pixel.
double reach(double half, const GlyphOptions& options) {
    const double rotated = std::cos(options.turn) + std::sin(options.turn);
    return half * (1 + options.bend) * rotated + options.thick / 2 + 0.5;
}

}  // namespace

std::string_view glyph_name(int label) {
    static constexpr std::array<std::string_view, glyph_count> names{
        "ring", "triangle", "square", "plus", "saltire", "zed", "tee", "vee", "aitch", "arrow"};
    check(label >= 0 && label < glyph_count, "glyphs: there is no sign {}, only 0 to {}", label,
          glyph_count - 1);
    return names[label];
}

Glyphs draw_glyphs(int count, const GlyphOptions& options, Rng& rng) {
    const int grid = std::max(options.cells, 1), cells = grid * grid;
    const double room = static_cast<double>(options.side) / grid;
    check(count >= 1 && options.small > 0 && options.small <= options.large && options.thin > 0 &&
              options.thin <= options.thick,
          "glyphs: {} pictures, signs of {} to {}, strokes of {} to {} pixels", count,
          options.small, options.large, options.thin, options.thick);
    check(2 * reach(options.small, options) <= room,
          "glyphs: a sign of {} pixels to each side does not fit into {} pixels", options.small,
          room);
    check(options.clutter >= 0 && (options.cells == 0 || options.clutter < cells),
          "glyphs: {} distractors and the sign do not fit into {} cells", options.clutter, cells);

    Glyphs glyphs;
    glyphs.images.pixels = zeros({count, options.side, options.side});
    float* pixels = glyphs.images.pixels.edit<float>();
    std::vector<int> order(cells);
    for (int n = 0; n < count; ++n, pixels += options.side * options.side) {
        Canvas canvas{pixels, options.side};
        for (int i = 0; i < cells; ++i) order[i] = i;
        rng.shuffle(order);
        const auto draw = [&](const std::vector<Line>& lines, int cell) {
            const double per_pixel = reach(1, options) - reach(0, options);
            const double largest = (room / 2 - reach(0, options)) / per_pixel;
            const double half = rng.uniform(options.small, std::min(options.large, largest));
            const double edge = reach(half, options);
            const Point centre{cell % grid * room + rng.uniform(edge, room - edge),
                               cell / grid * room + rng.uniform(edge, room - edge)};
            canvas.draw(lines, centre, half, options, rng);
            return centre;
        };
        const int label = static_cast<int>(rng.below(glyph_count));
        const Point at = draw(strokes_of(label), order[0]);
        for (int i = 1; i <= options.clutter; ++i)
            draw(distractor(rng), order[options.cells ? i : 0]);
        if (options.noise > 0)
            for (int i = 0; i < options.side * options.side; ++i)
                pixels[i] += static_cast<float>(options.noise * rng.normal());
        glyphs.images.labels.push_back(label);
        glyphs.centres.push_back({at.x, at.y});
        glyphs.cell.push_back(order[0]);
    }
    return glyphs;
}

}  // namespace heed::course
