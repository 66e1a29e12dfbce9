#include "attention/modalities/conformer.h"

#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/index/integers.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

TransformerOptions stack_of(const ConformerOptions& o) {
    return {.width = o.width,
            .heads = o.heads,
            .layers = o.layers,
            .hidden = o.hidden,
            .pre_norm = true,
            .activation = Activation::silu,
            .dropout = o.dropout,
            .positions = o.positions};
}

void check_frames(const Tensor& mask, const Shape& x, const char* layer) {
    check(!mask.defined() || mask.shape() == Shape({x[0], 1, x[1]}),
          "the mask {} of x {}; expected [{}, 1, {}], as from padding_mask()", ShapeOf{mask}, x,
          x[0], x[1]);
    check_mask_numbers(mask, layer);
}

}  // namespace

// --- the convolution module ---------------------------------------------------------------------

ConformerConvolution::ConformerConvolution(const ConformerOptions& o, Rng& rng)
    : expand(o.width, 2 * o.width, rng), norm(o.width), project(o.width, o.width, rng) {
    check(o.kernel > 0 && o.kernel % 2 == 1,
          "ConformerConvolution: a kernel of {} frames; expected an odd number, so that there are "
          "as many before a frame as after it",
          o.kernel);
    depthwise =
        Conv1d(o.width, o.width, o.kernel, {.padding = (o.kernel - 1) / 2, .groups = o.width}, rng);
}

Tensor ConformerConvolution::operator()(const Tensor& x, const Tensor& mask, Mode mode) const {
    const Shapes in("ConformerConvolution", {{"x", x, "B T D"}});
    check_frames(mask, x.shape(), "ConformerConvolution");
    const std::vector<Tensor> halves = chunk(expand(without_masked(x, mask)), 2, -1);
    Tensor gated = transpose(halves[0] * sigmoid(halves[1]));  // [B, D, T]
    if (mask.defined()) gated = where(mask_to_dtype(mask, gated.dtype()) == 0.0, 0.0, gated);
    return project(transpose(silu(normalised(depthwise(gated), mask, mode))));
}

Tensor ConformerConvolution::normalised(const Tensor& x, const Tensor& mask, Mode mode) const {
    if (!mask.defined() || !mode.is_training("ConformerConvolution")) return norm(x, mode);

    // The frames of all sequences as one batch, without the padding.
    const int64_t batch = x.size(0), channels = x.size(1), frames = x.size(2);
    const Indices found = nonzero(flatten(mask)), rows = found.reshaped({found.count()});
    const Tensor all = reshape(transpose(x), {batch * frames, channels});
    const Tensor kept = norm(index_select(all, 0, rows), mode);  // [frames that count, D]
    return transpose(reshape(index_add(all.shape(), 0, rows, kept), {batch, frames, channels}));
}

// --- the block ----------------------------------------------------------------------------------

ConformerBlock::ConformerBlock(const ConformerOptions& o, Rng& rng)
    : first_feed_forward(stack_of(o), rng),
      first_feed_forward_residual(stack_of(o)),
      attention({.width = o.width, .heads = o.heads, .dropout = o.dropout}, o.positions, rng),
      attention_residual(stack_of(o)),
      convolution(o, rng),
      convolution_residual(stack_of(o)),
      second_feed_forward(stack_of(o), rng),
      second_feed_forward_residual(stack_of(o)),
      norm(o.width) {}

Tensor ConformerBlock::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("ConformerBlock", {{"x", x, "B T D"}});
    check_frames(call.mask, x.shape(), "ConformerBlock");
    check(
        !call.causal && !call.cache,
        "ConformerBlock: the convolution reads later frames, so it cannot be called causal or with "
        "a cache");
    const auto half = [&](const FeedForward& feed_forward) {
        return [&](const Tensor& y) { return feed_forward(y, call.mode) * 0.5; };
    };
    Tensor y = first_feed_forward_residual(x, call.mode, half(first_feed_forward));
    y = attention_residual(y, call.mode, [&](Tensor h) { return attention(h, call); });
    y = convolution_residual(y, call.mode,
                             [&](Tensor h) { return convolution(h, call.mask, call.mode); });
    return norm(second_feed_forward_residual(y, call.mode, half(second_feed_forward)));
}

ConformerEncoder::ConformerEncoder(const ConformerOptions& o, Rng& rng) {
    check_not_negative("ConformerEncoder", {{"layers", o.layers}});
    for (int64_t i = 0; i < o.layers; ++i) layers.emplace_back(o, rng);
}

Tensor ConformerEncoder::operator()(const Tensor& x, const AttentionCall& call) const {
    const Shapes in("ConformerEncoder", {{"x", x, "B T D"}});
    Tensor y = x;
    for (const ConformerBlock& layer : layers) y = layer(y, call);
    return y;
}

int64_t parameter_count(const ConformerOptions& o) {
    const int64_t d = o.width, f = o.hidden ? o.hidden : 4 * d;
    // An encoder layer has attention, its positions, one feed-forward network and two norms.
    const int64_t encoder_layers = encoder_parameter_count(stack_of(o)) - 2 * d;
    const int64_t feed_forward = 2 * d * f + f + d;
    const int64_t convolution =
        (d + 1) * 2 * d + d * (o.kernel + 1) + 2 * d + (d + 1) * d;  // with batch norm
    return encoder_layers + o.layers * (feed_forward + convolution + 3 * 2 * d);
}

}  // namespace heed
