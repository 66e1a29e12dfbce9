// The figures that the reader can change: every control of every figure, the questions of a page, and
// the parts of the page. tests/browser/live drives the same in a browser.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "autograd/autograd.h"
#include "lessons/course/contents/course_list.h"
#include "lessons/course/course.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/live/answer.h"
#include "lessons/course/live/figure_html.h"
#include "lessons/course/live/grid.h"
#include "lessons/course/live/live.h"
#include "lessons/course/live/plane.h"
#include "lessons/course/live/web_module.h"
#include "lessons/course/story/prose.h"
#include "tests/catch.h"
#include "tests/course/scratch.h"
#include "tests/course/well_formed.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

Json ask(Answers& answers, const Json& request) { return Json::parse(answers.to(request.dump())); }

// The settings of one control that are tried: the ends of a slider, every choice, and so on.
std::vector<Json> settings_of(const Control& control) {
    switch (control.kind) {
        case Control::Kind::slider:
            return {control.range.low, control.range.high};
        case Control::Kind::choice: {
            std::vector<Json> all;
            for (std::size_t i = 0; i < control.choices.size(); ++i) all.push_back(i);
            return all;
        }
        case Control::Kind::text:
            return {""};
        case Control::Kind::switches: {
            const std::size_t count = control.on.size();
            std::vector<bool> turned = control.on;
            turned[0] = !turned[0];
            return {std::vector<bool>(count, false), std::vector<bool>(count, true), turned};
        }
        case Control::Kind::place:
            return {Json{0, 0}, Json{0.5, -0.5}};
    }
    return {};
}

// What is wrong with an answer; empty if nothing. A text box may be refused, in plain words.
std::string fault_of(const Json& answer, bool may_refuse) {
    if (answer.contains("error")) return may_refuse ? "" : answer["error"].get<std::string>();
    if (answer["svgs"].empty()) return "nothing is drawn";
    for (const Json& svg : answer["svgs"])
        if (const std::string fault = well_formed::fault(svg.get<std::string>()); !fault.empty())
            return fault;
    return "";
}

// How high the drawings stand in a column of that width: side by side while there is room, shrunk to the column, but
// not so far that nobody can read their letters (svg.cpp, .panels in page.css).
double height_on_page(const Json& answer, double column) {
    const auto size = [](const std::string& svg, const std::string& name) {
        return std::stod(svg.substr(svg.find(" " + name + "=\"") + name.size() + 3));
    };
    double total = 0, row = 0, used = column + 1;
    for (const Json& each : answer["svgs"]) {
        const auto svg = each.get<std::string>();
        const double width = size(svg, "width"), scale = std::clamp(column / width, 0.79, 1.0);
        if (used + 28.8 + width > column) total += row, row = 0, used = -28.8;
        used += 28.8 + width * scale;
        row = std::max(row, size(svg, "height") * scale);
    }
    return total + row;
}

}  // namespace

TEST_CASE("live figures: each draws with every setting of every control", "[lesson][live]") {
    Answers answers;
    int tried = 0, settings = 0;
    for (const LiveFigure& figure : live_figures()) {
        for (const Control& control : figure.controls)
            settings += static_cast<int>(settings_of(control).size());
        INFO(figure.name);
        CHECK(bool(figure.draw) != bool(figure.model));
        const Json first = ask(answers, {{"do", "draw"}, {"figure", figure.name}});
        CHECK(fault_of(first, false) == "");
        for (const Control& control : figure.controls) {
            INFO(control.name);
            for (const Json& value : settings_of(control)) {
                INFO(value);
                const Json answer = ask(answers, {{"do", figure.learns ? "start" : "draw"},
                                                  {"figure", figure.name},
                                                  {"inputs", {{control.name, value}}}});
                CHECK(fault_of(answer, control.kind == Control::Kind::text) == "");
                // A page that grew under the reader's hand would carry the control away. Becoming lower is no
                // harm: the page keeps the height it had first (live.js).
                if (control.kind != Control::Kind::text && first.contains("svgs"))
                    for (const double column : {700.0, 560.0, 340.0})
                        CHECK(height_on_page(answer, column) <= height_on_page(first, column) + 1);
                ++tried;
            }
        }
    }
    CHECK(tried == settings);
    CHECK(live_figures().size() >= course_lessons(HEED_SOURCE_DIR).size());
}

TEST_CASE("live figures: every lesson has one, in its text or from its run", "[lesson][live]") {
    std::set<std::string> named;
    for (const ListedLesson& lesson : course_lessons(HEED_SOURCE_DIR)) {
        const std::string source = source_of_lesson(lesson.number());
        INFO(lesson.folder);
        int here = 0;
        for (const LiveFigure& figure : live_figures())
            if (source.find("(live:" + figure.name + ")") != std::string::npos ||
                source.find("lesson.live(\"" + figure.name + "\"") != std::string::npos) {
                ++here;
                named.insert(figure.name);
            }
        CHECK(here >= 1);
    }
    CHECK(named.size() == live_figures().size());
}

TEST_CASE("live figures: softmax answers with the numbers of lesson 05", "[live]") {
    Answers answers;
    const Json cold = ask(
        answers,
        {{"do", "draw"}, {"figure", "surprise"}, {"inputs", {{"temperature", 2}, {"came", 1}}}});
    REQUIRE(cold["numbers"].size() == 4);  // of 0.506, 0.307, 0.186
    CHECK(cold["numbers"][0]["value"].get<double>() == Approx(-std::log(0.307)).epsilon(2e-3));
    CHECK(cold["numbers"][2]["value"].get<double>() == Approx((0.307 - 1) / 2).epsilon(2e-3));
}

TEST_CASE("live figures: a model learns in steps, starts again, and says when it has finished",
          "[lesson][live]") {
    Answers answers;
    const auto steps = [](const Json& answer) {
        return answer["numbers"][0]["value"].get<double>();
    };
    Json request{{"do", "learn"}, {"figure", "spirals"}, {"steps", 30}};
    CHECK(steps(ask(answers, {{"do", "draw"}, {"figure", "spirals"}})) == 0);
    CHECK(steps(ask(answers, request)) == 30);
    const Json more = ask(answers, request);
    CHECK(steps(more) == 60);
    CHECK(more["more"] == true);
    CHECK(steps(ask(answers, {{"do", "draw"}, {"figure", "spirals"}})) == 60);
    CHECK(steps(ask(answers, {{"do", "start"}, {"figure", "spirals"}})) == 0);
    request["steps"] = 1'000'000;
    CHECK(ask(answers, request)["more"] == false);
}

TEST_CASE("live figures: what cannot be answered is answered by an error", "[errors][live]") {
    Answers answers;
    const auto error = [&](const Json& request) {
        return ask(answers, request).value("error", std::string("none"));
    };
    const Json inputs{{"temperature", 2}};
    CHECK_THAT(Json::parse(answers.to("{"))["error"].get<std::string>(),
               ContainsSubstring("parse"));
    CHECK_THAT(error({{"figure", "softmax"}}), ContainsSubstring("do"));
    CHECK(error({{"do", "draw"}, {"figure", "nothing"}}) == "there is no live figure 'nothing'");
    CHECK(error({{"do", "draw"}, {"figure", "softmax"}, {"inputs", {{"x", 1}}}}) ==
          "a live figure has no control 'x'");
    CHECK(error({{"do", "draw"}, {"figure", "softmax"}, {"inputs", {{"temperature", 90}}}}) ==
          "temperature: expected a number from 0.1 to 5, found 90");
    CHECK(error({{"do", "draw"}, {"figure", "surprise"}, {"inputs", {{"came", 7}}}}) ==
          "came: there is no choice 7");
    CHECK_THAT(error({{"do", "draw"}, {"figure", "surprise"}, {"inputs", {{"came", "x"}}}}),
               ContainsSubstring("number"));
    CHECK_THAT(error({{"do", "start"}, {"figure", "spirals"}, {"model", "none"}}),
               ContainsSubstring("has no parameters"));
    CHECK_THAT(error({{"do", "start"}, {"figure", "gpt"}, {"inputs", {{"text", "too short"}}}}),
               ContainsSubstring("at least 1280 characters, found 9"));
    CHECK_THAT(error({{"do", "start"}, {"figure", "translator"}, {"model", "none"}}),
               ContainsSubstring("none"));
}

TEST_CASE("controls: what they hold, and what they refuse", "[errors][live]") {
    Inputs inputs({slider("a", "A", {0, 10, 1, 3}), choice("b", "B", {"x", "y"}, 1),
                   text_box("c", "C", "words"), switches("d", "D", {true, false}),
                   place("e", "E", 1, 2)});
    CHECK(inputs.number("a") == 3);
    CHECK(inputs.chosen("b") == 1);
    CHECK(inputs.text("c") == "words");
    CHECK(inputs.on("d") == std::vector<bool>{true, false});
    CHECK(inputs.place("e") == std::pair(1.0, 2.0));
    inputs.set_number("a", 6.6);
    CHECK(inputs.whole("a") == 7);
    inputs.set_place("e", -1, 0);
    CHECK(inputs.place("e") == std::pair(-1.0, 0.0));
    CHECK_THROWS_WITH(inputs.number("b"), "the control 'b' is of another kind");
    CHECK_THROWS_WITH(inputs.number("z"), "a live figure has no control 'z'");
    CHECK_THROWS_WITH(inputs.set_number("a", NAN), "a: expected a number from 0 to 10, found nan");
    CHECK_THROWS_WITH(inputs.set_on("d", {true}), "d: expected 2 switches, found 1");
    CHECK_THROWS_WITH(inputs.set_place("e", INFINITY, 0), "e: a place needs two finite numbers");
    CHECK_THROWS_WITH(slider("s", "S", {0, 1, 0.1, 2}), "slider 's': 2 is not between 0 and 1");
    CHECK_THROWS_WITH(choice("s", "S", {}), "choice 's': there is no choice 0");
}

TEST_CASE("live figures in a page: complete without a script", "[live]") {
    const LiveFigure figure{
        .name = "trial",
        .controls = {slider("a", "A <b>", {0, 1, 0.25, 0.5}), choice("b", "B", {"x & y", "z"}, 1),
                     text_box("c", "C", "\"quoted\""), text_box("l", "L", "long", true),
                     switches("d", "D", {true, false}), place("e", "E", 1, -2)},
        .draw = [](const Inputs& inputs) {
            return Drawn{
                .svgs = {to_svg(Grid{.title = "G",
                                     .control = "d",
                                     .rows = 1,
                                     .columns = 2,
                                     .on = inputs.on("d")}),
                         to_svg(
                             Plane{.title = "P",
                                   .low = -3,
                                   .high = 3,
                                   .handles = {{.control = "e", .x = 1, .y = -2, .name = "E"}}})},
                .numbers = {{"half", 0.5}},
                .text = "said <b>"};
        }};
    const std::string html = figure_html(figure, "Try <em>this</em>.");
    CHECK(well_formed::fault("<div>" + html + "</div>") == "");
    for (const char* part :
         {"data-figure=\"trial\"", "min=\"0\" max=\"1\" step=\"0.25\" value=\"0.5\" disabled",
          "<option value=\"0\">x &amp; y</option>", "<option value=\"1\" selected=\"\">z</option>",
          "value=\"&quot;quoted&quot;\"", ">long</textarea>", "data-switches=\"10\"",
          "data-x=\"1\" data-y=\"-2\"", "<dt>half</dt> <dd data-value=\"0.5\">0.5</dd>",
          "said &lt;b&gt;</pre>", "Try <em>this</em>.", "data-switch=\"d\" data-index=\"1\"",
          "data-place=\"e\"", "A &lt;b&gt;"})
        CHECK_THAT(html, ContainsSubstring(part));
    CHECK(html.find("button") == std::string::npos);  // it does not learn
    // Without heed in the browser nothing takes the keys: the drawings are pictures, the controls turned off.
    for (const char* part : {"tabindex", "role=\"slider\"", "role=\"switch\"", "aria-checked",
                             "aria-value", "role=\"group\""})
        CHECK(html.find(part) == std::string::npos);
    CHECK(well_formed::occurrences(html, "role=\"img\"") == 2);
    CHECK(well_formed::occurrences(html, "<label>") +
              well_formed::occurrences(html, "<label class") ==
          well_formed::occurrences(html, "disabled=\"\""));
    CHECK(has_live_figure(html));
    CHECK_FALSE(has_live_figure("<figure>"));
}

TEST_CASE("live figures in a page: the parameters of the lesson's run", "[live]") {
    const Scratch scratch;
    const std::string path = scratch.path + "/bytes";
    std::ofstream(path, std::ios::binary) << "Ma\xFF";
    struct Fake : LiveModel {
        std::string loaded = "nothing";
        Drawn draw(const Inputs&) override { return {.svgs = {}, .text = loaded}; }
        void load(const std::string& file) override { loaded = "from " + file; }
    };
    const LiveFigure figure{.name = "loads",
                            .model = [](const Inputs&) { return std::make_unique<Fake>(); },
                            .learns = true,
                            .loads = true};
    const std::string html = figure_html(figure, "about", path);
    CHECK_THAT(html, ContainsSubstring("octet-stream\">TWH/</script>"));
    CHECK_THAT(html, ContainsSubstring("from " + path));
    CHECK_THAT(html, ContainsSubstring("name=\"train\""));
    const std::string without = figure_html(figure, "about");
    CHECK(without.find("from ") == std::string::npos);
    CHECK(without.find("octet-stream") == std::string::npos);
}

TEST_CASE("live figures in the text of a lesson", "[live]") {
    const std::string text = "Before.\n\n![Raise `one` logit.](live:softmax)\n\nAfter.\n";
    const std::string html = prose_html(text);
    CHECK_THAT(html, ContainsSubstring("<p>Before.</p>\n<figure class=\"live\""));
    CHECK_THAT(html, ContainsSubstring("Raise <code>one</code> logit.</figcaption>"));
    const Screen screen{.width = 60};
    const std::vector<std::string> blocks = prose_blocks(text, screen);
    REQUIRE(blocks.size() == 3);
    CHECK_THAT(blocks[1], ContainsSubstring("figure to change"));
    CHECK_THAT(blocks[1], ContainsSubstring("logit."));
    CHECK_THROWS_WITH(prose_html("![x](live:nothing)"), "there is no live figure 'nothing'");
    CHECK_THROWS_WITH(prose_html("![x](cat.png)"), "prose: there is no picture cat.png");
}

TEST_CASE("planes: a name lies neither on an arrow nor on another name", "[live]") {
    Plane plane{.title = "P", .low = -4, .high = 4, .size = 360};
    plane.arrows = {{.x = -0.5, .y = -1.5, .name = "mean"},
                    {.x = -0.4, .y = -1.7, .name = "exact"}};
    const std::string svg = to_svg(plane);
    const auto number = [&](std::size_t at, const char* name) {
        at = svg.find(name, at) + std::string_view(name).size() + 2;
        return std::stod(svg.substr(at));
    };
    std::vector<std::array<double, 4>> boxes;  // left, top, right, bottom
    for (const char* name : {"mean", "exact"}) {
        const std::size_t text = svg.rfind("<text", svg.find(std::string(">") + name + "<"));
        const double x = number(text, " x"), y = number(text, " y"), width = svg_text_width(name);
        const bool end = svg.substr(text, 80).find("\"end\"") != std::string::npos;
        boxes.push_back({end ? x - width : x, y - 9, end ? x : x + width, y});
    }
    CHECK((boxes[0][3] < boxes[1][1] || boxes[1][3] < boxes[0][1] || boxes[0][2] < boxes[1][0] ||
           boxes[1][2] < boxes[0][0]));
    for (const auto& box : boxes)
        for (const Plane::Arrow& arrow : plane.arrows)
            for (double t = 0; t <= 1; t += 0.01) {
                const double x = 10 + 45 * (t * arrow.x + 4), y = 26 + 45 * (4 - t * arrow.y);
                CHECK_FALSE((x > box[0] && x < box[2] && y > box[1] && y < box[3]));
            }
}

TEST_CASE("grids and planes: sizes that do not fit are refused", "[errors][live]") {
    CHECK_THROWS_WITH(
        to_svg(Grid{.title = "G", .control = "d", .rows = 2, .columns = 2, .on = {true}}),
        "grid 'G': 1 switches for 2 x 2 cells");
    CHECK_THROWS_WITH(to_svg(Plane{.title = "P", .low = 1, .high = 1}),
                      "plane 'P': 1 is not below 1");
    Plane plane{.title = "P", .low = -1, .high = 1};
    plane.arrows = {{.x = 0.5, .y = 0.5, .name = "a<b", .strength = 0.5}};
    plane.dots = {{.x = -0.5, .y = 0, .name = "dot"}};
    CHECK(well_formed::fault(to_svg(plane)) == "");
}
