// Attention, one mechanism after another. A reading order:
//
//   score.h        how well a query and a key match: six formulas, one interface
//   additive_scores.h     the additive one as a single operation
//   mask.h         who may attend to whom
//   soft.h         from scores to weights, from weights to the expected value
//   laws.h         what every correct attention does, to be checked on any, your own too
//   laws_detail.h  what the laws are made of, for a law of your own
//   hard.h         looking at one place, drawn at random: how to learn where; its own reading order
//   extent.h       global, or local about one's own place or a predicted one
//   mechanism.h    score and extent together, over a memory made ready once
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

#include "attention/additive_scores.h"
#include "attention/beam.h"
#include "attention/decode.h"
#include "attention/encoder.h"
#include "attention/encoder_decoder.h"
#include "attention/extent.h"
#include "attention/hard.h"
#include "attention/language_model.h"
#include "attention/laws.h"
#include "attention/mask.h"
#include "attention/mechanism.h"
#include "attention/multi_head.h"
#include "attention/pooling.h"
#include "attention/positions.h"
#include "attention/pytorch.h"
#include "attention/recurrent_decoder.h"
#include "attention/scaled_dot_product.h"
#include "attention/score.h"
#include "attention/self_attention.h"
#include "attention/soft.h"
#include "attention/transformer.h"
#include "attention/transformer_layers.h"
#include "attention/transformer_stacks.h"
