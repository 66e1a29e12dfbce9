#include "autograd/ops/product/pooling.h"

#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/indices.h"

namespace heed {
namespace {

Windows2d windows_of(const Tensor& x, Size2d kernel, const Pool2dOptions& o,
                     const char* operation) {
    check(x.defined() && x.dim() == 4, "{}: expected [B, C, H, W], got {}", operation, ShapeOf{x});
    check(o.padding.height >= 0 && o.padding.width >= 0 && o.padding.height <= kernel.height / 2 &&
              o.padding.width <= kernel.width / 2,
          "{}: the padding {} x {} must be between 0 and half the kernel, {} x {}", operation,
          o.padding.height, o.padding.width, kernel.height, kernel.width);
    return {kernel, o.stride == Size2d(0) ? kernel : o.stride, o.padding};
}

// Sequences are images one pixel high.
Tensor as_image(const Tensor& x, const char* operation) {
    check(x.defined() && x.dim() == 3, "{}: expected [B, C, T], got {}", operation, ShapeOf{x});
    return unsqueeze(x, 2);
}

// f(v, pixel) for the windows v of one row of windows whose pixel j of a row lies in the image: `pixel`
// is its column there.
template <class F>
void for_each_covered(int64_t j, int64_t stride, int64_t padding, int64_t width, int64_t windows,
                      const F& f) {
    const int64_t first = padding > j ? (padding - j - 1) / stride + 1 : 0;
    const int64_t room = width - 1 + padding - j;
    const int64_t end = room < 0 ? 0 : std::min(windows, room / stride + 1);
    for (int64_t v = first; v < end; ++v) f(v, v * stride + j - padding);
}

// f(image, row of windows u) for all channels of all images, on all threads.
template <class F>
void for_each_row_of_windows(const Tensor& x, const Windows2d& w, Size2d out, const F& f) {
    const int64_t images = x.size(0) * x.size(1);
    const int64_t work = out.height * out.width * w.kernel.height * w.kernel.width;
    const int64_t grain = std::max<int64_t>(1, parallel_grain / std::max<int64_t>(work, 1));
    parallel_for(images, grain, [&](int64_t begin, int64_t end) {
        for (int64_t image = begin; image < end; ++image)
            for (int64_t u = 0; u < out.height; ++u) f(image, u);
    });
}

// The largest pixel of each window, [B, C, OH, OW], and its index among the H W pixels of its channel,
// [B C, OH OW]. Of equal pixels it is the first, and a NaN counts as the largest.
struct Largest {
    Tensor values;
    std::vector<int> indices;
};
Largest largest_pixels(const Tensor& x, const Windows2d& w, Size2d out) {
    const int64_t height = x.size(2), width = x.size(3);
    Largest largest{empty({x.size(0), x.size(1), out.height, out.width}, x.dtype()),
                    std::vector<int>(x.size(0) * x.size(1) * out.height * out.width)};
    const Tensor all = contiguous(detach(x));
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* pixels = all.data<T>();
        T* values = largest.values.edit<T>();
        int* indices = largest.indices.data();
        for_each_row_of_windows(x, w, out, [&](int64_t image, int64_t u) {
            T* best = values + (image * out.height + u) * out.width;
            int* index = indices + (image * out.height + u) * out.width;
            const int64_t top = u * w.stride.height - w.padding.height;
            const int64_t begin = std::max<int64_t>(top, 0);
            const int64_t end = std::min(top + w.kernel.height, height);
            for (int64_t v = 0; v < out.width; ++v) {  // the first pixel that is inside the image
                const int64_t left = v * w.stride.width - w.padding.width;
                index[v] = static_cast<int>(begin * width + std::max<int64_t>(left, 0));
                best[v] = pixels[image * height * width + index[v]];
            }
            for (int64_t h = begin; h < end; ++h) {
                const T* row = pixels + (image * height + h) * width;
                for (int64_t j = 0; j < w.kernel.width; ++j)
                    for_each_covered(j, w.stride.width, w.padding.width, width, out.width,
                                     [&](int64_t v, int64_t column) {
                                         const T value = row[column];
                                         const bool wins = value > best[v] ||
                                                           (value != value && best[v] == best[v]);
                                         best[v] = wins ? value : best[v];
                                         index[v] =
                                             wins ? static_cast<int>(h * width + column) : index[v];
                                     });
            }
        });
    });
    return largest;
}

// The mean of each window, where pixels outside the image count as 0.
Tensor means_of_windows(const Tensor& x, const Windows2d& w, Size2d out) {
    const int64_t height = x.size(2), width = x.size(3);
    Tensor means = zeros({x.size(0), x.size(1), out.height, out.width}, x.dtype());
    const Tensor all = contiguous(detach(x));
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* pixels = all.data<T>();
        T* y = means.edit<T>();
        const T share = T(1) / static_cast<T>(w.kernel.height * w.kernel.width);
        for_each_row_of_windows(x, w, out, [&](int64_t image, int64_t u) {
            std::vector<T> zeros(3 * out.width);
            ColumnSums<T> sums(zeros.data(), out.width);
            const int64_t top = u * w.stride.height - w.padding.height;
            const int64_t end = std::min(top + w.kernel.height, height);
            for (int64_t h = std::max<int64_t>(top, 0); h < end; ++h) {
                const T* row = pixels + (image * height + h) * width;
                for (int64_t j = 0; j < w.kernel.width; ++j, sums.next_row())
                    for_each_covered(
                        j, w.stride.width, w.padding.width, width, out.width,
                        [&](int64_t v, int64_t column) { sums.terms()[v] += row[column]; });
            }
            const T* sum = sums.finish();
            T* to = y + (image * out.height + u) * out.width;
            for (int64_t v = 0; v < out.width; ++v) to[v] = sum[v] * share;
        });
    });
    return means;
}

}  // namespace

// y = the largest of each window          dL/dx: g, at the indices of the largest
Tensor max_pool2d(const Tensor& x, Size2d kernel, const Pool2dOptions& options) {
    check_defined("max_pool2d", x);
    const Windows2d w = windows_of(x, kernel, options, "max_pool2d");
    const Shape image = x.shape(), channels{image[0] * image[1], image[2] * image[3]};
    const Size2d out = count_windows({image[2], image[3]}, w, "max_pool2d");
    check(channels[1] > 0, "max_pool2d: x {}; of no pixels none is the largest", image);
    Largest largest = largest_pixels(x, w, out);
    if (!needs_record(x)) return record("max_pool2d", std::move(largest.values), x, NoGradient{});
    const Indices indices(std::move(largest.indices), {channels[0], out.height * out.width});
    // A pixel lies in so many windows at most.
    const int64_t windows =
        ((w.kernel.height - 1) / w.stride.height + 1) * ((w.kernel.width - 1) / w.stride.width + 1);
    return record("max_pool2d", std::move(largest.values), x, [=](const Tensor& g) {
        return reshape(scatter_add(channels, 1, indices, reshape(g, indices.shape()), windows),
                       image);
    });
}

// y = the mean of each window          dL/dx: a share of g, at every pixel of the window
Tensor avg_pool2d(const Tensor& x, Size2d kernel, const Pool2dOptions& options) {
    const UserCall named("avg_pool2d");
    check_defined("avg_pool2d", x);
    const Windows2d w = windows_of(x, kernel, options, "avg_pool2d");
    const Size2d size(x.size(2), x.size(3)), out = count_windows(size, w, "avg_pool2d");
    return record("avg_pool2d", means_of_windows(x, w, out), x, [=](const Tensor& g) {
        const Shape windows{g.size(0),      g.size(1),  w.kernel.height,
                            w.kernel.width, out.height, out.width};
        const double share = 1. / static_cast<double>(w.kernel.height * w.kernel.width);
        return add_windows(expand(unsqueeze(unsqueeze(g * share, 2), 2), windows), size, w);
    });
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

Tensor max_pool1d(const Tensor& x, Integer kernel, const Pool1dOptions& o) {
    const UserCall named("max_pool1d");
    check_defined("max_pool1d", x);
    return squeeze(
        max_pool2d(as_image(x, "max_pool1d"), {1, kernel},
                   {.stride = {1, o.stride ? o.stride : kernel.value}, .padding = {0, o.padding}}),
        2);
}

Tensor avg_pool1d(const Tensor& x, Integer kernel, const Pool1dOptions& o) {
    const UserCall named("avg_pool1d");
    check_defined("avg_pool1d", x);
    return squeeze(
        avg_pool2d(as_image(x, "avg_pool1d"), {1, kernel},
                   {.stride = {1, o.stride ? o.stride : kernel.value}, .padding = {0, o.padding}}),
        2);
}

Tensor adaptive_avg_pool1d(const Tensor& x, Integer size) {
    const UserCall named("adaptive_avg_pool1d");
    check_defined("adaptive_avg_pool1d", x);
    return squeeze(adaptive_avg_pool2d(as_image(x, "adaptive_avg_pool1d"), {1, size}), 2);
}

}  // namespace heed
