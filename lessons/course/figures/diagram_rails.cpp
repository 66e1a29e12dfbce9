#include "lessons/course/figures/diagram_rails.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

using Arrow = Diagram::Arrow;

constexpr int least_names = 14;  // columns for the names; with fewer they break into pieces

bool in_frame(const Diagram::Frame& frame, int box) {
    return std::find(frame.boxes.begin(), frame.boxes.end(), box) != frame.boxes.end();
}

// The boxes in an order in which each comes after those that it reads, if there is no circle. Of those that could
// come next, the one with the most frames in common with the last one does, then one that reads the last one, then
// the one given first.
std::vector<int> order_of(const Diagram& diagram) {
    const int count = static_cast<int>(diagram.boxes.size());
    std::vector<int> order;
    std::vector<bool> placed(diagram.boxes.size());
    const auto is_placed = [&](int i) { return placed[static_cast<std::size_t>(i)]; };
    const auto ready = [&](int i) {
        return std::all_of(diagram.arrows.begin(), diagram.arrows.end(), [&](const Arrow& arrow) {
            return arrow.to != i || arrow.from == i || is_placed(arrow.from);
        });
    };
    const auto follows = [&](int i) {
        int points = 0;
        if (order.empty()) return points;
        for (const Diagram::Frame& frame : diagram.frames)
            points += 2 * (in_frame(frame, i) == in_frame(frame, order.back()));
        for (const Arrow& arrow : diagram.arrows)
            if (arrow.from == order.back() && arrow.to == i) return points + 1;
        return points;
    };
    while (static_cast<int>(order.size()) < count) {
        int next = -1, first_left = -1;
        for (int i = 0; i < count; ++i) {
            if (is_placed(i)) continue;
            if (first_left < 0) first_left = i;
            if (ready(i) && (next < 0 || follows(i) > follows(next))) next = i;
        }
        if (next < 0) next = first_left;  // in a circle
        placed[static_cast<std::size_t>(next)] = true;
        order.push_back(next);
    }
    return order;
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

// One line a box: its name, what stands in it, and those that it is computed from.
std::string list(const Diagram& diagram, int width) {
    const std::vector<std::string> names = names_of(diagram);
    std::string out;
    for (const int i : order_of(diagram)) {
        std::string line = names[static_cast<std::size_t>(i)], separator = ": ";
        for (const std::string& more : diagram.boxes[static_cast<std::size_t>(i)].lines)
            line += separator + printable(more), separator = more.ends_with(",") ? " " : "; ";
        separator = " ← ";
        for (const Arrow& arrow : diagram.arrows) {
            if (arrow.to != i) continue;
            line += separator + names[static_cast<std::size_t>(arrow.from)];
            if (!arrow.label.empty()) line += " (" + printable(arrow.label) + ")";
            separator = ", ";
        }
        // What goes on below begins further to the right.
        const std::string lines = wrap(line, width - 4, "  ");
        for (const char c : lines.substr(0, lines.size() - 1))
            out += c == '\n' ? "\n    " : std::string(1, c);
        out += "\n";
    }
    return out;
}

// The column of boxes, line by line.
class Column {
  public:
    Column(const Diagram& diagram, int width) : diagram_(diagram), order_(order_of(diagram)) {
        for (std::size_t at = 0; at < order_.size(); ++at) row_of_.push_back(Rows{});
        // Lanes need two columns each, and names what is left; how many lanes there are depends on the rows of the
        // names. So try fewer and fewer columns for the names.
        for (names_ = width - 4; names_ >= least_names; names_ -= 2) {
            lay_out();
            const int widest = widest_line();
            const int lanes =
                lane_of_.empty() ? 0 : *std::max_element(lane_of_.begin(), lane_of_.end()) + 1;
            first_lane_ = widest + 3;
            fits_ = first_lane_ + 2 * lanes <= width - 2;
            if (fits_) break;
        }
    }

    bool fits() const { return fits_; }

    std::string text() const {
        std::string out;
        for (std::size_t row = 0; row < lines_.size(); ++row) out += "  " + line(row) + "\n";
        return out;
    }

  private:
    // Where the arrows of a box come in and go out; -1 for none.
    struct Rows {
        int in = -1, out = -1;
    };

    const Diagram::Box& box(int i) const { return diagram_.boxes[static_cast<std::size_t>(i)]; }
    Rows& rows(int box) { return row_of_[static_cast<std::size_t>(box)]; }
    const Rows& rows(int box) const { return row_of_[static_cast<std::size_t>(box)]; }

    bool joined(int from, int to) const {
        return std::any_of(diagram_.arrows.begin(), diagram_.arrows.end(), [&](const Arrow& arrow) {
            return arrow.from == from && arrow.to == to;
        });
    }

    // Whether an arrow goes straight down to the box below.
    bool goes_down(std::size_t at) const {
        return at + 1 < order_.size() && joined(order_[at], order_[at + 1]);
    }

    bool in_a_lane(const Arrow& arrow) const {
        const auto from = std::find(order_.begin(), order_.end(), arrow.from);
        return from + 1 == order_.end() || *(from + 1) != arrow.to;
    }

    bool has_lane(int i, int Arrow::*end) const {
        return std::any_of(diagram_.arrows.begin(), diagram_.arrows.end(),
                           [&](const Arrow& arrow) { return arrow.*end == i && in_a_lane(arrow); });
    }

    // What stands in a box and what its arrows are called, on one line or on several.
    std::vector<std::string> words_of(int i) const {
        const int room = names_ - 2;
        const std::string name = printable(box(i).name);
        std::vector<std::string> words;
        for (const std::string& line : box(i).lines) words.push_back(printable(line));
        for (const Arrow& arrow : diagram_.arrows)
            if (arrow.to == i && !arrow.label.empty())
                words.push_back("(" + printable(arrow.label) + " from " +
                                printable(box(arrow.from).name) + ")");
        std::string all = name, separator = ": ";
        for (const std::string& word : words) {
            all += separator + word;
            separator = word.ends_with(",") || word.ends_with(" with") ? " " : "; ";
        }
        if (display_width(all) <= room) return {all};
        words.insert(words.begin(), name + (words.empty() ? "" : ":"));
        std::vector<std::string> lines;
        for (const std::string& word : words) {
            const std::string wrapped = wrap(word, room);
            for (std::string_view rest = wrapped; !rest.empty();
                 rest.remove_prefix(rest.find('\n') + 1))
                lines.emplace_back(rest.substr(0, rest.find('\n')));
        }
        return lines;
    }

    void lay_out() {
        lines_.clear();
        for (std::size_t at = 0; at < order_.size(); ++at) {
            const int i = order_[at];
            const bool in = has_lane(i, &Arrow::to), out = has_lane(i, &Arrow::from);
            const bool learned = box(i).kind == Diagram::Kind::learned;
            rows(i).in = in ? static_cast<int>(lines_.size()) : -1;
            std::string sign = learned ? "■ " : "□ ";
            for (const std::string& words : words_of(i)) {
                lines_.push_back(sign + words);
                sign = goes_down(at) ? "│ " : "  ";
            }
            const bool one_line = static_cast<int>(lines_.size()) - 1 == rows(i).in;
            if (out && one_line) lines_.push_back(goes_down(at) ? "├" : "└");
            rows(i).out = out ? static_cast<int>(lines_.size()) - 1 : -1;
            if (goes_down(at)) lines_.push_back("▼");
        }
        assign_lanes();
    }

    int widest_line() const {
        int widest = 0;
        for (const std::string& line : lines_) widest = std::max(widest, display_width(line));
        return widest;
    }

    // All arrows of a box share a lane, the nearest to the names that is free over all their rows.
    void assign_lanes() {
        lane_of_.assign(order_.size(), -1);
        from_.assign(order_.size(), 0), to_.assign(order_.size(), 0);
        std::vector<int> by_length;
        for (const int i : order_) {
            const auto k = static_cast<std::size_t>(i);
            if (rows(i).out < 0) continue;
            from_[k] = to_[k] = rows(i).out;
            for (const Arrow& arrow : diagram_.arrows) {
                if (arrow.from != i || !in_a_lane(arrow)) continue;
                from_[k] = std::min(from_[k], rows(arrow.to).in);
                to_[k] = std::max(to_[k], rows(arrow.to).in);
            }
            by_length.push_back(i);
        }
        const auto length = [&](int i) {
            return to_[static_cast<std::size_t>(i)] - from_[static_cast<std::size_t>(i)];
        };
        std::stable_sort(by_length.begin(), by_length.end(),
                         [&](int a, int b) { return length(a) < length(b); });
        for (const int i : by_length) {
            const auto k = static_cast<std::size_t>(i);
            int lane = 0;
            const auto taken = [&] {
                for (std::size_t other = 0; other < lane_of_.size(); ++other)
                    if (lane_of_[other] == lane && from_[other] <= to_[k] && from_[k] <= to_[other])
                        return true;
                return false;
            };
            while (taken()) ++lane;
            lane_of_[k] = lane;
        }
    }

    // One row: the words, then the lanes. A row is either that of an arrow's beginning or of ends, or neither.
    std::string line(std::size_t at) const {
        const int row = static_cast<int>(at);
        int target = -1,
            last = -1;  // the box that lanes end at, and the outermost lane that the row reaches
        bool begins = false;
        std::vector<int> here;  // in each lane the box whose arrows run there, or -1
        const auto occupy = [&](int lane, int i) {
            if (static_cast<int>(here.size()) <= lane)
                here.resize(static_cast<std::size_t>(lane) + 1, -1);
            here[static_cast<std::size_t>(lane)] = i;
        };
        for (int i = 0; i < static_cast<int>(lane_of_.size()); ++i) {
            const auto k = static_cast<std::size_t>(i);
            if (rows(i).in == row) target = i;
            if (lane_of_[k] < 0 || row < from_[k] || row > to_[k]) continue;
            occupy(lane_of_[k], i);
            if (rows(i).out == row) last = lane_of_[k], begins = true;
        }
        const auto feeds = [&](int i) {
            return target >= 0 && i >= 0 && joined_by_lane(i, target);
        };
        for (int lane = 0; lane < static_cast<int>(here.size()); ++lane)
            if (feeds(here[static_cast<std::size_t>(lane)])) last = std::max(last, lane);

        std::string text = lines_[at];
        int column = display_width(text);
        const bool bare = text == "├" || text == "└";
        if (last >= 0) {
            text += bare ? "─" : begins ? " ─" : " ◀";
            column += bare ? 1 : 2;
        }
        for (int lane = 0; lane < static_cast<int>(here.size()); ++lane) {
            const int i = here[static_cast<std::size_t>(lane)];
            for (; column < first_lane_ + 2 * lane; ++column) text += lane <= last ? "─" : " ";
            ++column;
            if (i < 0) {
                text += lane < last ? "─" : " ";
                continue;
            }
            const auto k = static_cast<std::size_t>(i);
            const bool corner = (begins && lane == last) || feeds(i);
            const bool above = row > from_[k], below = row < to_[k], further = lane < last;
            text += !corner          ? "│"
                    : above && below ? (further ? "┼" : "┤")
                    : above          ? (further ? "┴" : "┘")
                                     : (further ? "┬" : "┐");
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

    bool joined_by_lane(int from, int to) const {
        return std::any_of(diagram_.arrows.begin(), diagram_.arrows.end(), [&](const Arrow& arrow) {
            return arrow.from == from && arrow.to == to && in_a_lane(arrow);
        });
    }

    const Diagram& diagram_;
    const std::vector<int> order_;
    std::vector<std::string> lines_;
    std::vector<Rows> row_of_;              // of each box
    std::vector<int> lane_of_, from_, to_;  // of each box: its lane, and the rows that it fills
    int names_ = 0, first_lane_ = 0;
    bool fits_ = false;
};

}  // namespace

std::string rails(const Diagram& diagram, int width) {
    const Column column(diagram, width);
    std::string out = column.fits() ? column.text() : list(diagram, width);
    const bool learned =
        std::any_of(diagram.boxes.begin(), diagram.boxes.end(),
                    [](const Diagram::Box& box) { return box.kind == Diagram::Kind::learned; });
    if (learned) out += wrap("(■: what is learned)", width, "  ");
    const std::vector<std::string> names = names_of(diagram);
    for (const Diagram::Frame& frame : diagram.frames) {
        std::string words = printable(frame.title) + ":", separator = " ";
        for (const int i : frame.boxes)
            words += separator + names[static_cast<std::size_t>(i)], separator = ", ";
        out += wrap(words, width, "  ");
    }
    return out;
}

}  // namespace heed::course
