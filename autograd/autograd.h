// The engine: tensors, the operations on them, and their gradients. Each folder uses only those
// before it. Somebody who is new here reads five files:
//
//   tensor/tensor.h        what a tensor is
//   tensor/node.h          what the graph of a computation is made of
//   record/record.h        how an operation gets into the graph, with one line for each input
//   backward/pass.h        the backward pass: from a result back to everything it came from
//   check/gradcheck.h      how a gradient is proved right
//
// and then, of ops/, elementwise/unary.cpp (an operation is one row) and product/matmul.cpp. All files:
//
//   base/      what everything stands on
//     error.h           User errors
//     arguments.h       What a function takes where an axis, a count, an index or a flag is meant
//     settings.h        The numbers that a user sets for a layer or a function: sizes, counts,
//                       rates
//     user_call.h       For functions made of other functions of heed: an error inside begins with
//                       the name of the function that the user called
//     shape.h           The sizes of a tensor along its axes
//     rng.h             Random numbers
//     parallel.h        Threads live here and nowhere else
//     processors.h      How many processors this program may use, and what they and their caches
//                       are
//     environment.h     The environment variables that the programs of heed read, in one list, with
//                       what each may hold
//     pool.h            Memory for tensors and graph nodes
//     growing_buffer.h  Memory that a kernel needs while it computes, kept for its next call
//     bit_cast.h        The bits of one number as another of the same size: std::bit_cast, which
//                       the standard library of emscripten 3.1, Debian's compiler for WebAssembly,
//                       does not have yet
//     utf8.h            UTF-8, the encoding of all text in heed: a code point takes one to four
//                       bytes
//     printable.h       Text from outside (names in files, options, paths) made safe to show
//     edit_distance.h   How far apart two sequences are: the number of edits; and which name
//                       somebody meant who typed another one
//     files.h           What may stand where a file is written
//     input_file.h      Reading whole files that may come from anybody
//     mapped_file.h     The bytes of a file in memory without reading it: the system fetches a page
//                       when somebody first looks at it, keeps it once for all programs, and takes
//                       it back when memory is short
//     whole_file.h      A file that is either the old one or the new one, at every moment: also
//                       when the program is killed, the disk is full, or the power fails
//     interrupted.h     A loop that ends because the program was told to stop, by Ctrl-C or a
//                       signal
//     half.h            Half-precision numbers, 16 bits: 1 of sign, 5 of exponent (bias 15), 10 of
//                       fraction
//   kernels/   loops on plain memory, given by pointers and strides
//     vec.h           A register full of numbers
//     vec_math.h      The elementary functions on a register of numbers
//     registers.h     One row of numbers, taken register by register: what the kernels of softmax,
//                     layer normalisation, cross-entropy and attention are written with
//     loops.h         The loop of every elementwise operation: out[i] = f(a[i], b[i], ...) over
//                     operands with any strides, broadcast ones included (their stride is 0)
//     sums.h          Sums of many numbers whose error does not grow with their count
//     reduce.h        Reductions: sum, largest and smallest of many numbers, or of each column of a
//                     matrix
//     gemm.h          Matrix products, C = A B, for float and double
//     gemm_blocked.h  The product in blocks: a step between the three loops of gemm_definition()
//                     and gemm.cpp
//     gemm_kernel.h   The innermost pieces of a matrix product
//     gemm_layout.h   Copies of matrices for a product: into panels, which its innermost loop reads
//                     in the order of memory, and out of a transposed tile
//     convolution.h   Convolution, steps of one pixel, without copies of its windows;
//                     convolution.cpp says how
//     blocks.h        Weights in blocks of 32, with 8 or 4 bits each: whole numbers q, and for each
//                     block a scale d and perhaps a minimum m, which are half-precision numbers
//     quantised.h     Products with weights in blocks of 8 or 4 bits (blocks.h): y = x Wᵀ + b
//     machine.h       One model of the machine, from which the kernels take their sizes
//   tensor/    a value that knows nothing of operations
//     tensor.h   The tensor: a rectangular block of numbers, and perhaps a node in the graph of the
//                operations that computed it
//     create.h   Making tensors
//     random.h   Tensors of random numbers, drawn from an explicit generator (base/rng.h)
//     print.h    Printing tensors, as NumPy does: fmt::print("{}\n", x)
//     indices.h  Integers with a shape: token ids, class labels, positions
//     shapes.h   What a function expects of its tensors, said once
//     node.h     The node of a graph
//     storage.h  The numbers behind a tensor and its views, with a count of owners and a version:
//                how often the numbers were edited
//     buffers.h  Buffers: numbers that belong to a model and that a forward pass may change, such
//                as the running mean of batch normalisation
//   record/    how an operation gets into the graph
//     record.h        Recording: what an operation leaves behind so that its gradient can be
//                     computed later
//     grad_mode.h     Whether operations are recorded on this thread
//     operation.h     The nodes that record() makes: rules of any type, kept in the node itself
//     inner.h         For operations whose value is computed with other operations: logsumexp takes
//                     the logarithm of a sum of exponentials
//     finite.h        Numbers that go bad
//     profile.h       Where the time of a training step goes, operation by operation
//     remember.h      The values and gradients of a small graph, for those who draw it: graph_dot()
//                     in backward/backward.h
//     surroundings.h  What is in force around a computation and must be so again when checkpoint()
//                     or reversible() do it a second time, in backward
//   ops/       the operations, each with its gradient; ops/ops.h lists them
//   backward/  from a result to the gradients of what it came from
//     backward.h          Gradients: from a result back to everything it was computed from
//     pass.h              The backward pass: from a result back to everything it was computed from
//     arrivals.h          The gradients that have arrived at nodes during a backward pass, and wait
//                         there for more
//     derivatives.h       Derivatives beyond the gradient of a scalar: products with the Jacobian,
//                         the Jacobian itself, the Hessian; and a function whose intermediate
//                         results are computed twice instead of kept
//     recompute.h         What checkpoint() (derivatives.h) and reversible()
//                         (attention/efficient/reversible.h) share: functions that are called again
//                         in backward, in a pass of their own inside the pass that runs
//     untrained.h         Parameters that nobody trains
//     finite_gradients.h  The finite check of a backward pass (record/finite.h): every gradient
//                         that a rule gives, and the sum of those that arrive at a node, must be
//                         finite if the one that the pass starts with is
//   check/     the proof of a gradient
//     gradcheck.h  Is a gradient right?
#pragma once

#include "autograd/backward/backward.h"
#include "autograd/backward/derivatives.h"
#include "autograd/base/parallel.h"
#include "autograd/check/gradcheck.h"
#include "autograd/ops/ops.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"
