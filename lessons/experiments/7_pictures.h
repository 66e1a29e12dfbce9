//! # Patches or convolutions, from few pictures?
//! Part: Attention everywhere
//!
//! A network has to tell ten signs apart, and there are only a few hundred pictures to learn from
//! (lesson {images}). You say which network makes the most of them, with which patches, how many
//! layers, how much dropout. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"
#include "lessons/material/corpora/glyphs.h"

struct Setting {
    bool convolution = false;  // instead of attention between patches
    std::int64_t pictures = 400, patch = 4, width = 32, layers = 2;
    int steps = 120;
    double rate = 3e-3, dropout = 0;
};

// The share of 500 new pictures that are named correctly.
double named(const Setting& setting, std::uint64_t seed) {
    Rng rng(seed);
    const course::GlyphOptions kind{.side = 16, .small = 4, .large = 6};
    const course::Images training =
                             course::draw_glyphs(static_cast<int>(setting.pictures), kind, rng)
                                 .images,
                         test = course::draw_glyphs(500, kind, rng).images;
    TransformerOptions stack = vit({});
    stack.width = setting.width, stack.heads = 4, stack.layers = setting.layers;
    stack.dropout = setting.dropout;
    const VisionTransformer attention({.image = 16, .patch = setting.patch, .stack = stack}, rng);
    const std::int64_t w = setting.width / 2;
    const Sequential convolution(Conv2d(1, w, 3, {.padding = 1}, rng), Relu{}, MaxPool2d{2},
                                 Conv2d(w, 2 * w, 3, {.padding = 1}, rng), Relu{}, MaxPool2d{2},
                                 Flatten{}, Dropout(setting.dropout), Linear(2 * w * 16, 10, rng));
    const auto logits = [&](const Tensor& pixels, Mode mode) {
        const Tensor x = unsqueeze(pixels, 1);
        return setting.convolution ? convolution(x, mode) : attention(x, mode);
    };
    AdamW adam(setting.convolution ? parameters(convolution) : parameters(attention),
               {.lr = setting.rate});
    train(adam, {.steps = setting.steps, .clip_norm = 1}, [&](std::int64_t) {
        std::vector<int> some, labels;
        for (int i = 0; i < 32; ++i) {
            some.push_back(static_cast<int>(rng.below(setting.pictures)));
            labels.push_back(training.labels[some.back()]);
        }
        return StepResult{cross_entropy(
            logits(index_select(training.pixels, 0, some), Mode::training(rng)), Indices(labels))};
    });
    const NoGrad no_grad;
    return metrics::accuracy(logits(test.pixels, Mode::evaluation()), test.labels);
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "After 400 pictures, convolutions name 10 % more new ones than attention does."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of pictures.
double first(std::uint64_t seed) { return named({.convolution = true}, seed); }
double second(std::uint64_t seed) { return named({.convolution = false}, seed); }
