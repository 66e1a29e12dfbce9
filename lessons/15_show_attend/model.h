// The network of this lesson. It scores all patches of a picture at low resolution, and reads
// patches at full resolution only where it attends. Also its training with a given loss, and
// measures of the trained network.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attention/hard/baselines.h"
#include "autograd/tensor/indices.h"
#include "lessons/material/corpora/glyphs.h"
#include "nn/nn.h"

namespace heed::lesson15 {

// A picture has K = 16 patches of 12 x 12 pixels.
constexpr int64_t grid = 4, patch_count = grid * grid, side = 12;
constexpr int64_t width = 64, batch_size = 64;

struct PatchClassifier {
    Linear coarse, score;   // from a patch at low resolution to its score
    Linear encoder;         // from a patch to its features
    Linear hidden, output;  // from features to the class
    mutable int64_t patches_read = 0;

    PatchClassifier() = default;
    explicit PatchClassifier(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("coarse", coarse);
        f("score", score);
        f("encoder", encoder);
        f("hidden", hidden);
        f("output", output);
    }

    Tensor scores(const Tensor& patches) const;     // [B, K, 144] -> [B, K], at low resolution
    Tensor features(const Tensor& patches) const;   // [..., 144] -> [..., 64]; counts the patches
    Tensor classify(const Tensor& features) const;  // [..., 64] -> logits [..., 10]
};

struct Batch {
    Tensor patches;  // [B, K, 144]
    Indices labels;  // [B]
};
Batch make_batch(const course::Images& images);

// The baseline of methods that use one is a moving average, which the loss updates.
using Loss = std::function<Tensor(const PatchClassifier&, const Batch&, MovingAverage&, Rng&)>;
// The mean of all patches, their weighted mean, or the most probable patch.
enum class Reading { mean, soft, one };

struct Method {
    std::string name;
    Loss loss;
    Reading reading;  // after training
};

Tensor read(const PatchClassifier& model, const Tensor& patches,
            Reading reading);  // -> logits [B, 10]
double accuracy(const PatchClassifier& model, const Batch& batch, Reading reading);
// The share of pictures in which the patch with the sign has the highest score.
double found(const PatchClassifier& model, const course::Glyphs& glyphs);

// The mean length of the feature vector of the patch with the sign, over that of the other patches.
double sign_over_clutter(const PatchClassifier& model, const course::Glyphs& glyphs);

struct Data {
    course::Glyphs train, valid, test;
};
// `count` training, 500 validation and 2000 test pictures.
Data draw_data(int count, std::uint64_t seed);

struct Trained {
    PatchClassifier model;
    std::vector<double> curve;       // validation accuracy, after every `every` steps
    double patches_per_picture = 0;  // read in training
};
Trained train(const Method& method, const Data& data, int steps, int every, std::uint64_t seed);

// The variance, over samples of the choices, of the gradient of the score layers' parameters on one
// batch, as a share of the square of its mean.
double gradient_variance(const PatchClassifier& model, const Loss& loss, const Batch& batch,
                         int draws, Rng& rng);

}  // namespace heed::lesson15
