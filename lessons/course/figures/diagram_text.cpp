// Diagrams in the terminal: drawn with characters, with narrower boxes or from the top down if there is less room,
// and where that, too, would be too wide or could be misread, as a column (diagram_rails.h).
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "lessons/course/figures/diagram_layout.h"
#include "lessons/course/figures/diagram_rails.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// A higher drawing is hard to follow on a terminal. One from the top down, in whose place there could be a column,
// has to fit the window.
constexpr int most_lines = 70, most_lines_down = 40;
int most_down(const Screen& screen) {
    return screen.window ? std::clamp(screen.height - 4, 20, most_lines_down) : most_lines_down;
}

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

    // One step of an arrow. False if it would run into a box, or up or down along the side of one that is not its own,
    // or along arrows that have neither their beginning nor their end in common with it.
    bool line(int x, int y, int directions, const Diagram::Arrow& arrow) {
        Cell& here = cell(x, y);
        if (here.box >= 0) return false;
        const bool upright = directions == (north | south), level = directions == (east | west);
        if (upright && (is_beside_another(x - 1, y, arrow) || is_beside_another(x + 1, y, arrow)))
            return false;
        const auto all = [&](int Diagram::Arrow::*end) {
            return std::all_of(
                here.arrows.begin(), here.arrows.end(),
                [&](const Diagram::Arrow* other) { return other->*end == arrow.*end; });
        };
        if (!all(&Diagram::Arrow::from) && !all(&Diagram::Arrow::to)) {
            const bool crossing = (upright && here.lines == (east | west)) ||
                                  (level && here.lines == (north | south));
            if (!crossing) return false;
            here.crossed = true;
            if (upright) here.lines = directions;  // the line that goes up is in front
            return true;
        }
        here.letter.clear();
        here.lines |= directions;
        here.arrows.push_back(&arrow);
        return true;
    }

    void solid(const DiagramRect& r, int box) {
        for (int y = static_cast<int>(r.top); y <= static_cast<int>(r.bottom); ++y)
            for (int x = static_cast<int>(r.left); x <= static_cast<int>(r.right); ++x)
                cell(x, y).box = box;
    }

    bool is_empty(int x, int y) {
        if (x < 0 || x >= width_ || y < 0 || y >= height()) return false;
        const Cell& here = cell(x, y);
        return here.letter.empty() && here.lines == 0 && !here.covered;
    }

    // Whether one line goes through the cell, and no other joins or crosses it there.
    bool is_straight(int x, int y) {
        const int lines = cell(x, y).crossed ? 0 : cell(x, y).lines;
        return lines == (north | south) || lines == (east | west);
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
        std::vector<const Diagram::Arrow*> arrows{};
        bool covered = false;  // the second half of a wide letter
        bool crossed = false;  // one line goes over another
        int box = -1;          // the box whose part it is
    };

    bool is_beside_another(int x, int y, const Diagram::Arrow& arrow) {
        if (x < 0 || x >= width_) return false;
        const int box = cell(x, y).box;
        return box >= 0 && box != arrow.from && box != arrow.to;
    }

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
        // A curve becomes a step, halfway between the boxes or nearer to the first, so that the head has its own cell.
        const double x = std::floor((a.x + b.x) / 2);
        const double y = a.y < b.y ? std::floor((a.y + b.y) / 2) : std::ceil((a.y + b.y) / 2);
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

std::optional<std::string> drawing(const Diagram& diagram, const DiagramLayout& layout, int width,
                                   int most) {
    const int columns = static_cast<int>(layout.width) + 1;
    const int lines = static_cast<int>(layout.height) + 1;
    if (columns + 2 > width || lines > most) return std::nullopt;

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
        sheet.solid(r, static_cast<int>(i));
    }
    std::map<std::pair<int, int>, const char*> heads;
    for (std::size_t i = 0; i < diagram.arrows.size(); ++i) {
        const bool up = diagram.flow == Diagram::Flow::up;
        if (!draw_arrow(sheet, cells_of(layout.routes[i], up), diagram.arrows[i], heads))
            return std::nullopt;
    }
    for (const auto& [at, head] : heads) {
        if (!sheet.is_straight(at.first, at.second)) return std::nullopt;
        sheet.letter(at.first, at.second, head);
    }
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

// --- The same diagram in less room.

// The lines of a text of at most so many columns. A formula stays whole.
std::vector<std::string> broken(const std::string& text, int columns) {
    if (text.find_first_of("([=·") != std::string::npos) return {text};
    std::vector<std::string> lines;
    const std::string wrapped = wrap(printable(text), columns);
    for (std::string_view rest = wrapped; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
        lines.emplace_back(rest.substr(0, rest.find('\n')));
    return lines;
}

// The columns of the widest word in a box.
int widest_word(const Diagram& diagram) {
    int widest = 0;
    const auto look_at = [&](const std::string& text) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            widest = std::max(widest, display_width(printable(text.substr(at, end - at))));
            at = end + 1;
        }
    };
    for (const Diagram::Box& box : diagram.boxes) {
        look_at(box.name);
        for (const std::string& line : box.lines) look_at(line);
    }
    return widest;
}

// With what stands in the boxes broken into lines, between words; circles stay.
Diagram narrowed(Diagram diagram, int columns) {
    columns = std::max(columns, widest_word(diagram));
    for (Diagram::Box& box : diagram.boxes) {
        if (box.round) continue;
        std::vector<std::string> lines = broken(box.name, columns);
        for (const std::string& line : box.lines)
            for (const std::string& piece : broken(line, columns)) lines.push_back(piece);
        box.name = lines.front();
        box.lines.assign(lines.begin() + 1, lines.end());
    }
    return diagram;
}

// From the left to the right becomes from the bottom to the top, which mirrored() makes from the top down.
Diagram turned(Diagram diagram) {
    for (Diagram::Box& box : diagram.boxes) std::swap(box.column, box.row);
    diagram.flow = Diagram::Flow::up;
    return diagram;
}

DiagramLayout mirrored(DiagramLayout layout) {
    for (auto* rects : {&layout.boxes, &layout.frames})
        for (DiagramRect& r : *rects)
            r = {r.left, layout.height - r.bottom, r.right, layout.height - r.top};
    for (DiagramLayout::Route& route : layout.routes) {
        for (DiagramPoint& p : route.points) p.y = layout.height - p.y;
        route.label.y = layout.height - route.label.y;
    }
    return layout;
}

// The first drawing that fits and cannot be misread: as it is, with narrower boxes, from the top down.
std::optional<std::string> drawing_in(const Diagram& diagram, const Screen& screen) {
    const bool up = diagram.flow == Diagram::Flow::up;
    for (const bool down : {false, true}) {
        if (down && up) break;
        for (const int columns : {100, 16, 12}) {
            const Diagram one = narrowed(down ? turned(diagram) : diagram, columns);
            const DiagramLayout layout = lay_out(one, characters());
            const auto drawn = down
                                   ? drawing(one, mirrored(layout), screen.width, most_down(screen))
                                   : drawing(one, layout, screen.width, most_lines);
            if (drawn) return drawn;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string to_text(const Diagram& diagram, const Screen& screen) {
    check_sizes(diagram);
    const std::string title = title_text(diagram.title, screen);
    if (const auto drawn = drawing_in(diagram, screen)) return title + *drawn;
    return title + rails(diagram, screen.width);
}

}  // namespace heed::course
