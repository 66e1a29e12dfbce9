// The terminal: its width, whether it shows colours, and whether somebody can answer questions.
// Everything that draws text takes a Screen, so tests need no terminal.
#pragma once

#include <string>
#include <string_view>

namespace heed::course {

enum class Ink { plain, strong, faint, italic, good, bad, accent };

struct Screen {
    int width = 80;        // columns
    int height = 24;       // lines
    bool window = false;   // output is a terminal, whose width the lines must fit
    bool live = false;     // and it obeys escape codes (TERM=dumb does not): a line can be redrawn
    bool asks = false;     // input is a terminal too: questions can be asked
    bool colour = false;   // NO_COLOR and TERM=dumb turn it off
    bool light = false;    // dark letters on a light background, if the terminal says so
    bool resizes = false;  // its size is that of the window of standard output

    // The same screen in the present size of its window, which may change while a lesson runs. So it is called
    // before each thing that is drawn.
    Screen now() const;

    // The text in that colour; unchanged if the screen shows no colours.
    std::string paint(std::string_view text, Ink ink) const;

    // The text in one of the six series colours (s0 to s5 of svg.h).
    std::string paint_series(std::string_view text, int series) const;

    // The text on a background from none (level 0) to full (level 1); below 0 in the other colour.
    std::string paint_level(std::string_view text, double level) const;

    // One character: its upper half in the shade of one level, its lower half in that of another.
    std::string paint_halves(double upper, double lower) const;

    // The width of a line of prose: that of the terminal, but no wider than is comfortable to read.
    int measure() const;

    // The width that a line of a list or of --help must fit: that of the window. Without one there is
    // no limit, so that other programs read such lines whole.
    int limit() const;
};

// The width that a line on standard error must fit: that of its window, or no limit.
int limit_of_stderr();

// The screen of standard output, and of standard input for questions.
Screen screen_of_stdout();

// Prints lines to standard error, where all messages go. In a window they fit it.
void complain(std::string_view lines);

// Says which variables of the environment hold nonsense; they are not used then (autograd/base/environment.h). And a
// file that grows beyond the shell's limit (ulimit -f) fails to be written, with a message, instead of ending the
// program by a signal. Each program calls it first.
void check_environment();

}  // namespace heed::course
