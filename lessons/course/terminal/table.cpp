#include "lessons/course/terminal/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Text that starts with a number, such as "0.953 ± 0.011", "-12", "95 %", "2.1x". A dash alone
// stands for a missing number.
bool looks_numeric(const std::string& cell) {
    const std::size_t at = cell.find_first_not_of("+-~<>≤≥ ");
    return at == std::string::npos || (cell[at] >= '0' && cell[at] <= '9') || cell == "—" ||
           cell == "–" || (cell[at] == '.' && at + 1 < cell.size());
}

bool is_numeric(const Rows& rows, std::size_t column) {
    return !rows.empty() && std::all_of(rows.begin(), rows.end(), [&](const auto& cells) {
        return looks_numeric(without_colours(cells[column]));
    });
}

}  // namespace

std::string table_lines(const std::vector<std::string>& header, const Rows& rows,
                        const Screen& screen) {
    std::vector<int> widths;
    int total = 2;
    for (std::size_t column = 0; column < header.size(); ++column) {
        int width = display_width(header[column]);
        for (const auto& cells : rows) width = std::max(width, display_width(cells[column]));
        widths.push_back(width);
        total += width + (column > 0 ? 3 : 0);
    }

    std::string out;
    if (total > screen.width) {
        for (const auto& cells : rows) {
            for (std::size_t column = 0; column < header.size(); ++column) {
                // A column without a name tells by itself what it holds.
                const std::string name =
                    header[column].empty() ? "" : screen.paint(header[column] + ": ", Ink::faint);
                out += wrap(name + cells[column], screen.width, column == 0 ? "  " : "    ");
            }
        }
        return out;
    }

    const auto line = [&](const std::vector<std::string>& cells, Ink ink) {
        std::string text = "  ";
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const Align align = is_numeric(rows, column) ? Align::right : Align::left;
            if (column > 0) text += "   ";
            text += pad(screen.paint(cells[column], ink), widths[column], align);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    };
    line(header, Ink::strong);
    std::string rule = "  ";
    for (int i = 2; i < total; ++i) rule += "─";
    out += screen.paint(rule, Ink::faint) + "\n";
    for (const auto& cells : rows) line(cells, Ink::plain);
    return out;
}

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {
    check(!header_.empty(), "table: the header has no columns");
}

void Table::add(std::vector<std::string> cells) {
    check(cells.size() == header_.size(), "table '{}': a row has {} cells, the header has {}",
          header_[0], cells.size(), header_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::decimal(double value) { return number(value); }

std::string Table::to_text(const Screen& screen) const {
    const auto drawn = [&](const std::vector<std::string>& cells) {
        std::vector<std::string> out;
        for (const std::string& cell : cells) out.push_back(markup_to_screen(cell, screen));
        return out;
    };
    std::vector<std::vector<std::string>> rows;
    for (const auto& cells : rows_) rows.push_back(drawn(cells));
    return table_lines(drawn(header_), rows, screen);
}

std::string Table::to_html() const {
    const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
        std::string out = "<tr>";
        for (std::size_t column = 0; column < cells.size(); ++column) {
            // A column without a name has no head that a screen reader could read.
            out += fmt::format("<{0}{1}>{2}</{0}>", cells[column].empty() ? "td" : tag,
                               is_numeric(rows_, column) ? " class=\"n\"" : "",
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
