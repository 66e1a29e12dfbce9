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
//     score.h            Scores: how well a query and a key match
//     additive_scores.h  The additive score as one operation
//     mask.h             Masks: which query may attend to which key
//     pairs.h            Masked means not read
//     soft.h             Soft attention: from scores to weights, and from weights to the expected
//                        value
//     span.h             Global and local attention: which positions of the source a query attends
//                        to
//     mechanism.h        An attention mechanism: a score and a span
//   laws/         what every correct attention does
//     laws.h         The laws of attention: what every correct attention does, whatever its score
//     laws_detail.h  What the laws are made of: inputs, comparisons, and access to weights row by
//                    row
//   hard/         attention to one sampled position; hard.h has its reading order
//   fused/        scaled dot-product attention of many heads
//     scaled_dot_product.h  Scaled dot-product attention of many heads at once
//     plain_attention.h     Scaled dot-product attention as plain loops, forward and backward: what
//                           to read before the tiled kernels of tiled_attention.h, and what those
//                           are tested against
//     tiled_attention.h     The kernels of scaled_dot_product_attention: plain_attention() and
//                           plain_attention_backward() without storing the scores [Q, K] of a head
//     tiles.h               What the tiled kernels of attention, forward and backward, have in
//                           common
//     running_softmax.h     The softmax of a query whose keys arrive tile by tile, and its gradient
//                           from the logarithm of the sum
//     attention_call.h      How attention is called, the same at every level:
//                           scaled_dot_product_attention(), MultiHead, SelfAttention, the layers of
//                           a Transformer and whole stacks
//   heads/        layers of attention
//     multi_head.h        Multi-head attention: H attentions side by side, each on its own
//                         projections of queries, keys and values
//     positions.h         Positions
//     self_attention.h    Multi-head self-attention with positions and with a cache
//     latent_attention.h  Self-attention with one narrow latent in place of keys and values
//     pooling.h           Attention pooling: a set of any size becomes one vector, or a few, by a
//                         weighted mean with learned weights
//   decoding/     from a model of the next token to sequences
//     decode.h       Decoding: from a model that predicts the next token to whole sequences
//     beam.h         Beam search: at every step the `beam` most probable partial sequences are kept
//                    and extended
//     speculative.h  Speculative decoding: a small model drafts some tokens, and the large one
//                    judges all of them in one pass
//   recurrent/    encoder-decoder models with recurrent networks
//     encoder.h            The recurrent encoder: computes a state for every token of the source
//                          sentence
//     recurrent_decoder.h  Recurrent decoders: from an encoded source and the target so far to
//                          features of the next token
//     encoder_decoder.h    The recurrent encoder-decoder: translation from one sequence of tokens
//                          to another, with a fixed context or with attention
//   transformer/  models without recurrence
//     experts.h          A mixture of experts: E networks f₁ ... f_E side by side, of which each
//                        token uses k
//     layers.h           The layers of the Transformer
//     stacks.h           Stacks of layers: the encoder and the decoder of a Transformer, without
//                        embeddings
//     transformer.h      The Transformer: an encoder reads the source sequence and a decoder
//                        generates the target sequence
//     language_model.h   A decoder-only language model, of the family of GPT: from the tokens so
//                        far, the next one
//     bert.h             BERT: an encoder that reads a text in both directions
//     masked_tokens.h    Hiding tokens, the task BERT is trained on: a share of the tokens is
//                        chosen at random and has to be predicted from the others
//     set_transformer.h  The blocks of the Set Transformer: attention between the elements of a
//                        set, with residual connections and feed-forward networks
//     pytorch.h          Load PyTorch weights into heed, and save heed weights for PyTorch
//     published.h        Models that others have trained and published, read from their files into
//                        the models of heed
//   modalities/   pictures, sound, and two kinds of data together
//     vision_transformer.h  The Vision Transformer, ViT: a picture is cut into patches, and an
//                           encoder reads the patches as if they were the words of a sentence
//     conformer.h           The Conformer: a Transformer layer for sound, with a convolution beside
//                           the attention
//     contrastive.h         Contrastive learning with two encoders: two modalities, such as
//                           pictures and captions, are projected to one space, so that the two
//                           members of a pair come close to each other and members of different
//                           pairs do not
//   graph/        attention to the neighbours of a node
//     sparse_graph.h       A graph given by its edges: which node may attend to which
//     graph_convolution.h  Graph convolution: the mean of a node's neighbours, with weights that
//                          depend on their numbers of edges only, and a linear layer
//     graph_attention.h    Attention along the edges of a graph: each node attends to its
//                          neighbours
//   efficient/    attention for long sequences; efficient.h has its reading order
//   states/       a state of fixed size instead of a cache
//     linear_attention.h  Linear attention: causal attention whose past is a matrix of fixed size,
//                         the state, and not a cache of keys and values
//     selective_scan.h    A selective state space: each of D channels has a state of N numbers,
//                         which decays at a rate that the input decides
//     sinks.h             Attention sinks: a cache of keys and values is kept at a fixed size, and
//                         a model generates far past the length it was trained on
#pragma once

#include "attention/decoding/beam.h"
#include "attention/decoding/decode.h"
#include "attention/decoding/speculative.h"
#include "attention/efficient/efficient.h"
#include "attention/fused/scaled_dot_product.h"
#include "attention/graph/graph_attention.h"
#include "attention/graph/graph_convolution.h"
#include "attention/graph/sparse_graph.h"
#include "attention/hard/hard.h"
#include "attention/heads/latent_attention.h"
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
#include "attention/states/linear_attention.h"
#include "attention/states/selective_scan.h"
#include "attention/states/sinks.h"
#include "attention/transformer/bert.h"
#include "attention/transformer/experts.h"
#include "attention/transformer/language_model.h"
#include "attention/transformer/layers.h"
#include "attention/transformer/masked_tokens.h"
#include "attention/transformer/published.h"
#include "attention/transformer/pytorch.h"
#include "attention/transformer/set_transformer.h"
#include "attention/transformer/stacks.h"
#include "attention/transformer/transformer.h"
#include "autograd/autograd.h"
#include "nn/nn.h"
