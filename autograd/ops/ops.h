// The operations of the engine. Each stands beside its gradient. A reading order:
//
//   elementwise.h    an elementwise operation is one struct: its formula and that of its gradient
//   unary.h          exp, log, tanh, relu, ...
//   binary.h         + - * / maximum, pow; compare.h: comparisons and where()
//   reductions.h     sum, mean, var, max, min, argmax, logsumexp: operations that reduce axes
//   shape_ops.h      reshape, transpose, slice, expand, concat, ...: views, and moving elements
//   copies.h         clone, contiguous, to_dtype
//   matmul.h         products of matrices, and the dense layer
//   convolution.h    convolutions by sliding windows and the product; pooling.h: max and mean pooling
//   indexing.h       picking elements by integers: embedding, gather, index_select, one_hot
//   softmax.h, cross_entropy.h, layer_norm.h    fused kernels, each beside its definition
//   random.h         tensors of random numbers
//   growing.h        a sequence that grows a piece at a time
//
// What they are made of: map.h (kernels over whole tensors), rows.h (kernels row by row), windows.h
// (parts of a tensor along one axis).
#pragma once

#include "autograd/ops/binary.h"
#include "autograd/ops/convolution.h"
#include "autograd/ops/copies.h"
#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/growing.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/layer_norm.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/pooling.h"
#include "autograd/ops/random.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/unary.h"
