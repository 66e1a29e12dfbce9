#include "autograd/ops/product/convolution.h"

#include "autograd/base/user_call.h"
#include "autograd/kernels/convolution.h"
#include "autograd/kernels/loops.h"
#include "autograd/kernels/sums.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

void check_windows(const Windows2d& w, const char* operation) {
    check(w.kernel.height > 0 && w.kernel.width > 0,
          "{}: expected a kernel of at least 1 x 1, got {} x {}", operation, w.kernel.height,
          w.kernel.width);
    check(w.stride.height > 0 && w.stride.width > 0,
          "{}: expected a stride of at least 1, got {} x {}", operation, w.stride.height,
          w.stride.width);
    check(w.padding.height >= 0 && w.padding.width >= 0,
          "{}: the padding cannot be negative, got {} x {}", operation, w.padding.height,
          w.padding.width);
    check(w.dilation.height > 0 && w.dilation.width > 0,
          "{}: expected a dilation of at least 1, got {} x {}", operation, w.dilation.height,
          w.dilation.width);
}

bool any(Size2d padding) { return padding.height > 0 || padding.width > 0; }

Tensor padded_zeros(const Shape& image, Size2d padding, Dtype dtype) {
    return zeros({image[0], image[1], add_sizes(image[2], multiply_sizes(2, padding.height)),
                  add_sizes(image[3], multiply_sizes(2, padding.width))},
                 dtype);
}

// The image without its padding: a view, not recorded.
Tensor inside(const Tensor& padded, const Shape& image, Size2d padding) {
    return view_of(padded, image, padded.strides(),
                   padding.height * padded.strides()[2] + padding.width * padded.strides()[3]);
}

// All windows of a padded image [B, C, H, W] as [B, C, KH, KW, OH, OW]: a view, not recorded.
Tensor windows_view(const Tensor& padded, Size2d count, const Windows2d& w) {
    const Strides& s = padded.strides();
    return view_of(padded,
                   {padded.size(0), padded.size(1), w.kernel.height, w.kernel.width, count.height,
                    count.width},
                   {s[0], s[1], multiply_sizes(s[2], w.dilation.height),
                    multiply_sizes(s[3], w.dilation.width), multiply_sizes(s[2], w.stride.height),
                    multiply_sizes(s[3], w.stride.width)});
}

// Pixel (i, j) of all windows: [B, C, OH, OW].
Tensor pixel_of_windows(const Tensor& windows, int64_t i, int64_t j) {
    const Shape& n = windows.shape();
    const Strides& s = windows.strides();
    return view_of(windows, {n[0], n[1], n[4], n[5]}, {s[0], s[1], s[4], s[5]},
                   i * s[2] + j * s[3]);
}

// Throws for what does not fit together.
void check_convolution(const Tensor& x, const Tensor& weight, const Tensor& bias, int64_t groups) {
    check(x.defined() && weight.defined(), "conv2d: an input is not defined");
    check(x.dim() == 4, "conv2d: expected x [B, C, H, W], got {}", x.shape());
    check(weight.dim() == 4, "conv2d: expected weights [O, C / groups, KH, KW], got {}",
          weight.shape());
    check_same_dtype(x, weight, "conv2d");
    check(groups > 0 && x.size(1) % groups == 0 && weight.size(0) % groups == 0,
          "conv2d: {} input and {} output channels cannot be divided into {} groups", x.size(1),
          weight.size(0), groups);
    check(weight.size(1) * groups == x.size(1),
          "conv2d: x {} has {} channels, but weights {} in {} group(s) take {}", x.shape(),
          x.size(1), weight.shape(), groups, weight.size(1) * groups);
    if (!bias.defined()) return;
    check(bias.shape() == Shape{weight.size(0)}, "conv2d: expected a bias of shape [{}], got {}",
          weight.size(0), bias.shape());
    check_same_dtype(x, bias, "conv2d");
}

Windows2d windows_of(const Tensor& weight, const Conv2dOptions& o) {
    return {{weight.size(2), weight.size(3)}, o.stride, o.padding, o.dilation};
}

}  // namespace

// --- windows ------------------------------------------------------------------------------------

Size2d count_windows(Size2d size, const Windows2d& w, const char* operation) {
    check_windows(w, operation);
    const auto along = [](int64_t n, int64_t kernel, int64_t stride, int64_t padding,
                          int64_t dilation) {
        const int64_t room =
            add_sizes(n, multiply_sizes(2, padding)) - multiply_sizes(dilation, kernel - 1) - 1;
        return room < 0 ? 0 : room / stride + 1;
    };
    const Size2d count(
        along(size.height, w.kernel.height, w.stride.height, w.padding.height, w.dilation.height),
        along(size.width, w.kernel.width, w.stride.width, w.padding.width, w.dilation.width));
    check(count.height > 0 && count.width > 0,
          "{}: a kernel of {} x {} (dilation {} x {}) does not fit into an image of {} x {} with a "
          "padding of {} x {}",
          operation, w.kernel.height, w.kernel.width, w.dilation.height, w.dilation.width,
          size.height, size.width, w.padding.height, w.padding.width);
    return count;
}

// y = all windows of x          dL/dx = the sum of g over the windows that cover each pixel
Tensor sliding_windows(const Tensor& x, const Windows2d& w) {
    check_defined("sliding_windows", x);
    check(x.dim() == 4, "sliding_windows: expected [B, C, H, W], got {}", x.shape());
    const Size2d size(x.size(2), x.size(3));
    const Size2d count = count_windows(size, w, "sliding_windows");
    Tensor padded = x;
    if (any(w.padding)) {
        padded = padded_zeros(x.shape(), w.padding, x.dtype());
        copy_to_view(inside(padded, x.shape(), w.padding), x);
    }
    return record("sliding_windows", windows_view(padded, count, w), x,
                  [=](const Tensor& g) { return add_windows(g, size, w); });
}

// y = the sum of x over the windows that cover each pixel          dL/dx = all windows of g
Tensor add_windows(const Tensor& x, Size2d size, const Windows2d& w) {
    check_defined("add_windows", x);
    const Size2d count = count_windows(size, w, "add_windows");
    check(x.dim() == 6 && x.size(2) == w.kernel.height && x.size(3) == w.kernel.width &&
              x.size(4) == count.height && x.size(5) == count.width,
          "add_windows: an image of {} x {} has windows [B, C, {}, {}, {}, {}], got {}",
          size.height, size.width, w.kernel.height, w.kernel.width, count.height, count.width,
          x.shape());
    // No two windows have the same pixel at the same position (i, j): one position after the other.
    const Shape image{x.size(0), x.size(1), size.height, size.width};
    Tensor padded = padded_zeros(image, w.padding, x.dtype());
    const Tensor windows = windows_view(padded, count, w);
    with_dtype(x.dtype(), [&]<class T>(T) {
        GrowingBuffer<T> buffer;
        ColumnSumsInto<T> sums(padded.edit<T>(), padded.numel(), w.kernel.height * w.kernel.width,
                               buffer);
        for (int64_t i = 0; i < w.kernel.height; ++i)
            for (int64_t j = 0; j < w.kernel.width; ++j, sums.next_row()) {
                const Tensor to = pixel_of_windows(windows, i, j), from = pixel_of_windows(x, i, j);
                combine_into(sums.terms() + (to.data<T>() - padded.data<T>()), to.layout(),
                             from.data<T>(), from.layout(), [](T a, T b) { return a + b; });
            }
        sums.finish();
    });
    Tensor sum = any(w.padding) ? copy_of(inside(padded, image, w.padding)) : padded;
    return record("add_windows", std::move(sum), x,
                  [=](const Tensor& g) { return sliding_windows(g, w); });
}

// --- convolution --------------------------------------------------------------------------------

namespace {

// With the windows of an image as the columns of a matrix X [C KH KW, OH OW], each output channel is a
// row of weights times all columns, Y = W X; and so for each group of channels.
//
// dL/dX = Wᵀ G, added up over the windows          dL/dW = Σ G Xᵀ over the images
//
// The columns are copies, KH KW times as large as x. They are made anew for backward, and not kept;
// there the windows of all images lie side by side, which makes the sum over images one product.
struct Columns {
    Windows2d w;
    Size2d size, out;  // of an image, of a result
    int64_t groups = 1, batch = 0, inputs = 0, outputs = 0;

    int64_t pixels() const { return multiply_sizes(out.height, out.width); }
    int64_t taps() const { return inputs / groups * w.kernel.height * w.kernel.width; }
    Tensor rows(const Tensor& weight) const {
        return reshape(weight, {groups, outputs / groups, taps()});
    }
    Tensor product(const Tensor& x, const Tensor& weight) const {
        const Tensor columns = reshape(sliding_windows(x, w), {batch, groups, taps(), pixels()});
        return reshape(matmul(rows(weight), columns), {batch, outputs, out.height, out.width});
    }
    Tensor gradient_of_x(const Tensor& g, const Tensor& weight) const {
        const Tensor by_group = reshape(g, {batch, groups, outputs / groups, pixels()});
        const Tensor columns = matmul(transpose(rows(weight)), by_group);
        const Shape windows{batch, inputs, w.kernel.height, w.kernel.width, out.height, out.width};
        return add_windows(reshape(columns, windows), size, w);
    }
    Tensor gradient_of_weight(const Tensor& g, const Tensor& x) const {
        const int64_t all = batch * pixels();
        const Tensor by_group = reshape(permute(g, {1, 0, 2, 3}), {groups, outputs / groups, all});
        const Tensor columns =
            reshape(permute(sliding_windows(x, w), {1, 2, 3, 0, 4, 5}), {groups, taps(), all});
        return reshape(matmul(by_group, transpose(columns)),
                       {outputs, inputs / groups, w.kernel.height, w.kernel.width});
    }
};

Tensor conv2d_by_columns(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         const Columns& c) {
    Tensor value;
    {
        const InnerOperations inner;
        value = c.product(x, weight);
        if (bias.defined()) value = value + reshape(bias, {c.outputs, 1, 1});
    }
    return record(
        "conv2d", std::move(value),                                           //
        x, [=](const Tensor& g) { return c.gradient_of_x(g, weight); },       //
        weight, [=](const Tensor& g) { return c.gradient_of_weight(g, x); },  //
        bias,
        [](const Tensor& g) {
            return sum(g, {0, 2, 3});
        });
}

// --- without columns ----------------------------------------------------------------------------

// Whether kernels/convolution.h serves this convolution and its gradients: windows next to each
// other, and a padding that leaves no window empty. In a very narrow image most of what it computes
// would be dropped.
bool has_kernel(const Tensor& x, const Tensor& weight, const Windows2d& w, Size2d out) {
    const auto inside_reach = [](int64_t padding, int64_t kernel, int64_t dilation, int64_t size) {
        return padding <= dilation * (kernel - 1) && padding <= size;
    };
    return w.stride == Size2d(1) && x.numel() > 0 && weight.numel() > 0 &&
           inside_reach(w.padding.height, w.kernel.height, w.dilation.height, x.size(2)) &&
           inside_reach(w.padding.width, w.kernel.width, w.dilation.width, x.size(3)) &&
           x.size(3) + 2 * w.padding.width <= 2 * out.width;
}

ConvolutionSizes sizes_of(const Columns& c) {
    const Windows2d& w = c.w;
    return {.images = c.batch,
            .groups = c.groups,
            .channels = c.inputs / c.groups,
            .outputs = c.outputs / c.groups,
            .height = c.size.height,
            .width = c.size.width,
            .kernel_height = w.kernel.height,
            .kernel_width = w.kernel.width,
            .padding_height = w.padding.height,
            .padding_width = w.padding.width,
            .dilation_height = w.dilation.height,
            .dilation_width = w.dilation.width,
            .out_height = c.out.height,
            .out_width = c.out.width};
}

// The weights of the convolution that computes dL/dx from dL/dy, [O, C / groups, KH, KW] ->
// [C, O / groups, KH, KW]: in each group outputs and channels are exchanged, and every kernel is flipped
// along both axes.
//
// y[u] = Σ w[i] x[u + i]          dL/dx[h] = Σ w[i] g[h - i], a convolution with w[KH - 1 - i]
Tensor flipped_weights(const Tensor& weight, int64_t groups) {
    const int64_t outputs = weight.size(0) / groups, channels = weight.size(1);
    const int64_t height = weight.size(2), width = weight.size(3);
    const Tensor by_group = reshape(weight, {groups, outputs, channels, height, width});
    const Tensor flipped = flip(flip(permute(by_group, {0, 2, 1, 3, 4}), 3), 4);
    return reshape(flipped, {groups * channels, outputs, height, width});
}

// y by the kernel.
Tensor convolved(const Tensor& x, const Tensor& weight, const Tensor& bias,
                 const ConvolutionSizes& s) {
    const InnerOperations inner;
    const Tensor images = contiguous(x), w = contiguous(permute(weight, {0, 2, 3, 1}));
    const Tensor b = bias.defined() ? contiguous(bias) : bias;
    Tensor y = empty({s.images, s.groups * s.outputs, s.out_height, s.out_width}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        convolve<T>(s, images.data<T>(), w.data<T>(), b.defined() ? b.data<T>() : nullptr,
                    y.edit<T>());
    });
    return y;
}

void add_gradient(const GradientSum& sum, const Tensor& gradient) {
    bool fresh;
    const Tensor& total = sum.open(&fresh);
    fresh ? copy_to_view(total, gradient) : add_to_view(total, gradient);
}

// dL/dW by the kernel, [O, C / groups, KH, KW].
Tensor gradient_of_kernels(const Tensor& x, const Tensor& g, const ConvolutionSizes& s) {
    const Tensor images = contiguous(x), gradients = contiguous(g);
    Tensor dw =
        empty({s.groups * s.outputs, s.kernel_height, s.kernel_width, s.channels}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        convolve_backward_weights<T>(s, images.data<T>(), gradients.data<T>(), dw.edit<T>());
    });
    return permute(dw, {0, 3, 1, 2});
}

// Y and dL/dW are computed from the images as they lie, and dL/dx is a convolution of G. Both gradients
// multiply some numbers by zeros outside the image, which gives NaN if they are infinite: then the columns
// say what is right.
Tensor conv2d_by_kernel(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const Columns& c) {
    const ConvolutionSizes sizes = sizes_of(c);
    const auto gradient_of_x = [=](const Tensor& g) { return c.gradient_of_x(g, weight); };
    const auto gradient_of_weight = [=](const Tensor& g) { return c.gradient_of_weight(g, x); };
    const auto add_to_x = [=](const Tensor& g, GradientSum sum) {
        const Windows2d& w = c.w;
        const Size2d around(w.dilation.height * (w.kernel.height - 1) - w.padding.height,
                            w.dilation.width * (w.kernel.width - 1) - w.padding.width);
        const Tensor dx = conv2d(g, flipped_weights(weight, c.groups), {},
                                 {.padding = around, .dilation = w.dilation, .groups = c.groups});
        add_gradient(sum, all_finite(dx) ? dx : gradient_of_x(g));
    };
    const auto add_to_weight = [=](const Tensor& g, GradientSum sum) {
        const Tensor dw = gradient_of_kernels(x, g, sizes);
        add_gradient(sum, all_finite(dw) ? dw : gradient_of_weight(g));
    };
    return record("conv2d", convolved(x, weight, bias, sizes),          //
                  x, in_place(gradient_of_x, add_to_x),                 //
                  weight, in_place(gradient_of_weight, add_to_weight),  //
                  bias, [](const Tensor& g) {
                      return sum(g, {0, 2, 3});
                  });
}

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Conv2dOptions& o) {
    check_defined("conv2d", x, weight);
    check_convolution(x, weight, bias, o.groups);
    const Windows2d w = windows_of(weight, o);
    const Size2d size(x.size(2), x.size(3)), out = count_windows(size, w, "conv2d");
    const Columns columns{w, size, out, o.groups, x.size(0), x.size(1), weight.size(0)};
    return has_kernel(x, weight, w, out) ? conv2d_by_kernel(x, weight, bias, columns)
                                         : conv2d_by_columns(x, weight, bias, columns);
}

Tensor conv2d_definition(const Tensor& x, const Tensor& weight, const Tensor& bias,
                         const Conv2dOptions& o) {
    const UserCall named("conv2d_definition");
    check_convolution(x, weight, bias, o.groups);
    const int64_t B = x.size(0), H = x.size(2), W = x.size(3);
    const int64_t O = weight.size(0), C = weight.size(1), KH = weight.size(2), KW = weight.size(3);
    const Size2d out = count_windows({H, W}, windows_of(weight, o), "conv2d");

    std::vector<double> y;
    for (int64_t b = 0; b < B; ++b)
        for (int64_t channel = 0; channel < O; ++channel)
            for (int64_t u = 0; u < out.height; ++u)
                for (int64_t v = 0; v < out.width; ++v) {
                    double sum = bias.defined() ? bias.at({channel}) : 0;
                    const int64_t first =
                        channel / (O / o.groups) * C;  // input channel of the group
                    for (int64_t c = 0; c < C; ++c)
                        for (int64_t i = 0; i < KH; ++i)
                            for (int64_t j = 0; j < KW; ++j) {
                                const int64_t h =
                                    u * o.stride.height + i * o.dilation.height - o.padding.height;
                                const int64_t l =
                                    v * o.stride.width + j * o.dilation.width - o.padding.width;
                                if (h < 0 || h >= H || l < 0 || l >= W) continue;
                                sum += weight.at({channel, c, i, j}) * x.at({b, first + c, h, l});
                            }
                    y.push_back(sum);
                }
    return tensor(y, {B, O, out.height, out.width}, x.dtype());
}

// An image one pixel high.
Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Conv1dOptions& o) {
    const UserCall named("conv1d");
    check(x.defined() && weight.defined(), "conv1d: an input is not defined");
    check(x.dim() == 3, "conv1d: expected x [B, C, T], got {}", x.shape());
    check(weight.dim() == 3, "conv1d: expected weights [O, C / groups, K], got {}", weight.shape());
    check(o.groups > 0 && weight.size(1) * o.groups == x.size(1),
          "conv1d: x {} has {} channels, but weights {} in {} group(s) take {}", x.shape(),
          x.size(1), weight.shape(), o.groups, weight.size(1) * o.groups);
    return squeeze(conv2d(unsqueeze(x, 2), unsqueeze(weight, 2), bias,
                          {.stride = {1, o.stride},
                           .padding = {0, o.padding},
                           .dilation = {1, o.dilation},
                           .groups = o.groups}),
                   2);
}

}  // namespace heed
