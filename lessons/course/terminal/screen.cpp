#include "lessons/course/terminal/screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "autograd/base/environment.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// Colours by their numbers in the 256-colour table that nearly every terminal has.
constexpr std::array series_colours = {33, 208, 35, 170, 178, 109};

// Backgrounds from weak to strong and the colours of the letters on them: on a dark terminal strong
// is bright, on a light one strong is dark. Hot shades are for values above 0, cold ones below.
struct Shade {
    int background, letters;
};
constexpr std::array<Shade, 6> hot_on_dark = {
    {{17, 252}, {18, 255}, {25, 255}, {32, 231}, {74, 16}, {153, 16}}};
constexpr std::array<Shade, 6> hot_on_light = {
    {{189, 16}, {153, 16}, {111, 16}, {68, 231}, {26, 231}, {18, 231}}};
constexpr std::array<Shade, 6> cold_on_dark = {
    {{52, 252}, {88, 255}, {130, 255}, {166, 16}, {208, 16}, {222, 16}}};
constexpr std::array<Shade, 6> cold_on_light = {
    {{224, 16}, {223, 16}, {216, 16}, {209, 16}, {166, 231}, {124, 231}}};

std::string setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// COLORFGBG is "letters;background" in the terminals that set it; 7 and 15 are light backgrounds.
bool says_light(const std::string& colours) {
    return colours.ends_with(";7") || colours.ends_with(";15");
}

}  // namespace

std::string Screen::paint(std::string_view text, Ink ink) const {
    if (!colour || ink == Ink::plain || text.empty()) return std::string(text);
    const char* code = ink == Ink::strong   ? "1"
                       : ink == Ink::faint  ? "2"
                       : ink == Ink::italic ? "3"
                       : ink == Ink::good   ? "32"
                       : ink == Ink::bad    ? "1;31"
                                            : "36";
    return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string Screen::paint_series(std::string_view text, int series) const {
    if (!colour || text.empty()) return std::string(text);
    const std::size_t index = static_cast<std::size_t>(series) % series_colours.size();
    return fmt::format("\x1b[38;5;{}m{}\x1b[0m", series_colours[index], text);
}

namespace {

// The shade of a level; null where it is too weak to be seen.
const Shade* shade_of(double level, const Screen& screen) {
    const double strength = std::min(std::fabs(level), 1.0);
    if (!screen.colour || !(strength >= 0.05)) return nullptr;
    const auto& shades = level > 0 ? (screen.light ? hot_on_light : hot_on_dark)
                                   : (screen.light ? cold_on_light : cold_on_dark);
    const auto step = static_cast<std::size_t>(strength * static_cast<double>(shades.size()));
    return &shades[std::min(step, shades.size() - 1)];
}

}  // namespace

std::string Screen::paint_level(std::string_view text, double level) const {
    const Shade* shade = text.empty() ? nullptr : shade_of(level, *this);
    if (shade == nullptr) return std::string(text);
    return fmt::format("\x1b[48;5;{};38;5;{}m{}\x1b[0m", shade->background, shade->letters, text);
}

std::string Screen::paint_halves(double upper, double lower) const {
    const Shade *above = shade_of(upper, *this), *below = shade_of(lower, *this);
    if (above == nullptr && below == nullptr) return " ";
    if (above == nullptr) return fmt::format("\x1b[38;5;{}m▄\x1b[0m", below->background);
    if (below == nullptr) return fmt::format("\x1b[38;5;{}m▀\x1b[0m", above->background);
    return fmt::format("\x1b[48;5;{};38;5;{}m▀\x1b[0m", below->background, above->background);
}

Screen Screen::now() const {
    Screen screen = *this;
    winsize size{};
    if (resizes && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        screen.width = size.ws_col;
        if (size.ws_row > 0) screen.height = size.ws_row;
    }
    return screen;
}

int Screen::measure() const { return std::clamp(width - 2, 20, 78); }

int Screen::limit() const { return window ? width : std::numeric_limits<int>::max(); }

Screen screen_of_stdout() {
    Screen screen;
    const std::string terminal = setting("TERM");
    screen.window = isatty(STDOUT_FILENO) == 1;
    screen.live = screen.window && terminal != "dumb";
    screen.asks = screen.window && isatty(STDIN_FILENO) == 1;
    screen.colour = screen.live && setting("NO_COLOR").empty();
    screen.light = says_light(setting("COLORFGBG"));
    screen.resizes = screen.window;
    return screen.now();
}

int limit_of_stderr() {
    if (isatty(STDERR_FILENO) != 1) return std::numeric_limits<int>::max();
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void complain(std::string_view lines) {
    fmt::print(stderr, "{}", fitted(lines, limit_of_stderr()));
}

void check_environment() {
    std::signal(SIGXFSZ, SIG_IGN);
    for (const std::string& sentence : refuse_in_environment())
        complain("heed: " + sentence + "\n");
}

}  // namespace heed::course
