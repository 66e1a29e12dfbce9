// Attention: scores, weights, heads, positions, and the models made of them. This header includes
// all of it, and the libraries below it: nn/nn.h (layers, optimisers, training) and
// autograd/autograd.h (tensors, operations, set_threads()). The idea in three lines:
//
//     const Tensor scores = matmul(query, transpose(key));    // [B, Q, K]: how well they match
//     const Tensor weights = softmax(scores / std::sqrt(key.size(-1)));
//     const Tensor context = matmul(weights, value);          // [B, Q, D]: the weighted mean
//
// The folders in reading order, each with its files:
//
//   scores/       from queries and keys to weights
//     score.h             six formulas for the score of a query and a key, with one interface
//     additive_scores.h   the additive score as one fused operation
//     mask.h              which query may attend to which key
//     pairs.h             products that leave out what the mask excludes
//     soft.h              from scores to weights, and to the weighted mean of the values
//     span.h              global attention, and local attention in a window
//     mechanism.h         a score and a span together, with keys prepared once
//   laws/         what every correct attention does
//     laws.h              the laws, to be checked on any attention, also one of your own
//     laws_detail.h       what the laws are made of, to write another one
//   hard/         attention to one sampled position; hard.h has its reading order
//   fused/        scaled dot-product attention of many heads
//     attention_call.h       how attention is called, the same from one head to a whole stack
//     scaled_dot_product.h   the operation, and its definition in plain operations
//     plain_attention.h      the same as plain loops
//     tiled_attention.h      the same without storing the scores: the kernels that run
//     tiles.h                how their work is cut into tiles, and why that is fast
//     running_softmax.h      the softmax of keys that arrive tile by tile
//   heads/        layers of attention
//     multi_head.h        projections, heads and an output projection
//     positions.h         six ways to add position information
//     self_attention.h    multi-head attention with positions and with a cache for decoding
//     pooling.h           a set of any size into one vector; Nadaraya-Watson regression
//   decoding/     from a model of the next token to sequences
//     decode.h            what a model must offer; greedy decoding and sampling
//     beam.h              beam search
//   recurrent/    encoder-decoder models with recurrent networks
//     encoder.h           a state for every token of the source
//     recurrent_decoder.h    decoders with a fixed context, Bahdanau's and Luong's attention
//     encoder_decoder.h      the whole model
//   transformer/  models without recurrence
//     layers.h            self-attention, feed-forward network and residual connections
//     stacks.h            stacks of layers, weight initialisation, number of parameters
//     transformer.h       the encoder-decoder model
//     language_model.h    the decoder-only model: GPT
//     bert.h              an encoder trained by filling gaps: BERT
//     masked_tokens.h     hiding tokens for it
//     set_transformer.h   blocks for sets: MAB, SAB, ISAB, PMA
//     pytorch.h           load PyTorch weights into heed, and save heed weights for PyTorch
//   modalities/   pictures, sound, and two kinds of data together
//     vision_transformer.h   a picture as a sequence of patches: ViT
//     conformer.h         attention and convolution for sound
//     contrastive.h       two encoders trained on pairs, as in CLIP; retrieval and zero-shot
//   graph/        attention to the neighbours of a node
//     sparse_graph.h      a graph by its edges: the sparse counterpart of a mask
//     graph_convolution.h    the mean of the neighbours with fixed weights (GCN)
//     graph_attention.h   weights from the features of both nodes (GAT, GATv2)
//   efficient/    attention for long sequences; efficient.h has its reading order
#pragma once

#include "attention/decoding/beam.h"
#include "attention/decoding/decode.h"
#include "attention/efficient/efficient.h"
#include "attention/fused/attention_call.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/graph/graph_attention.h"
#include "attention/graph/graph_convolution.h"
#include "attention/graph/sparse_graph.h"
#include "attention/hard/hard.h"
#include "attention/heads/multi_head.h"
#include "attention/heads/pooling.h"
#include "attention/heads/positions.h"
#include "attention/heads/self_attention.h"
#include "attention/laws/laws.h"
#include "attention/modalities/conformer.h"
#include "attention/modalities/contrastive.h"
#include "attention/modalities/vision_transformer.h"
#include "attention/recurrent/encoder.h"
#include "attention/recurrent/encoder_decoder.h"
#include "attention/recurrent/recurrent_decoder.h"
#include "attention/scores/additive_scores.h"
#include "attention/scores/mask.h"
#include "attention/scores/mechanism.h"
#include "attention/scores/pairs.h"
#include "attention/scores/score.h"
#include "attention/scores/soft.h"
#include "attention/scores/span.h"
#include "attention/transformer/bert.h"
#include "attention/transformer/language_model.h"
#include "attention/transformer/layers.h"
#include "attention/transformer/masked_tokens.h"
#include "attention/transformer/pytorch.h"
#include "attention/transformer/set_transformer.h"
#include "attention/transformer/stacks.h"
#include "attention/transformer/transformer.h"
#include "autograd/autograd.h"
#include "nn/nn.h"
