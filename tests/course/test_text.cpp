// Text in a terminal: widths of Korean, wrapping, numbers as people write them.
#include <cmath>
#include <string>

#include "lessons/course/figures/statistics.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/course/terminal/table.h"
#include "lessons/course/terminal/text.h"
#include "tests/catch.h"

using namespace heed::course;

namespace {

Screen plain_screen(int width) {
    Screen screen;
    screen.width = width;
    return screen;
}

Screen coloured_screen(int width) {
    Screen screen = plain_screen(width);
    screen.live = screen.colour = true;
    return screen;
}

// The width of the widest line.
int widest_line(const std::string& text) {
    int widest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        widest = std::max(widest, display_width(text.substr(at, end - at)));
        at = end + 1;
    }
    return widest;
}

}  // namespace

TEST_CASE("text: Korean fills two columns, marks and colour codes none", "[lesson]") {
    CHECK(display_width("student") == 7);
    CHECK(display_width("나는 학생") == 9);
    CHECK(display_width("\u1112\u1161\u11AB") == 2);  // 한, decomposed
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("漢字かな") == 8);
    CHECK(display_width("☕⌛✅") == 6);
    CHECK(display_width("ไทยน้ำ") == 5);  // with a mark above the fourth letter
    CHECK(display_width("✓ → █ ×") == 7);
    CHECK(display_width("0.9 ± 0.1") == 9);
    CHECK(display_width("\x1b[1;31m나\x1b[0m") == 2);
    CHECK(display_width("") == 0);
    CHECK(pad("나", 5) == "나   ");
    CHECK(pad("나", 5, Align::right) == "   나");
    CHECK(pad("나", 5, Align::centre) == " 나  ");
    CHECK(pad("abcdef", 3) == "abcdef");
    CHECK(shorten("나는학생", 5) == "나는…");
    CHECK(shorten("abc", 3) == "abc");
}

TEST_CASE("text: wrapping keeps every word and stays within the width", "[lesson]") {
    CHECK(wrap("one two  three\nfour", 9) == "one two\nthree\nfour\n");
    CHECK(wrap("나는 학교에 간다", 11) == "나는 학교에\n간다\n");
    CHECK(wrap("a", 20, "  ") == "  a\n");
    CHECK(wrap("", 20).empty());
    const std::string hard = wrap("나는나는나는나는나는 x", 10);
    CHECK(hard == "나는나는나\n는나는나는\nx\n");
    const std::string painted = wrap(
        markup_to_screen("some **bold words that run on** and `code`", coloured_screen(20)), 20);
    CHECK(widest_line(painted) <= 20);
}

TEST_CASE("text: lines of two columns fit a narrow window", "[lesson]") {
    const std::string help = "Options:\n  --seed N    the seed of all random numbers\n\nend";
    CHECK(fitted(help, 80) == help);
    CHECK(fitted(help, 30) ==
          "Options:\n  --seed N    the seed of all\n              random numbers\n\nend");
    CHECK(fitted(help, 18) ==
          "Options:\n  --seed N\n      the seed of\n      all random\n      numbers\n\nend");
    CHECK(fitted("            all random numbers", 18) == "      all random\n      numbers");
    CHECK(fitted("  나는 학교에 간다", 12) == "  나는\n  학교에\n  간다");

    const auto line = [](int width) {
        return list_line("10.1 ", "a masked attention", 20, "  5 min ", width);
    };
    CHECK(line(80) == "10.1 a masked attention    5 min\n");
    CHECK(line(31) == "10.1 a masked attention  5 min\n");
    CHECK(line(30) == "10.1 a masked           5 min\n     attention\n");
    CHECK(line(20) == "10.1 a masked\n     attention\n       5 min\n");
    CHECK(list_line("", "one two three", 0, "", 10) == "one two\n  three\n");
}

TEST_CASE("text: text from a file cannot send commands to the terminal", "[lesson][errors]") {
    CHECK(printable("a\x1b[2Jb") == "a\uFFFD[2Jb");
    CHECK(printable("a\xFF") == "a\uFFFD");
    CHECK(printable("\u0085x\n") == "\uFFFDx\n");
    CHECK(printable("학생") == "학생");
    CHECK(printable("a\u202Eb\u2066") == "a\uFFFDb\uFFFD");
    CHECK(for_terminal("\x1b[1mbold\x1b[0m\n") == "\x1b[1mbold\x1b[0m\n");
    CHECK(for_terminal("\x1b[2J\x1b]0;t\a\u202E\r") == "\uFFFD[2J\uFFFD]0;t\uFFFD\uFFFD\uFFFD");
    CHECK(display_width("\x1b[2Jm") == 5);  // no colour code
}

TEST_CASE("text: numbers as people write them", "[lesson]") {
    CHECK(number(0.95) == "0.95");
    CHECK(number(0.98765) == "0.9877");
    CHECK(number(20000) == "20,000");
    CHECK(number(-1234567) == "-1,234,567");
    CHECK(number(12) == "12");
    CHECK(number(0) == "0");
    CHECK(number(1.2e-12) == "1.2e-12");
    CHECK(number(999.96) == "1000");
    CHECK(number(NAN) == "not a number");
    CHECK(number(INFINITY) == "∞");
    CHECK(mean_and_spread({1, 2, 3}, 1) == "2.0 ± 1.0");
    CHECK(mean_and_spread({0.5}) == "0.500");
    CHECK(averaged_over(5, "seed") == "mean and standard deviation over 5 seeds");
    CHECK(averaged_over(1) == "one seed");
    CHECK(summarise({5}).deviation == 0);
    CHECK_THROWS(summarise({}));
}

TEST_CASE("text: blocks are side by side if they fit", "[lesson]") {
    CHECK(side_by_side({"나\nb\n", "c\n", "dd\n"}, 5) == "나  c\nb\n\ndd\n");
    CHECK(side_by_side({"ab\n", "c\nd\n"}, 80) == "ab  c\n    d\n");
    CHECK(side_by_side({}, 80).empty());
}

TEST_CASE("markup: code, emphasis and strong, and stars that are not markup", "[lesson]") {
    CHECK(markup_to_html("a `b<c` *d* **e & f**") ==
          "a <code>b&lt;c</code> <em>d</em> <strong>e &amp; f</strong>");
    CHECK(markup_to_html("3 * 4 * 5") == "3 * 4 * 5");
    CHECK(markup_to_html("a *b") == "a *b");
    CHECK(markup_to_html("at most 1e-12, -2.5e-16, 3e+09") ==
          "at most <span class=\"power\">10<sup>−12</sup></span>, "
          "-<span class=\"power\">2.5 × 10<sup>−16</sup></span>, "
          "<span class=\"power\">3 × 10<sup>9</sup></span>");
    CHECK(markup_to_html("`1e-3` x1e-3 1e-3b e-3 2e 1,000") ==
          "<code>1e-3</code> x1e-3 1e-3b e-3 2e 1,000");
    CHECK(markup_to_html("*a b* c*d") == "<em>a b</em> c*d");
    CHECK(escape("<a href=\"x\">'&") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    CHECK(markup_to_screen("`x` *y*", plain_screen(80)) == "x y");
    CHECK(markup_to_screen("*y*", coloured_screen(80)) == "\x1b[3my\x1b[0m");
}

TEST_CASE("table: columns are aligned, numbers to the right, Korean too", "[lesson]") {
    Table table({"말", "n"});
    table.row("학생", 5);
    table.row("a", 20000);
    CHECK(table.to_text(plain_screen(80)) ==
          "  말          n\n"
          "  ─────────────\n"
          "  학생        5\n"
          "  a      20,000\n");
    CHECK(table.to_text(plain_screen(12)) == "  말: 학생\n    n: 5\n  말: a\n    n:\n    20,000\n");
    CHECK(table.to_html().find("<td class=\"n\">20,000</td>") != std::string::npos);
    CHECK_THROWS(table.row("one cell"));
    Table unnamed({"", "n"});
    unnamed.row("at first", 5);
    CHECK(unnamed.to_text(plain_screen(12)) == "  at first\n    n: 5\n");
}
