#include "lessons/course/live/plane.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "autograd/base/error.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {
namespace {

constexpr double top = 26, margin = 10;

class Drawing {
  public:
    explicit Drawing(const Plane& plane)
        : plane_(plane),
          svg_(plane.size + 2 * margin, plane.size + top + margin, plane.title, "heed plane") {}

    double across(double x) const {
        return margin + (x - plane_.low) / (plane_.high - plane_.low) * plane_.size;
    }
    double down(double y) const {
        return top + (plane_.high - y) / (plane_.high - plane_.low) * plane_.size;
    }

    std::string finished() {
        svg_.text(margin, 16, plane_.title, "start", "title");
        svg_.add(R"(<rect class="grid" x="{}" y="{}" width="{}" height="{}"/>)", margin, top,
                 plane_.size, plane_.size);
        if (plane_.axes) {
            line(plane_.low, 0, plane_.high, 0, "axis");
            line(0, plane_.low, 0, plane_.high, "axis");
        }
        for (const Plane::Arrow& arrow : plane_.arrows) draw(arrow);
        for (const Plane::Dot& dot : plane_.dots) {
            svg_.add(R"(<circle class="dot s{}" cx="{:.2f}" cy="{:.2f}" r="{:.2f}"/>)",
                     dot.colour % 6, across(dot.x), down(dot.y), dot.radius);
            label(dot.x, dot.y, dot.name, dot.radius + 4);
        }
        for (const Plane::Handle& handle : plane_.handles) draw(handle);
        for (const Label& label : labels_) write(label);
        svg_.describe(in_words());
        return svg_.finish();
    }

  private:
    // The named points with their coordinates.
    std::string in_words() const {
        std::string out = "A plane.";
        const auto add = [&](const std::string& name, double x, double y) {
            if (!name.empty()) out += fmt::format(" {}: {:.3g}, {:.3g}.", name, x, y);
        };
        for (const Plane::Arrow& arrow : plane_.arrows) add(arrow.name, arrow.x, arrow.y);
        for (const Plane::Dot& dot : plane_.dots) add(dot.name, dot.x, dot.y);
        for (const Plane::Handle& handle : plane_.handles) add(handle.name, handle.x, handle.y);
        return out;
    }

    void line(double x1, double y1, double x2, double y2, const char* classes) {
        svg_.add(R"(<line class="{}" x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}"/>)", classes,
                 across(x1), down(y1), across(x2), down(y2));
    }

    // A name beside a point, of which it keeps `away`. All names are written at the end, when it is known
    // what is drawn.
    void label(double x, double y, const std::string& name, double away) {
        if (!name.empty()) labels_.push_back({across(x), down(y), away, name});
    }

    struct Label {
        double x, y, away;  // in pixels
        std::string name;
    };
    struct Point {
        double x, y, strength;
    };
    struct Box {
        double left, top, right, bottom;
        bool holds(double x, double y) const {
            return x > left && x < right && y > top && y < bottom;
        }
        bool meets(const Box& other) const {
            return left < other.right && other.left < right && top < other.bottom &&
                   other.top < bottom;
        }
    };

    // Beside the point, away from the middle of the plane, or else where the fewest lines and other
    // names are in the way.
    void write(const Label& label) {
        const double width = svg_text_width(label.name), height = 14, low = top + plane_.size,
                     edge = margin + plane_.size;
        const bool left = label.x < margin + plane_.size / 2;
        const double outside = left ? label.x - label.away - width : label.x + label.away,
                     inside = left ? label.x + label.away : label.x - label.away - width,
                     middle = label.x - width / 2;
        const std::pair<double, double> places[] = {// of the left end of the base line
                                                    {outside, label.y - 5},
                                                    {outside, label.y + 5},
                                                    {outside, label.y + 15},
                                                    {middle, label.y - label.away - 3},
                                                    {middle, label.y + label.away + 11},
                                                    {inside, label.y - 5},
                                                    {inside, label.y + 15}};
        Box best{};
        double best_faults = 1e9;
        int index = 0;
        for (const auto& [x, y] : places) {
            const double start = std::clamp(x, margin + 2, std::max(margin + 2, edge - 2 - width)),
                         base = std::clamp(y, top + 12, low - 4);
            const Box box{start, base - height + 3, start + width, base + 3};
            double faults = 0.1 * index++;
            for (const Point& point : drawn_)
                if (box.holds(point.x, point.y)) faults += point.strength;
            for (const Box& other : written_) faults += box.meets(other) ? 50 : 0;
            if (faults < best_faults) best_faults = faults, best = box;
        }
        written_.push_back(best);
        svg_.text(left ? best.right : best.left, best.bottom - 3, label.name,
                  left ? "end" : "start", "halo");
    }

    void draw(const Plane::Arrow& arrow) {
        const double x1 = across(arrow.from_x), y1 = down(arrow.from_y), x2 = across(arrow.x),
                     y2 = down(arrow.y), length = std::hypot(x2 - x1, y2 - y1);
        const double strength = 0.15 + 0.85 * std::clamp(arrow.strength, 0.0, 1.0);
        svg_.add(R"(<g class="s{}" opacity="{:.2f}"><line class="line" x1="{:.2f}" y1="{:.2f}" )"
                 R"(x2="{:.2f}" y2="{:.2f}"/>)",
                 arrow.colour % 6, strength, x1, y1, x2, y2);
        if (arrow.head && length > 6) {
            const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
            svg_.add(R"(<path class="dot" d="M{:.2f} {:.2f}L{:.2f} {:.2f}L{:.2f} {:.2f}z"/>)",
                     x2 + 2 * ux, y2 + 2 * uy, x2 - 9 * ux - 5 * uy, y2 - 9 * uy + 5 * ux,
                     x2 - 9 * ux + 5 * uy, y2 - 9 * uy - 5 * ux);
        }
        svg_.add("</g>");
        for (double t = 0; t <= length; t += 6)
            drawn_.push_back({x1 + (x2 - x1) * t / length, y1 + (y2 - y1) * t / length, strength});
        label(arrow.x, arrow.y, arrow.name, 6);
    }

    // The page (pages/live.js) finds it by data-place, and turns pixels into numbers by the rest.
    void draw(const Plane::Handle& handle) {
        if (handle.arrow) draw(Plane::Arrow{.x = handle.x, .y = handle.y, .colour = 1});
        svg_.add(R"(<circle class="handle s1" data-place="{}" data-left="{}" data-top="{}" )"
                 R"(data-size="{}" data-low="{}" data-high="{}" cx="{:.2f}" cy="{:.2f}" r="9" )"
                 R"(tabindex="0" role="slider" aria-label="{}" aria-valuenow="{:.2f}" )"
                 R"(aria-valuetext="{:.2f}, {:.2f}"/>)",
                 escape(handle.control), margin, top, plane_.size, plane_.low, plane_.high,
                 across(handle.x), down(handle.y), escape(handle.name), handle.x, handle.x,
                 handle.y);
        label(handle.x, handle.y, handle.name, 13);
    }

    const Plane& plane_;
    Svg svg_;
    std::vector<Label> labels_{};
    std::vector<Box> written_{};  // the names so far
    std::vector<Point> drawn_{};  // of the arrows
};

}  // namespace

std::string to_svg(const Plane& plane) {
    check(plane.low < plane.high, "plane '{}': {} is not below {}", plane.title, plane.low,
          plane.high);
    return Drawing(plane).finished();
}

}  // namespace heed::course
