#include "lessons/course/terminal/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// Text that starts with a number, such as "0.953 ± 0.011", "-12", "95 %", "2.1x". A dash alone
// stands for a missing number.
bool looks_numeric(const std::string& cell) {
    const std::size_t at = cell.find_first_not_of("+-~<>≤≥ ");
    return at == std::string::npos || (cell[at] >= '0' && cell[at] <= '9') || cell == "—" ||
           cell == "–" || (cell[at] == '.' && at + 1 < cell.size());
}

}  // namespace

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {
    check(!header_.empty(), "table: the header has no columns");
}

void Table::add(std::vector<std::string> cells) {
    check(cells.size() == header_.size(), "table '{}': a row has {} cells, the header has {}",
          header_[0], cells.size(), header_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::decimal(double value) { return number(value); }

bool Table::is_numeric(std::size_t column) const {
    return !rows_.empty() && std::all_of(rows_.begin(), rows_.end(), [&](const auto& cells) {
        return looks_numeric(cells[column]);
    });
}

std::string Table::to_text(const Screen& screen) const {
    std::vector<int> widths;
    int total = 2;
    for (std::size_t column = 0; column < header_.size(); ++column) {
        int width = display_width(header_[column]);
        for (const auto& cells : rows_)
            width = std::max(width, display_width(printable(cells[column])));
        widths.push_back(width);
        total += width + (column > 0 ? 3 : 0);
    }

    std::string out;
    if (total > screen.width) {
        for (const auto& cells : rows_) {
            for (std::size_t column = 0; column < header_.size(); ++column) {
                const std::string name = screen.paint(header_[column] + ":", Ink::faint);
                out += wrap(name + " " + printable(cells[column]), screen.width,
                            column == 0 ? "  " : "    ");
            }
        }
        return out;
    }

    const auto line = [&](const std::vector<std::string>& cells, Ink ink) {
        std::string text = "  ";
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const Align align = is_numeric(column) ? Align::right : Align::left;
            if (column > 0) text += "   ";
            text += pad(printable(cells[column]), widths[column], align);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += screen.paint(text, ink) + "\n";
    };
    line(header_, Ink::strong);
    std::string rule = "  ";
    for (int i = 2; i < total; ++i) rule += "─";
    out += screen.paint(rule, Ink::faint) + "\n";
    for (const auto& cells : rows_) line(cells, Ink::plain);
    return out;
}

std::string Table::to_html() const {
    const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
        std::string out = "<tr>";
        for (std::size_t column = 0; column < cells.size(); ++column) {
            // A column without a name has no head that a screen reader could read.
            out += fmt::format("<{0}{1}>{2}</{0}>", cells[column].empty() ? "td" : tag,
                               is_numeric(column) ? " class=\"n\"" : "",
                               markup_to_html(cells[column]));
        }
        return out + "</tr>\n";
    };
    const char* kind = header_.size() > 6 ? " class=\"wide\"" : "";  // it may use the margin
    std::string out =
        fmt::format("<table{}>\n<thead>{}</thead>\n<tbody>\n", kind, row(header_, "th"));
    for (const auto& cells : rows_) out += row(cells, "td");
    return out + "</tbody>\n</table>\n";
}

}  // namespace heed::course
