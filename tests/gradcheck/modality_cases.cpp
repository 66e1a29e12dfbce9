// Pictures, sound, and two modalities: interpolation, the Vision Transformer, the Conformer, and
// contrastive losses.
#include "attention/modalities/conformer.h"
#include "attention/modalities/contrastive.h"
#include "attention/modalities/vision_transformer.h"
#include "attention/scores/mask.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

std::vector<Case> pictures() {
    std::vector<Case> cases{
        {"interpolate bilinear, larger and smaller",
         [](const Xs& x) {
             return interpolate(x[0], {5, 2});
         },
         {sample({2, 2, 3, 4})}},
        {"interpolate bicubic",
         [](const Xs& x) { return interpolate(x[0], 5, Interpolation::bicubic); },
         {sample({3, 4})}}};
    for (const ImagePooling pooling : {ImagePooling::class_token, ImagePooling::mean}) {
        Rng rng(61);
        const VisionTransformer model({.image = {4, 6},
                                       .patch = {2, 3},
                                       .channels = 2,
                                       .classes = 3,
                                       .pooling = pooling,
                                       .stack = vit({.width = 4, .heads = 2, .layers = 1})},
                                      rng);
        const std::string name =
            pooling == ImagePooling::mean ? "mean of the patches" : "class token";
        cases.push_back(
            with_parameters("VisionTransformer, " + name, scattered(model), {sample({2, 2, 4, 6})},
                            [](const VisionTransformer& m, const Xs& x) { return m(x[0]); })
                .zero_gradient("key.bias", softmax_cancels));
    }
    Rng rng(62);
    const VisionTransformer model(
        {.image = 4, .patch = 2, .classes = 0, .stack = vit({.width = 4, .heads = 1, .layers = 1})},
        rng);
    cases.push_back(
        with_parameters("VisionTransformer, step by step", scattered(model), {sample({1, 1, 4, 4})},
                        [](const VisionTransformer& m, const Xs& x) {
                            const Tensor tokens = m.tokens(x[0]);
                            const Tensor y = m.run(x[0]);
                            return concat({flatten(tokens), flatten(y), flatten(m.pool(y))}, 0);
                        })
            .zero_gradient("key.bias", softmax_cancels));
    return cases;
}

std::vector<Case> sound() {
    Rng rng(63);
    const ConformerOptions options{.width = 4,
                                   .heads = 2,
                                   .layers = 1,
                                   .hidden = 3,
                                   .kernel = 3,
                                   .positions = {.max_distance = 2}};
    const auto padding = [](const Tensor& x) { return padding_mask({3, 2}, 3, x.dtype()); };
    const Tensor frames = sample({2, 3, 4});
    const std::string centred = "batch normalisation subtracts the mean of every channel";
    ConformerOptions rotary = options;
    rotary.positions.kind = PositionKind::rotary;
    return {with_parameters("ConformerConvolution in evaluation",
                            scattered(ConformerConvolution(options, rng)), {frames},
                            [=](const ConformerConvolution& module, const Xs& x) {
                                return module(x[0], padding(x[0]), Mode::evaluation());
                            }),
            with_parameters("ConformerConvolution in training, with padding",
                            scattered(ConformerConvolution(options, rng)), {frames},
                            [=](const ConformerConvolution& module, const Xs& x) {
                                return module(x[0], padding(x[0]), Mode::training());
                            })
                .zero_gradient("depthwise.bias", centred),
            with_parameters("ConformerBlock", scattered(ConformerBlock(options, rng)), {frames},
                            [=](const ConformerBlock& block, const Xs& x) {
                                const AttentionCall call{.mask = padding(x[0]),
                                                         .mode = Mode::evaluation()};
                                return block(x[0], call);
                            })
                .zero_gradient("key.bias", softmax_cancels),
            with_parameters("ConformerEncoder, rotary", scattered(ConformerEncoder(rotary, rng)),
                            {frames}, [=](const ConformerEncoder& encoder, const Xs& x) {
                                return encoder(x[0], {.mode = Mode::evaluation()});
                            })};
}

std::vector<Case> pairs() {
    Rng rng(64);
    const ContrastivePair model(
        {.first_width = 3, .second_width = 2, .width = 4, .temperature = 0.5}, rng);
    const Tensor a = sample({3, 3}), b = sample({3, 2}, -1, 1, 2);
    return {
        {"unit_vectors", [](const Xs& x) { return unit_vectors(x[0]); }, {sample({2, 3, 4})}},
        {"info_nce", [](const Xs& x) { return info_nce(x[0]); }, {sample({4, 4})}},
        {"contrastive_loss", [](const Xs& x) { return contrastive_loss(x[0]); }, {sample({4, 4})}},
        {"class_vectors",
         [](const Xs& x) {
             return class_vectors(x[0], {0, 1, 0, 1}, 2);
         },
         {sample({4, 3})}},
        with_parameters("ContrastivePair: loss", model, {a, b},
                        [](const ContrastivePair& m, const Xs& x) { return m.loss(x[0], x[1]); })
            .conditioned(2, "probabilities near 0 and 1"),
        with_parameters("ContrastivePair: scores", model, {a, b},
                        [](const ContrastivePair& m, const Xs& x) {
                            const Tensor both = matmul(m.first(x[0]), transpose(m.second(x[1])));
                            return m.scores(x[0], x[1]) + both;
                        })};
}

const bool added_modality = add_cases(pictures) && add_cases(sound) && add_cases(pairs);

}  // namespace
}  // namespace heed
