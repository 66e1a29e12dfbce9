#include "autograd/ops/product/quantised_matrix.h"

#include <cmath>
#include <utility>

#include "autograd/base/user_call.h"
#include "autograd/kernels/quantised.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"

namespace heed {

std::string name_of(BlockFormat format) {
    switch (format) {
        case BlockFormat::q4_0:
            return "q4_0";
        case BlockFormat::q4_1:
            return "q4_1";
        default:
            return "q8_0";
    }
}

int64_t bytes_of_block(BlockFormat format) {
    return with_block(format, []<class Block>(Block) { return int64_t{sizeof(Block)}; });
}

int64_t bytes_of_blocks(BlockFormat format, Integer rows, Integer columns) {
    check(rows >= 0 && columns >= 0 && columns % block_weights == 0,
          "QuantisedMatrix: {} rows of {} weights; blocks hold {} each, and a row is whole blocks",
          rows, columns, block_weights);
    return rows * (columns / block_weights) * bytes_of_block(format);
}

SharedBytes::SharedBytes(std::vector<unsigned char> bytes)
    : size(static_cast<int64_t>(bytes.size())) {
    const auto owner = std::make_shared<const std::vector<unsigned char>>(std::move(bytes));
    first = {owner, owner->data()};
}

QuantisedMatrix::QuantisedMatrix(BlockFormat format, Integer rows, Integer columns,
                                 SharedBytes blocks)
    : format_(format), rows_(rows), columns_(columns), blocks_(std::move(blocks)) {
    const int64_t expected = bytes_of_blocks(format, rows, columns);
    if (blocks_.size != expected)
        fail("QuantisedMatrix: {} bytes for [{}, {}] in {}; expected {}", blocks_.size, rows,
             columns, name_of(format), expected);
    check(
        reinterpret_cast<std::uintptr_t>(data()) % alignof(BlockQ8_0) == 0,
        "QuantisedMatrix: the blocks begin at an odd address; their scales are numbers of two bytes");
}

namespace {

void check_matrix(const char* operation, const QuantisedMatrix& w) {
    check(w.defined(), "{}: there is no quantised matrix; make one by quantise()", operation);
}

}  // namespace

QuantisedMatrix quantise(const Tensor& w, BlockFormat format) {
    check_defined("quantise", w);
    check(w.dim() == 2, "quantise: expected weights [out, in], got {}", w.shape());
    check(
        w.size(1) % block_weights == 0,
        "quantise: weights {} with rows of {}; {} of them share a scale, and a row is whole groups",
        w.shape(), w.size(1), block_weights);
    const Tensor rows = contiguous(to_dtype(detach(w), Dtype::float32));
    const float* x = rows.data<float>();
    constexpr float largest_half = 65504;
    for (int64_t i = 0; i < rows.numel(); ++i)
        check(
            std::abs(x[i]) <= largest_half,
            "quantise: a weight is {}; scales and minima are half-precision numbers, at most {} in "
            "size",
            x[i], largest_half);
    std::vector<unsigned char> blocks(bytes_of_blocks(format, w.size(0), w.size(1)));
    with_block(format, [&]<class Block>(Block) {
        auto* block = reinterpret_cast<Block*>(blocks.data());
        for (int64_t i = 0; i < rows.numel(); i += block_weights) (block++)->quantise(x + i);
    });
    return {format, w.size(0), w.size(1), std::move(blocks)};
}

Tensor dequantise(const QuantisedMatrix& w) {
    check_matrix("dequantise", w);
    Tensor x = empty({w.rows(), w.columns()}, Dtype::float32);
    unpack_blocks(w.format(), w.data(), x.numel() / block_weights, x.edit<float>());
    return x;
}

Tensor embedding(const QuantisedMatrix& w, const Indices& ids) {
    check_matrix("embedding", w);
    Shape shape = ids.shape();
    shape.push(w.columns());
    Tensor rows = empty(shape, Dtype::float32);
    const int64_t blocks = w.columns() / block_weights, bytes = blocks * bytes_of_block(w.format());
    float* to = rows.edit<float>();
    for (const int id : ids) {
        check(id >= 0 && id < w.rows(), "embedding: the index {} is outside a table of {} rows", id,
              w.rows());
        unpack_blocks(w.format(), w.data() + id * bytes, blocks, to);
        to += w.columns();
    }
    return rows;
}

// Y = X Wᵀ + b          dL/dX = G W          dL/db = G
Tensor linear(const Tensor& x, const QuantisedMatrix& w, const Tensor& bias) {
    const UserCall named("linear");
    check_defined("linear", x);
    check_matrix("linear", w);
    if (x.dtype() == Dtype::float64) return linear_definition(x, w, bias);
    check(x.dim() >= 1 && x.size(-1) == w.columns(),
          "linear: x {} for quantised weights [{}, {}], which take {} features", x.shape(),
          w.rows(), w.columns(), w.columns());
    if (bias.defined()) {
        check(bias.shape() == Shape{w.rows()}, "linear: expected a bias of shape [{}], got {}",
              w.rows(), bias.shape());
        check_same_dtype(x, bias, "linear");
    }
    Shape shape = x.shape();
    shape[x.dim() - 1] = w.rows();
    Tensor y = empty(shape, x.dtype());
    const Tensor input = contiguous(detach(x)),
                 b = bias.defined() ? contiguous(detach(bias)) : bias;
    const int64_t tokens = w.rows() ? y.numel() / w.rows() : 0;
    quantised_product(w.format(), w.data(), tokens, w.columns(), w.rows(), input.data<float>(),
                      b.defined() ? b.data<float>() : nullptr,
                      reinterpret_cast<float*>(y.body()->bytes));
    return record(
        "linear", std::move(y),                                        //
        x, [w](const Tensor& g) { return matmul(g, dequantise(w)); },  //
        bias, [](const Tensor& g) { return g; });
}

Tensor linear_definition(const Tensor& x, const QuantisedMatrix& w, const Tensor& bias) {
    const UserCall named("linear_definition");
    check_matrix("linear_definition", w);
    return linear_definition(x, to_dtype(dequantise(w), x.dtype()), bias);
}

}  // namespace heed
