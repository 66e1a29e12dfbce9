// Attention for long sequences. Exact attention compares each of Q queries with each of K keys; each
// part of this chapter avoids some of that work, and says what is given up for it. In reading order:
//
//   block_pattern.h  Which keys each query of a long sequence attends to: a window, further apart
//                    with a dilation, some global positions, and blocks drawn at random
//   block_sparse.h   Scaled dot-product attention along a pattern of blocks: only the blocks of
//                    keys are visited that the pattern names for a block of queries, so time and
//                    bytes are linear in the length where those of exact attention are quadratic in
//                    time
//   linformer.h      Linformer: K keys and values are projected along the sequence to P rows, and
//                    the queries attend to these
//   performer.h      Performer: the exponential of a dot product is written as the mean of a
//                    product of random features, so that the sum over the keys need not know the
//                    query
//   lsh.h            Attention by locality-sensitive hashing: a query attends only to keys with the
//                    same hash, and the hash is made so that vectors of similar direction tend to
//                    have the same
//   synthesizer.h    Synthesizer: weights without queries and keys
//   reversible.h     Reversible residual blocks: the inputs of a block can be computed from its
//                    outputs, so a stack of any depth keeps only its last output for backward
//   key_mask.h       A mask of keys, for the attentions that cannot keep single queries from a key
//
// block_sparse and lsh compute a softmax over fewer keys, and equal exact attention under a mask.
// performer estimates exact attention, without bias in the kernel. linformer and synthesizer are other
// functions, with parameters of their own. Exact attention without storing the scores is in fused/;
// gradient checkpointing, of which reversible is the relative, is checkpoint() in
// autograd/backward/derivatives.h.
//
// Shapes: B batch, H heads, T positions, Q queries, K keys, D width, D' width of the values, M random
// features, P projected rows, R hashes. key_mask.h checks the mask.
#pragma once

#include "attention/efficient/block_pattern.h"
#include "attention/efficient/block_sparse.h"
#include "attention/efficient/linformer.h"
#include "attention/efficient/lsh.h"
#include "attention/efficient/performer.h"
#include "attention/efficient/reversible.h"
#include "attention/efficient/synthesizer.h"
