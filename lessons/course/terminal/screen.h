// The terminal: how wide it is, whether it shows colour, and whether somebody is sitting there.
// Everything that draws text takes a Screen, so a test can draw on one that does not exist.
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

enum class Ink { plain, strong, faint, italic, good, bad, accent };

struct Screen {
    int width = 80;       // columns
    bool live = false;    // a person can see a line being redrawn
    bool asks = false;    // and can answer questions
    bool colour = false;  // NO_COLOR and TERM=dumb turn it off
    bool light = false;   // dark letters on a light ground, where the terminal says so

    // The text in that ink; unchanged where there is no colour.
    std::string paint(std::string_view text, Ink ink) const;

    // The text in one of the six series colours (see colour_of_series in svg.h for their twins).
    std::string paint_series(std::string_view text, int series) const;

    // The text on a ground between none (level 0) and full (level 1); below 0 in the other hue.
    std::string paint_level(std::string_view text, double level) const;

    // Width of a line of prose: the terminal's, but no wider than is comfortable to read.
    int measure() const;
};

// What standard output (and standard input, for questions) are right now.
Screen screen_of_stdout();

}  // namespace heed::course
