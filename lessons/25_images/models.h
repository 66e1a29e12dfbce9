// The three networks of this lesson, with nearly the same number of parameters: a Vision Transformer,
// a convolutional and a dense network. All map pictures [B, 28, 28] to logits [B, 10].
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "attention/modalities/vision_transformer.h"
#include "lessons/material/read/images.h"
#include "nn/nn.h"

namespace heed::lesson25 {

inline constexpr int64_t side = 28, patch = 7, grid = side / patch;

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

// Three convolutions of 3 x 3 pixels and stride 2, then a dense layer.
struct ConvolutionalNetwork {
    Conv2d first, second, third;
    Linear output;

    ConvolutionalNetwork() = default;
    explicit ConvolutionalNetwork(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first", first);
        f("second", second);
        f("third", third);
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
    // The positions start as N(0, 0.5).
    PatchNetwork(const VisionTransformerOptions& options, Rng& rng);
    void draw_positions(double deviation, Rng& rng);
    template <class F>
    void visit(F&& f) {
        vit.visit(f);
    }
    Tensor operator()(const Tensor& x, Mode mode) const { return vit(unsqueeze(x, 1), mode); }
};

using Network = std::variant<PatchNetwork, ConvolutionalNetwork, DenseNetwork>;

enum class Kind { vit, convolutional, dense };
inline constexpr Kind kinds[] = {Kind::vit, Kind::convolutional, Kind::dense};
const char* name_of(Kind kind);
Network make(Kind kind, Rng& rng);

int64_t parameter_count_of(const Network& network);

// --- pictures -----------------------------------------------------------------------------------

// Every picture [B, H, W] shifted by whole pixels, each by its own random amount up to `most` in
// both directions; what comes in at the edge is 0.
Tensor shifted(const Tensor& pixels, int most, Rng& rng);

// The pixels of each picture in another order, the same for all: pixel i of the result is pixel
// order[i].
Tensor rearranged(const Tensor& pixels, const std::vector<int>& order);
// Two such orders: whole patches exchanged at random, and all pixels.
std::vector<int> exchanged_patches(Rng& rng);
std::vector<int> exchanged_pixels(Rng& rng);

// --- training -----------------------------------------------------------------------------------

struct Budget {
    int64_t steps = 600;
    int batch = 64;
    // Of AdamW. The rate rises for a tenth of the steps, then falls along a cosine to a fiftieth.
    double lr = 8e-3, weight_decay = 0.3;
    int shift = 0;  // if above 0: see shifted()
};
// The learning rate that was best on validation pictures, see tune() in experiment.h.
double tuned_rate(Kind kind);

// Trains on batches drawn from the pictures.
void train(const Network& network, const course::Images& images, const Budget& budget, Rng& rng);

// The share of pictures classified correctly.
double accuracy(const Network& network, const course::Images& images);

}  // namespace heed::lesson25
