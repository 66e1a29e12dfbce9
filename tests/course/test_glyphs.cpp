// The glyphs as data: sizes, labels, locations of the signs, and sets that share no picture.
#include <cmath>
#include <map>
#include <set>

#include "autograd/autograd.h"
#include "lessons/material/corpora/glyphs.h"
#include "tests/catch.h"

using namespace heed;
using namespace heed::course;
using Catch::Matchers::ContainsSubstring;

namespace {

const GlyphOptions without_noise{.noise = 0};
const GlyphOptions crowded{.side = 48,
                           .small = 3,
                           .large = 4,
                           .thin = 1,
                           .thick = 1.6,
                           .noise = 0,
                           .clutter = 15,
                           .cells = 4};

std::vector<double> pixels_of(const Images& images, int number) {
    return select(images.pixels, 0, number).to_vector();
}

}  // namespace

TEST_CASE("glyphs: sizes, labels, ink", "[data][lesson]") {
    Rng rng(1);
    const Glyphs glyphs = draw_glyphs(2000, without_noise, rng);
    CHECK(glyphs.images.pixels.shape() == Shape{2000, 28, 28});
    CHECK(glyphs.images.size() == 2000);
    CHECK(glyphs.centres.size() == 2000);
    CHECK(min(glyphs.images.pixels).item() == 0);
    CHECK(max(glyphs.images.pixels).item() == 1);
    std::map<int, int> count;
    for (int label : glyphs.images.labels) ++count[label];
    CHECK(count.size() == glyph_count);
    for (const auto& [label, many] : count) {
        INFO(glyph_name(label));
        CHECK(many > 140);  // 200 are expected, with a standard deviation of 13
        CHECK(many < 260);
    }
}

TEST_CASE("glyphs: a sign lies inside the picture, around its centre", "[data][lesson]") {
    Rng rng(2);
    const Glyphs glyphs = draw_glyphs(300, without_noise, rng);
    for (int n = 0; n < 300; ++n) {
        const std::vector<double> ink = pixels_of(glyphs.images, n);
        double total = 0, x = 0, y = 0;
        for (int i = 0; i < 28 * 28; ++i) {
            total += ink[i];
            x += ink[i] * (i % 28 + 0.5);
            y += ink[i] * (i / 28 + 0.5);
            const bool edge = i % 28 == 0 || i % 28 == 27 || i / 28 == 0 || i / 28 == 27;
            if (edge) REQUIRE(ink[i] <= 0.51);  // nothing is cut off
        }
        CHECK(total > 15);
        CHECK(std::abs(x / total - glyphs.centres[n][0]) < 3);
        CHECK(std::abs(y / total - glyphs.centres[n][1]) < 6);  // the ink of a tee is at the top
    }
}

TEST_CASE("glyphs: the label is the sign that was drawn", "[data][lesson]") {
    // With fixed size and no rotation, the most similar picture is nearly always of the same sign.
    const GlyphOptions fixed{.side = 22,
                             .small = 8.9999,
                             .large = 9,
                             .thin = 1.9999,
                             .thick = 2,
                             .turn = 0,
                             .bend = 0,
                             .noise = 0};
    Rng rng(3);
    const Glyphs glyphs = draw_glyphs(400, fixed, rng);
    int alike = 0;
    for (int n = 0; n < 400; ++n) {
        const Tensor gaps =
            sum(abs(glyphs.images.pixels - select(glyphs.images.pixels, 0, n)), {1, 2});
        const Tensor itself = one_hot({n}, 400);
        const int nearest = argmin(gaps + 1e6 * reshape(itself, {400}))[0];
        alike += glyphs.images.labels[nearest] == glyphs.images.labels[n];

        // Each picture has ink where its name says.
        const std::vector<double> ink = pixels_of(glyphs.images, n);
        const auto [x, y] = glyphs.centres[n];
        const double middle = ink[static_cast<int>(y) * 22 + static_cast<int>(x)];
        double top = 0, bottom = 0;
        for (int i = 0; i < 22; ++i) {
            top += ink[static_cast<int>(y - 9) * 22 + i];
            bottom += ink[static_cast<int>(y + 9) * 22 + i];
        }
        const auto name = glyph_name(glyphs.images.labels[n]);
        INFO(name);
        if (name == "plus" || name == "saltire" || name == "aitch") CHECK(middle > 0.4);
        if (name == "ring" || name == "square" || name == "vee") CHECK(middle == 0);
        if (name == "tee") CHECK(top > 2 * bottom);
        if (name == "triangle") CHECK(bottom > 2 * top);
    }
    CHECK(alike > 390);
}

TEST_CASE("glyphs: the sign and each distractor have a cell of their own", "[data][lesson]") {
    Rng rng(4);
    const Glyphs glyphs = draw_glyphs(200, crowded, rng);
    std::set<int> cells;
    for (int n = 0; n < 200; ++n) {
        const auto [x, y] = glyphs.centres[n];
        CHECK(static_cast<int>(y / 12) * 4 + static_cast<int>(x / 12) == glyphs.cell[n]);
        cells.insert(glyphs.cell[n]);
        const std::vector<double> ink = pixels_of(glyphs.images, n);
        std::vector<double> in_cell(16);
        for (int i = 0; i < 48 * 48; ++i) {
            in_cell[i / 48 / 12 * 4 + i % 48 / 12] += ink[i];
        }
        for (double amount : in_cell) CHECK(amount > 1);  // none is empty
    }
    CHECK(cells.size() == 16);
}

TEST_CASE("glyphs: the same seed gives the same pictures, and no picture occurs twice",
          "[data][lesson]") {
    Rng one(5), same(5);
    const Glyphs a = draw_glyphs(500, without_noise, one),
                 b = draw_glyphs(500, without_noise, same);
    CHECK(max(abs(a.images.pixels - b.images.pixels)).item() == 0);
    CHECK(a.images.labels == b.images.labels);

    const Glyphs test = draw_glyphs(500, without_noise, one);
    std::set<std::vector<double>> seen;
    for (int n = 0; n < 500; ++n) {
        CHECK(seen.insert(pixels_of(a.images, n)).second);
        CHECK(seen.insert(pixels_of(test.images, n)).second);
    }
}

TEST_CASE("images: picked by index", "[data][errors]") {
    Rng rng(6);
    const Images images = draw_glyphs(10, without_noise, rng).images;
    const Images picked = pick(images, {7, 2});
    CHECK(pixels_of(picked, 1) == pixels_of(images, 2));
    CHECK(picked.labels == std::vector<int>{images.labels[7], images.labels[2]});
    CHECK(range(images, 3, 5).labels == std::vector<int>{images.labels[3], images.labels[4]});
    CHECK_THROWS_AS(pick(images, {10}), Error);
    CHECK_THROWS_AS(range(images, 5, 11), Error);
}

TEST_CASE("glyphs: impossible options are refused", "[data][errors]") {
    Rng rng(7);
    CHECK_THROWS_WITH(draw_glyphs(1, {.side = 12, .small = 6}, rng),
                      ContainsSubstring("does not fit"));
    CHECK_THROWS_WITH(draw_glyphs(1, {.side = 48, .small = 3, .clutter = 16, .cells = 4}, rng),
                      ContainsSubstring("16 distractors and the sign do not fit into 16 cells"));
    CHECK_THROWS_AS(draw_glyphs(0, {}, rng), Error);
    CHECK_THROWS_AS(glyph_name(10), Error);
}
