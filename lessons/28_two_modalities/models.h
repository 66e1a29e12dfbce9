// The two encoders of this lesson, the pair they make, and their training.
#pragma once

#include <functional>
#include <vector>

#include "attention/heads/pooling.h"
#include "attention/modalities/contrastive.h"
#include "attention/transformer/stacks.h"
#include "lessons/28_two_modalities/data.h"
#include "nn/nn.h"

namespace heed::lesson28 {

inline constexpr int64_t picture_width = 96, caption_width = 48;  // of what the encoders give
inline constexpr int64_t common = 32;                             // of the common space, D

// Two convolutions, each of which halves height and width, and a dense layer.
struct PictureEncoder {
    Conv2d first, second;
    Linear dense;  // [96, 48 * 7 * 7]

    PictureEncoder() = default;
    explicit PictureEncoder(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first", first);
        f("second", second);
        f("dense", dense);
    }
    Tensor operator()(const Tensor& pixels) const;  // [N, 1, 28, 28] -> [N, 96]
};

// Embedded words with sinusoidal positions, one layer of a Transformer, and a weighted mean.
struct CaptionEncoder {
    Embedding embedding;
    AbsolutePositions positions;
    TransformerEncoder encoder;
    AttentionPooling pool;

    CaptionEncoder() = default;
    explicit CaptionEncoder(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        f("positions", positions);
        f("encoder", encoder);
        f("pool", pool);
    }
    Tensor operator()(const std::vector<std::vector<int>>& captions) const;  // -> [N, 48]
};

struct TwoModalities {
    PictureEncoder picture;
    CaptionEncoder caption;
    ContrastivePair pair;

    TwoModalities() = default;
    explicit TwoModalities(Rng& rng, double temperature = 0.07);
    template <class F>
    void visit(F&& f) {
        f("picture", picture);
        f("caption", caption);
        f("pair", pair);
    }

    // Unit vectors of the common space, [N, 32]; nothing is recorded.
    Tensor pictures(const Tensor& pixels) const;
    Tensor captions(const std::vector<std::vector<int>>& captions) const;
    // The cosines of every picture with every caption, [N, N].
    Tensor cosines(const Pairs& pairs) const;
};

enum class Loss {
    contrastive,
    attraction,  // |picture - caption|² of the pairs alone, without others to compare with
};

struct Training {
    int pairs = 25'600;  // to be seen; the number of steps is pairs / batch
    int batch = 64;
    double lr = 4e-3;  // of Adam; rises for a twentieth of the steps, then falls along a cosine
    double temperature = 0.07;
    bool learn_temperature = true;
    Loss loss = Loss::contrastive;
    bool near = false;  // batches with near misses, see epoch()
};

struct Trained {
    TwoModalities model;
    std::vector<double> losses, temperatures;  // of every step
};
Trained train_pair(const Pairs& data, const Training& how, Rng& rng);

// --- measures -----------------------------------------------------------------------------------

struct Recall {
    double caption_at_1 = 0,
           caption_at_5 = 0;  // the right caption of a picture is among the best k
    double picture_at_1 = 0, picture_at_5 = 0;  // the right picture of a caption
};
Recall recall_of(const TwoModalities& model, const Pairs& pairs);

// The share of pictures that are closer to their caption than to that of the exchanged scene. Scenes
// that the exchange does not change are left out.
double told_apart(const TwoModalities& model, const Pairs& pairs, Exchange exchange,
                  Phrasing phrasing, Rng& rng);

// --- the supervised classifier ------------------------------------------------------------------

// The same picture encoder, trained on labels that people would have to write: both signs, both shades
// and the arrangement.
struct Classifier {
    PictureEncoder picture;
    Linear head;  // [10 + 10 + 2 + 2 + 2, 48]

    Classifier() = default;
    explicit Classifier(Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("picture", picture);
        f("head", head);
    }
};
Classifier train_classifier(const Pairs& data, const Training& how, Rng& rng);
// For every picture the index of the scene in `among` to which the classifier gives the largest
// probability, the product of its five.
Indices best_scenes(const Classifier& model, const Tensor& pixels, const std::vector<Scene>& among);

}  // namespace heed::lesson28
