// Glyphs: small pictures of ten drawn signs, so that lessons about looking need no download.
//
//     Glyphs train = draw_glyphs(6000, {.side = 28}, rng);
//     train.images.pixels        // [6000, 28, 28]
//     train.images.labels[0]     // 0 .. 9, see glyph_name()
//
// What is in them. Each sign is a few straight strokes: ring, triangle, square, plus, saltire, zed,
// tee, vee, aitch, arrow. Each time it is drawn anew: of another size and thickness, turned and
// bent a little, somewhere else in the picture. Around it may lie clutter, scraps of two strokes
// each as a sign might have lost them; over all lies noise. All ten are equally likely.
//
// Splits: call it once for each part. Numbers are drawn from the Rng, so no picture comes twice.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "autograd/ops/random.h"
#include "lessons/course/read/images.h"

namespace heed::course {

inline constexpr int glyph_count = 10;
std::string_view glyph_name(int label);

struct GlyphOptions {
    int side = 28;                // of the picture, in pixels
    double small = 6, large = 9;  // half of a sign's height, in pixels
    double thin = 1.2, thick = 2.4;
    double turn = 0.2;    // by so many radians at most
    double bend = 0.12;   // each corner moves by so much at most, as a share of half the height
    double noise = 0.05;  // standard deviation, on every pixel
    int clutter = 0;      // scraps
    int cells = 0;        // 0: sign and scraps may lie anywhere inside the picture. n: each has one
                          // of n x n cells for itself, and lies inside it
};

struct Glyphs {
    Images images;
    std::vector<std::array<double, 2>> centres;  // of each sign, (x, y) in pixels
    // The cell a sign lies in, counted row by row; for pictures with cells.
    std::vector<int> cell;
};

// Throws heed::Error when a sign does not fit, or more scraps are wanted than there are cells.
Glyphs draw_glyphs(int count, const GlyphOptions& options, Rng& rng);

}  // namespace heed::course
