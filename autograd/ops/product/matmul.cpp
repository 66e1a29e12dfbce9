#include "autograd/ops/product/matmul.h"

#include "autograd/base/user_call.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/loops.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/windows.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// The last two axes of x, seen as a matrix.
template <class T>
Matrix<const T> matrix(const Tensor& x) {
    const int n = x.dim();
    return {x.data<T>(), x.shape()[n - 2], x.shape()[n - 1], x.strides()[n - 2],
            x.strides()[n - 1]};
}
template <class T>
Matrix<T> writable_matrix(Tensor& x, int64_t rows, int64_t columns) {
    return {reinterpret_cast<T*>(x.body()->bytes), rows, columns, columns, 1};
}

// The axes before the last two: the layout of the first elements of all matrices.
Layout batch_of(const Tensor& x) {
    Layout batch = x.layout();
    batch.shape.count -= 2;
    batch.strides.count -= 2;
    return batch;
}

// x with all axes but the last merged into rows.
Tensor as_rows(const Tensor& x) {
    int64_t rows = 1;
    for (int i = 0; i < x.dim() - 1; ++i) rows *= x.shape()[i];
    return reshape(x, {rows, x.size(-1)});
}

// The shape of A B, for matrices of a batch.
Shape shape_of_product(const Tensor& a, const Tensor& b) {
    Shape shape = broadcast(batch_of(a).shape, batch_of(b).shape, "matmul");
    shape.push(a.size(-2));
    shape.push(b.size(-1));
    return shape;
}

// C = A B for every matrix of the batch, or C += A B. C is row-major and has the product's shape.
void multiply_into(Tensor& c, const Tensor& a, const Tensor& b, bool accumulate) {
    const Layout batch_a = batch_of(a), batch_b = batch_of(b);
    Shape shape = c.shape();
    shape.count -= 2;
    const int64_t count = shape.numel(), n = a.size(-2), m = b.size(-1);
    const LoopNest<2> nest(shape, {&batch_a, &batch_b});
    with_dtype(a.dtype(), [&]<class T>(T) {
        const auto& steps = nest.stride[nest.axes - 1];
        const int64_t step_a = steps[0], step_b = steps[1];
        nest.rows(0, count, [&](const auto& offset, int64_t first, int64_t length) {
            Matrix<const T> ma = matrix<T>(a), mb = matrix<T>(b);
            Matrix<T> mc = writable_matrix<T>(c, n, m);
            ma.data += offset[0];
            mb.data += offset[1];
            mc.data += first * n * m;
            if (length == 1)
                gemm<T>(ma, mb, mc, accumulate);
            else
                gemm_batched<T>(length, ma, step_a, mb, step_b, mc, n * m, accumulate);
        });
    });
}

Tensor product(const Tensor& a, const Tensor& b) {
    Tensor c = empty(shape_of_product(a, b), a.dtype());
    multiply_into(c, a, b, false);
    return c;
}

}  // namespace

void matmul_detail::add_product(const Tensor& a, const Tensor& b, const Shape& shape,
                                GradientSum sum) {
    if (!(shape_of_product(a, b) == shape))
        return add_to_view(sum.open(), sum_to(product(a, b), shape));
    bool fresh;
    Tensor& total = sum.open(&fresh);
    multiply_into(total, a, b, !fresh);
}

// C = A B          dL/dA = G Bᵀ          dL/dB = Aᵀ G
Tensor matmul(const Tensor& a, const Tensor& b) {
    check(a.defined() && b.defined(), "matmul: an input is not defined");
    check_same_dtype(a, b, "matmul");
    check(a.dim() >= 1 && b.dim() >= 1, "matmul: expected matrices or vectors, got {} x {}",
          a.shape(), b.shape());
    if (a.size(-1) != b.size(b.dim() == 1 ? 0 : -2)) [[unlikely]] {
        Shape turned = b.shape();
        if (b.dim() > 1) std::swap(turned[b.dim() - 1], turned[b.dim() - 2]);
        fail("matmul: inner sizes differ: {} x {}{}", a.shape(), b.shape(),
             b.dim() > 1 && a.size(-1) == b.size(-1)
                 ? fmt::format("; did you mean the second one transposed, {}?", turned)
                 : "");
    }
    if (a.dim() == 1) return squeeze(matmul(unsqueeze(a, 0), b), b.dim() == 1 ? -1 : -2);
    if (b.dim() == 1) return squeeze(matmul(a, unsqueeze(b, 1)), -1);
    if (b.dim() == 2 && a.dim() > 2 &&
        a.is_contiguous()) {  // one tall product, not many small ones
        Shape shape = a.shape();
        shape[a.dim() - 1] = b.size(1);
        return reshape(matmul(as_rows(a), b), shape);
    }
    const auto rule_b = [=](const Tensor& g) { return matmul(transpose(a), g); };
    // A decoder reads the same B, what the encoder gave, at every step: its gradient is added up in place.
    const auto add_to_b = [=, shape = b.shape()](const Tensor& g, GradientSum sum) {
        matmul_detail::add_product(transpose(a), g, shape, sum);
    };
    return record(
        "matmul", product(a, b),                                      //
        a, [=](const Tensor& g) { return matmul(g, transpose(b)); },  //
        b, in_place(rule_b, add_to_b));
}

Tensor dot(const Tensor& a, const Tensor& b) {
    const UserCall named("dot");
    check_defined("dot", a, b);
    check(a.dim() == 1 && a.shape() == b.shape(),
          "dot: expected two vectors of one size, got {}, {}", a.shape(), b.shape());
    return matmul(a, b);
}

Tensor outer(const Tensor& a, const Tensor& b) {
    const UserCall named("outer");
    check_defined("outer", a, b);
    check(a.dim() == 1 && b.dim() == 1, "outer: expected two vectors, got {} and {}", a.shape(),
          b.shape());
    return unsqueeze(a, 1) * b;
}

namespace {

// sum += Gᵀ X
void add_product_of_rows(const Tensor& g, const Tensor& x, GradientSum sum) {
    bool fresh;
    Tensor& total = sum.open(&fresh);
    with_dtype(g.dtype(), [&]<class T>(T) {
        gemm<T>(transposed(matrix<T>(g)), matrix<T>(x),
                writable_matrix<T>(total, g.size(1), x.size(1)), !fresh);
    });
}

}  // namespace

// y = x Wᵀ + b          dL/dx = G W          dL/dW = Gᵀ x          dL/db = Σ G over the rows
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    check_defined("linear", x, weight);
    check(weight.dim() == 2, "linear: expected weights [out, in], got {}", weight.shape());
    check(x.dim() >= 1, "linear: expected x with a last axis of features, got []");
    check(x.size(-1) == weight.size(1),
          "linear: x {} ends in {}, but the weights {} take {} features", x.shape(), x.size(-1),
          weight.shape(), weight.size(1));
    check_same_dtype(x, weight, "linear");
    const int64_t out = weight.size(0);
    if (bias.defined()) {
        check(bias.shape() == Shape{out}, "linear: expected a bias of shape [{}], got {}", out,
              bias.shape());
        check_same_dtype(x, bias, "linear");
    }
    Tensor rows;  // [N, in]
    {
        const InnerOperations inner;
        rows = as_rows(x);
    }
    Shape shape = x.shape();
    shape[x.dim() - 1] = out;
    Tensor y = empty(shape, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Tensor b = bias.defined() ? contiguous(bias) : bias;
        gemm<T>(matrix<T>(rows), transposed(matrix<T>(weight)),
                writable_matrix<T>(y, rows.size(0), out), false,
                b.defined() ? b.data<T>() : nullptr);
    });
    // A recurrent network uses one weight at every step, so its gradient is added up in place.
    const auto add_to_weight = [rows](const Tensor& g, GradientSum sum) {
        add_product_of_rows(as_rows(g), rows, sum);
    };
    return record(
        "linear", std::move(y),                                 //
        x, [=](const Tensor& g) { return matmul(g, weight); },  //
        weight,
        in_place([=](const Tensor& g) { return matmul(transpose(as_rows(g)), as_rows(x)); },
                 add_to_weight),
        bias, [](const Tensor& g) { return g; });
}

Tensor linear_definition(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const UserCall named("linear_definition");
    const Tensor y = matmul(x, transpose(weight));
    return bias.defined() ? y + bias : y;
}

}  // namespace heed
