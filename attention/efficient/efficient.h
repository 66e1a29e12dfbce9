// Attention for long sequences. Exact attention compares each of Q queries with each of K keys; each
// part of this chapter avoids some of that work, and says what is given up for it. In reading order:
//
//   block_pattern.h    which keys a query attends to: windows, dilation, global and random positions
//   block_sparse.h     exact attention along such a pattern, in time linear in the length
//   linformer.h        keys and values projected to fewer rows
//   performer.h        the softmax kernel as a mean over random features
//   lsh.h              Reformer: attention among positions with the same hash
//   synthesizer.h      weights without queries and keys
//   reversible.h       a stack that keeps only its last output for backward
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
