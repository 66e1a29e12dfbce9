// The strings of lesson 31, what is measured inside its models, and its circuit by formula.
#include <cmath>
#include <set>

#include "autograd/autograd.h"
#include "lessons/31_circuits/experiment.h"
#include "lessons/31_circuits/pictures.h"
#include "lessons/course/live/live.h"
#include "tests/catch.h"

namespace heed::lesson31 {
namespace {

TEST_CASE("circuits: a string of different letters, again and again after the start token",
          "[data][lesson]") {
    Rng rng(4);
    const Strings strings = draw_strings(300, rng);
    std::set<int> periods;
    for (int64_t b = 0; b < 300; ++b) {
        const int n = strings.period[static_cast<std::size_t>(b)];
        periods.insert(n);
        CHECK(strings.in.at({b, 0}) == start);
        std::set<int> seen;
        for (int64_t t = 1; t < length; ++t) {
            seen.insert(strings.in.at({b, t}));
            CHECK(strings.in.at({b, t}) < letters);
            if (t > n) CHECK(strings.in.at({b, t}) == strings.in.at({b, t - n}));
            CHECK(strings.next.at({b, t - 1}) == strings.in.at({b, t}));
            CHECK(strings.copied.at({b, t}) == (t > n ? strings.next.at({b, t}) : -1));
        }
        CHECK(static_cast<int>(seen.size()) == n);
    }
    CHECK(periods.size() == longest - shortest + 1);
    CHECK(*periods.begin() == shortest);
    CHECK(*periods.rbegin() == longest);
    CHECK(draw_strings(5, rng, 9).period == std::vector<int>(5, 9));
}

TEST_CASE("circuits: the marked keys are those that a loop over the letters finds", "[lesson]") {
    Rng rng(5);
    const Strings strings = draw_strings(20, rng);
    const Tensor before = letter_before(strings), after = after_earlier(strings);
    for (int64_t b = 0; b < 20; ++b)
        for (int64_t i = 0; i < length; ++i)
            for (int64_t j = 0; j < length; ++j) {
                CHECK(before.at({b, i, j}) == (i >= 2 && i <= longest && j == i - 1));
                const bool followed = j >= 2 && j <= i && j - 1 < i &&
                                      strings.in.at({b, j - 1}) == strings.in.at({b, i});
                CHECK(after.at({b, i, j}) == followed);
            }
}

TEST_CASE("circuits: one letter is replaced by one that the string does not have", "[lesson]") {
    Rng rng(6);
    const Strings strings = draw_strings(50, rng);
    const Indices other = with_other_letter(strings, 5);
    for (int64_t b = 0; b < 50; ++b)
        for (int64_t t = 0; t < length; ++t) {
            if (t != 5) CHECK(other.at({b, t}) == strings.in.at({b, t}));
            CHECK(other.at({b, 5}) != strings.in.at({b, t}));
        }
}

TEST_CASE("circuits: a table of new strings can exclude letters and no more", "[lesson]") {
    Rng rng(7);
    const Strings counted = draw_strings(4000, rng), test = draw_strings(300, rng);
    CHECK(table_loss(0, counted, test) == Approx(std::log(20)).margin(0.01));
    CHECK(table_loss(1, counted, test) == Approx(std::log(19)).margin(0.02));
}

TEST_CASE("circuits: crossings, roles and diagonals", "[lesson]") {
    Curve curve;
    curve.add(0, {.loss = 3});
    curve.add(25, {.loss = 2});
    curve.add(50, {.loss = 0});
    const auto loss = [](const Seen& seen) { return seen.loss; };
    CHECK(curve.crosses(loss, 2.5) == 12.5);
    CHECK(curve.crosses(loss, 0.5) == 43.75);
    CHECK(curve.crosses(loss, 4) == 50);

    const Roles roles = roles_of({.without = {0.1, 4, 0.2, 3}});
    CHECK((roles.note == 1 && roles.other == 0 && roles.induction == 3 && roles.second == 2));
    CHECK_THROWS_AS(roles_of({}), Error);

    CHECK(share_on_diagonal(tensor({2, 1, 0, 3, 1, 0, 0, 1, 4}, {3, 3})) == Approx(2. / 3));
    CHECK(share_on_diagonal(tensor({0, 9, 9, 3, 1, 0, 0, 1, 0}, {3, 3}), 1) == 1);
}

TEST_CASE("circuits: a letter has no influence on logits before it", "[lesson]") {
    Rng rng(8);
    const Reader reader(width, 2, 2, rng);
    const Strings strings = draw_strings(3, rng);
    const Tensor whole = reader(strings.in), changed = reader(with_other_letter(strings, 9));
    CHECK(max(abs(slice(whole - changed, 1, 0, 9))).item() == 0);
    CHECK(max(abs(slice(whole - changed, 1, 9, length))).item() > 1e-3);
}

TEST_CASE("circuits: the two heads by formula need each other", "[lesson]") {
    const course::LiveFigure& figure = course::live_figure("by_hand");
    const auto answer = [&](int first, int second) {
        course::Inputs inputs(figure.controls);
        inputs.set_text("string", "qhfaxq");
        inputs.set_number("sharpness", 20);
        inputs.set_chosen("first", first);
        inputs.set_chosen("second", second);
        return course::drawn(figure, inputs).text;
    };
    CHECK(answer(0, 0) == "qhfaxq ... h");
    CHECK(answer(1, 0) != "qhfaxq ... h");
    CHECK(answer(0, 1) != "qhfaxq ... h");
    course::Inputs inputs(figure.controls);
    inputs.set_text("string", "Q!");
    CHECK_THROWS_AS(course::drawn(figure, inputs), Error);
}

// As a column, one box below the other, nobody could follow it.
TEST_CASE("circuits: the two heads are a drawing in windows of 80 and 60 columns", "[lesson]") {
    for (const int width : {80, 60}) {
        course::Screen screen;
        screen.width = width;
        const std::string text = to_text(two_heads_diagram(), screen);
        INFO(text);
        CHECK(text.find("│ after q │") != std::string::npos);
        CHECK(text.find("2: copies") < text.find("1: notes"));
        CHECK(text.find("□") == std::string::npos);
    }
}

}  // namespace
}  // namespace heed::lesson31
