// The network of this lesson: it sees the whole picture from afar, blurred, and from near only the
// patches it is made to read. Its training by whichever loss, and what is measured of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/tensor/indices.h"
#include "lessons/course/generated/glyphs.h"
#include "nn/nn.h"

namespace heed::lesson13 {

constexpr int64_t grid = 4, places = grid * grid, side = 12;  // patches of 12 x 12 pixels
constexpr int64_t width = 64, batch_size = 64;

struct Looker {
    Linear far, score;     // from a blurred patch to its score
    Linear read;           // from a patch to its features
    Linear think, answer;  // from features to the class
    mutable int64_t patches_read = 0;

    Looker() = default;
    explicit Looker(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("far", far);
        f("score", score);
        f("read", read);
        f("think", think);
        f("answer", answer);
    }

    Tensor scores(
        const Tensor& patches) const;  // [B, K, 144] -> [B, K]; sees means of 4 x 4 pixels
    Tensor features(const Tensor& patches) const;   // [..., 144] -> [..., 64]; counts the patches
    Tensor classify(const Tensor& features) const;  // [..., 64] -> logits [..., 10]
};

struct Batch {
    Tensor patches;  // [B, K, 144]
    Indices labels;  // [B]
};
Batch make_batch(const course::Images& images);

using Loss = std::function<Tensor(const Looker&, const Batch&, Rng&)>;
enum class Reading { mean, soft, one };  // all patches alike, all by weight, the likeliest

struct Way {
    std::string name;
    Loss loss;
    Reading reading;  // in use
};

Tensor read(const Looker& looker, const Tensor& patches, Reading reading);  // -> logits [B, 10]
double accuracy(const Looker& looker, const Batch& batch, Reading reading);
// The share of pictures whose highest score stands at the sign's patch.
double found(const Looker& looker, const course::Glyphs& glyphs);

// The length of the features of the sign's patch, over that of the picture's other patches: means.
double sign_over_scraps(const Looker& looker, const course::Glyphs& glyphs);

struct Data {
    course::Glyphs train, valid, test;
};
Data draw_data(int count,
               std::uint64_t seed);  // so many to train on, 500 to follow it, 2000 to test

struct Trained {
    Looker looker;
    std::vector<double> curve;  // accuracy on the valid part, every so many steps
    double read_a_picture = 0;  // patches, in training
};
Trained train(const Way& way, const Data& data, int steps, int every, std::uint64_t seed);

// The variance of the gradient of the scores' parameters over draws, the batch being the same, as a
// share of the square of its mean.
double noise(const Looker& looker, const Loss& loss, const Batch& batch, int draws, Rng& rng);

}  // namespace heed::lesson13
