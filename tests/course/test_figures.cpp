// Figures: the SVG is well formed and contains the data; the text for the terminal is aligned.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "autograd/base/rng.h"
#include "lessons/course/figures/axis.h"
#include "lessons/course/figures/diagram_layout.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/png.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/text.h"
#include "tests/catch.h"
#include "tests/course/on_screen.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using namespace heed::course;
using well_formed::fault;
using well_formed::occurrences;

namespace {

Screen plain(int width = 80) {
    Screen screen;
    screen.width = width;
    return screen;
}

Screen coloured(int width = 80) {
    Screen screen = plain(width);
    screen.live = screen.colour = true;
    return screen;
}

HeatMap alignment() {
    HeatMap map = attention_map({"I", "am", "<end> & \"so\""}, {"나는", "학생"},
                                {0.9, 0.1, 0.02, 0.98, 0.5, 0.5});
    map.gold = {{0, 0}};
    return map;
}

LinePlot plot() {
    LinePlot plot;
    plot.title = "loss <1>";
    plot.x_label = "step";
    plot.y_label = "loss";
    plot.series = {over_seeds("a & b", {0, 1, 2, 3}, {{4, 3, 2, 1}, {4, 2, 1, 1}}),
                   {"한국어", {0, 1, 2, 3}, {1, NAN, 3, 4}, {}, {}}};
    return plot;
}

// The description that a screen reader reads.
std::string described(const std::string& svg) {
    CHECK(fault(svg) == "");
    CHECK(svg.find("aria-label=\"") != std::string::npos);
    const std::size_t begin = svg.find("<desc>") + 6, end = svg.find("</desc>");
    return end == std::string::npos ? std::string() : svg.substr(begin, end - begin);
}

std::vector<int> line_widths(const std::string& text) {
    std::vector<int> widths;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        widths.push_back(display_width(text.substr(at, end - at)));
        at = end + 1;
    }
    return widths;
}

}  // namespace

TEST_CASE("heat map: digits are aligned under Korean tokens", "[lesson]") {
    CHECK(to_text(attention_map({"I", "학생"}, {"나는", "student"}, {0.93, 0.07, 0, 1}), plain()) ==
          "       나는 student\n"
          "     I .93    .07  \n"
          "  학생  ·     1.0  \n");
}

TEST_CASE("heat map: labels use the room there is, and those that are cut stay different",
          "[lesson]") {
    const std::vector<std::string> rows{"no large weight, one step", "no large weight, groups",
                                        "a large weight, one step", "a large weight, groups",
                                        "delta rule, β up to 2"};
    const std::string last_column = "the second error";
    const HeatMap map = attention_map(rows, {"a", last_column}, std::vector<double>(10, 0.5));
    for (const int width : {100, 60}) {
        const std::string text = to_text(map, plain(width));
        CHECK(on_screen::fault(text, width) == "");
        for (const std::string& row : rows) CHECK(text.find(row) != std::string::npos);
        CHECK(text.find(last_column) != std::string::npos);
    }
    const std::string narrow = to_text(map, plain(30));
    CHECK(on_screen::fault(narrow, 30) == "");
    std::set<std::string> labels;
    std::istringstream lines(narrow);
    for (std::string line; std::getline(lines, line);)
        if (line.find(".50") != std::string::npos) labels.insert(line);
    CHECK(labels.size() % rows.size() == 0);
    // Cut at the end; in the middle; at the front; with numbers.
    CHECK(shorten_apart({"abcdefgh", "short"}, 5) == std::vector<std::string>{"abcd…", "short"});
    CHECK(shorten_apart({"abcdefgh", "abcdefgi"}, 5) == std::vector<std::string>{"ab…gh", "ab…gi"});
    CHECK(shorten_apart({"abcdef12345", "abcdef62345"}, 6) ==
          std::vector<std::string>{"…12345", "…62345"});
    CHECK(shorten_apart({"aaaa1bbbb", "aaaa2bbbb"}, 5) ==
          std::vector<std::string>{"aa… 1", "aa… 2"});
    CHECK(shorten_apart({"같은 말이다", "같은 말이고", "같은 말이다"}, 8) ==
          std::vector<std::string>{"같은…다", "같은…고", "같은…다"});
}

TEST_CASE("heat map: its signs are explained where there are any", "[lesson]") {
    const HeatMap dots = attention_map({"a"}, {"b", "c"}, {0.97, 0.03}),
                  none = attention_map({"a"}, {"b", "c"}, {0.5, 0.5});
    CHECK(signs_in_text({none, dots}, coloured()) == "  · below 0.05\n");
    CHECK(signs_in_text({none, none}, coloured()).empty());
    HeatMap dense;
    dense.rows = dense.columns = 2;
    dense.values = {0, 1, 2, 4};
    dense.low = -(dense.high = 4);
    CHECK(signs_in_text({dense}, coloured()).empty());
    const std::string signs = signs_in_text({dense}, plain(40));
    CHECK(signs == "  1 to 9: tenths of the largest number,\n  a to i: below 0; · near 0\n");
}

TEST_CASE("heat map: a large one fits on the screen and says what a line is", "[lesson]") {
    const auto lines = [](const std::string& text) {
        return std::count(text.begin(), text.end(), '\n');
    };
    for (const auto& [rows, columns] :
         {std::pair(21, 21), {32, 32}, {64, 200}, {176, 32}, {500, 500}})
        for (const Screen& screen : {plain(100), coloured(), plain(40)}) {
            HeatMap map{.rows = rows, .columns = columns};
            for (int cell = 0; cell < rows * columns; ++cell)
                map.values.push_back(cell / columns * 2 < rows ? 1 : 0);  // the upper half is full
            INFO(rows << " x " << columns << ", colours " << screen.colour);
            const std::string text = to_text(map, screen), signs = signs_in_text({map}, screen);
            CHECK(lines(text) <= 30);
            const auto a_line = (rows + lines(text) - 1) / lines(text);
            const std::string said = fmt::format("ne line is {} rows", a_line);
            CHECK((signs.find(said) != std::string::npos) == (a_line > 1));
            if (screen.colour) continue;
            const std::string middle = text.substr(0, text.size() / 2);
            CHECK(middle.find("9") != std::string::npos);
            CHECK(text.find("9", text.size() * 3 / 4) == std::string::npos);
        }
    // Two rows of one column: above full and below empty, and the other way round.
    HeatMap stripes{.rows = 22, .columns = 1};
    for (int row = 0; row < 22; ++row) stripes.values.push_back(row % 4 == 0 || row % 4 == 3);
    const std::string text = to_text(stripes, coloured());
    CHECK(text.find("▀") < text.find("▄"));
    CHECK(lines(text) == 11);
}

TEST_CASE("heat map: colours change no width, gold cells have brackets", "[lesson]") {
    const HeatMap map = alignment();
    CHECK(line_widths(to_text(map, plain())) == line_widths(to_text(map, coloured())));
    CHECK(to_text(map, plain()).find("[.90]") != std::string::npos);
    CHECK(to_text(map, coloured()).find("\x1b[48;5;") != std::string::npos);
    CHECK(to_text(map, plain()).find('\x1b') == std::string::npos);
}

TEST_CASE("heat map: in a narrow window, columns are split into blocks", "[lesson]") {
    std::vector<std::string> keys(12, "열두글자");
    const std::string text =
        to_text(attention_map({"a", "b"}, keys, std::vector<double>(24, 0.5)), plain(40));
    const std::vector<int> widths = line_widths(text);
    CHECK(*std::max_element(widths.begin(), widths.end()) <= 40);
    CHECK(occurrences(text, "열두글자") == 12);
    CHECK(occurrences(text, ".50") == 24);
}

TEST_CASE("heat map: the SVG contains each cell with its tokens and its score", "[lesson]") {
    HeatMap map = alignment();
    map.scores = {1.5, -1, 0, 2, 3, 3};
    const std::string svg = to_svg(map);
    CHECK(fault(svg).empty());
    CHECK(fault(standalone_svg(svg)).empty());
    CHECK(occurrences(svg, "class=\"cell\"") == 6);
    CHECK(occurrences(svg, "class=\"gold\"") == 1);
    CHECK(occurrences(svg, "data-column=\"학생\"") == 3);
    CHECK(occurrences(svg, "data-row=\"&lt;end&gt; &amp; &quot;so&quot;\"") == 2);
    CHECK(svg.find("data-value=\"0.98\" data-score=\"2\"") != std::string::npos);
    map.values[0] = NAN;
    CHECK(occurrences(to_svg(map), "class=\"cell\"") == 5);

    // Softmax weights determine the scores up to a number that is the same for the whole row.
    const std::string derived = to_svg(alignment());
    CHECK(occurrences(derived, "data-score=\"the largest\"") == 4);  // two in the last row
    CHECK(derived.find("data-value=\"0.02\" data-score=\"3.89 below the largest\"") !=
          std::string::npos);
}

TEST_CASE("heat map: without labels, many cells become few paths", "[lesson]") {
    HeatMap map;
    map.rows = 40;
    map.columns = 60;
    map.low = -1;
    for (int i = 0; i < 40 * 60; ++i) map.values.push_back(std::sin(i * 0.1));
    int elements = 0;
    const std::string svg = to_svg(map);
    CHECK(fault(svg, &elements).empty());
    CHECK(elements < 60);
    CHECK(occurrences(svg, "M") > 2200);  // all except the cells near zero
    CHECK(line_widths(to_text(map, plain())) == std::vector<int>(20, 62));
}

TEST_CASE("line plot: well formed, with bands, gaps and log axes", "[lesson]") {
    LinePlot figure = plot();
    CHECK(fault(to_svg(figure)).empty());
    CHECK(occurrences(to_svg(figure), "class=\"band\"") == 1);
    CHECK(occurrences(to_svg(figure), "<circle") == 7);  // one of eight points is not a number
    CHECK(to_svg(figure).find("nan") == std::string::npos);
    figure.log_y = figure.log_x = true;  // a logarithmic axis has no x = 0
    CHECK(fault(to_svg(figure)).empty());
    CHECK(occurrences(to_svg(figure), "<circle") == 5);
    CHECK(to_svg(figure).find("inf") == std::string::npos);
    figure.series = {{"all gaps", {1, 2}, {NAN, NAN}, {}, {}}};
    CHECK(fault(to_svg(figure)).empty());
    CHECK_FALSE(to_text(figure, plain()).empty());
}

TEST_CASE("line plot: six lines differ without their colours, and a sample stays with its name",
          "[lesson]") {
    LinePlot figure;
    for (const char* name : {"one", "two words", "three", "four", "a fifth one", "six"})
        figure.series.push_back({name, {1, 2}, {1, 2}, {}, {}});
    for (const int width : {30, 40, 60, 80}) {
        const std::string text = without_colours(to_text(figure, coloured(width)));
        std::set<std::string> samples;
        for (const Series& series : figure.series) {
            const std::size_t at = text.find(" " + series.name);
            REQUIRE(at != std::string::npos);
            const std::string line = text.substr(0, at).substr(text.rfind('\n', at) + 1);
            CHECK(display_width(line) > 4);
            samples.insert(line.substr(line.size() - std::min<std::size_t>(line.size(), 10)));
        }
        CHECK(samples.size() == 6);
    }
}

TEST_CASE("line plot: names stand at the ends of the lines, if these lie apart", "[lesson]") {
    LinePlot figure{.title = "two"};
    figure.series = {{"upper", {0, 1}, {0, 1}}, {"lower", {0, 1}, {1, 0.9}}};
    // The x of a name. Names at the ends are right of the field, those of a legend above it.
    const auto x_of = [&](const std::string& name) {
        const std::string svg = to_svg(figure);
        const std::size_t end = svg.find(">" + name + "</text>");
        REQUIRE(end != std::string::npos);
        return std::stod(svg.substr(svg.rfind("<text x=", end) + 9));
    };
    CHECK(x_of("upper") > 440);
    CHECK(x_of("lower") > 440);
    figure.x_range = {0, 0.5};  // the lines go on behind the right edge
    CHECK(x_of("upper") > 440);
    figure.series[1].y = {0, 1};  // the same end
    CHECK(x_of("upper") < 60);
    figure.series[1] = {"lower", {0, 0.2}, {1, 0.9}};  // an end before the edge
    CHECK(x_of("upper") < 60);
    figure.series[1] = {std::string(60, 'n'), {0, 1}, {1, 0.5}};
    CHECK(x_of("upper") < 60);
}

TEST_CASE("line plot: the name of a single point stands beside it, and points have no line",
          "[lesson]") {
    LinePlot figure{.title = "points", .x_range = {0, 10}};
    figure.series = {{"first", {5}, {0}}, {"second", {5}, {0.04}}, {"last", {10}, {1}}};
    const auto x_of = [&](const std::string& name) {
        const std::string svg = to_svg(figure);
        const std::size_t end = svg.find(">" + name + "</text>");
        REQUIRE(end != std::string::npos);
        return std::stod(svg.substr(svg.rfind("<text x=", end) + 9));
    };
    const auto has_line = [&] {
        return to_svg(figure).find("<path class=\"line") != std::string::npos;
    };
    CHECK(x_of("first") < 249);   // below its point: on the right it would cover the second
    CHECK(x_of("second") > 249);  // to the right
    CHECK(x_of("last") < 440);    // on the right there is no room
    CHECK_FALSE(has_line());
    figure.names_at_ends = false;  // in a live figure the names stay in the legend
    CHECK(x_of("first") < 60);
    CHECK_FALSE(has_line());

    figure = {.title = "three", .series = {{.name = "dots", .x = {0, 1, 2}, .y = {2, 1, 2}}}};
    CHECK(has_line());
    figure.series[0].dots = true;
    figure.names_at_ends = false;
    CHECK_FALSE(has_line());
    // With colour too, points are letters on the terminal.
    const std::string text = to_text(figure, {.width = 60, .colour = true});
    INFO(text);
    CHECK(text.find("a:") != std::string::npos);
}

TEST_CASE("line plot: beside another it is narrower, and a computed line is dashed", "[lesson]") {
    LinePlot figure{.title = "two"};
    figure.series = {{"measured", {0, 1}, {0, 1}}, {"computed", {0, 1}, {1, 0.9}}};
    const auto width_of = [](const std::string& svg) {
        return std::stod(svg.substr(svg.find(" width=\"") + 8));
    };
    figure.names_at_ends = false;
    CHECK(width_of(to_svg(figure)) - width_of(to_svg(figure, 330)) == Approx(150));
    figure.names_at_ends = true;
    CHECK(to_svg(figure).find("stroke-dasharray") == std::string::npos);
    figure.series[1].dashed = true;
    const std::string svg = to_svg(figure);
    const std::size_t dashed = svg.find("stroke-dasharray");
    REQUIRE(dashed != std::string::npos);
    CHECK(svg.rfind("<g class=\"s1\">", dashed) > svg.rfind("<g class=\"s0\">", dashed));
}

TEST_CASE("figures: what can be drawn narrow is not scrolled in a window of 400 pixels",
          "[lesson]") {
    const auto width_of = [](const std::string& svg) {
        return std::stod(svg.substr(svg.find(" width=\"") + 8));
    };
    // Names at the ends of the lines take their room from the field, and long ones stand above it.
    for (const std::size_t letters : {3, 8, 15, 20, 30, 60}) {
        LinePlot figure;
        figure.series = {{std::string(letters, 'a'), {0, 1}, {0, 1}},
                         {std::string(letters, 'b'), {0, 1}, {1, 0.2}}};
        const std::string svg = to_svg(figure);
        INFO(letters);
        CHECK(width_of(svg) <= narrow_page);
        CHECK(occurrences(svg, ">" + std::string(letters, 'a') + "<") == 1);
    }
    // Fifteen columns become narrower, and each number is still there.
    HeatMap map = attention_map({}, {}, {});
    for (int i = 0; i < 15; ++i) map.column_labels.push_back("k" + std::to_string(i));
    map.row_labels = {""};
    map.values.assign(15, 0.25);
    CHECK(width_of(to_svg(map)) <= narrow_page);
    CHECK(occurrences(to_svg(map), ">.25<") == 15);
    ShadedText text;
    text.rows = {{"name", std::vector<std::string>(40, "word"), std::vector<double>(40, 0.5)}};
    CHECK(width_of(to_svg(text)) <= narrow_page);
    CHECK(occurrences(to_svg(text), ">word<") == 40);
}

TEST_CASE("axis: a logarithmic axis of few decades has ticks at 1, 2 and 5", "[lesson]") {
    using Labels = std::vector<std::string>;
    CHECK(make_axis(125, 6000, true, 6, false).labels ==
          Labels{"200", "500", "1,000", "2,000", "5,000"});
    CHECK(make_axis(125, 6000, true, 3, false).labels ==
          Labels{"200", "500", "1,000", "2,000", "5,000"});
    CHECK(make_axis(1, 1000, true, 4, false).labels == Labels{"1", "10", "100", "1,000"});
    CHECK(make_axis(1e-7, 4e-7, true, 5, false).labels == Labels{"10⁻⁷", "2·10⁻⁷"});
    CHECK(make_axis(210, 490, true, 6, false).ticks.size() > 2);
}

TEST_CASE("line plot: on a terminal, at most two bands have edges", "[lesson]") {
    LinePlot figure = plot();
    const std::string sparse = "sparse dots";
    CHECK(to_text(figure, coloured()).find(sparse) != std::string::npos);
    const auto spread = std::find_if(figure.series.begin(), figure.series.end(),
                                     [](const Series& s) { return !s.low.empty(); });
    REQUIRE(spread != figure.series.end());
    figure.series = {*spread, *spread, *spread};
    CHECK(to_text(figure, coloured()).find(sparse) == std::string::npos);
    CHECK(occurrences(to_svg(figure), "class=\"band\"") == 3);
}

TEST_CASE("line plot: the text fits the window", "[lesson]") {
    for (const int width : {30, 40, 80, 200}) {
        for (const Screen& screen : {plain(width), coloured(width)}) {
            const std::vector<int> widths = line_widths(to_text(plot(), screen));
            CHECK(*std::max_element(widths.begin(), widths.end()) <= width);
        }
    }
    CHECK(to_text(plot(), plain()).find("b: 한국어") != std::string::npos);
}

TEST_CASE("axis: round numbers, powers of ten, one value alone", "[lesson]") {
    const Axis axis = make_axis(0.03, 0.97, false, 5, true);
    CHECK(axis.low == 0);
    CHECK(std::fabs(axis.high - 1) < 1e-12);
    CHECK(axis.labels == std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
    CHECK(make_axis(1e-6, 1, true, 6, true).labels ==
          std::vector<std::string>{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "0.01", "0.1", "1"});
    CHECK(make_axis(-0.4, 0.4, false, 4, true).labels[2] == "0.0");
    CHECK(std::fabs(make_axis(1, 100, true, 4, false).position(10) - 0.5) < 1e-12);
    CHECK(std::isnan(make_axis(1, 100, true, 4, false).position(0)));
    CHECK(make_axis(5, 5, false, 4, true).position(5) == Approx(0.5));
    CHECK_FALSE(make_axis(INFINITY, -INFINITY, true, 4, true).ticks.empty());
}

TEST_CASE("line plot, scatter plot: lower in a low window, so that all of it is seen", "[lesson]") {
    ScatterPlot points{.title = "points", .groups = {{"a", {0, 1}, {0, 1}, {}}}};
    const auto lines = [](const std::string& text) {
        return std::count(text.begin(), text.end(), '\n');
    };
    Screen window = plain(80);
    const auto usual = lines(to_text(plot(), window)), of_points = lines(to_text(points, window));
    window.window = true;
    for (window.height = 17; window.height < 60; ++window.height) {
        CHECK(lines(to_text(plot(), window)) <= window.height - 3);
        CHECK(lines(to_text(points, window)) <= window.height - 3);
    }
    CHECK(lines(to_text(plot(), window)) == usual);  // and not higher in a high one
    CHECK(lines(to_text(points, window)) == of_points);
    window.height = 5;
    CHECK(lines(to_text(plot(), window)) == usual - 14 + 8);  // nothing can be seen in fewer lines
}

TEST_CASE("line plot: in the legend no mark stands alone on its line", "[lesson]") {
    LinePlot narrow = plot();
    narrow.series = {over_seeds("calibrated", {0, 1}, {{1, 2}}),
                     over_seeds("network", {0, 1}, {{2, 3}}),
                     over_seeds("label smoothing", {0, 1}, {{2, 4}}),
                     over_seeds("temperature", {0, 1}, {{2, 5}})};
    for (int width = 30; width < 100; ++width) {
        std::istringstream lines(to_text(narrow, plain(width)));
        for (std::string line; std::getline(lines, line);)
            CHECK(line.substr(std::min(line.find_first_not_of(' '), line.size())) != "·");
    }
}

TEST_CASE("bar chart: well formed, and bars are proportional to their numbers", "[lesson]") {
    BarChart chart;
    chart.value_label = "exact match";
    chart.labels = {"주어 생략", "plain"};
    chart.sets = {{"attention", {1.0, 0.5}, {}}, {"fixed", {0.25, NAN}, {0.1, 0}}};
    CHECK(fault(to_svg(chart)).empty());
    CHECK(occurrences(to_svg(chart), "class=\"bar s0\" x") == 3);  // two bars and the legend
    CHECK(occurrences(to_svg(chart), "class=\"mark\"") == 1);
    const std::string text = to_text(chart, plain());
    CHECK(occurrences(text, "#") == 46 + 23 + 11);  // of the 46 columns beside the labels
    CHECK(text.find("0.25 ± 0.1") != std::string::npos);
    // A label that is too long for its column stands above its bar, whole.
    chart.labels[0] = "the same relative position in the sentence";
    chart.sets[1].name = "that of another string";
    for (const int width : {60, 40}) {
        const std::string narrow = to_text(chart, plain(width));
        CHECK(narrow.find("…") == std::string::npos);
        CHECK(narrow.find("the same relative position") != std::string::npos);
        CHECK(narrow.find("of another") != std::string::npos);
        CHECK(on_screen::fault(narrow, width) == "");
    }
}

TEST_CASE("bar chart: negative values lie left of the axis, and their numbers right of it",
          "[lesson]") {
    BarChart chart{.labels = {"up", "down"}, .sets = {{"", {3, -1}, {}}}};
    CHECK(fault(to_svg(chart)).empty());
    const std::string text = to_text(chart, plain());
    std::vector<std::string> lines;
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        lines.push_back(text.substr(at, end - at));
    REQUIRE(lines.size() >= 2);
    const std::size_t axis = lines[0].find('#');
    CHECK(lines[1].find('#') < axis);
    CHECK(lines[1].rfind('#') + 1 == axis);
    CHECK(occurrences(lines[0], "#") == 3 * occurrences(lines[1], "#"));
    CHECK(lines[1].find("-1") > axis);
}

TEST_CASE("picture: pixels, weights and glimpses are drawn", "[lesson]") {
    Picture picture;
    picture.height = picture.width = 4;
    for (int i = 0; i < 16; ++i) picture.grey.push_back(i / 15.0);
    picture.patch_rows = picture.patch_columns = 2;
    picture.weights = {0.1, 0.2, 0.7, 0};
    CHECK(fault(to_svg(picture)).empty());
    CHECK(occurrences(to_svg(picture), "class=\"shade\"") == 3);
    CHECK(line_widths(to_text(picture, plain())).size() == 4);
    picture.path = {{1, 1}, {3, 2}};
    picture.glimpse = 2;
    CHECK(fault(to_svg(picture)).empty());
    CHECK(occurrences(to_svg(picture), "<circle") == 2);
    CHECK(to_text(picture, plain()).find("(1, 1) → (3, 2)") != std::string::npos);

    const std::string png = grey_png(picture.grey, 4, 4);
    const std::size_t data = png.find("IDAT") + 4;
    std::vector<Bytef> rows(100);
    uLongf size = rows.size();
    REQUIRE(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(png.data() + data),
                       static_cast<uLong>(png.size() - data)) == Z_OK);
    REQUIRE(size == 20);
    CHECK(rows[0] == 0);
    CHECK(rows[4] == 51);
    CHECK(rows[19] == 255);
    // In two colours a pixel is an entry of a palette: blue, white in the middle, orange.
    const std::string colours = two_coloured_png(picture.grey, 4, 4);
    const std::string palette = colours.substr(colours.find("PLTE") + 4, 3 * 256);
    CHECK(palette.substr(0, 3) == "\x1b\x5e\x93");
    CHECK(palette.substr(3 * 127, 3) == "\xfe\xfe\xff");
    CHECK(palette.substr(3 * 255) == "\xc4\x54\x1d");
    picture.two_colours = true;
    CHECK(to_svg(picture).find(data_address(colours, "image/png")) != std::string::npos);
    CHECK(data_address("foobar", "a/b") == "data:a/b;base64,Zm9vYmFy");
    CHECK(data_address("foob", "a/b") == "data:a/b;base64,Zm9vYg==");
    CHECK(data_address("fo", "a/b") == "data:a/b;base64,Zm8=");
}

TEST_CASE("figures: a screen reader hears a name and the numbers", "[lesson]") {
    CHECK(described(to_svg(alignment())).find("I: 나는 0.9, 학생 0.1. am: 나는 0.02,") !=
          std::string::npos);
    HeatMap large{.title = "Large", .rows = 10, .columns = 10};
    large.values.assign(100, 0.1);
    large.values[12] = 0.7;
    CHECK(described(to_svg(large)).find(" 2: largest at 3 0.7.") != std::string::npos);
    LinePlot lines{.title = "Loss", .x_label = "step", .y_label = "loss"};
    lines.series = {{"one", {0, 1}, {3, 2}}, {"many", {}, {}}};
    for (int i = 0; i < 20; ++i) {
        lines.series[1].x.push_back(i);
        lines.series[1].y.push_back(i == 7 ? 9 : i == 9 ? -1 : 2);
    }
    CHECK(described(to_svg(lines)) ==
          "Lines. Across: step. Up: loss. one: 3 at 0, 2 at 1. many: from 2 at 0 to 2 at 19, "
          "lowest -1 at 9, highest 9 at 7.");
    BarChart bars{.title = "Bars", .value_label = "ms", .labels = {"a", "b"}};
    bars.sets = {{"x", {1, 2}}, {"y", {3, 4}}};
    CHECK(described(to_svg(bars)) == "Bars of ms. a: x 1, y 3. b: x 2, y 4.");
    Diagram diagram{.title = "Sum"};
    diagram.boxes = {{.name = "x"}, {.name = "y", .row = 1}, {.name = "+", .column = 1}};
    diagram.arrows = {{0, 2}, {1, 2}};
    CHECK(described(to_svg(diagram)) == "Boxes and arrows. x. y. +, from x, y.");
    ScatterPlot points{.title = "Words"};
    points.groups = {{"animals", {0, 1}, {0, 1}, {"cat", "dog"}}, {"dots", {0}, {1}, {}}};
    CHECK(described(to_svg(points)) == "Points in a plane. animals: cat, dog. dots: 1 points.");
    Picture picture{.title = "P", .height = 2, .width = 2, .grey = {0, 1, 0, 1}};
    picture.patch_rows = picture.patch_columns = 2;
    picture.weights = {0.1, 0.2, 0.3, 0.4};
    CHECK(described(to_svg(picture)).find("row 2 column 2 0.4, row 2 column 1 0.3,") !=
          std::string::npos);
    Svg own(10, 10, "Own");
    own.text(1, 1, "two <words>");
    CHECK(described(own.finish()) == "two &lt;words&gt;");
    CHECK(own.finish().find("role=\"img\"") != std::string::npos);
    own.add(R"(<circle tabindex="0" r="1"/>)");
    CHECK(own.finish().find("role=\"group\"") != std::string::npos);
}

TEST_CASE("figures: no line is wider than the window", "[lesson]") {
    const std::string words = "words and words that a narrow window has to break";
    HeatMap map = alignment(), dense{.title = words, .rows = 3, .columns = 100};
    map.title = words;
    map.row_labels[0] = map.column_labels[0] = words;
    dense.values.assign(300, 0.5);
    LinePlot line = plot();
    line.title = line.x_label = line.y_label = line.series[0].name = words;
    BarChart bars{.title = words, .value_label = words, .labels = {words, "b"}};
    bars.sets = {{words, {1234.5, -2}, {0.01, 3}}, {"second", {1, 2}, {}}};
    BarChart one = bars;
    one.sets.pop_back();
    const Picture picture{.title = words, .height = 2, .width = 90, .grey = std::vector(180, 0.5)};
    Diagram diagram{.title = words, .boxes = {{.name = words, .lines = {words, "x"}}, {"b"}}};
    diagram.arrows = {{0, 1}};
    const ScatterPlot points{.title = words,
                             .groups = {{words, {0, 1, 0.5}, {0, 2, 1}, {words, "한국어", ""}},
                                        {"b", {0.5}, {NAN}, {}}}};
    Arrows plane{.title = words, .x_label = words, .y_label = words};
    plane.lines = {arrow("이다 has a long name", 0, 2), arrow(words.substr(0, 20), -1, -1, 1)};
    const ShadedText shaded{.title = words,
                            .rows = {{words, {"a", words.substr(0, 30), "b"}, {1, 0.5, 0}}}};
    for (const int width : {40, 60, 80, 100}) {
        for (const Screen& screen : {plain(width), coloured(width)}) {
            for (const std::string& text :
                 {to_text(map, screen), to_text(dense, screen), to_text(line, screen),
                  to_text(bars, screen), to_text(one, screen), to_text(picture, screen),
                  to_text(diagram, screen), to_text(points, screen), to_text(plane, screen),
                  to_text(shaded, screen)}) {
                INFO(width << "\n" << text);
                for (const int found : line_widths(text)) CHECK(found <= width);
                CHECK(text.find("words") != std::string::npos);
            }
        }
    }
}

namespace {

Diagram block() {
    Diagram diagram{.title = "A <block>", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "x", .row = 0, .kind = Diagram::Kind::input},
        {.name = "attention", .lines = {"4 heads"}, .row = 1, .kind = Diagram::Kind::learned},
        {.name = "+", .row = 2, .round = true},
        {.name = "y", .row = 3, .kind = Diagram::Kind::output}};
    diagram.arrows = {{0, 1}, {1, 2, "a & b"}, {0, 2, "", Diagram::Side::left}, {2, 3}};
    diagram.frames = {{"2 x", {1, 2}}};
    return diagram;
}

}  // namespace

TEST_CASE("diagram: a block from the bottom to the top, with a residual connection", "[lesson]") {
    CHECK(to_text(block(), plain()) ==
          "  A <block>\n"
          "          ┌───┐\n"
          "          │ y │\n"
          "          └───┘\n"
          "            ▲\n"
          "            │\n"
          "  ┌ 2 x ┄┄┄┄│┄┄┄┄┄┄┄┐\n"
          "  ┊       ╭───╮     ┊\n"
          "  ┊ ┌────▶│ + │     ┊\n"
          "  ┊ │     ╰───╯     ┊\n"
          "  ┊ │       ▲       ┊\n"
          "  ┊ │       │a & b  ┊\n"
          "  ┊ │ ╔═══════════╗ ┊\n"
          "  ┊ │ ║ attention ║ ┊\n"
          "  ┊ │ ║  4 heads  ║ ┊\n"
          "  ┊ │ ╚═══════════╝ ┊\n"
          "  └┄│┄┄┄┄┄┄┄▲┄┄┄┄┄┄┄┘\n"
          "    │       │\n"
          "    └───────┤\n"
          "          ┌───┐\n"
          "          │ x │\n"
          "          └───┘\n"
          "  (double lines: what is learned)\n");
    const std::string svg = to_svg(block());
    CHECK(fault(svg) == "");
    CHECK(fault(standalone_svg(svg)) == "");
    CHECK(occurrences(svg, "class=\"frame\"") == 1);
    CHECK(occurrences(svg, ">learned</text>") == 1);
    CHECK(occurrences(svg, "a &amp; b") == 1);
}

namespace {

// The characters of the lines, each with its column.
std::vector<std::map<int, std::string>> cells_of(const std::string& text) {
    std::vector<std::map<int, std::string>> rows(1);
    int column = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
        const std::string letter = text.substr(at, end - at);
        at = end;
        if (letter == "\n") {
            rows.emplace_back(), column = 0;
        } else {
            rows.back()[column] = letter;
            column += display_width(letter);
        }
    }
    return rows;
}

// The arrows that a reader finds who follows the lines of a column of boxes called A, B, C, ... with a finger.
std::set<std::string> traced(const std::string& text) {
    const auto rows = cells_of(text);
    const int last = static_cast<int>(rows.size()) - 1;
    const auto cell = [&](int row, int column) {
        const auto& line = rows[static_cast<std::size_t>(row)];
        return row < 0 || row > last || !line.count(column) ? std::string() : line.at(column);
    };
    const auto name_above = [&](int row) {
        while (cell(row, 2) != "□" && cell(row, 2) != "■") --row;
        return cell(row, 4);
    };
    const auto is = [](const std::string& letter, const char* those) {
        return !letter.empty() && std::string(those).find(letter) != std::string::npos;
    };
    std::set<std::string> arrows;
    for (int row = 0; row < last; ++row) {
        if (cell(row, 2) == "▼") arrows.insert(name_above(row) + name_above(row + 1));
        int column = 0;
        while (column < 100 && cell(row, column) != "◀") ++column;
        // To the right, over lines that are not joined, and at each joint up and down to where an arrow begins.
        for (++column; is(cell(row, column), "─│┼┤┴┘┬┐"); ++column) {
            if (is(cell(row, column), "─│")) continue;
            for (const int step : {-1, 1}) {
                if (is(cell(row, column), step < 0 ? "┬┐" : "┴┘")) continue;
                for (int at = row + step; is(cell(at, column), "│┼┤┴┘┬┐"); at += step) {
                    if (cell(at, column) == "│") continue;
                    bool begins =
                        true;  // the line to the left ends at a name and not in an arrowhead
                    for (int left = column - 1; left > 2; --left)
                        begins = begins && cell(at, left) != "◀";
                    if (begins) arrows.insert(name_above(at) + name_above(row));
                    if (is(cell(at, column), step < 0 ? "┬┐" : "┴┘")) break;
                }
            }
        }
    }
    return arrows;
}

}  // namespace

TEST_CASE("diagram: without room for a drawing, a column whose lines can be followed", "[lesson]") {
    heed::Rng rng(3);
    int columns = 0, drawings = 0;
    for (int graph = 0; graph < 300; ++graph) {
        Diagram diagram;
        std::set<std::string> arrows;
        const int boxes = 3 + static_cast<int>(rng.below(7));
        for (int i = 0; i < boxes; ++i) {
            Diagram::Box box{.name = std::string(1, static_cast<char>('A' + i))};
            box.column = i / 2, box.row = i % 2;
            if (rng.below(3) == 0) box.lines = {"what stands in it", "and more"};
            if (rng.below(3) == 0) box.kind = Diagram::Kind::learned;
            for (int from = 0; from < i; ++from) {
                if (rng.below(3) > 0) continue;
                diagram.arrows.push_back({from, i});
                arrows.insert(diagram.boxes[static_cast<std::size_t>(from)].name + box.name);
            }
            diagram.boxes.push_back(box);
        }
        for (const int width : {100, 60, 40}) {
            const std::string text = to_text(diagram, plain(width));
            CAPTURE(text);
            CHECK(on_screen::fault(text, width) == "");
            if (text.find("□") == std::string::npos && text.find("■") == std::string::npos) {
                ++drawings;
                continue;
            }
            CHECK(traced(text) == arrows);
            ++columns;
        }
    }
    CHECK(columns > 300);
    CHECK(drawings > 50);
}

TEST_CASE("diagram: from the left to the right, with narrower boxes, or from the top down",
          "[lesson]") {
    Diagram diagram;
    diagram.boxes = {{.name = "one box", .column = 0},
                     {.name = "another long box", .lines = {"(1, 2)"}, .column = 1}};
    diagram.arrows = {{0, 1}};
    CHECK(to_text(diagram, plain(40)) ==
          "  ┌─────────┐   ┌──────────────────┐\n"
          "  │ one box │──▶│ another long box │\n"
          "  └─────────┘   │      (1, 2)      │\n"
          "                └──────────────────┘\n");
    CHECK(to_text(diagram, plain(34)).find("│ another long │") != std::string::npos);
    CHECK(to_text(diagram, plain(22)).find("▼") != std::string::npos);
}

TEST_CASE("diagram: in a window with no room for lanes, it is a list with the same names",
          "[lesson]") {
    const std::string text = to_text(block(), plain(18));
    CHECK(text.find("+ ←") != std::string::npos);
    CHECK(text.find("attention:") != std::string::npos);
    CHECK(text.find("2 x:") != std::string::npos);
}

TEST_CASE("diagram: boxes never touch, and arrows go round the boxes between", "[lesson]") {
    DiagramSizes sizes;
    sizes.box = [](const Diagram::Box& box) {
        return std::pair(20.0 + 9.0 * static_cast<double>(box.name.size()),
                         box.round ? 29.0 : 41.0);
    };
    sizes.label = [](const std::string& label) {
        return std::pair(7.0 * static_cast<double>(label.size()), 11.0);
    };
    sizes.ahead_x = sizes.ahead_y = 30, sizes.beside_x = sizes.beside_y = 20;
    sizes.pad_x = sizes.pad_y = sizes.title = 12, sizes.lane_x = sizes.lane_y = 18;
    for (const Diagram::Flow flow : {Diagram::Flow::up, Diagram::Flow::right}) {
        Diagram diagram = block();
        diagram.flow = flow;
        for (Diagram::Box& box : diagram.boxes)
            if (flow == Diagram::Flow::right) std::swap(box.row, box.column);
        diagram.boxes.push_back({.name = "a neighbour", .column = 1, .row = 1});
        diagram.boxes.push_back({.name = "between", .column = 0.5, .row = 4});
        const DiagramLayout layout = lay_out(diagram, sizes);
        for (std::size_t i = 0; i < layout.boxes.size(); ++i) {
            const DiagramRect& a = layout.boxes[i];
            CHECK(a.left >= 0);
            CHECK(a.bottom <= layout.height);
            for (std::size_t j = 0; j < i; ++j) {
                const DiagramRect& b = layout.boxes[j];
                const bool apart = a.right + 10 < b.left || b.right + 10 < a.left ||
                                   a.bottom + 10 < b.top || b.bottom + 10 < a.top;
                INFO(diagram.boxes[i].name << ", " << diagram.boxes[j].name);
                CHECK(apart);
            }
        }
        const DiagramRect& middle = layout.boxes[1];
        for (const DiagramPoint& p : layout.routes[2].points) {
            const bool inside = p.x >= middle.left && p.x <= middle.right && p.y >= middle.top &&
                                p.y <= middle.bottom;
            CHECK_FALSE(inside);
        }
        const DiagramRect& frame = layout.frames[0];
        for (const std::size_t i : {0, 3}) {
            const DiagramRect& b = layout.boxes[i];
            const bool outside = b.right < frame.left || b.left > frame.right ||
                                 b.bottom < frame.top || b.top > frame.bottom;
            CHECK(outside);
        }
    }
}

TEST_CASE("diagram: errors name the box, the arrow or the frame", "[lesson][errors]") {
    Diagram diagram = block();
    diagram.arrows.push_back({0, 4});
    CHECK(error_of([&] { to_svg(diagram); }) ==
          "diagram 'A <block>': an arrow from box 0 to box 4 of 4");
    diagram = block();
    diagram.frames.push_back({"f", {-1}});
    CHECK(error_of([&] { to_svg(diagram); }) == "diagram 'A <block>': frame 'f' has box -1 of 4");
    diagram.frames.back().boxes.clear();
    CHECK(error_of([&] { to_svg(diagram); }) == "diagram 'A <block>': frame 'f' has no boxes");
    diagram = block();
    diagram.boxes[2].lines = {"more"};
    CHECK(error_of([&] { to_text(diagram, plain()); }) ==
          "diagram 'A <block>': the circle '+' has no room for 'more'");
}

TEST_CASE("scatter plot: every point is drawn, and names only where they have room", "[lesson]") {
    ScatterPlot plot{.title = "a < b", .x_label = "x", .y_label = "y"};
    plot.groups = {{"first", {0, 10, 10.001}, {0, 5, 5}, {"low", "high", "hidden"}},
                   {"second", {5, NAN}, {2.5, 1}, {"<mid>", "gap"}}};
    const std::string svg = to_svg(plot);
    CHECK(fault(svg) == "");
    CHECK(occurrences(svg, "r=\"3\"") == 4);
    CHECK(occurrences(svg, "<title>&lt;mid&gt;</title>") == 1);
    CHECK(occurrences(svg, ">&lt;mid&gt;</text>") == 1);
    CHECK(occurrences(svg, ">low</text>") == 1);
    CHECK(occurrences(svg, "gap") == 0);

    const std::string text = to_text(plot, plain());
    CHECK(text.find("a:low") != std::string::npos);
    CHECK(text.find("b:<mid>") != std::string::npos);
    CHECK(text.find("a:hidden") == std::string::npos);
    CHECK(text.find("a:high") < text.find("b:<mid>"));
    CHECK(text.find("b:<mid>") < text.find("a:low"));
    CHECK(to_text(plot, coloured()).find("a:low") == std::string::npos);

    // Names that overlap nothing: twenty points at one pixel have at most four names.
    ScatterPlot crowd;
    crowd.groups = {{"g", std::vector<double>(20, 1), std::vector<double>(20, 1),
                     std::vector<std::string>(20, "same")}};
    const std::string drawn = to_svg(crowd);
    CHECK(occurrences(drawn, "r=\"3\"") == 20);
    CHECK(occurrences(drawn, ">same</text>") >= 1);
    CHECK(occurrences(drawn, ">same</text>") <= 4);

    // Only some names; all others are seen by pointing.
    ScatterPlot few = plot;
    few.shown = {"low", "<mid>"};
    few.ringed = {"low"};
    const std::string some = to_svg(few);
    CHECK(occurrences(some, ">low</text>") == 1);
    CHECK(occurrences(some, ">high</text>") == 0);
    CHECK(occurrences(some, "<title>high</title>") == 1);
    CHECK(occurrences(some, "r=\"7\"") == 1);
    CHECK(to_text(few, plain()).find("(a:low)") != std::string::npos);
    CHECK(to_text(few, plain()).find("a:high") == std::string::npos);

    plot.groups[1].y.pop_back();
    CHECK(error_of([&] { to_svg(plot); }) ==
          "scatter plot 'a < b': group 'second' has 2 x and 1 y");
    plot.groups[1].x.pop_back();
    CHECK(error_of([&] { to_text(plot, plain()); }) ==
          "scatter plot 'a < b': group 'second' has 2 names for 1 points");
    CHECK_THROWS(to_svg(ScatterPlot{}));
}

TEST_CASE("arrows: every line is drawn to its end, and its name beside it", "[lesson][figures]") {
    Arrows plane{.title = "a < b", .x_label = "person", .y_label = "verb"};
    plane.lines = {arrow("<나는>", 3, 0), arrow("up", 0, 2, 1)};
    plane.lines.push_back({.name = "ball",
                           .x = {2, 1},
                           .y = {1, 1},
                           .colour = 2,
                           .end = Arrows::End::ball,
                           .dashed = true});
    const std::string svg = to_svg(plane);
    CHECK(fault(svg) == "");
    CHECK(occurrences(svg, "class=\"dot\"") == 3);  // two heads and a ball
    CHECK(occurrences(svg, "stroke-dasharray") == 1);
    CHECK(occurrences(svg, ">&lt;나는&gt;</text>") == 1);
    CHECK(
        described(svg) ==
        "Lines in a plane. Across: person. Up: verb. &lt;나는&gt;, an arrow from (0, 0) to (3, 0). up, "
        "an arrow from (0, 0) to (0, 2). ball, from (2, 1) to (1, 1).");
    // With one scale the arrow of length 3 is half as long again as that of length 2.
    const std::string text = to_text(plane, plain());
    const auto lines = [&] {
        std::vector<std::string> all;
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
            all.push_back(text.substr(at, text.find('\n', at) - at));
        return all;
    }();
    const auto row_of = [&](const std::string& sign) {
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (lines[i].find(sign) != std::string::npos &&
                lines[i].find("verb") == std::string::npos)
                return static_cast<int>(i);
        return -1;
    };
    const std::string last = lines[static_cast<std::size_t>(row_of("→ <나는>"))];
    const int long_one = display_width(last.substr(0, last.find("→"))) - 2,
              high_one = row_of("→ <나는>") - row_of("↑");
    INFO(text);
    CHECK(high_one >= 4);
    CHECK(std::abs(long_one - 3 * high_one) <= 3);  // a character is twice as high as wide
    CHECK(row_of("●") > row_of("↑"));
    CHECK(row_of("●") < row_of("→ <나는>"));

    // Names keep out of each other's way.
    Arrows crowd{.title = "crowd"};
    for (int i = 0; i < 4; ++i) crowd.lines.push_back(arrow("same", 1, 1));
    CHECK(occurrences(to_text(crowd, plain()), "same") == 4);

    plane.lines[1].y.pop_back();
    CHECK(error_of([&] { to_svg(plane); }) == "arrows 'a < b': line 'up' has 2 x and 1 y");
    plane.lines[1] = arrow("up", NAN, 1);
    CHECK(error_of([&] { to_text(plane, plain()); }) ==
          "arrows 'a < b': line 'up' has a point that is not finite");
    CHECK_THROWS(to_svg(Arrows{}));
}

TEST_CASE("shaded text: words are as dark as their weights", "[lesson][figures]") {
    ShadedText text{.title = "two <heads>"};
    text.rows = {{"head 1", {"helped", "Ada"}, {0, 0.8}}, {"head 2", {"<b>", "Ben"}, {0.4, 0.02}}};
    const std::string svg = to_svg(text);
    CHECK(fault(svg) == "");
    CHECK(occurrences(svg, "class=\"hot\"") == 2);  // 0 and 0.02 are too weak to be drawn
    CHECK(occurrences(svg, "fill-opacity=\"1.00\"") == 1);
    CHECK(occurrences(svg, "fill-opacity=\"0.50\"") == 1);
    CHECK(occurrences(svg, ">&lt;b&gt;</text>") == 1);
    CHECK(
        described(svg) ==
        "Words shaded by their weights. head 1: helped Ada; Ada 0.8, helped 0. head 2: &lt;b&gt; Ben; "
        "&lt;b&gt; 0.4, Ben 0.02.");
    CHECK(to_text(text, plain()).find("head 1  helped Ada [0.8]\n") != std::string::npos);
    CHECK(to_text(text, plain()).find("head 2  <b> [0.4] Ben\n") != std::string::npos);
    CHECK(to_text(text, coloured()).find("[0.8]") == std::string::npos);
    CHECK(to_text(text, coloured()).find(coloured().paint_level(" Ada ", 1)) != std::string::npos);
    text.high = 1;
    CHECK(occurrences(to_svg(text), "fill-opacity=\"0.80\"") == 1);
    text.rows[1].weights.pop_back();
    CHECK(error_of([&] { to_svg(text); }) ==
          "shaded text 'two <heads>': row 'head 2' has 2 words and 1 weights");
    CHECK_THROWS(to_text(ShadedText{}, plain()));
}

TEST_CASE("figures: errors name the sizes that do not fit", "[lesson][errors]") {
    HeatMap map = alignment();
    map.title = "t";
    map.values.pop_back();
    CHECK(error_of([&] { to_svg(map); }) == "heat map 't': 5 values for 3 rows of 2 columns");
    CHECK(error_of([&] { to_text(map, plain()); }) ==
          "heat map 't': 5 values for 3 rows of 2 columns");
    map = alignment();
    map.gold = {{3, 0}};
    CHECK(error_of([&] { to_svg(map); }) == "heat map '': outlined cell (3, 0) lies outside 3 x 2");
    LinePlot bad = plot();
    bad.series[1].y.pop_back();
    CHECK(error_of([&] { to_svg(bad); }) ==
          "line plot 'loss <1>': series '한국어' has 4 x and 3 y");
    CHECK(error_of([&] {
              over_seeds("a", {1, 2}, {{1, 2, 3}});
          }) == "series 'a': a run of 3 values for 2 points");
    CHECK_THROWS(to_svg(LinePlot{}));
    CHECK_THROWS(to_svg(BarChart{}));
    CHECK_THROWS(to_svg(Picture{}));
    CHECK_THROWS(to_svg(HeatMap{}));
}
