// Products and sums named by their axes (Einstein's summation convention).
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"

namespace heed {

// Each axis of each operand has a letter; operands are separated by commas, the axes of the result
// stand behind the arrow. Letters that are not in the result are summed over:
//
//     einsum("ij,jk->ik", {a, b})            // matmul(a, b)
//     einsum("bqd,bkd->bqk", {q, k})         // scores of attention
//     einsum("ii->i", {a})                   // the diagonal
//     einsum("ij->", {a})                    // the sum
//
// Without an arrow the result has the letters that occur once, in alphabetical order. Axes with one
// letter must have one size (a size of 1 does not broadcast). Operands are multiplied from left to
// right, each pair by one batched matmul(), which is where the gradients come from; no intermediate
// result may have more than six axes. "..." is not supported: name all axes.
Tensor einsum(const std::string& formula, const std::vector<Tensor>& operands);

// The same by the definition, one sum over one product of all operands, broadcast: the test of einsum().
Tensor einsum_definition(const std::string& formula, const std::vector<Tensor>& operands);

}  // namespace heed
