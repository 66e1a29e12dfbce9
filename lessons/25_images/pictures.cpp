#include "lessons/25_images/pictures.h"

#include <fmt/format.h>

#include "autograd/autograd.h"

namespace heed::lesson25 {

using namespace course;

Picture in_patches(const Images& images) {
    const Tensor pixels = select(images.pixels, 0, 0);
    Picture picture{.title = "A picture in 16 patches",
                    .height = static_cast<int>(side),
                    .width = static_cast<int>(side),
                    .patch_rows = static_cast<int>(grid),
                    .patch_columns = static_cast<int>(grid)};
    for (const double ink : pixels.to_vector()) picture.grey.push_back(1 - ink);
    const Tensor each = sum(clamp(reshape(pixels, {grid, patch, grid, patch}), 0, 1), {1, 3});
    picture.weights = (each / sum(each)).to_vector();
    return picture;
}

Diagram diagram_of(const PatchNetwork& network) {
    using enum Diagram::Kind;
    const int64_t patches = grid * grid, width = network.vit.class_token.size(0);
    const int64_t classes = network.vit.head.weight.size(0);
    Diagram diagram{.title = "The Vision Transformer of this lesson", .flow = Diagram::Flow::up};
    diagram.boxes = {
        {.name = "picture", .lines = {fmt::format("{} x {} pixels", side, side)}, .kind = input},
        {.name = "cut",
         .lines = {fmt::format("{} patches of {}", patches, patch * patch)},
         .row = 1},
        {.name = "W p + b",
         .lines = {fmt::format("{} x {}", patches, width)},
         .row = 2,
         .kind = learned},
        {.name = "class token",
         .lines = {fmt::format("1 x {}", width)},
         .column = 1,
         .row = 2,
         .kind = learned},
        {.name = "put in front", .lines = {fmt::format("{} x {}", patches + 1, width)}, .row = 3},
        {.name = "+", .row = 4, .round = true},
        {.name = "positions",
         .lines = {fmt::format("{} x {}", patches + 1, width)},
         .column = 1,
         .row = 4,
         .kind = learned},
        {.name = "norm", .row = 5, .kind = learned},
        {.name = "self-attention", .lines = {"4 heads"}, .row = 6, .kind = learned},
        {.name = "+", .row = 7, .round = true},
        {.name = "norm", .row = 8, .kind = learned},
        {.name = "feed-forward", .row = 9, .kind = learned},
        {.name = "+", .row = 10, .round = true},
        {.name = "class token's vector", .lines = {"norm"}, .row = 11, .kind = learned},
        {.name = "classifier",
         .lines = {fmt::format("{} logits", classes)},
         .row = 12,
         .kind = output}};
    diagram.arrows = {{0, 1},   {1, 2},
                      {2, 4},   {3, 4},
                      {4, 5},   {6, 5},
                      {5, 7},   {7, 8},
                      {8, 9},   {5, 9, "", Diagram::Side::left},
                      {9, 10},  {10, 11},
                      {11, 12}, {9, 12, "", Diagram::Side::left},
                      {12, 13}, {13, 14}};
    diagram.frames = {
        {fmt::format("{} layers", network.vit.encoder.layers.size()), {7, 8, 9, 10, 11, 12}}};
    return diagram;
}

}  // namespace heed::lesson25
