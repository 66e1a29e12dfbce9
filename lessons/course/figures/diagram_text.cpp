// Diagrams in the terminal: drawn with characters, or, where that would be too wide or could be
// misread, as a list.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "lessons/course/figures/diagram_layout.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

constexpr int most_lines = 70;  // a higher drawing is hard to follow on a terminal

DiagramSizes characters() {
    return {.box =
                [](const Diagram::Box& box) {
                    int width = display_width(printable(box.name));
                    for (const std::string& line : box.lines)
                        width = std::max(width, display_width(printable(line)));
                    // A cell has no width: the border on the right is in column left + width.
                    return std::pair(width + 3.0, 2.0 + static_cast<double>(box.lines.size()));
                },
            .label =
                [](const std::string& label) {
                    return std::pair<double, double>(display_width(printable(label)),
                                                     label.empty() ? 0 : 1);
                },
            .ahead_x = 4,
            .ahead_y = 3,
            .beside_x = 3,
            .beside_y = 1,
            .pad_x = 2,
            .pad_y = 1,
            .title = 0,
            .lane_x = 3,
            .lane_y = 2,
            .whole = true};
}

// A sheet of cells. Lines are sets of directions, so that those which meet become a junction.
class Sheet {
  public:
    enum { north = 1, east = 2, south = 4, west = 8 };

    Sheet(int width, int height)
        : width_(width), cells_(static_cast<std::size_t>(width * height)) {}

    // Draws a text; false if something is there already, except for the border of a frame.
    bool text(int x, int y, const std::string& words, bool on_border = false) {
        const int columns = display_width(words);
        for (int i = 0; i < columns; ++i)
            if (!is_empty(x + i, y) && !(on_border && is_border(x + i, y))) return false;
        for (std::size_t at = 0; at < words.size();) {
            std::size_t next = at + 1;
            while (next < words.size() && (words[next] & 0xC0) == 0x80) ++next;
            const std::string letter = words.substr(at, next - at);
            const int columns_of = display_width(letter);
            at = next;
            if (columns_of == 0) {  // a combining mark belongs to the letter before it
                if (x > 0) cell(x - 1, y).letter += letter;
                continue;
            }
            cell(x, y).letter = letter;
            for (int i = 1; i < columns_of; ++i) cell(x + i, y).covered = true;
            x += columns_of;
        }
        return true;
    }

    void frame(const DiagramRect& r, const char* const corners[6]) {
        const int left = static_cast<int>(r.left), right = static_cast<int>(r.right);
        const int top = static_cast<int>(r.top), bottom = static_cast<int>(r.bottom);
        for (int x = left + 1; x < right; ++x)
            cell(x, top).letter = cell(x, bottom).letter = corners[4];
        for (int y = top + 1; y < bottom; ++y)
            cell(left, y).letter = cell(right, y).letter = corners[5];
        cell(left, top).letter = corners[0], cell(right, top).letter = corners[1];
        cell(left, bottom).letter = corners[2], cell(right, bottom).letter = corners[3];
    }

    void letter(int x, int y, const std::string& what) { cell(x, y).letter = what; }

    // One step of arrow i. False if it would run into a box, or along an arrow that has neither its
    // beginning nor its end in common with it.
    bool line(int x, int y, int directions, const Diagram::Arrow& arrow) {
        Cell& here = cell(x, y);
        if (here.solid) return false;
        const bool upright = directions == (north | south), level = directions == (east | west);
        if (here.arrow && here.arrow->from != arrow.from && here.arrow->to != arrow.to) {
            const bool crossing = (upright && here.lines == (east | west)) ||
                                  (level && here.lines == (north | south));
            if (!crossing) return false;
            if (upright) here.lines = directions;  // the line that goes up is in front
            return true;
        }
        here.letter.clear();
        here.lines |= directions;
        here.arrow = &arrow;
        return true;
    }

    void solid(const DiagramRect& r) {
        for (int y = static_cast<int>(r.top); y <= static_cast<int>(r.bottom); ++y)
            for (int x = static_cast<int>(r.left); x <= static_cast<int>(r.right); ++x)
                cell(x, y).solid = true;
    }

    bool is_empty(int x, int y) {
        if (x < 0 || x >= width_ || y < 0 || y >= height()) return false;
        const Cell& here = cell(x, y);
        return here.letter.empty() && here.lines == 0 && !here.covered;
    }

    bool is_border(int x, int y) { return x >= 0 && x < width_ && cell(x, y).letter == "┄"; }

    std::string finish() {
        static const char* const junctions[] = {" ", "│", "─", "└", "│", "│", "┌", "├",
                                                "─", "┘", "─", "┴", "┐", "┤", "┬", "┼"};
        std::string out;
        for (int y = 0; y < height(); ++y) {
            std::string line;
            for (int x = 0; x < width_; ++x) {
                const Cell& here = cell(x, y);
                if (here.covered) continue;
                line += here.letter.empty() ? junctions[here.lines] : here.letter;
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out += line + "\n";
        }
        return out;
    }

  private:
    struct Cell {
        std::string letter{};
        int lines = 0;
        const Diagram::Arrow* arrow = nullptr;
        bool covered = false;  // the second half of a wide letter
        bool solid = false;    // part of a box
    };

    int height() const { return static_cast<int>(cells_.size()) / width_; }
    Cell& cell(int x, int y) { return cells_[static_cast<std::size_t>(y * width_ + x)]; }

    int width_;
    std::vector<Cell> cells_;
};

using Cells = std::vector<std::pair<int, int>>;

// All cells of a way, from the border of one box to the border of the other, both included.
Cells cells_of(const DiagramLayout::Route& route, bool up) {
    std::vector<DiagramPoint> corners = route.points;
    if (const DiagramPoint a = corners.front(), b = corners.back();
        route.direct && a.x != b.x && a.y != b.y) {
        // A curve becomes a step, halfway between the boxes.
        const double x = std::floor((a.x + b.x) / 2), y = std::floor((a.y + b.y) / 2);
        corners = up ? std::vector<DiagramPoint>{a, {a.x, y}, {b.x, y}, b}
                     : std::vector<DiagramPoint>{a, {x, a.y}, {x, b.y}, b};
    }
    Cells cells;
    int x = static_cast<int>(corners[0].x), y = static_cast<int>(corners[0].y);
    cells.emplace_back(x, y);
    for (const DiagramPoint& corner : corners) {
        const int to_x = static_cast<int>(corner.x), to_y = static_cast<int>(corner.y);
        while (x != to_x || y != to_y) {
            x += (to_x > x) - (to_x < x);
            y += (to_y > y) - (to_y < y);
            cells.emplace_back(x, y);
        }
    }
    return cells;
}

int direction(std::pair<int, int> from, std::pair<int, int> to) {
    if (from.first != to.first) return to.first > from.first ? Sheet::east : Sheet::west;
    return to.second > from.second ? Sheet::south : Sheet::north;
}

bool draw_arrow(Sheet& sheet, const Cells& cells, const Diagram::Arrow& arrow,
                std::map<std::pair<int, int>, const char*>& heads) {
    if (cells.size() < 3) return false;
    const std::size_t last = cells.size() - 2;
    for (std::size_t i = 1; i <= last; ++i) {
        const int lines = direction(cells[i], cells[i - 1]) | direction(cells[i], cells[i + 1]);
        if (!sheet.line(cells[i].first, cells[i].second, lines, arrow)) return false;
    }
    const int to = direction(cells[last], cells[last + 1]);
    heads[cells[last]] = to == Sheet::east    ? "▶"
                         : to == Sheet::west  ? "◀"
                         : to == Sheet::north ? "▲"
                                              : "▼";
    return true;
}

// The title of a frame, in its border: at the left, at the right, or below.
bool put_title(Sheet& sheet, const DiagramRect& frame, const std::string& name) {
    for (const std::string& title : {" " + printable(name) + " ", printable(name)}) {
        const int left = static_cast<int>(frame.left) + 1;
        const int right = static_cast<int>(frame.right) - display_width(title);
        for (const double y : {frame.top, frame.bottom})
            for (const int x : {left, right})
                if (sheet.text(x, static_cast<int>(y), title, true)) return true;
    }
    return false;
}

std::optional<std::string> drawing(const Diagram& diagram, int width) {
    const DiagramLayout layout = lay_out(diagram, characters());
    const int columns = static_cast<int>(layout.width) + 1;
    const int lines = static_cast<int>(layout.height) + 1;
    if (columns + 2 > width || lines > most_lines) return std::nullopt;

    static const char* const round[] = {"╭", "╮", "╰", "╯", "─", "│"};
    static const char* const sharp[] = {"┌", "┐", "└", "┘", "─", "│"};
    static const char* const heavy[] = {"╔", "╗", "╚", "╝", "═", "║"};
    static const char* const dotted[] = {"┌", "┐", "└", "┘", "┄", "┊"};
    Sheet sheet(columns, lines);
    bool learned = false;
    for (std::size_t i = 0; i < diagram.boxes.size(); ++i) {
        const Diagram::Box& box = diagram.boxes[i];
        const DiagramRect& r = layout.boxes[i];
        learned = learned || box.kind == Diagram::Kind::learned;
        sheet.frame(r, box.round ? round : box.kind == Diagram::Kind::learned ? heavy : sharp);
        int y = static_cast<int>(r.top) + 1;
        const int inside = static_cast<int>(r.right - r.left) - 1;
        const auto line = [&](const std::string& words) {
            const int space = inside - display_width(printable(words));
            sheet.text(static_cast<int>(r.left) + 1 + space / 2, y++, printable(words));
        };
        line(box.name);
        for (const std::string& more : box.lines) line(more);
        sheet.solid(r);
    }
    std::map<std::pair<int, int>, const char*> heads;
    for (std::size_t i = 0; i < diagram.arrows.size(); ++i) {
        const bool up = diagram.flow == Diagram::Flow::up;
        if (!draw_arrow(sheet, cells_of(layout.routes[i], up), diagram.arrows[i], heads))
            return std::nullopt;
    }
    for (const auto& [at, head] : heads) sheet.letter(at.first, at.second, head);
    for (std::size_t i = 0; i < diagram.arrows.size(); ++i) {
        const auto& [x, y] = layout.routes[i].label;
        if (!diagram.arrows[i].label.empty() &&
            !sheet.text(static_cast<int>(x), static_cast<int>(y),
                        printable(diagram.arrows[i].label)))
            return std::nullopt;
    }
    for (std::size_t i = 0; i < diagram.frames.size(); ++i) {
        const DiagramRect& r = layout.frames[i];
        const int left = static_cast<int>(r.left), top = static_cast<int>(r.top);
        for (int x = left; x <= static_cast<int>(r.right); ++x)
            for (const int y : {top, static_cast<int>(r.bottom)})
                if (sheet.is_empty(x, y))
                    sheet.letter(x, y,
                                 x == left                        ? dotted[y == top ? 0 : 2]
                                 : x == static_cast<int>(r.right) ? dotted[y == top ? 1 : 3]
                                                                  : dotted[4]);
        for (int y = top + 1; y < static_cast<int>(r.bottom); ++y)
            for (const int x : {left, static_cast<int>(r.right)})
                if (sheet.is_empty(x, y)) sheet.letter(x, y, dotted[5]);
        if (!diagram.frames[i].title.empty() && !put_title(sheet, r, diagram.frames[i].title))
            return std::nullopt;
    }
    std::string out = sheet.finish(), indented;
    for (std::size_t at = 0; at < out.size();) {
        const std::size_t end = out.find('\n', at);
        const std::string line = out.substr(at, end - at);
        indented += (line.empty() ? "" : "  ") + line + "\n";
        at = end + 1;
    }
    if (learned) indented += "  (double lines: what is learned)\n";
    return indented;
}

// A name for each box; those that occur several times are numbered.
std::vector<std::string> names_of(const Diagram& diagram) {
    std::map<std::string, int> total, seen;
    for (const Diagram::Box& box : diagram.boxes) ++total[box.name];
    std::vector<std::string> names;
    for (const Diagram::Box& box : diagram.boxes) {
        const int which = ++seen[box.name];
        names.push_back(printable(box.name));
        if (total[box.name] > 1) names.back() += " (" + std::to_string(which) + ")";
    }
    return names;
}

// The boxes in an order in which each comes after those that it reads, if there is no circle; otherwise as
// they were given. Of those that could come next, the one given first does.
std::vector<std::size_t> order_of(const Diagram& diagram) {
    std::vector<std::size_t> order;
    std::vector<bool> placed(diagram.boxes.size());
    while (order.size() < placed.size()) {
        std::size_t next = placed.size(), left = placed.size();
        for (std::size_t i = 0; i < placed.size() && next == placed.size(); ++i) {
            if (placed[i]) continue;
            if (left == placed.size()) left = i;
            const bool ready = std::all_of(diagram.arrows.begin(), diagram.arrows.end(),
                                           [&](const Diagram::Arrow& arrow) {
                                               return arrow.to != static_cast<int>(i) ||
                                                      placed[static_cast<std::size_t>(arrow.from)];
                                           });
            if (ready) next = i;
        }
        if (next == placed.size()) next = left;  // in a circle
        placed[next] = true;
        order.push_back(next);
    }
    return order;
}

// One line a box: its name, what stands in it, and those that it is computed from.
std::string list(const Diagram& diagram, const Screen& screen) {
    const std::vector<std::string> names = names_of(diagram);
    std::string out;
    for (const std::size_t i : order_of(diagram)) {
        std::string line = names[i], separator = ": ";
        for (const std::string& more : diagram.boxes[i].lines)
            line += separator + printable(more), separator = more.ends_with(",") ? " " : "; ";
        separator = " ← ";
        for (const Diagram::Arrow& arrow : diagram.arrows) {
            if (arrow.to != static_cast<int>(i)) continue;
            line += separator + names[static_cast<std::size_t>(arrow.from)];
            if (!arrow.label.empty()) line += " (" + printable(arrow.label) + ")";
            separator = ", ";
        }
        // What goes on below begins further to the right.
        const std::string lines = wrap(line, screen.width - 4, "  ");
        for (const char c : lines.substr(0, lines.size() - 1))
            out += c == '\n' ? "\n    " : std::string(1, c);
        out += "\n";
    }
    for (const Diagram::Frame& frame : diagram.frames) {
        std::vector<std::string> inside;
        for (const int i : frame.boxes) inside.push_back(names[static_cast<std::size_t>(i)]);
        std::string words = printable(frame.title) + ":", separator = " ";
        for (const std::string& name : inside) words += separator + name, separator = ", ";
        out += wrap(words, screen.width, "  ");
    }
    return out;
}

}  // namespace

std::string to_text(const Diagram& diagram, const Screen& screen) {
    check_sizes(diagram);
    const std::string title = title_text(diagram.title, screen);
    if (const auto drawn = drawing(diagram, screen.width)) return title + *drawn;
    return title + list(diagram, screen);
}

}  // namespace heed::course
