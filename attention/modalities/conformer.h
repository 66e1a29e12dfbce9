// The Conformer (Gulati et al. 2020): a Transformer layer for sound, with a convolution beside the
// attention. Attention compares frames that are far apart; the convolution sees how a few neighbouring
// frames change.
//
//     x₁ = x  + ½ feed-forward(x)        equation 1; every module begins with a layer norm
//     x₂ = x₁ + attention(x₁)
//     x₃ = x₂ + convolution(x₂)
//     y  = norm(x₃ + ½ feed-forward(x₃))
//
//     ConformerEncoder encoder({.width = 64, .heads = 4, .layers = 2, .kernel = 15}, rng);
//     Tensor y = encoder(frames, {.mask = padding_mask(lengths, T),
//                                 .mode = Mode::training(rng)});    // [B, T, 64]
//
// Where this differs from the paper: the paper's attention has the relative positions of
// Transformer-XL (Dai et al. 2019), fixed sinusoids of the distance with learned projections. Here
// `positions` chooses among those of heads/positions.h, by default a learned vector for each distance
// (Shaw et al. 2018). Kernels are odd (the paper's 32 is even), so that a frame sees as many frames
// before it as after it. The paper's subsampling by convolutions is not part of the encoder.
//
// Shapes: B batch, T frames, D width. Frames that the mask excludes change no output but their own,
// in training too: batch normalisation averages over the other frames only.
#pragma once

#include <vector>

#include "attention/transformer/stacks.h"
#include "nn/layers/convolution.h"
#include "nn/layers/normalisation.h"

namespace heed {

struct ConformerOptions {
    int64_t width = 64;  // D
    int64_t heads = 4;
    int64_t layers = 2;
    int64_t hidden = 0;   // of the feed-forward networks; 0: 4 width
    int64_t kernel = 31;  // frames that the depthwise convolution sees; odd
    double dropout = 0;   // of every module's output, of hidden units, and of attention weights
    PositionOptions positions = {.kind = PositionKind::relative};  // width and heads are set
};

// The convolution module (section 2.2): a pointwise convolution to 2 D channels, a gate, a depthwise
// convolution along the frames, batch normalisation, swish, and a pointwise convolution.
//
//     u = W₁ x + b₁ = [p; q]                         each frame alone, [2 D]
//     h = p sigmoid(q)                               GLU (Dauphin et al. 2017)
//     c(t) = b + Σₖ w(k) h(t + k - (K - 1) / 2)      each channel alone, zeros beyond the ends
//     y = W₂ swish(norm(c)) + b₂                     each frame alone, [D]
//
// A pointwise convolution is a dense layer for every frame, so it is a Linear here.
struct ConformerConvolution {
    Linear expand;     // W₁ [2 D, D]
    Conv1d depthwise;  // w [D, 1, K]
    BatchNorm1d norm;  // of each channel, over the frames of the batch
    Linear project;    // W₂ [D, D]

    ConformerConvolution() = default;
    // Throws unless the kernel is odd.
    ConformerConvolution(const ConformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("expand", expand);
        f("depthwise", depthwise);
        f("norm", norm);
        f("project", project);
    }

    // x [B, T, D] -> [B, T, D]. The mode must be given.
    Tensor operator()(const Tensor& x, const Tensor& mask, Mode mode) const;

  private:
    Tensor normalised(const Tensor& x, const Tensor& mask, Mode mode) const;  // [B, D, T]
};

struct ConformerBlock {
    FeedForward first_feed_forward;
    ResidualConnection first_feed_forward_residual;
    SelfAttention attention;
    ResidualConnection attention_residual;
    ConformerConvolution convolution;
    ResidualConnection convolution_residual;
    FeedForward second_feed_forward;
    ResidualConnection second_feed_forward_residual;
    LayerNorm norm;

    ConformerBlock() = default;
    ConformerBlock(const ConformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first_feed_forward", first_feed_forward);
        f("first_feed_forward_norm", first_feed_forward_residual);
        f("attention", attention);
        f("attention_norm", attention_residual);
        f("convolution", convolution);
        f("convolution_norm", convolution_residual);
        f("second_feed_forward", second_feed_forward);
        f("second_feed_forward_norm", second_feed_forward_residual);
        f("norm", norm);
    }

    // x [B, T, D] -> [B, T, D]. The mask is [B, 1, T], 1 = a frame, 0 = padding; not defined: all are
    // frames. Throws unless the mode is given, because of batch normalisation; and for a causal call,
    // since the convolution reads later frames.
    Tensor operator()(const Tensor& x, const AttentionCall& call) const;
};

struct ConformerEncoder {
    std::vector<ConformerBlock> layers;

    ConformerEncoder() = default;
    ConformerEncoder(const ConformerOptions& options, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("layers", layers);
    }

    // x [B, T, D] -> [B, T, D], called as a block is.
    Tensor operator()(const Tensor& x, const AttentionCall& call) const;
};

// The number of parameters of an encoder with these options, without making it.
int64_t parameter_count(const ConformerOptions& options);

}  // namespace heed
