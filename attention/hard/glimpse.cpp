#include "attention/hard/glimpse.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

// For each image the pixels of a square of the given side around its location, row by row, as
// indices into the flattened image: [B, side²]. All pixels outside have index Y X, one past the
// last.
Indices square_around(const std::vector<double>& location, int64_t batch, int64_t height,
                      int64_t width, int64_t side) {
    // The first pixel along one axis: the coordinate -1 .. 1 scaled to 0 .. length, minus half a
    // side. It is clamped, so that any location fits an integer.
    const auto first = [&](double at, int64_t length) {
        const double start =
            0.5 * ((at + 1) * static_cast<double>(length) - static_cast<double>(side));
        const double far = static_cast<double>(length + side);
        return static_cast<int64_t>(std::floor(std::clamp(start, -far, far) + 0.5));
    };
    std::vector<int> pixels;
    pixels.reserve(batch * side * side);
    for (int64_t b = 0; b < batch; ++b) {
        const int64_t left = first(location[2 * b], width),
                      top = first(location[2 * b + 1], height);
        for (int64_t y = top; y < top + side; ++y)
            for (int64_t x = left; x < left + side; ++x) {
                const bool inside = y >= 0 && y < height && x >= 0 && x < width;
                pixels.push_back(static_cast<int>(inside ? y * width + x : height * width));
            }
    }
    return Indices(std::move(pixels), {batch, side * side});
}

}  // namespace

Tensor glimpse(const Tensor& image, const Tensor& location, const GlimpseOptions& options) {
    const Shapes in("glimpse", {{"image", image, "B Y X"}, {"location", location, "B 2"}});
    const auto [size, scales, factor] = options;
    check_positive("glimpse", {{"size", size}, {"scales", scales}});
    check(factor >= 2, "factor is {}; expected at least 2", factor);
    check(!location.requires_grad(),
          "the location requires a gradient, but a glimpse has none with respect to it; sample it "
          "with sample_location(), or detach() it");
    const std::vector<double> locations = location.to_vector();
    for (double at : locations) check(std::isfinite(at), "a coordinate is {}", at);

    const int64_t batch = in["B"], height = in["Y"], width = in["X"];
    const Tensor flat = pad(reshape(image, {batch, height * width}), 1, 0, 1);  // 0 outside
    std::vector<Tensor> seen;
    int64_t step = 1;  // the side, in pixels of the image, of one pixel of the glimpse
    for (int64_t s = 0; s < scales; ++s, step *= factor) {
        check(size * step < 10'000, "scale {} would be {} pixels wide", s, size * step);
        const Tensor square =
            gather(flat, 1, square_around(locations, batch, height, width, size * step));
        const Tensor cells = reshape(square, {batch, size, step, size, step});
        seen.push_back(step == 1 ? reshape(square, {batch, size, size}) : mean(cells, {2, 4}));
    }
    return stack(seen, 1);
}

}  // namespace heed
