// The fused kernels over rows against slow, obvious loops in long double, forward and backward: rows of
// every length around a register and a block, one row and many (threads), in every memory layout, and
// axes of size 1 and 0.
#include <functional>

#include "autograd/kernels/sums.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Real = long double;
using Row = std::vector<Real>;

// What a kernel gives for a row x and the gradient g of its result: y, and dx.
struct RowKernel {
    const char* name;
    Tensor (*apply)(const Tensor& x);
    void (*oracle)(const Row& x, const Row& g, Row& y, Row& dx);
};

Row softmax_of(const Row& x, int every = 1) {  // only the numbers 0, every, 2 every, ... count
    Row y(x.size(), 0);
    Real total = 0;
    for (std::size_t i = 0; i < x.size(); i += every) total += std::exp(x[i]);
    for (std::size_t i = 0; i < x.size(); i += every) y[i] = std::exp(x[i]) / total;
    return y;
}

Real dot_of(const Row& a, const Row& b) {
    Real total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
    return total;
}

Tensor every_third(const Tensor& x) {
    Tensor mask = zeros({x.size(-1)}, x.dtype());
    for (int64_t i = 0; i < x.size(-1); i += 3)
        with_dtype(x.dtype(), [&]<class T>(T) { mask.edit<T>()[i] = 1; });
    return mask;
}

// dy/dx of y = (x - m) / √(mean (x - m)² + eps), m the mean or 0
void normalised(const Row& x, const Row& g, Row& y, Row& dx, bool centred) {
    const Real n = x.size();
    Real m = 0, square = 0;
    if (centred)
        for (Real each : x) m += each / n;
    for (Real each : x) square += (each - m) * (each - m) / n;
    const Real r = 1 / std::sqrt(square + Real(1e-5));
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = (x[i] - m) * r;
    Real mean_g = 0;
    if (centred)
        for (Real each : g) mean_g += each / n;
    const Real mean_gy = dot_of(g, y) / n;
    for (std::size_t i = 0; i < x.size(); ++i) dx[i] = r * (g[i] - mean_g - y[i] * mean_gy);
}

const RowKernel kernels[] = {
    {"softmax", [](const Tensor& x) { return softmax(x); },
     [](const Row& x, const Row& g, Row& y, Row& dx) {
         y = softmax_of(x);
         for (std::size_t i = 0; i < x.size(); ++i) dx[i] = y[i] * (g[i] - dot_of(g, y));
     }},
    {"masked_softmax", [](const Tensor& x) { return masked_softmax(x, every_third(x)); },
     [](const Row& x, const Row& g, Row& y, Row& dx) {
         y = softmax_of(x, 3);
         for (std::size_t i = 0; i < x.size(); ++i) dx[i] = y[i] * (g[i] - dot_of(g, y));
     }},
    {"log_softmax", [](const Tensor& x) { return log_softmax(x); },
     [](const Row& x, const Row& g, Row& y, Row& dx) {
         const Row p = softmax_of(x);
         Real sum_g = 0;
         for (Real each : g) sum_g += each;
         for (std::size_t i = 0; i < x.size(); ++i) {
             y[i] = std::log(p[i]);
             dx[i] = g[i] - p[i] * sum_g;
         }
     }},
    {"layer_norm", [](const Tensor& x) { return layer_norm(x); },
     [](const Row& x, const Row& g, Row& y, Row& dx) { normalised(x, g, y, dx, true); }},
    {"rms_norm", [](const Tensor& x) { return rms_norm(x); },
     [](const Row& x, const Row& g, Row& y, Row& dx) { normalised(x, g, y, dx, false); }},
    {"cumsum", [](const Tensor& x) { return cumsum(x, -1); },
     [](const Row& x, const Row& g, Row& y, Row& dx) {
         Real total = 0;
         for (std::size_t i = 0; i < x.size(); ++i) y[i] = total += x[i];
         total = 0;
         for (std::size_t i = x.size(); i-- > 0;) dx[i] = total += g[i];
     }},
};

// The rows of x, in long double.
std::vector<Row> rows_of(const Tensor& x) {
    const std::vector<double> all = x.to_vector();
    const std::size_t n = x.size(-1);
    std::vector<Row> rows;
    for (std::size_t i = 0; n > 0 && i < all.size(); i += n)
        rows.emplace_back(&all[i], &all[i] + n);
    return rows;
}

void compare(const RowKernel& kernel, const Tensor& x) {
    const Tensor g = draw(x.shape(), x.dtype(), 5);
    std::vector<double> ys, dxs;
    const std::vector<Row> xs = rows_of(x), gs = rows_of(g);
    for (std::size_t i = 0; i < xs.size(); ++i) {
        Row y(xs[i].size()), dx(xs[i].size());
        kernel.oracle(xs[i], gs[i], y, dx);
        ys.insert(ys.end(), y.begin(), y.end());
        dxs.insert(dxs.end(), dx.begin(), dx.end());
    }
    // A leaf in this very layout: a view of what is differentiated.
    Tensor leaf = detach(x).set_requires_grad();
    const Tensor y = kernel.apply(leaf);
    const double tolerance = (x.dtype() == Dtype::float32 ? 3e-6 : 1e-14) *
                             std::max(4.0, std::sqrt(static_cast<double>(x.size(-1))));
    require_close(y, ys, tolerance);
    // The gradient comes in two layouts as well.
    require_close(grad(y, {leaf}, true, g)[0], dxs, tolerance);
    require_close(grad(kernel.apply(leaf), {leaf}, false, g)[0], dxs, tolerance);
    const Tensor across = transpose(clone(transpose(g, 0, -1)), 0, -1);
    require_close(grad(kernel.apply(leaf), {leaf}, false, across)[0], dxs, tolerance);
}

}  // namespace

TEST_CASE("kernels over rows equal the plain loops, for every length and layout", "[oracle]") {
    for (const RowKernel& kernel : kernels)
        for (Dtype dtype : both_dtypes) {
            for (const Shape& shape :
                 {Shape{1}, Shape{9}, Shape{1, 1}, Shape{3, 1}, Shape{1, 7}, Shape{2, 3, 16},
                  Shape{5, 17}, Shape{2, 1, 31}, Shape{4, 255}, Shape{3, 513}})
                for (const NamedLayout& layout : layouts_of(draw(shape, dtype, 1, -2, 2))) {
                    INFO(kernel.name << " of " << to_string(shape) << ", " << layout.name << ", "
                                     << name_of(dtype));
                    compare(kernel, layout.x);
                }
            INFO(kernel.name << " of many rows in " << name_of(dtype));
            const WithThreads two(2);
            compare(kernel, draw({700, 130}, dtype, 1, -2, 2));
            compare(kernel, expand(draw({1, 40}, dtype), {3, 40}));
            CHECK(kernel.apply(empty({0, 5}, dtype)).shape() == Shape{0, 5});
        }
}

TEST_CASE("cross_entropy equals the plain loops", "[oracle]") {
    for (Dtype dtype : both_dtypes)
        for (int64_t rows : {1, 3, 600})
            for (int64_t classes : {1, 2, 17, 300})
                for (double smoothing : {0.0, 0.2}) {
                    INFO(rows << " rows of " << classes << " classes, smoothing " << smoothing);
                    const Tensor x = draw({rows, classes}, dtype, 1, -2, 2);
                    std::vector<int> labels;
                    for (int64_t r = 0; r < rows; ++r)
                        labels.push_back(r % 4 == 2 ? -100 : static_cast<int>(r * 7 % classes));
                    std::vector<double> losses, dxs;
                    const std::vector<Row> xs = rows_of(x);
                    for (int64_t r = 0; r < rows; ++r) {
                        const Row p = softmax_of(xs[r]);
                        Real loss = 0;
                        for (int64_t c = 0; c < classes; ++c) {
                            const Real q =
                                (c == labels[r] ? 1 - smoothing : 0) + smoothing / classes;
                            loss -= q * std::log(p[c]);
                            dxs.push_back(labels[r] < 0
                                              ? 0
                                              : static_cast<double>((p[c] - q) * (r + 1) / rows));
                        }
                        losses.push_back(labels[r] < 0 ? 0 : static_cast<double>(loss));
                    }
                    Tensor leaf = clone(x).set_requires_grad();
                    const Tensor y =
                        cross_entropy(leaf, Indices(labels),
                                      {.smoothing = smoothing, .reduction = Reduction::none});
                    const double tolerance = dtype == Dtype::float32 ? 1e-5 : 1e-13;
                    require_close(y, losses, tolerance);
                    require_close(grad(y, {leaf}, false,
                                       (arange(rows, dtype) + 1.0) / static_cast<double>(rows))[0],
                                  dxs, tolerance);
                }
}

TEST_CASE("the gradients of scale and shift equal the plain loops, over many rows", "[oracle]") {
    for (Dtype dtype : both_dtypes)
        for (const Shape& shape : {Shape{1, 5}, Shape{33, 17}, Shape{64, 1}, Shape{3000, 40}}) {
            const Tensor x = draw(shape, dtype, 1, -2, 2), g = draw(shape, dtype, 2);
            Tensor scale = draw({shape[1]}, dtype, 3).set_requires_grad();
            Tensor shift = draw({shape[1]}, dtype, 4).set_requires_grad();
            const auto d = grad(layer_norm(x, scale, shift), {scale, shift}, false, g);
            const auto d_rms = grad(rms_norm(x, scale), {scale}, false, g);
            std::vector<Real> dw(shape[1]), db(shape[1]), dw_rms(shape[1]);
            const std::vector<Row> xs = rows_of(x), gs = rows_of(g);
            for (std::size_t r = 0; r < xs.size(); ++r) {
                Row y(shape[1]), dx(shape[1]), y_rms(shape[1]);
                normalised(xs[r], gs[r], y, dx, true);
                normalised(xs[r], gs[r], y_rms, dx, false);
                for (int64_t i = 0; i < shape[1]; ++i) {
                    dw[i] += gs[r][i] * y[i];
                    db[i] += gs[r][i];
                    dw_rms[i] += gs[r][i] * y_rms[i];
                }
            }
            const double tolerance = dtype == Dtype::float32 ? 3e-5 : 1e-12;
            require_close(d[0], std::vector<double>(dw.begin(), dw.end()), tolerance);
            require_close(d[1], std::vector<double>(db.begin(), db.end()), tolerance);
            require_close(d_rms[0], std::vector<double>(dw_rms.begin(), dw_rms.end()), tolerance);
        }
}

TEST_CASE("row_sums and ColumnSums equal the plain loops", "[oracle]") {
    const auto check_all = []<class T>(T) {
        for (int64_t n : {0, 1, 3, 15, 16, 17, 255, 256, 257, 513, 5000}) {
            std::vector<T> x(n);
            Real total = 0, squares = 0;
            for (int64_t i = 0; i < n; ++i) {
                x[i] = static_cast<T>(0.1 + 0.01 * (i % 7));
                total += x[i];
                squares += Real(x[i]) * x[i];
            }
            const auto [a, b] = row_sums<T, 2>(n, [&](int64_t i, auto count, auto& sums) {
                sums[0] += take(x.data() + i, count);
                sums[1] += take(x.data() + i, count) * take(x.data() + i, count);
            });
            const double tolerance = sizeof(T) == 4 ? 3e-7 : 1e-15;
            CHECK(close(a, static_cast<double>(total), tolerance));
            CHECK(close(b, static_cast<double>(squares), tolerance));
            if (n == 0 || n > 600) continue;
            std::vector<T> space(3 * n, T(0));
            ColumnSums<T> columns(space.data(), n);
            for (int row = 0; row < 1000; ++row) {
                for (int64_t i = 0; i < n; ++i) columns.terms()[i] += x[i];
                columns.next_row();
            }
            const T* sums = columns.finish();
            for (int64_t i = 0; i < n; ++i) CHECK(close(sums[i] / 1000, x[i], tolerance));
        }
    };
    check_all(float());
    check_all(double());
}

}  // namespace heed
