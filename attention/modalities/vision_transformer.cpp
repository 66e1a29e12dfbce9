#include "attention/modalities/vision_transformer.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

namespace {

Size2d grid_of(Size2d image, Size2d patch) {
    check(patch.height > 0 && patch.width > 0 && image.height > 0 && image.width > 0 &&
              image.height % patch.height == 0 && image.width % patch.width == 0,
          "VisionTransformer: pictures of {} x {} cannot be cut into patches of {} x {}; the patch "
          "must divide the picture",
          image.height, image.width, patch.height, patch.width);
    return {image.height / patch.height, image.width / patch.width};
}

int64_t token_count(const VisionTransformerOptions& o) {
    const Size2d grid = grid_of(o.image, o.patch);
    return grid.height * grid.width + (o.pooling == ImagePooling::class_token ? 1 : 0);
}

}  // namespace

TransformerOptions vit(const VitSize& size) {
    return {.width = size.width,
            .heads = size.heads,
            .layers = size.layers,
            .pre_norm = true,
            .activation = Activation::gelu,
            .positions = {.kind = PositionKind::learned}};
}

VisionTransformer::VisionTransformer(const VisionTransformerOptions& o, Rng& rng)
    : dropout(o.stack.dropout), image(o.image) {
    const int64_t tokens = token_count(o), d = o.stack.width;
    patches = Conv2d(o.channels, d, o.patch, {.stride = o.patch}, rng, o.stack.bias);
    // A patch is one input of C PH PW numbers, so its weights are those of a matrix.
    patches.weight.assign(
        reshape(xavier_uniform({d, patches.weight.numel() / d}, rng), patches.weight.shape()));
    if (o.stack.bias) patches.bias.assign(zeros({d}));
    if (o.pooling == ImagePooling::class_token) class_token = parameter(zeros({d}));

    TransformerOptions stack = o.stack;
    stack.positions.width = d;
    stack.positions.max_positions = tokens;
    positions = AbsolutePositions(stack.positions, rng);
    encoder = TransformerEncoder(stack, rng);
    initialise_vaswani(parameters(encoder), rng);
    const auto published = [](LayerNorm& norm) { norm.eps = 1e-6; };
    for (TransformerEncoderLayer& layer : encoder.layers) {
        published(layer.attention_residual.norm);
        published(layer.feed_forward_residual.norm);
    }
    published(encoder.norm);

    if (o.classes == 0) return;
    head = Linear(d, o.classes, rng);
    initialise_vaswani(parameters(head), rng);
}

Size2d VisionTransformer::grid() const { return grid_of(image, patches.options.stride); }

Tensor VisionTransformer::tokens(const Tensor& x) const {
    const Shapes in("VisionTransformer", {{"x", x, "B C H W"}},
                    {{"C", patches.weight.size(1)}, {"H", image.height}, {"W", image.width}},
                    "resize() makes a model ready for another size");
    const Tensor y = transpose(flatten(patches(x), 2));  // [B, N, D]
    if (!class_token.defined()) return positions(y);
    return positions(concat({expand(class_token, {y.size(0), 1, y.size(2)}), y}, 1));
}

Tensor VisionTransformer::run(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("VisionTransformer", {{"x", x, "B C H W"}});
    return encoder(dropout(tokens(x), call.mode), call);
}

Tensor VisionTransformer::pool(const Tensor& encoded) const {
    const Shapes in("VisionTransformer", {{"encoded", encoded, "B T D"}});
    return class_token.defined() ? select(encoded, 1, 0) : mean(encoded, 1);
}

Tensor VisionTransformer::operator()(const Tensor& x, Mode mode) const {
    const Shapes in("VisionTransformer", {{"x", x, "B C H W"}});
    const Tensor features = pool(run(x, {.mode = mode}));
    return head.defined() ? head(features) : features;
}

void VisionTransformer::resize(Size2d new_image, Interpolation kind) {
    const UserCall named("VisionTransformer");
    const Size2d from = grid(), to = grid_of(new_image, patches.options.stride);
    image = new_image;
    if (!positions.table.defined()) return;

    const Tensor table = detach(positions.table);  // [T, D]
    const int64_t d = table.size(1), first = class_token.defined() ? 1 : 0;
    const Tensor on_grid =
        reshape(transpose(slice(table, 0, first, table.size(0))), {d, from.height, from.width});
    Tensor resized = transpose(flatten(interpolate(on_grid, to, kind), 1));  // [N', D]
    if (first > 0) resized = concat({slice(table, 0, 0, first), resized}, 0);
    positions.table = parameter(contiguous(resized));
}

int64_t parameter_count(const VisionTransformerOptions& o) {
    const int64_t d = o.stack.width;
    const int64_t of_patches = d * o.channels * o.patch.height * o.patch.width;
    return of_patches + (o.stack.bias ? d : 0) + (o.pooling == ImagePooling::class_token ? d : 0) +
           (o.stack.positions.kind == PositionKind::learned ? token_count(o) * d : 0) +
           encoder_parameter_count(o.stack) + o.classes * (d + 1);
}

}  // namespace heed
