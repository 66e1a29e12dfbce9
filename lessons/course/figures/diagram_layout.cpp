#include "lessons/course/figures/diagram_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::course {
namespace {

using Box = Diagram::Box;
using Arrow = Diagram::Arrow;
using Side = Diagram::Side;

constexpr double infinite = std::numeric_limits<double>::infinity();

// From grid numbers to lengths: linear between whole numbers, where `knots` says what each stands for.
struct Ruler {
    double first = 0;
    std::vector<double> knots{0};

    double operator()(double position) const {
        const double from_first = position - first;
        const auto k = std::min(static_cast<std::size_t>(from_first), knots.size() - 1);
        if (k + 1 == knots.size()) return knots[k];
        return knots[k] + (knots[k + 1] - knots[k]) * (from_first - static_cast<double>(k));
    }
};

// A ruler on which box b is at least need(a, b) behind box a, for all pairs of boxes whose positions
// increase. What a pair needs is shared evenly by the intervals between them.
template <class Need>
Ruler ruler_for(const std::vector<double>& positions, const Need& need) {
    Ruler ruler;
    ruler.first = std::floor(*std::min_element(positions.begin(), positions.end()));
    const double last = std::ceil(*std::max_element(positions.begin(), positions.end()));
    std::vector<double> widths(static_cast<std::size_t>(last - ruler.first), 1);
    for (std::size_t a = 0; a < positions.size(); ++a) {
        for (std::size_t b = 0; b < positions.size(); ++b) {
            if (positions[a] >= positions[b]) continue;
            const double each = need(a, b) / (positions[b] - positions[a]);
            const auto begin = static_cast<std::size_t>(std::floor(positions[a]) - ruler.first);
            const auto end = static_cast<std::size_t>(std::ceil(positions[b]) - ruler.first);
            for (std::size_t k = begin; k < end; ++k) widths[k] = std::max(widths[k], each);
        }
    }
    for (const double width : widths) ruler.knots.push_back(ruler.knots.back() + width);
    return ruler;
}

class Layouter {
  public:
    Layouter(const Diagram& diagram, const DiagramSizes& sizes)
        : diagram_(diagram), sizes_(sizes), up_(diagram.flow == Diagram::Flow::up) {}

    DiagramLayout run() {
        place_boxes();
        route_arrows();
        draw_frames();
        place_labels();
        move_into_view();
        return std::move(layout_);
    }

  private:
    const Box& box(int i) const { return diagram_.boxes[static_cast<std::size_t>(i)]; }
    const DiagramRect& rect(int i) const { return layout_.boxes[static_cast<std::size_t>(i)]; }
    double snap(double length) const { return sizes_.whole ? std::floor(length + 0.5) : length; }

    // --- Boxes: columns are as wide and rows as high as what stands in them.

    static bool has(const Diagram::Frame& frame, std::size_t i) {
        return std::find(frame.boxes.begin(), frame.boxes.end(), static_cast<int>(i)) !=
               frame.boxes.end();
    }

    // Whether two boxes would touch if they were at the same position on the other axis.
    bool neighbours(std::size_t a, std::size_t b, double Box::*other) const {
        if (std::fabs(diagram_.boxes[a].*other - diagram_.boxes[b].*other) < 1) return true;
        for (const Diagram::Frame& frame : diagram_.frames) {
            if (has(frame, a) == has(frame, b)) continue;
            const double outside = diagram_.boxes[has(frame, a) ? b : a].*other;
            double low = infinite, high = -infinite;
            for (const int i : frame.boxes) {
                low = std::min(low, box(i).*other), high = std::max(high, box(i).*other);
            }
            if (outside > low - 1 && outside < high + 1) return true;
        }
        return false;
    }

    // How many arrows go round box i on this side.
    int lanes(std::size_t i, Side side) const {
        double Box::*along = up_ ? &Box::row : &Box::column;
        double Box::*across = up_ ? &Box::column : &Box::row;
        const Box& here = diagram_.boxes[i];
        int count = 0;
        for (const Arrow& arrow : diagram_.arrows) {
            if (arrow.side != side || arrow.from == static_cast<int>(i)) continue;
            const auto [low, high] = std::minmax(box(arrow.from).*along, box(arrow.to).*along);
            if (here.*along >= low && here.*along <= high &&
                std::fabs(here.*across - box(arrow.to).*across) < 1)
                ++count;
        }
        return count;
    }

    // The distance from the centre of a to that of b, in x or y; 0 if they may be anywhere.
    double need(std::size_t a, std::size_t b, bool horizontal) const {
        const bool along = horizontal != up_;
        double label = 0;
        bool joined = false;
        for (const Arrow& arrow : diagram_.arrows) {
            if (!along || arrow.side != Side::back) continue;
            const auto from = static_cast<std::size_t>(arrow.from);
            const auto to = static_cast<std::size_t>(arrow.to);
            if ((from != a || to != b) && (from != b || to != a)) continue;
            joined = true;
            if (arrow.label.empty()) continue;
            const auto [width, height] = sizes_.label(arrow.label);
            label = horizontal ? width : height - 0.6 * sizes_.ahead_y;
        }
        if (!joined && !neighbours(a, b, horizontal ? &Box::row : &Box::column) &&
            !(along && touched(a, b)))
            return 0;

        const auto [width_a, height_a] = sizes_.box(diagram_.boxes[a]);
        const auto [width_b, height_b] = sizes_.box(diagram_.boxes[b]);
        double distance = horizontal ? (width_a + width_b) / 2 : (height_a + height_b) / 2;
        distance += along ? (horizontal ? sizes_.ahead_x : sizes_.ahead_y)
                          : (horizontal ? sizes_.beside_x : sizes_.beside_y);
        distance += std::max(label, 0.0);
        for (const Diagram::Frame& frame : diagram_.frames) {
            if (has(frame, a) == has(frame, b)) continue;
            const bool upper_outside = has(frame, up_ ? a : b);  // a is below b with Flow::up
            distance += horizontal ? sizes_.pad_x : sizes_.pad_y;
            if (!horizontal && upper_outside && !frame.title.empty()) distance += sizes_.title;
        }
        if (!along) {
            const double lane = horizontal ? sizes_.lane_x : sizes_.lane_y;
            distance += lane * (lanes(a, Side::right) + lanes(b, Side::left));
        }
        return distance;
    }

    bool touched(std::size_t a, std::size_t b) const {
        return std::find(touching_.begin(), touching_.end(),
                         std::pair(std::min(a, b), std::max(a, b))) != touching_.end();
    }

    // Two boxes that are in different columns and rows, and touch nevertheless because one is higher than its row:
    // they must keep their distance along the flow. Whether there are more of them than before.
    bool find_touching() {
        const std::size_t before = touching_.size();
        for (std::size_t a = 0; a < layout_.boxes.size(); ++a) {
            for (std::size_t b = a + 1; b < layout_.boxes.size(); ++b) {
                const DiagramRect &one = layout_.boxes[a], &other = layout_.boxes[b];
                const bool meet = one.left <= other.right && other.left <= one.right &&
                                  one.top <= other.bottom && other.top <= one.bottom;
                if (meet && !touched(a, b)) touching_.emplace_back(a, b);
            }
        }
        return touching_.size() > before;
    }

    void place_boxes() {
        do {
            layout_.boxes.clear();
            place_boxes_once();
        } while (find_touching());
    }

    void place_boxes_once() {
        std::vector<double> columns, rows;
        for (const Box& each : diagram_.boxes) {
            columns.push_back(each.column), rows.push_back(each.row);
        }
        const Ruler x = ruler_for(columns, [&](auto a, auto b) { return need(a, b, true); });
        const Ruler y = ruler_for(rows, [&](auto a, auto b) { return need(a, b, false); });
        for (const Box& each : diagram_.boxes) {
            const auto [width, height] = sizes_.box(each);
            const double left = snap(x(each.column) - width / 2);
            const double top = snap((up_ ? -y(each.row) : y(each.row)) - height / 2);
            layout_.boxes.push_back({left, top, left + width, top + height});
        }
    }

    // --- Arrows. They are computed as if the flow were to the right: `ahead` grows along the flow,
    // `across` from its left side to its right side.

    struct Span {
        double back, front, left, right;

        double middle() const { return (left + right) / 2; }
        double centre() const { return (back + front) / 2; }
    };

    Span span(int i) const {
        const DiagramRect& r = rect(i);
        return up_ ? Span{-r.bottom, -r.top, r.left, r.right}
                   : Span{r.left, r.right, r.top, r.bottom};
    }

    DiagramPoint point(double ahead, double across) const {
        return up_ ? DiagramPoint{snap(across), snap(-ahead)}
                   : DiagramPoint{snap(ahead), snap(across)};
    }

    double lane() const { return up_ ? sizes_.lane_x : sizes_.lane_y; }
    double stub() const { return (up_ ? sizes_.ahead_y : sizes_.ahead_x) * 0.45; }

    void route_arrows() {
        layout_.routes.resize(diagram_.arrows.size());
        for (std::size_t i = 0; i < diagram_.arrows.size(); ++i) {
            const Arrow& arrow = diagram_.arrows[i];
            if (arrow.side == Side::back)
                layout_.routes[i] = direct(arrow);
            else
                layout_.routes[i] = way_round(arrow, i);
        }
    }

    DiagramLayout::Route direct(const Arrow& arrow) const {
        const Span a = span(arrow.from), b = span(arrow.to);
        DiagramLayout::Route route{.direct = true};
        const double overlap = std::min(a.front, b.front) - std::max(a.back, b.back);
        if (overlap > 0 && arrow.from != arrow.to) {  // side by side
            const double ahead = (std::min(a.front, b.front) + std::max(a.back, b.back)) / 2;
            const bool rightwards = a.middle() < b.middle();
            route.points = {point(ahead, rightwards ? a.right : a.left),
                            point(ahead, rightwards ? b.left : b.right)};
            return route;
        }
        const bool forward = a.front <= b.back;
        const double start = forward ? a.front : a.back, end = forward ? b.back : b.front;
        double out = a.middle(), in = b.middle();
        const double inset = 0.2 * lane();
        const Span& narrow = a.right - a.left < b.right - b.left ? a : b;
        const Span& wide = &narrow == &a ? b : a;
        if (narrow.middle() > wide.left + inset && narrow.middle() < wide.right - inset)
            out = in = narrow.middle();
        else if (const auto [which, of] = among_inputs(arrow); of > 1 && !box(arrow.to).round)
            in += (b.right - b.left) * 0.6 * ((which + 0.5) / of - 0.5);
        route.points = {point(start, out), point(end, in)};
        return route;
    }

    // Which of the direct inputs of its box the arrow is, counted from the left of the flow.
    std::pair<int, int> among_inputs(const Arrow& arrow) const {
        int before = 0, count = 0;
        const double here = span(arrow.from).middle();
        for (const Arrow& other : diagram_.arrows) {
            if (other.to != arrow.to || other.side != Side::back) continue;
            ++count;
            if (span(other.from).middle() < here) ++before;
        }
        return {before, count};
    }

    DiagramLayout::Route way_round(const Arrow& arrow, std::size_t index) {
        const Span a = span(arrow.from), b = span(arrow.to);
        const double sign = arrow.side == Side::left ? -1 : 1;
        int before = 0, count = 0;  // arrows that arrive at the same side
        for (std::size_t i = 0; i < diagram_.arrows.size(); ++i) {
            const Arrow& other = diagram_.arrows[i];
            if (other.to != arrow.to || other.side != arrow.side) continue;
            ++count;
            if (i < index) ++before;
        }
        const double spread = box(arrow.to).round ? 0 : 0.5 * (b.front - b.back);
        const double end = b.centre() + spread * ((before + 0.5) / count - 0.5);
        const double edge = sign < 0 ? b.left : b.right;

        // The simplest way: straight ahead from the first box, and then to the side of the last one.
        const double start = a.front + stub();
        if (sign * (a.middle() - edge) > lane() * 0.5 && a.front < end &&
            is_free(a.middle(), a.front, end, arrow, 0)) {
            lanes_.push_back({a.middle(), a.front, end, arrow.from});
            return {
                .points = {point(a.front, a.middle()), point(end, a.middle()), point(end, edge)}};
        }
        double across = edge + sign * lane();
        for (int tries = 0; tries < 200; ++tries) {
            if (is_free(across, start, end, arrow, 0.6 * lane())) break;
            across += sign * (sizes_.whole ? 1 : 0.5 * lane());
        }
        lanes_.push_back({across, start, end, arrow.from});
        return {.points = {point(a.front, a.middle()), point(start, a.middle()),
                           point(start, across), point(end, across), point(end, edge)}};
    }

    // Whether a line along the flow keeps that distance from boxes and from the lines of other boxes.
    bool is_free(double across, double from, double to, const Arrow& arrow, double distance) const {
        const double low = std::min(from, to), high = std::max(from, to);
        for (int i = 0; i < static_cast<int>(diagram_.boxes.size()); ++i) {
            const Span other = span(i);
            if (i != arrow.from && other.front >= low && other.back <= high &&
                across > other.left - distance && across < other.right + distance)
                return false;
        }
        return std::none_of(lanes_.begin(), lanes_.end(), [&](const Lane& other) {
            return other.from_box != arrow.from && std::max(other.from, other.to) >= low &&
                   std::min(other.from, other.to) <= high &&
                   std::fabs(other.across - across) < 0.7 * lane();
        });
    }

    // --- Frames: round their boxes, the frames inside, and the arrows that go round inside.

    void draw_frames() {
        const std::size_t count = diagram_.frames.size();
        layout_.frames.resize(count);
        std::vector<std::size_t> order(count);
        for (std::size_t i = 0; i < count; ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return diagram_.frames[a].boxes.size() < diagram_.frames[b].boxes.size();
        });
        for (std::size_t done = 0; done < count; ++done) {
            const Diagram::Frame& frame = diagram_.frames[order[done]];
            DiagramRect inside{infinite, infinite, -infinite, -infinite};
            const auto include = [&](const DiagramRect& r) {
                inside.left = std::min(inside.left, r.left);
                inside.top = std::min(inside.top, r.top);
                inside.right = std::max(inside.right, r.right);
                inside.bottom = std::max(inside.bottom, r.bottom);
            };
            for (const int i : frame.boxes) include(rect(i));
            for (std::size_t other = 0; other < done; ++other) {
                const auto& members = diagram_.frames[order[other]].boxes;
                if (std::all_of(members.begin(), members.end(),
                                [&](int i) { return has(frame, static_cast<std::size_t>(i)); }))
                    include(layout_.frames[order[other]]);
            }
            for (std::size_t i = 0; i < diagram_.arrows.size(); ++i) {
                const Arrow& arrow = diagram_.arrows[i];
                if (arrow.side == Side::back || !has(frame, static_cast<std::size_t>(arrow.to)))
                    continue;
                const std::vector<DiagramPoint>& points = layout_.routes[i].points;
                if (points.size() < 5) continue;
                const DiagramPoint& last = points[points.size() - 2];
                if (up_) inside.left = std::min(inside.left, last.x);
                if (up_) inside.right = std::max(inside.right, last.x);
                if (!up_) inside.top = std::min(inside.top, last.y);
                if (!up_) inside.bottom = std::max(inside.bottom, last.y);
            }
            const double title = frame.title.empty() ? 0 : sizes_.title;
            const double wide = sizes_.label(frame.title).first + 2;
            const double more = std::max(0.0, wide - (inside.right - inside.left)) / 2;
            layout_.frames[order[done]] = {
                snap(inside.left - sizes_.pad_x - more), snap(inside.top - sizes_.pad_y - title),
                snap(inside.right + sizes_.pad_x + more), snap(inside.bottom + sizes_.pad_y)};
        }
    }

    // --- Labels: beside lines that go up or down, above lines that go to the side.

    void place_labels() {
        for (std::size_t i = 0; i < diagram_.arrows.size(); ++i) {
            const Arrow& arrow = diagram_.arrows[i];
            if (arrow.label.empty()) continue;
            DiagramLayout::Route& route = layout_.routes[i];
            const auto [width, height] = sizes_.label(arrow.label);
            const std::size_t n = route.points.size();
            // The last long piece of the way on which the label has room.
            std::size_t piece = n == 2 ? 0 : n - 3;
            const double room = width + (sizes_.whole ? 2 : 8);
            if (n == 5 && up_ && std::fabs(route.points[1].x - route.points[2].x) > room) piece = 1;
            const DiagramPoint a = route.points[piece], b = route.points[piece + 1];
            const double x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
            const double away = sizes_.whole ? 1 : 6;
            const bool upright = std::fabs(a.x - b.x) < std::fabs(a.y - b.y);
            if (upright && arrow.side == Side::left && n == 5)
                route.label = {x - away - width, y + height / 2};
            else if (upright)
                route.label = {x + away, y + height / 2};
            else if (arrow.side == Side::right && n == 5)
                route.label = {x - width / 2, y + height + away / 2};
            else
                route.label = {x - width / 2, y - away / 2};
            route.label = {snap(route.label.x), snap(route.label.y - (sizes_.whole ? 0.5 : 0))};
        }
    }

    void move_into_view() {
        DiagramRect all{infinite, infinite, -infinite, -infinite};
        const auto include = [&](double x, double y) {
            all.left = std::min(all.left, x), all.right = std::max(all.right, x);
            all.top = std::min(all.top, y), all.bottom = std::max(all.bottom, y);
        };
        for (const auto* rects : {&layout_.boxes, &layout_.frames})
            for (const DiagramRect& r : *rects) include(r.left, r.top), include(r.right, r.bottom);
        for (std::size_t i = 0; i < layout_.routes.size(); ++i) {
            for (const DiagramPoint& p : layout_.routes[i].points) include(p.x, p.y);
            if (diagram_.arrows[i].label.empty()) continue;
            const auto [width, height] = sizes_.label(diagram_.arrows[i].label);
            const DiagramPoint at = layout_.routes[i].label;
            include(at.x, at.y), include(at.x + width, at.y - height);
        }
        for (auto* rects : {&layout_.boxes, &layout_.frames}) {
            for (DiagramRect& r : *rects) {
                r = {r.left - all.left, r.top - all.top, r.right - all.left, r.bottom - all.top};
            }
        }
        for (DiagramLayout::Route& route : layout_.routes) {
            for (DiagramPoint& p : route.points) p = {p.x - all.left, p.y - all.top};
            route.label = {route.label.x - all.left, route.label.y - all.top};
        }
        layout_.width = all.right - all.left, layout_.height = all.bottom - all.top;
    }

    struct Lane {
        double across, from, to;
        int from_box;
    };

    const Diagram& diagram_;
    const DiagramSizes& sizes_;
    const bool up_;
    DiagramLayout layout_;
    std::vector<Lane> lanes_;
    std::vector<std::pair<std::size_t, std::size_t>> touching_;  // the smaller index first
};

}  // namespace

DiagramLayout lay_out(const Diagram& diagram, const DiagramSizes& sizes) {
    return Layouter(diagram, sizes).run();
}

}  // namespace heed::course
