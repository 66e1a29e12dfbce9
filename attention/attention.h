// Attention, one mechanism after another. A reading order:
//
//   score.h        how well a query and a key match: six formulas, one interface
//   additive_scores.h     the additive one as a single operation
//   mask.h         who may attend to whom
//   soft.h         from scores to weights, from weights to the expected value
//   laws.h         what every correct attention does, to be checked on any, your own too
//   laws_detail.h  what the laws are made of, for a law of your own
//   hard.h         looking at one place, drawn at random: how to learn where; its own reading order
//   span.h       global, or local about one's own place or a predicted one
//   mechanism.h    score and span together, over a memory made ready once
//   scaled_dot_product.h  many heads in one operation, without their weights if none asks
//   tiled_attention.h     the kernel of it: scores are made tile by tile and never kept
//   tiles.h               how its work is cut into tiles, and why that is fast
//   multi_head.h   projections, heads, and a projection: self- and cross-attention
//   positions.h    where a token stands: six ways to tell
//   self_attention.h      multi-head attention with positions, and with a cache for writing
//   pooling.h      a set of any size into one vector, by a learned query; Nadaraya-Watson
//   encoder.h      a recurrent encoder: a state for every token
//   recurrent_decoder.h   decoders that read them: fixed context, Bahdanau's, Luong's
//   encoder_decoder.h     the whole translation model
//   decode.h       writing a sequence: greedily, or by drawing
//   beam.h         writing several side by side and keeping the best
//   transformer_layers.h  self-attention, feed-forward network, and the way past them
//   transformer_stacks.h  layers one above the other; what they begin with; how many parameters
//   transformer.h         the whole translation model without recurrence
//   language_model.h      the decoder alone: GPT
//   pytorch.h      models trained there for here, and the other way about
//
// All of it grows out of three lines:
//
//     const Tensor scores = matmul(query, transpose(key));    // [B, Q, K]: who fits whom
//     const Tensor weights = softmax(scores / std::sqrt(key.size(-1)));
//     const Tensor context = matmul(weights, value);          // [B, Q, D]: what was read
#pragma once

#include "attention/decoding/beam.h"
#include "attention/decoding/decode.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/hard/hard.h"
#include "attention/heads/multi_head.h"
#include "attention/heads/pooling.h"
#include "attention/heads/positions.h"
#include "attention/heads/self_attention.h"
#include "attention/laws/laws.h"
#include "attention/recurrent/encoder.h"
#include "attention/recurrent/encoder_decoder.h"
#include "attention/recurrent/recurrent_decoder.h"
#include "attention/scores/additive_scores.h"
#include "attention/scores/mask.h"
#include "attention/scores/mechanism.h"
#include "attention/scores/score.h"
#include "attention/scores/soft.h"
#include "attention/scores/span.h"
#include "attention/transformer/language_model.h"
#include "attention/transformer/layers.h"
#include "attention/transformer/pytorch.h"
#include "attention/transformer/stacks.h"
#include "attention/transformer/transformer.h"
