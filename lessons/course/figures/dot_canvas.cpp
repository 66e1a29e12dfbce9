#include "lessons/course/figures/dot_canvas.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/utf8.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {

DotCanvas::DotCanvas(int columns, int rows, bool braille)
    : columns_(columns),
      rows_(rows),
      braille_(braille),
      dots_(static_cast<std::size_t>(columns * rows), 0),
      series_(dots_.size(), -1),
      letters_(dots_.size()),
      behind_(dots_.size()),
      covered_(dots_.size(), false) {}

void DotCanvas::line(double x0, double y0, double x1, double y1, int series,
                     std::string_view pattern, std::size_t& drawn) {
    const int steps = 1 + static_cast<int>(std::max(std::fabs(x1 - x0) * 2 * columns_,
                                                    std::fabs(y1 - y0) * 4 * rows_));
    for (int i = 0; i <= steps; ++i) {
        const double t = i / static_cast<double>(steps);
        if (!braille_ || pattern[drawn % pattern.size()] == '#')
            dot(x0 + t * (x1 - x0), y0 + t * (y1 - y0), series);
        drawn += i < steps;
    }
}

// The bits of a Braille character: in the left column 1 2 4 40, in the right one 8 10 20 80
// (hexadecimal).
void DotCanvas::dot(double x, double y, int series) {
    constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1)) return;
    const int fine_x = static_cast<int>(std::lround(x * (2 * columns_ - 1)));
    const int fine_y = static_cast<int>(std::lround((1 - y) * (4 * rows_ - 1)));
    const std::size_t at = index(fine_x / 2, fine_y / 4);
    dots_[at] |= bits[fine_y % 4][fine_x % 2];
    series_[at] = series;
}

void DotCanvas::write(int column, int row, std::string_view words, int series) {
    for (std::size_t at = 0; at < words.size();) {
        std::size_t next = at + 1;
        while (next < words.size() && (words[next] & 0xC0) == 0x80) ++next;
        const std::string_view letter = words.substr(at, next - at);
        const int width = display_width(letter);
        if (row >= 0 && row < rows_ && column >= 0 && column + width <= columns_) {
            letters_[index(column, row)] = letter;
            series_[index(column, row)] = series;
            for (int i = 1; i < width; ++i) covered_[index(column + i, row)] = true;
        }
        column += width, at = next;
    }
}

void DotCanvas::write_behind(int column, int row, std::string_view words) {
    if (row >= 0 && row < rows_ && column >= 0 && column < columns_)
        behind_[index(column, row)] = words;
}

std::string DotCanvas::row(int row, const Screen& screen) const {
    std::string out;
    for (int column = 0; column < columns_; ++column) {
        const std::size_t at = index(column, row);
        if (covered_[at]) continue;
        if (!letters_[at].empty()) {
            out += screen.paint_series(letters_[at], series_[at]);
        } else if (series_[at] >= 0) {
            out += braille_ ? screen.paint_series(utf8_encode(0x2800u + dots_[at]), series_[at])
                            : std::string(1, static_cast<char>('a' + series_[at] % 26));
        } else {
            out += behind_[at].empty() ? " " : screen.paint(behind_[at], Ink::faint);
        }
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

}  // namespace heed::course
