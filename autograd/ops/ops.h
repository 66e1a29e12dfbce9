// The operations of the engine. Each stands beside its gradient. A reading order:
//
//   elementwise.h    an elementwise operation is one struct: its formula and that of its gradient
//   unary.h          exp, log, tanh, relu, ...
//   binary.h         + - * / += maximum, pow, atan2, ...
//   compare.h        comparisons, masks, where()
//   reductions.h     sum, mean, stddev, norm, max, argmax, cumsum, ...: over some axes or all
//   sort.h           sort, topk, max_with_indices: values with the indices they came from
//   shape_ops.h      reshape, transpose, slice, x[i], expand, concat, split, tril, ...
//   copies.h         clone, contiguous, to_dtype
//   matmul.h         products of matrices, and the dense layer
//   einsum.h         products and sums named by their axes
//   convolution.h    convolutions by sliding windows and the product; pooling.h: max and mean pooling
//   indexing.h       picking elements by integers: embedding, gather, index_select, one_hot
//   segments.h       sums, maxima and softmax over groups of rows
//   integers.h       Indices joined, cut, compared and converted
//   softmax.h, cross_entropy.h, layer_norm.h (and RMS norm)    fused kernels, each beside its definition
//   random.h         tensors of random numbers
//   growing.h        append(): a sequence that grows without being copied
//
// What they are made of: map.h (kernels over whole tensors), rows.h (kernels row by row), windows.h
// (ranges of one axis), scaling.h (powers of two that keep squares from overflowing).
#pragma once

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/ops/fused/layer_norm.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/index/integers.h"
#include "autograd/ops/index/segments.h"
#include "autograd/ops/index/sort.h"
#include "autograd/ops/product/convolution.h"
#include "autograd/ops/product/einsum.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/product/pooling.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/growing.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/random.h"
