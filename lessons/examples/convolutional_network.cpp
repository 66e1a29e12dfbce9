// A convolutional network that tells lying, standing and slanted strokes apart in noisy pictures.
//
//     ./heed run lessons/examples/convolutional_network.cpp
#include "nn/nn.h"
using namespace heed;

constexpr int size = 12, kinds = 3;

// `count` pictures [count, 1, 12, 12], each with one stroke of five pixels, and the kind of each.
TensorDataset<Tensor, Indices> strokes(int64_t count, Rng& rng) {
    Tensor x = normal({count, 1, size, size}, 0, 0.4, rng);
    float* pixels = x.edit<float>();
    std::vector<int> labels;
    for (int64_t i = 0; i < count; ++i) {
        const int kind = static_cast<int>(rng.below(kinds));
        const int64_t row = 2 + rng.below(size - 6), column = 2 + rng.below(size - 6);
        for (int64_t k = 0; k < 5; ++k) {
            const int64_t down = kind == 0 ? 0 : k, right = kind == 1 ? 0 : k;
            pixels[(i * size + row + down) * size + column + right] += 1;
        }
        labels.push_back(kind);
    }
    return {x, Indices(labels)};
}

int main() {
    Rng rng(1);
    const auto training = strokes(2000, rng), test = strokes(500, rng);

    Sequential net(Conv2d(1, 8, 3, {.padding = 1}, rng), BatchNorm2d(8), Relu{}, MaxPool2d{2},
                   Conv2d(8, 16, 3, {.padding = 1}, rng), BatchNorm2d(16), Relu{},
                   AdaptiveAvgPool2d{1}, Flatten{}, Dropout(0.1), Linear(16, kinds, rng));
    AdamW optimiser(parameters(net), {.lr = 1e-2});

    DataLoader loader(training, {.batch_size = 64, .shuffle = true}, rng);
    for (int epoch = 1; epoch <= 6; ++epoch) {
        double total = 0;
        for (const auto& batch : loader) {
            const Tensor loss = cross_entropy(net(batch.x, Mode::training(rng)), batch.y);
            optimiser.zero_grad();
            backward(loss);
            optimiser.step();
            total += loss.item();
        }
        fmt::print("epoch {}  loss {:.3f}\n", epoch, total / static_cast<double>(loader.batches()));
    }

    NoGrad no_grad;
    const Tensor logits = net(test.x, Mode::evaluation());
    fmt::print("test accuracy {:.3f}\n", metrics::accuracy(logits, test.y));
}
