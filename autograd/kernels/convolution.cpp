// How a convolution becomes a product of matrices without a copy of its windows.
//
// Take an image with its padding around it, [C, H, W], and number the pixels of a channel from left to
// right and top to bottom: q = u W + v. The output at q needs, for tap (i, j) of a kernel without
// dilation, the pixel
//
//     (u + i) W + v + j = q + (i W + j)
//
// which is equally far from q for all q. (With dilation, i and j are multiplied by it.) So the pixels
// that one tap needs for all outputs are the image itself, read from i W + j on. The outputs [O, Q] are
// a sum over the taps of products,
//
//     Y = Σ W_tap X_tap        W_tap [O, C], X_tap [C, Q], its rows H W apart,
//
// and a tile of Y stays in registers while all taps are added up (gemm_kernel.h). Windows that go over
// the right edge of the image go on in its next row: KW - 1 results of each row mean nothing and are
// dropped.
//
// The gradient of the weights is a sum over the images of products as well, dW_tap = G X_tapᵀ, where G
// [O, Q] has zeros for the results that were dropped. With the channels of the image last, [H W, C],
// one row of taps is one product: the row of X_iᵀ at q is the KW C numbers from pixel q + i W on, and
// the next row begins C further.
#include "autograd/kernels/convolution.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/gemm_kernel.h"
#include "autograd/kernels/gemm_layout.h"
#include "autograd/kernels/machine.h"
#include "autograd/kernels/sums.h"

namespace heed {
namespace {

// The gradient of the weights is added up in several sums, by several threads, which together have at
// most so many numbers.
constexpr int64_t numbers_in_sums = 1 << 21;
constexpr int64_t most_sums = 16;
// So many products are added up in a register. The pieces of a longer sum are added with compensation
// (sums.h).
constexpr int64_t products_at_a_time = 768;

int64_t ceil_div(int64_t x, int64_t y) { return (x + y - 1) / y; }

// Rows [first, first + rows) of one padded channel, each `row` numbers long.
template <class T>
void copy_padded(const ConvolutionSizes& s, const T* channel, int64_t first, int64_t rows,
                 int64_t row, T* to) {
    for (int64_t h = first - s.padding_height; rows > 0; ++h, --rows, to += row) {
        if (h < 0 || h >= s.height) {
            std::fill(to, to + row, T(0));
            continue;
        }
        const T* from = channel + h * s.width;
        std::fill(to, to + s.padding_width, T(0));
        std::copy(from, from + s.width, to + s.padding_width);
        std::fill(to + s.padding_width + s.width, to + row, T(0));
    }
}

int64_t padded_width(const ConvolutionSizes& s) { return s.width + 2 * s.padding_width; }
// How many rows below its first one a window reaches.
int64_t reach(const ConvolutionSizes& s) { return (s.kernel_height - 1) * s.dilation_height; }

// One group of an image with its padding around it: the rows that the windows of some output rows cover.
template <class T>
struct PaddedImage {
    const T* numbers = nullptr;   // [channels, plane]
    int64_t row = 0, plane = 0;   // how many numbers a row and a channel have
    std::vector<int64_t> starts;  // where each tap reads its first pixel
};

template <class T>
PaddedImage<T> pad_image(const ConvolutionSizes& s, const T* x, int64_t first, int64_t rows) {
    const int64_t row = padded_width(s), plane = (rows + reach(s)) * row;
    // The last tile reads on beyond the last pixel: what it finds there goes into no result.
    constexpr int64_t beyond = widest_tile * Vec<T>::lanes;
    thread_local GrowingBuffer<T> buffer;
    T* image = buffer.reserve(s.channels * plane + beyond);
    for (int64_t c = 0; c < s.channels; ++c)
        copy_padded(s, x + c * s.height * s.width, first, rows + reach(s), row, image + c * plane);
    std::fill(image + s.channels * plane, image + s.channels * plane + beyond, T(0));

    std::vector<int64_t> starts;
    for (int64_t i = 0; i < s.kernel_height; ++i)
        for (int64_t j = 0; j < s.kernel_width; ++j)
            starts.push_back(i * s.dilation_height * row + j * s.dilation_width);
    return {image, row, plane, std::move(starts)};
}

// A part of the terms of each output: some channels, and some taps of them.
struct Terms {
    int64_t channel = 0, channels = 0, tap = 0, taps = 0;
};

// to [outputs, count]: the sums of these terms, tile by tile.
template <class T>
void add_up(const ConvolutionSizes& s, const PaddedImage<T>& image, const T* w, const Terms& terms,
            int64_t count, T* to, Finish finish) {
    constexpr int64_t lanes = Vec<T>::lanes;
    const int64_t height = ceil_div(s.outputs, ceil_div(s.outputs, tile_rows));
    const int64_t width = tile_vecs(height) * lanes;
    for (int64_t q = 0; q < count; q += width)
        for (int64_t o = 0; o < s.outputs; o += height) {
            const int64_t columns = std::min(width, count - q), vecs = ceil_div(columns, lanes);
            compute_tile(std::min(height, s.outputs - o), vecs,
                         Tile<T>{.k = terms.channels,
                                 .a = w + (o * s.taps() + terms.tap) * s.channels + terms.channel,
                                 .a_row = s.taps() * s.channels,
                                 .a_step = 1,
                                 .b = image.numbers + terms.channel * image.plane + q,
                                 .b_step = image.plane,
                                 .taps = terms.taps,
                                 .starts = image.starts.data() + terms.tap,
                                 .c = to + o * count + q,
                                 .c_row = count,
                                 .last = columns - (vecs - 1) * lanes,
                                 .finish = finish,
                                 .bias = nullptr});
        }
}

// All terms of each output: in one go, or if they are many, in pieces that are added with compensation.
template <class T>
const T* add_up_all(const ConvolutionSizes& s, const PaddedImage<T>& image, const T* w,
                    int64_t count) {
    thread_local GrowingBuffer<T> buffer;
    const int64_t all = s.outputs * count;
    if (s.channels * s.taps() <= products_at_a_time) {
        T* results = buffer.reserve(all);
        add_up(s, image, w, {0, s.channels, 0, s.taps()}, count, results, Finish::store);
        return results;
    }
    T* zeros = buffer.reserve(3 * all);
    std::fill(zeros, zeros + 3 * all, T(0));
    ColumnSums<T> sums(zeros, all);
    const int64_t channels = std::min(s.channels, products_at_a_time);
    const int64_t taps = products_at_a_time / channels;
    for (int64_t c = 0; c < s.channels; c += channels)
        for (int64_t t = 0; t < s.taps(); t += taps, sums.next_row())
            add_up(s, image, w,
                   {c, std::min(channels, s.channels - c), t, std::min(taps, s.taps() - t)}, count,
                   sums.terms(), Finish::add_to_c);
    return sums.finish();
}

// Output rows [first, first + rows) of one group of one image.
template <class T>
void convolve_rows(const ConvolutionSizes& s, const T* x, const T* w, const T* bias, T* y,
                   int64_t first, int64_t rows) {
    const PaddedImage<T> image = pad_image(s, x, first, rows);
    const int64_t count = (rows - 1) * image.row + s.out_width;  // of results of a channel
    const T* results = add_up_all(s, image, w, count);
    for (int64_t o = 0; o < s.outputs; ++o)
        for (int64_t u = 0; u < rows; ++u) {
            const T* from = results + o * count + u * image.row;
            T* to = y + (o * s.out_height + first + u) * s.out_width;
            const T b = bias ? bias[o] : T(0);
            for (int64_t v = 0; v < s.out_width; ++v) to[v] = from[v] + b;
        }
}

// Adds to the gradient of one group's weights what one image contributes.
template <class T>
void add_gradient_of_image(const ConvolutionSizes& s, const T* x, const T* g, T* dw) {
    const int64_t row = padded_width(s), pixels = (s.out_height + reach(s)) * row;
    const int64_t count = (s.out_height - 1) * row + s.out_width;
    thread_local GrowingBuffer<T> image_buffer, pixels_buffer, g_buffer;
    T* image = image_buffer.reserve(s.channels * pixels);
    for (int64_t c = 0; c < s.channels; ++c)
        copy_padded(s, x + c * s.height * s.width, 0, s.out_height + reach(s), row,
                    image + c * pixels);
    T* by_pixel = pixels_buffer.reserve(pixels * s.channels);  // [pixels, channels]
    transpose_into<false>(by_pixel, s.channels, s.channels, image, pixels, s.channels, pixels);

    T* spread = g_buffer.reserve(s.outputs * count);  // with zeros for the results that are dropped
    for (int64_t o = 0; o < s.outputs; ++o)
        for (int64_t u = 0; u < s.out_height; ++u) {
            const T* from = g + (o * s.out_height + u) * s.out_width;
            T* to = spread + o * count + u * row;
            std::copy(from, from + s.out_width, to);
            if (u + 1 < s.out_height) std::fill(to + s.out_width, to + row, T(0));
        }

    // With a dilation, the taps of a row are not neighbours: one product for each.
    const int64_t across = s.dilation_width == 1 ? s.kernel_width : 1;
    for (int64_t i = 0; i < s.kernel_height; ++i)
        for (int64_t j = 0; j < s.kernel_width; j += across)
            gemm<T>({spread, s.outputs, count, count, 1},
                    {by_pixel + (i * s.dilation_height * row + j * s.dilation_width) * s.channels,
                     count, across * s.channels, s.channels, 1},
                    {dw + (i * s.kernel_width + j) * s.channels, s.outputs, across * s.channels,
                     s.taps() * s.channels, 1},
                    true);
}

}  // namespace

template <class T>
void convolve(const ConvolutionSizes& s, const T* x, const T* w, const T* bias, T* y) {
    const int64_t image = s.channels * s.height * s.width;  // of one group
    const int64_t result = s.outputs * s.out_height * s.out_width;
    const int64_t at_a_time = machine().convolution_outputs(s.outputs, sizeof(T));
    const int64_t blocks = ceil_div(s.out_height * padded_width(s), at_a_time);
    const int64_t rows = ceil_div(s.out_height, std::min(blocks, s.out_height));
    const int64_t in_image = ceil_div(s.out_height, rows), all = s.images * s.groups * in_image;
    const int64_t work = rows * s.out_width * s.outputs * s.channels * s.taps();
    const int64_t grain = ceil_div(1 << 20, std::max<int64_t>(work, 1));
    parallel_for(all, std::max(grain, all / 64), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t part = i / in_image, group = part % s.groups, first = i % in_image * rows;
            convolve_rows(s, x + part * image, w + group * s.weights() / s.groups,
                          bias ? bias + group * s.outputs : nullptr, y + part * result, first,
                          std::min(rows, s.out_height - first));
        }
    });
}

template <class T>
void convolve_backward_weights(const ConvolutionSizes& s, const T* x, const T* g, T* dw) {
    const int64_t image = s.channels * s.height * s.width;  // of one group
    const int64_t result = s.outputs * s.out_height * s.out_width;
    const int64_t weights = s.weights();
    const auto add_images = [&](int64_t begin, int64_t end, T* sum) {
        thread_local GrowingBuffer<T> zeros;
        ColumnSumsInto<T> sums(sum, weights, end - begin, zeros);
        for (int64_t i = begin; i < end; ++i, sums.next_row())
            for (int64_t group = 0; group < s.groups; ++group) {
                const int64_t part = i * s.groups + group;
                add_gradient_of_image(s, x + part * image, g + part * result,
                                      sums.terms() + group * (weights / s.groups));
            }
        sums.finish();
    };
    const int64_t most =
        std::clamp(numbers_in_sums / std::max<int64_t>(weights, 1), int64_t(1), most_sums);
    const int64_t grain = ceil_div(std::max<int64_t>(s.images, 1), most);
    const int64_t sums = ceil_div(s.images, grain);
    thread_local GrowingBuffer<T> buffer;
    T* sum = buffer.reserve(sums * weights);
    std::fill(sum, sum + sums * weights, T(0));
    parallel_for(s.images, grain, [&](int64_t begin, int64_t end) {
        add_images(begin, end, sum + begin / grain * weights);
    });
    std::fill(dw, dw + weights, T(0));
    for (int64_t k = 0; k < sums; ++k)
        for (int64_t i = 0; i < weights; ++i) dw[i] += sum[k * weights + i];
}

template void convolve(const ConvolutionSizes&, const float*, const float*, const float*, float*);
template void convolve(const ConvolutionSizes&, const double*, const double*, const double*,
                       double*);
template void convolve_backward_weights(const ConvolutionSizes&, const float*, const float*,
                                        float*);
template void convolve_backward_weights(const ConvolutionSizes&, const double*, const double*,
                                        double*);

}  // namespace heed
