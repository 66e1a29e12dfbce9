#include "autograd/ops/pooling.h"

#include "autograd/base/parallel.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/tensor/indices.h"

namespace heed {
namespace {

Windows2d windows_of(const Tensor& x, Size2d kernel, const Pool2dOptions& o,
                     const char* operation) {
    check(x.defined() && x.dim() == 4, "{}: expected [B, C, H, W], got {}", operation,
          ShapeOf{x});
    check(o.padding.height >= 0 && o.padding.width >= 0 && o.padding.height <= kernel.height / 2 &&
              o.padding.width <= kernel.width / 2,
          "{}: the padding {} x {} must be between 0 and half the kernel, {} x {}", operation,
          o.padding.height, o.padding.width, kernel.height, kernel.width);
    return {kernel, o.stride == Size2d(0) ? kernel : o.stride, o.padding};
}

// Sequences are images one pixel high.
Tensor as_image(const Tensor& x, const char* operation) {
    check(x.defined() && x.dim() == 3, "{}: expected [B, C, T], got {}", operation,
          ShapeOf{x});
    return unsqueeze(x, 2);
}

// The index, in the H W pixels of its channel, of the first of the largest pixels of each window.
// A NaN counts as the largest. [B C, OH OW]
Indices largest_pixels(const Tensor& x, const Windows2d& w, int64_t rows, int64_t columns) {
    const int64_t images = x.size(0) * x.size(1), height = x.size(2), width = x.size(3);
    std::vector<int> found(images * rows * columns);
    const Tensor all = contiguous(detach(x));
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* pixels = all.data<T>();
        const int64_t grain =
            std::max<int64_t>(1, parallel_grain / std::max<int64_t>(height * width, 1));
        parallel_for(images, grain, [&](int64_t begin, int64_t end) {
            for (int64_t image = begin; image < end; ++image) {
                const T* p = pixels + image * height * width;
                int* to = found.data() + image * rows * columns;
                for (int64_t u = 0; u < rows; ++u)
                    for (int64_t v = 0; v < columns; ++v) {
                        const int64_t top = u * w.stride.height - w.padding.height;
                        const int64_t left = v * w.stride.width - w.padding.width;
                        const int64_t bottom = std::min(top + w.kernel.height, height);
                        const int64_t right = std::min(left + w.kernel.width, width);
                        int64_t best =
                            std::max<int64_t>(top, 0) * width + std::max<int64_t>(left, 0);
                        for (int64_t i = std::max<int64_t>(top, 0); i < bottom; ++i)
                            for (int64_t j = std::max<int64_t>(left, 0); j < right; ++j) {
                                const T value = p[i * width + j];
                                if (value > p[best] || (value != value && p[best] == p[best]))
                                    best = i * width + j;
                            }
                        *to++ = static_cast<int>(best);
                    }
            }
        });
    });
    return Indices(std::move(found), {images, rows * columns});
}

}  // namespace

Tensor max_pool2d(const Tensor& x, Size2d kernel, const Pool2dOptions& options) {
    check_defined("max_pool2d", x);
    const Windows2d w = windows_of(x, kernel, options, "max_pool2d");
    const Shape& s = x.shape();
    const Size2d out = count_windows({s[2], s[3]}, w, "max_pool2d");
    const Indices largest = largest_pixels(x, w, out.height, out.width);
    const Tensor channels = reshape(x, {s[0] * s[1], s[2] * s[3]});
    return reshape(gather(channels, 1, largest), {s[0], s[1], out.height, out.width});
}

Tensor avg_pool2d(const Tensor& x, Size2d kernel, const Pool2dOptions& options) {
    const UserCall named("avg_pool2d");
    check_defined("avg_pool2d", x);
    const Windows2d w = windows_of(x, kernel, options, "avg_pool2d");
    count_windows({x.size(2), x.size(3)}, w, "avg_pool2d");  // refused under this name
    return mean(sliding_windows(x, w), {2, 3});
}

Tensor adaptive_avg_pool2d(const Tensor& x, Size2d size) {
    const UserCall named("adaptive_avg_pool2d");
    check(x.defined() && x.dim() == 4, "adaptive_avg_pool2d: expected [B, C, H, W], got {}",
          ShapeOf{x});
    if (size == Size2d(1)) return mean(x, {2, 3}, true);
    check(size.height > 0 && size.width > 0 && x.size(2) % size.height == 0 &&
              x.size(3) % size.width == 0,
          "adaptive_avg_pool2d: an image of {} x {} cannot be divided into {} x {} equal parts",
          x.size(2), x.size(3), size.height, size.width);
    return avg_pool2d(x, {x.size(2) / size.height, x.size(3) / size.width});
}

Tensor max_pool1d(const Tensor& x, int64_t kernel, const Pool1dOptions& o) {
    const UserCall named("max_pool1d");
    check_defined("max_pool1d", x);
    return squeeze(
        max_pool2d(as_image(x, "max_pool1d"), {1, kernel},
                   {.stride = {1, o.stride ? o.stride : kernel}, .padding = {0, o.padding}}),
        2);
}

Tensor avg_pool1d(const Tensor& x, int64_t kernel, const Pool1dOptions& o) {
    const UserCall named("avg_pool1d");
    check_defined("avg_pool1d", x);
    return squeeze(
        avg_pool2d(as_image(x, "avg_pool1d"), {1, kernel},
                   {.stride = {1, o.stride ? o.stride : kernel}, .padding = {0, o.padding}}),
        2);
}

Tensor adaptive_avg_pool1d(const Tensor& x, int64_t size) {
    const UserCall named("adaptive_avg_pool1d");
    check_defined("adaptive_avg_pool1d", x);
    return squeeze(adaptive_avg_pool2d(as_image(x, "adaptive_avg_pool1d"), {1, size}), 2);
}

}  // namespace heed
