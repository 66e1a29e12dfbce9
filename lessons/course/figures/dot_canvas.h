// Lines for the terminal, as dots on a fine grid: a Braille character holds 2 x 4 of them. Or without Braille:
// then a line is drawn with one letter for each series.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/course/terminal/screen.h"

namespace heed::course {

// Each character has the colour of the series drawn last in it.
class DotCanvas {
  public:
    DotCanvas(int columns, int rows, bool braille);

    // Coordinates from 0 to 1, x to the right and y up. `drawn` counts the dots of this line so far, of which
    // the pattern leaves some out.
    void line(double x0, double y0, double x1, double y1, int series, std::string_view pattern,
              std::size_t& drawn);

    // Words in front of all lines, from a character on. What lies outside is not drawn.
    void write(int column, int row, std::string_view words, int series);
    // The same, but behind all lines.
    void write_behind(int column, int row, std::string_view words);

    // A line of characters, without blanks at its end.
    std::string row(int row, const Screen& screen) const;

  private:
    std::size_t index(int column, int row) const {
        return static_cast<std::size_t>(row * columns_ + column);
    }
    void dot(double x, double y, int series);

    int columns_ = 0, rows_ = 0;
    bool braille_ = false;
    std::vector<unsigned> dots_;
    std::vector<int> series_;                    // -1: nothing is drawn here
    std::vector<std::string> letters_, behind_;  // of the words
    std::vector<bool> covered_;                  // the second half of a wide letter
};

}  // namespace heed::course
