// A matrix of weights in 8 or 4 bits, for decoding. To decode one token, a model reads each of its
// weights once and does two operations with it; so the time is that of reading, and a weight of one
// byte is read in about a quarter of the time of a float.
//
//     const QuantisedMatrix w = quantise(weight, BlockFormat::q8_0);   // weight [out, in]
//     Tensor y = linear(x, w, bias);                                   // as linear(x, weight, bias)
//     w.bytes();                                                       // 1.0625 for each weight
//
// Groups of 32 weights along the input share a scale (kernels/blocks.h). The bytes are those of a GGUF
// file, so they are read into place and not converted. The weights are constants: x and bias may have
// gradients, w has none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autograd/base/arguments.h"
#include "autograd/kernels/blocks.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

std::string name_of(BlockFormat format);     // "q8_0"
int64_t bytes_of_block(BlockFormat format);  // of 32 weights
// The bytes of a matrix; what its constructor expects.
int64_t bytes_of_blocks(BlockFormat format, Integer rows, Integer columns);

// Constant bytes, shared with their owner: a vector, or a mapped file (mapped_file.h).
struct SharedBytes {
    std::shared_ptr<const unsigned char> first;
    int64_t size = 0;

    SharedBytes() = default;
    SharedBytes(std::shared_ptr<const unsigned char> first_byte, Integer count)
        : first(std::move(first_byte)), size(count) {}
    SharedBytes(std::vector<unsigned char> bytes);
};

// A handle, as Tensor is: a copy shares the blocks, which nobody changes.
class QuantisedMatrix {
  public:
    QuantisedMatrix() = default;
    // `blocks` [rows, columns / 32], row after row, without gaps, from an even address on. Throws unless
    // columns is a multiple of 32 and the bytes are as many as the format says.
    QuantisedMatrix(BlockFormat format, Integer rows, Integer columns, SharedBytes blocks);

    bool defined() const { return blocks_.first != nullptr; }
    BlockFormat format() const { return format_; }
    int64_t rows() const { return rows_; }        // Out
    int64_t columns() const { return columns_; }  // In
    int64_t bytes() const { return blocks_.size; }
    const unsigned char* data() const { return blocks_.first.get(); }

  private:
    BlockFormat format_ = BlockFormat::q8_0;
    int64_t rows_ = 0, columns_ = 0;
    SharedBytes blocks_;
};

// w [out, in] rounded to the format, each block by itself. Throws for another shape, for `in` that is no
// multiple of 32, and for NaN and numbers above 65504 in size, the largest half-precision number.
QuantisedMatrix quantise(const Tensor& w, BlockFormat format);
// The same numbers as float32, [out, in].
Tensor dequantise(const QuantisedMatrix& w);

// The rows of w at the given indices, as float32, [...] -> [..., in]: a table of embeddings. Throws for
// an index outside [0, out).
Tensor embedding(const QuantisedMatrix& w, const Indices& ids);

// y = x Wᵀ + b, [..., in] -> [..., out], by a kernel that reads the blocks. With float64 it is
// linear_definition().
Tensor linear(const Tensor& x, const QuantisedMatrix& w, const Tensor& bias = {});
Tensor linear_definition(const Tensor& x, const QuantisedMatrix& w, const Tensor& bias = {});

}  // namespace heed
