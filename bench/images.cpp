// Convolutions, pooling and batch normalisation, and a network of them.
#include <fmt/format.h>

#include "autograd/autograd.h"
#include "bench/train.h"
#include "bench/workload.h"
#include "nn/nn.h"

namespace heed::bench {
namespace {

// A batch of `images` pictures [channels, size, size] through as many filters as there are channels.
Workload convolution(const std::string& name, int64_t images, int64_t channels, int64_t size,
                     int64_t kernel) {
    const double products = 1. * images * channels * channels * kernel * kernel * size * size;
    return {.name = name,
            .kind = "convolution",
            .sizes = {{"padding", kernel / 2}},
            .unit = "forward and backward",
            .flops = 6 * products,
            .to_reach = 1,
            .prepare = [=] {
                Rng rng(1);
                const Tensor x = normal({images, channels, size, size}, 0, 1, rng);
                const Tensor w = normal({channels, channels, kernel, kernel}, 0, 0.1, rng);
                const Tensor b = normal({channels}, 0, 1, rng);
                return differentiated({{"x", x}, {"w", w}, {"b", b}}, [=](const auto& in) {
                    return conv2d(in[0], in[1], in[2], {.padding = kernel / 2});
                });
            }};
}

Workload of_images(const std::string& name, int64_t images, int64_t channels, int64_t size,
                   const std::function<Tensor(const Tensor&)>& f) {
    return {.name = name,
            .kind = name,
            .sizes = {},
            .unit = "forward and backward",
            .to_reach = 1,
            .prepare = [=] {
                Rng rng(1);
                const Tensor x = normal({images, channels, size, size}, 0, 1, rng);
                return differentiated({{"x", x}}, [=](const auto& in) { return f(in[0]); });
            }};
}

Workload batch_norm(int64_t images, int64_t channels, int64_t size) {
    return {.name = "batch_norm",
            .kind = "batch_norm",
            .sizes = {},
            .unit = "forward and backward",
            .to_reach = 1,
            .prepare = [=] {
                Rng rng(1);
                const Tensor x = normal({images, channels, size, size}, 1, 2, rng);
                const Tensor weight = normal({channels}, 1, 0.1, rng);
                const Tensor bias = normal({channels}, 0, 1, rng);
                const BatchNorm2d layer(channels);
                return differentiated({{"x", x}, {"weight", weight}, {"bias", bias}},
                                      [=](const auto& in) {
                                          BatchNorm2d with = layer;
                                          with.weight = in[1];
                                          with.bias = in[2];
                                          Rng unused(1);
                                          return with(in[0], Mode::training(unused));
                                      });
            }};
}

struct Cnn {
    Conv2d conv1, conv2;
    BatchNorm2d norm1, norm2;
    Linear output;
    template <class F>
    void visit(F&& f) {
        f("conv1", conv1);
        f("norm1", norm1);
        f("conv2", conv2);
        f("norm2", norm2);
        f("output", output);
    }
};

// Two convolutions, each with batch normalisation, ReLU and pooling, and a linear classifier.
Workload cnn(int64_t images, int64_t width, int64_t size) {
    return {.name = "cnn",
            .kind = "cnn",
            .sizes = {},
            .to_reach = 1,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const Cnn model{Conv2d(3, width, 3, {.padding = 1}, rng),
                                Conv2d(width, 2 * width, 3, {.padding = 1}, rng),
                                BatchNorm2d(width), BatchNorm2d(2 * width),
                                Linear(2 * width, 10, rng)};
                const Tensor x = normal({images, 3, size, size}, 0, 1, rng);
                const Indices labels = draw_ids(images, 1, 10, rng);
                const auto forward = [=] {
                    Rng unused(1);
                    const Mode mode = Mode::training(unused);
                    Tensor y = relu(model.norm1(model.conv1(x), mode));
                    y = relu(model.norm2(model.conv2(max_pool2d(y, 2)), mode));
                    y = mean(max_pool2d(y, 2), {2, 3});
                    return cross_entropy(model.output(y), labels.reshaped({images}));
                };
                return train_prepared<Adam>(model, AdamOptions{.lr = 1e-3},
                                            {{"x", x}, {"labels", as_numbers(labels)}}, forward);
            }};
}

}  // namespace

std::vector<Workload> image_workloads(Scale scale) {
    const bool full = scale == Scale::full;
    const int64_t images = full ? 64 : 2;
    const auto size = [=](int64_t of_full) { return full ? of_full : 6; };
    return {convolution("conv_3x3_16", images, 16, size(28), 3),
            convolution("conv_3x3_32", images, 32, size(28), 3),
            convolution("conv_3x3_64", images, full ? 64 : 5, size(28), 3),
            convolution("conv_1x1", images, full ? 128 : 5, size(14), 1),
            of_images("max_pool", images, 32, size(28),
                      [](const Tensor& x) { return max_pool2d(x, 2); }),
            of_images("avg_pool", images, 32, size(28),
                      [](const Tensor& x) { return avg_pool2d(x, 2); }),
            batch_norm(images, 32, size(28)),
            cnn(images, full ? 16 : 4, size(28))};
}

}  // namespace heed::bench
