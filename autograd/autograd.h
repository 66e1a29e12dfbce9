// The engine: tensors, the operations on them, and their gradients. Each folder uses only those
// before it. Somebody who is new here reads five files:
//
//   tensor/tensor.h        what a tensor is
//   tensor/node.h          what the graph of a computation is made of
//   record/record.h        how an operation gets into the graph, with one line for each input
//   backward/pass.h        the backward pass: from a result back to everything it came from
//   check/gradcheck.h      how a gradient is proved right
//
// and then, of ops/, elementwise.h (an operation is one struct), unary.h and matmul.h. All folders:
//
//   base/      what everything stands on: error.h, interrupted.h (a loop told to stop), printable.h and
//              utf8.h (text), edit_distance.h, files.h, input_file.h and whole_file.h (reading and
//              replacing files), user_call.h (the name in front of errors), shape.h, rng.h, parallel.h
//              (threads) and processors.h (how many, their name and cache), pool.h (memory)
//   kernels/   loops on plain memory, given by pointers and strides: vec.h and vec_math.h
//              (registers), registers.h and loops.h (rows and whole tensors), sums.h (long sums that
//              keep their digits), reduce.h, gemm.h and gemm_blocked.h (the matrix product), convolution.h
//   tensor/    tensor.h, create.h, print.h, node.h, storage.h, buffers.h (numbers of a model that a
//              forward pass changes), indices.h (integers: tokens, labels, positions)
//   record/    record.h, grad_mode.h (recording switched off), operation.h (the nodes), finite.h (stop
//              at the first NaN), profile.h (where the time goes), surroundings.h (what
//              is in force when something is computed a second time)
//   ops/       the operations, each with its gradient; ops.h lists them
//   backward/  backward.h: backward() and grad(), backward_definition(), the same in its
//              plainest form, graph_dot() draws a graph; pass.h, arrivals.h, finite_gradients.h;
//              derivatives.h: Jacobian, Hessian, checkpoint(); untrained.h: parameters that no
//              optimiser holds
//   check/     gradcheck.h
#pragma once

#include "autograd/backward/backward.h"
#include "autograd/backward/derivatives.h"
#include "autograd/base/parallel.h"
#include "autograd/check/gradcheck.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"
