// The operations of the engine. Each stands beside its gradient, and each room uses those before it. A
// newcomer begins with elementwise/unary.cpp, in which an operation is one row, and goes on with
// product/matmul.cpp. All files in reading order:
//
//   support/      what the operations are made of, above the loops of kernels/
//     map.h      A fresh tensor from a function of registers, element by element
//     rows.h     The rows of a tensor along its last axis, for the fused kernels: the first element
//                of each row, and the threads over all rows
//     windows.h  A window: equally spaced elements along one axis of a tensor
//   elementwise/  each number of the result comes from one number of each input
//     elementwise.h  What an elementwise operation is: its formula, and the formula of its gradient
//     unary.h        Elementwise operations on one tensor, such as exp, log, tanh and relu
//     binary.h       Elementwise operations on two tensors, such as +, *, maximum and pow
//     compare.h      Comparisons, masks, and choosing by a mask
//     copies.h       The same numbers in other memory
//   shape/        elements are moved about: other axes, pieces, joined tensors
//     shape_ops.h  All operations that move elements about
//     reshape.h    Other shapes and other orders of the axes
//     slice.h      A range of an axis, one index of it, and all of it in pieces
//     join.h       Tensors joined, padded, rolled and repeated
//     diagonal.h   Triangles and diagonals of matrices
//     growing.h    A sequence that grows, such as the keys that a decoder has seen, without a copy
//                  at each step
//   reduce/       many numbers become one, along some axes or all
//     reductions.h  Operations that reduce axes, such as sum, mean, norm, max and argmax
//     cumulative.h  Cumulative sums and products along an axis
//     scaling.h     Powers of two that keep squares from overflowing
//   index/        elements and rows are picked by integers
//     indexing.h  Picking elements by integers
//     sort.h      Values in order, with the indices they came from
//     segments.h  Sums, maxima and softmax over groups of rows
//     integers.h  Indices joined, cut, compared, counted and converted
//   product/      sums of products, and windows of images
//     matmul.h            Products of matrices, and the dense layer
//     einsum.h            Products and sums named by their axes (Einstein's summation convention)
//     convolution.h       Convolution, by sliding windows and the matrix product
//     pooling.h           Pooling: each window of an image is reduced to one number, its largest or
//                         its mean
//     quantised_matrix.h  A matrix of weights in 8 or 4 bits, for decoding
//   fused/        single kernels for speed, each beside its definition in plain operations
//     softmax.h        Softmax, masked softmax and log-softmax along one axis
//     cross_entropy.h  The loss of classification
//     layer_norm.h     Layer normalisation and RMS normalisation
//     batch_norm.h     Batch normalisation: each channel by its mean and variance over the batch
//                      and all pixels
#pragma once

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/batch_norm.h"
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
#include "autograd/ops/product/quantised_matrix.h"
#include "autograd/ops/reduce/cumulative.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/growing.h"
#include "autograd/ops/shape/shape_ops.h"
