// The Vision Transformer, ViT (Dosovitskiy et al. 2021, section 3.1): a picture is cut into patches,
// and an encoder reads the patches as if they were the words of a sentence.
//
//     z⁰ = [class; W p¹; ...; W pᴺ] + E        N patches, E learned positions     equation 1
//     zˡ = the layers of a pre-norm encoder                                       equations 2, 3
//     y  = head(norm(zᴸ) of the class token)                                      equation 4
//
//     VisionTransformer model({.image = 28, .patch = 7, .classes = 10,
//                              .stack = vit({.width = 64, .heads = 4, .layers = 2})}, rng);
//     Tensor logits = model(pictures, Mode::training(rng));       // [B, 1, 28, 28] -> [B, 10]
//     model.resize(56);                                           // for pictures of another size
//
// Shapes: B batch, C channels, H and W the size of the picture, PH and PW that of a patch,
// N = H / PH W / PW patches, T tokens: N, and one more with a class token.
#pragma once

#include "attention/transformer/stacks.h"
#include "nn/layers/convolution.h"
#include "nn/layers/interpolate.h"

namespace heed {

struct VitSize {
    int64_t width = 64, heads = 4, layers = 2;
};
// The options of the published models: pre-norm, exact GELU, learned positions, biases. ViT-B/16 is
// {.width = 768, .heads = 12, .layers = 12} with patches of 16 (table 1).
TransformerOptions vit(const VitSize& size);

// What the head reads.
enum class ImagePooling {
    class_token,  // the output of a learned token in front of the patches (section 3.1)
    mean,         // the mean of the outputs of all patches, without such a token (appendix D.3)
};

struct VisionTransformerOptions {
    Size2d image = 28;     // H, W
    Size2d patch = 7;      // PH, PW; must divide the image
    int64_t channels = 1;  // C
    int64_t classes = 10;  // 0: no head, and the model returns the features
    ImagePooling pooling = ImagePooling::class_token;
    // positions.max_positions is set to T. Positions of other kinds than learned count the patches
    // row by row.
    TransformerOptions stack = vit({});
};

struct VisionTransformer {
    Conv2d patches;      // [D, C, PH, PW], stride PH, PW: W of equation 1
    Tensor class_token;  // [D], or not defined
    AbsolutePositions positions;
    TransformerEncoder encoder;
    Linear head;  // [classes, D], or not defined
    Dropout dropout;
    Size2d image = 1;

    VisionTransformer() = default;
    // Matrices as in initialise_vaswani(), the class token and biases 0, positions N(0, 0.02), as in
    // the published code, which has head weights of 0. Norms have its eps, 1e-6. Throws unless the
    // patches divide the image.
    VisionTransformer(const VisionTransformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("patches", patches);
        f("class_token", class_token);
        f("positions", positions);
        f("encoder", encoder);
        f("head", head);
    }

    // x [B, C, H, W] -> logits [B, classes]; without a head, features [B, D]. Throws for pictures of
    // another size, and with dropout unless the mode is given.
    Tensor operator()(const Tensor& x, Mode mode = {}) const;
    // The steps of it: patches and positions [B, T, D]; the encoder's output [B, T, D]; and from the tokens what the head reads, [B, D].
    Tensor tokens(const Tensor& x) const;
    Tensor run(const Tensor& x, const AttentionCall& call = {}) const;
    Tensor pool(const Tensor& encoded) const;

    // The grid of patches: H / PH rows of W / PW.
    Size2d grid() const;

    // The same model for pictures of another size (section 3.2): learned positions are interpolated
    // on the grid; that of the class token stays. (The published code interpolates bilinearly with
    // the centres of the corner patches aligned, others bicubically.) The table becomes a new
    // parameter: make the optimiser afterwards. Throws, having changed nothing, unless the patches
    // divide the new size.
    void resize(Size2d new_image, Interpolation kind = Interpolation::bicubic);
};

// The number of parameters of a model with these options, without making it.
int64_t parameter_count(const VisionTransformerOptions& options);

}  // namespace heed
