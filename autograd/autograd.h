// The engine: tensors, the operations on them, and their gradients. A reading order:
//
//   check.h        how mistakes are reported
//   shape.h        the sizes of a tensor
//   tensor.h       the tensor itself, a handle to numbers and to a place in the graph
//   tape.h         how operations are recorded and gradients flow back: the heart of it
//   node.h         what a graph is made of
//   cards.h        an elementwise operation is one struct, a formula card
//   unary.h, binary.h       the cards there are
//   reductions.h   sum, mean, max and others that make axes disappear
//   shape_ops.h    views and other ways to move elements about
//   growing.h      a sequence that grows a piece at a time
//   matmul.h       products of matrices
//   indices.h, indexing.h   integers, and picking elements by them
//   softmax.h, cross_entropy.h, layer_norm.h   fused kernels, each beside its definition
//   random.h       random numbers from an explicit generator
//   gradcheck.h    proof of a gradient by finite differences
//
// Below these, what makes it fast: pool.h (memory), storage.h, vec.h and vec_math.h (registers),
// parallel.h (threads), loops.h and elementwise.h (from a card to a kernel), windows.h (slices), rows.h
// (the fused kernels), gemm.h (the product).
#pragma once

#include "autograd/base/parallel.h"
#include "autograd/check/gradcheck.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/growing.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/unary.h"
#include "autograd/record/record.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"
