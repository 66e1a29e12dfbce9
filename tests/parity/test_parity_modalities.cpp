// Pictures, sound and pairs as in PyTorch: models written there of torch.nn's parts (make.py).
#include "attention/modalities/conformer.h"
#include "attention/modalities/contrastive.h"
#include "attention/modalities/vision_transformer.h"
#include "nn/nn.h"
#include "tests/parity/parity_file.h"

namespace heed {
namespace {

TEST_CASE("interpolation as in PyTorch", "[parity]") {
    for (const auto& [name, kind] :
         {std::pair{"bilinear", Interpolation::bilinear}, {"bicubic", Interpolation::bicubic}})
        for (const auto& [direction, size] :
             {std::pair{"larger", Size2d(5, 9)}, {"smaller", Size2d(2, 3)}}) {
            const Interpolation how = kind;
            const Size2d to = size;
            agrees(fmt::format("interpolate_{}_{}", name, direction), NoLayer{},
                   [=](const NoLayer&, Inputs& in) { return interpolate(in("x"), to, how); });
        }
}

TEST_CASE("the Vision Transformer as in PyTorch", "[parity]") {
    for (const ImagePooling pooling : {ImagePooling::class_token, ImagePooling::mean}) {
        Rng rng(1);
        VisionTransformerOptions options{.image = {4, 6},
                                         .patch = {2, 3},
                                         .channels = 2,
                                         .classes = 3,
                                         .pooling = pooling,
                                         .stack = vit({.width = 4, .heads = 2, .layers = 2})};
        options.stack.hidden = 6;
        agrees(pooling == ImagePooling::mean ? "vision_transformer_mean"
                                             : "vision_transformer_class_token",
               VisionTransformer(options, rng),
               [](const VisionTransformer& model, Inputs& in) { return model(in("x")); });
    }
}

TEST_CASE("the Conformer block as in PyTorch, in training and evaluation", "[parity]") {
    for (const bool training : {true, false}) {
        const std::string name = training ? "conformer_block" : "conformer_block_eval";
        const ParityFile file(name);
        Rng rng(1);
        ConformerBlock block({.width = 4,
                              .heads = 2,
                              .hidden = 6,
                              .kernel = 3,
                              .positions = {.kind = PositionKind::none}},
                             rng);
        to_dtype(block, f64);
        for (const Parameter& buffer : buffers(block)) {
            Tensor x = buffer.tensor;
            x.assign(file.at("input.before." + buffer.name));
        }
        agrees(name, block, [=](const ConformerBlock& model, Inputs& in) {
            return model(in("x"), {.mode = training ? Mode::training() : Mode::evaluation()});
        });
    }
}

TEST_CASE("the contrastive loss as in PyTorch", "[parity]") {
    Rng rng(1);
    agrees("contrastive_pair",
           ContrastivePair({.first_width = 3, .second_width = 5, .width = 4}, rng),
           [](const ContrastivePair& pair, Inputs& in) { return pair.loss(in("a"), in("b")); });
}

}  // namespace
}  // namespace heed
