// Products with weights in blocks of 8 or 4 bits (blocks.h): y = x Wᵀ + b.
//
// With one token, x is a row, and each weight is read once from memory for one multiplication and one
// addition. Nothing can make that faster than the memory; so the kernel has only to unpack the weights
// as fast as they come. Integers become floats in a register, are scaled there, and are used at once,
// for up to four tokens. With more than eight tokens the arithmetic counts: some rows of W at a time
// become floats, and gemm() does the rest. Each y is one sum in one order, however many threads there
// are, and with up to eight tokens however many of these.
#pragma once

#include <cstdint>

#include "autograd/kernels/blocks.h"

namespace heed {

// The weights of `count` blocks as floats.
void unpack_blocks(BlockFormat format, const unsigned char* blocks, int64_t count, float* weights);

// y [tokens, out] = x [tokens, in] Wᵀ + b, all contiguous; W has `out` rows of in / 32 blocks. The bias
// may be null.
void quantised_product(BlockFormat format, const unsigned char* blocks, int64_t tokens, int64_t in,
                       int64_t out, const float* x, const float* bias, float* y);

// The same by the definition of each weight, in plain loops: the test's reference.
template <class Block>
void quantised_product_definition(const Block* blocks, int64_t tokens, int64_t in, int64_t out,
                                  const float* x, const float* bias, float* y) {
    for (int64_t t = 0; t < tokens; ++t)
        for (int64_t i = 0; i < out; ++i) {
            double sum = bias ? bias[i] : 0;
            for (int64_t j = 0; j < in; ++j)
                sum += double{x[t * in + j]} *
                       blocks[(i * in + j) / block_weights].weight(j % block_weights);
            y[t * out + i] = static_cast<float>(sum);
        }
}

}  // namespace heed
