// The three networks of this lesson, with nearly the same number of parameters: a Vision Transformer,
// a convolutional and a dense network. All map pictures [B, 28, 28] to logits [B, 10].
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "attention/modalities/vision_transformer.h"
#include "lessons/course/read/images.h"
#include "nn/nn.h"

namespace heed::lesson25 {

inline constexpr int64_t side = 28, patch = 7;

// Two dense layers: every pixel has its own weights.
struct DenseNetwork {
    Linear hidden, output;

    DenseNetwork() = default;
    explicit DenseNetwork(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x, Mode mode) const;
};

// Two convolutions of 5 x 5 pixels and stride 2, then a dense layer.
struct ConvolutionalNetwork {
    Conv2d first, second;
    Linear output;

    ConvolutionalNetwork() = default;
    explicit ConvolutionalNetwork(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first", first);
        f("second", second);
        f("output", output);
    }
    Tensor operator()(const Tensor& x, Mode mode) const;
};

// 16 patches of 7 x 7 pixels, two layers of width 48 with four heads.
VisionTransformerOptions vit_options(ImagePooling pooling = ImagePooling::class_token,
                                     PositionKind positions = PositionKind::learned);
struct PatchNetwork {
    VisionTransformer vit;

    PatchNetwork() = default;
    PatchNetwork(const VisionTransformerOptions& options, Rng& rng) : vit(options, rng) {}
    template <class F>
    void visit(F&& f) {
        vit.visit(f);
    }
    Tensor operator()(const Tensor& x, Mode mode) const { return vit(unsqueeze(x, 1), mode); }
};

struct Budget {
    int steps = 500, batch = 64;
    double lr = 2e-3;  // of Adam; falls along a cosine to a fiftieth
    int shift = 0;     // augmentation: every picture is shifted by up to so many pixels
};

// Every picture shifted by whole pixels, each by its own random amount up to `most` in both
// directions; what comes in at the edge is 0.
Tensor shifted(const Tensor& pixels, int most, Rng& rng);

using Network = std::variant<PatchNetwork, ConvolutionalNetwork, DenseNetwork>;

// Trains on batches drawn from the pictures, for the same number of steps whatever their number.
void train(const Network& network, const course::Images& images, const Budget& budget, Rng& rng);
// The share of pictures classified correctly.
double accuracy(const Network& network, const course::Images& images);
int64_t parameter_count_of(const Network& network);

}  // namespace heed::lesson25
