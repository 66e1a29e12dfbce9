#include "autograd/ops/index/segments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/copies.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"

namespace heed {

Segments::Segments(const Indices& ids, Integer count) : ids_(ids) {
    check(ids.shape().count == 1, "Segments: expected ids with one axis, got shape {}",
          ids.shape());
    check(count >= 0, "Segments: expected a number of segments, got {}", count);
    check_range(ids, count, "Segments", "the number of segments");
    std::vector<int> offsets(count + 1, 0);
    for (int64_t i = 0; i < ids.count(); ++i) {
        check(i == 0 || ids[i - 1] <= ids[i],
              "Segments: id {} of row {} comes after id {}; the rows of a segment must follow each "
              "other, so sort them by segment first",
              ids[i], i, i > 0 ? ids[i - 1] : 0);
        ++offsets[ids[i] + 1];
    }
    for (int64_t s = 0; s < count; ++s) offsets[s + 1] += offsets[s];
    offsets_ = Indices(std::move(offsets));
}

namespace {

void check_rows(const char* name, const Tensor& x, const Segments& segments) {
    check(x.defined(), "{}: the input is not defined", name);
    check(x.dim() > 0 && x.size(0) == segments.rows(),
          "{}: x {} for segments of {} rows; expected [{}, ...]", name, x.shape(), segments.rows(),
          segments.rows());
}

// The shape of one row for each segment.
Shape shape_of_segments(const Tensor& x, const Segments& segments) {
    Shape shape = x.shape();
    shape[0] = segments.count();
    return shape;
}

// How many numbers a row of x has.
int64_t width_of(const Tensor& x) {
    int64_t width = 1;
    for (int axis = 1; axis < x.dim(); ++axis) width *= x.size(axis);
    return width;
}

// f(s) for every segment, on all threads. A segment is the work of one thread, which goes through its
// rows in order: so the bits do not depend on the number of threads.
template <class F>
void for_each_segment(const Segments& segments, int64_t width, const F& f) {
    const int64_t rows = segments.rows() / std::max<int64_t>(segments.count(), 1) + 1;
    parallel_for(segments.count(), rows_per_chunk(rows * width), [&](int64_t begin, int64_t end) {
        for (int64_t s = begin; s < end; ++s) f(s);
    });
}

// to[j] = Σ over the rows from[0][j], from[1][j], ...
template <class T>
void sum_rows(const T* from, int64_t rows, int64_t width, T* to) {
    std::fill_n(to, width, T(0));
    add_rows(to, width, rows, [=](int64_t i) { return from + i * width; });
}

// to[j] = max over the rows, NaN if there is one
template <class T>
void max_rows(const T* from, int64_t rows, int64_t width, T* to) {
    std::copy_n(from, width, to);
    for (int64_t i = 1; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j) {
            const T v = from[i * width + j];
            if (v > to[j] || v != v) to[j] = v;
        }
}

// One row for each segment, computed from the segment's rows by reduce(from, rows, width, to).
template <class F>
Tensor reduce_segments(const Tensor& x, const Segments& segments, const F& reduce) {
    const Tensor from = contiguous(detach(x));
    const int64_t width = width_of(x);
    Tensor y = zeros(shape_of_segments(x, segments), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = y.edit<T>();
        for_each_segment(segments, width, [&](int64_t s) {
            const int64_t begin = segments.begin(s), rows = segments.end(s) - begin;
            if (rows > 0) reduce(in + begin * width, rows, width, out + s * width);
        });
    });
    return y;
}

// The rows of one segment and one scratch row for it. As for softmax of a row: where all numbers are
// -∞, m is 0, and the quotient is 0 / 0 = NaN.
template <class T>
void softmax_rows(const T* x, int64_t rows, int64_t width, T* y, T* scratch) {
    if (rows == 0) return;
    max_rows(x, rows, width, scratch);
    for (int64_t j = 0; j < width; ++j)
        if (scratch[j] == -std::numeric_limits<T>::infinity()) scratch[j] = 0;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j) y[i * width + j] = x[i * width + j] - scratch[j];
    each_register<T>(rows * width,
                     [&](int64_t i, auto count) { put(exp(take<T>(y + i, count)), y + i, count); });
    sum_rows(y, rows, width, scratch);
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j) y[i * width + j] /= scratch[j];
}

// dL/dx[i] = y[i] (g[i] - Σ g[j] y[j])
template <class T>
void softmax_rows_backward(const T* g, const T* y, int64_t rows, int64_t width, T* dx, T* scratch) {
    std::fill_n(scratch, width, T(0));
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j) scratch[j] += g[i * width + j] * y[i * width + j];
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < width; ++j)
            dx[i * width + j] = y[i * width + j] * (g[i * width + j] - scratch[j]);
}

// kernel(rows of xs..., number of rows, width, rows of the result, scratch row), segment by segment.
template <class Kernel, class... Tensors>
Tensor map_segments(const Segments& segments, const Kernel& kernel, const Tensor& x,
                    const Tensors&... others) {
    const int64_t width = width_of(x);
    Tensor y = empty(x.shape(), x.dtype());
    Tensor scratch = empty({segments.count(), width}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        T *out = y.edit<T>(), *row = scratch.edit<T>();
        const auto run = [&](const auto&... from) {
            for_each_segment(segments, width, [&](int64_t s) {
                const int64_t at = segments.begin(s) * width;
                kernel(from.template data<T>() + at..., segments.end(s) - segments.begin(s), width,
                       out + at, row + s * width);
            });
        };
        run(contiguous(detach(x)), contiguous(detach(others))...);
    });
    return y;
}

// x [S, ...] -> [E, ...]: each row gets its segment's row of x.
Tensor to_rows(const Tensor& x, const Segments& segments) {
    return index_select(x, 0, segments.ids());
}

}  // namespace

// y[s] = Σ x[i]          dL/dx[i] = g[s]
Tensor segment_sum(const Tensor& x, const Segments& segments) {
    check_rows("segment_sum", x, segments);
    const auto sums = [](auto... a) { sum_rows(a...); };
    return record("segment_sum", reduce_segments(x, segments, sums), x,
                  [=](const Tensor& g) { return to_rows(g, segments); });
}

// y[s] = max x[i]          dL/dx[i] = g[s] / (number of rows equal to the maximum) where x[i] is one
Tensor segment_max(const Tensor& x, const Segments& segments) {
    check_rows("segment_max", x, segments);
    const auto largest_of = [](auto... a) { max_rows(a...); };
    return record("segment_max", reduce_segments(x, segments, largest_of), x,
                  [=](const Tensor& g, const Tensor& y) {
                      const Tensor found = equal_or_nan(detach(x), to_rows(detach(y), segments));
                      const Tensor count = to_rows(segment_sum(found, segments), segments);
                      return to_rows(g, segments) * (found / count);
                  });
}

// y[i] = e^(x[i] - m) / Σ e^(x[j] - m)          dL/dx = y (g - Σ g y), sums over each segment
Tensor segment_softmax(const Tensor& x, const Segments& segments) {
    check_rows("segment_softmax", x, segments);
    const auto forward = [](auto... a) { softmax_rows(a...); };
    const auto backward = [](auto... a) { softmax_rows_backward(a...); };
    return record("segment_softmax", map_segments(segments, forward, x), x,
                  [=](const Tensor& g, const Tensor& y) {
                      if (!grad_enabled()) return map_segments(segments, backward, g, y);
                      return y * (g - to_rows(segment_sum(g * y, segments), segments));
                  });
}

Tensor segment_softmax_definition(const Tensor& x, const Segments& segments) {
    const UserCall named("segment_softmax_definition");
    // The result does not depend on m, which only keeps exp from overflowing: it needs no gradient.
    const Tensor m = to_rows(detach(segment_max(x, segments)), segments);
    const Tensor e = exp(x - m);
    return e / to_rows(segment_sum(e, segments), segments);
}

}  // namespace heed
