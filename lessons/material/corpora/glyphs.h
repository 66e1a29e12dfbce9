// Glyphs: small pictures of ten drawn signs, so that the lessons about images need no download.
//
//     Glyphs train = draw_glyphs(6000, {.side = 28}, rng);
//     train.images.pixels        // [6000, 28, 28]
//     train.images.labels[0]     // 0 .. 9, see glyph_name()
//
// Contents. Each sign is a few straight strokes: ring, triangle, square, plus, saltire (a diagonal
// cross), zed, tee, vee, aitch, arrow. All ten are equally likely. Size, thickness, rotation,
// distortion and location are random. There may be clutter beside the sign: distractors of two
// strokes each. Noise is added to all pixels.
//
// For training and test set, call draw_glyphs() once for each with the same Rng: no picture comes
// twice.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "autograd/tensor/random.h"
#include "lessons/material/read/images.h"

namespace heed::course {

inline constexpr int glyph_count = 10;
std::string_view glyph_name(int label);

struct GlyphOptions {
    int side = 28;                // of the picture, in pixels
    double small = 6, large = 9;  // half of a sign's height, in pixels
    double thin = 1.2, thick = 2.4;
    double turn = 0.2;    // the largest rotation, in radians
    double bend = 0.12;   // the largest shift of each corner, as a share of half the height
    double noise = 0.05;  // standard deviation, on every pixel
    int clutter = 0;      // the number of distractors
    // 0: the sign and the distractors are anywhere in the picture. n: the picture is divided into
    // n x n cells, and each of them lies in a cell of its own.
    int cells = 0;
};

struct Glyphs {
    Images images;
    std::vector<std::array<double, 2>> centres;  // of each sign, (x, y) in pixels
    // The cell of each sign, counted row by row; for pictures with cells.
    std::vector<int> cell;
};

// Throws heed::Error if a sign does not fit, or if there are more distractors than cells for them.
Glyphs draw_glyphs(int count, const GlyphOptions& options, Rng& rng);

}  // namespace heed::course
