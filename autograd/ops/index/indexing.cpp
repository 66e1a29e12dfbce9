#include "autograd/ops/index/indexing.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "autograd/kernels/sums.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/integers.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// --- whole slices: embedding, index_select, index_add -------------------------------------------

// A row-major tensor seen from one axis: [before, size, after].
struct AxisView {
    int64_t before = 1, size, after = 1;
    AxisView(const Shape& shape, int axis) : size(shape[axis]) {
        for (int i = 0; i < axis; ++i) before *= shape[i];
        for (int i = axis + 1; i < shape.count; ++i) after *= shape[i];
    }
};

// y[b][i] = x[b][indices[i]] for every b of the axes before
Tensor pick_slices(const Tensor& x, int axis, const Indices& indices) {
    const Tensor from = contiguous(detach(x));
    const AxisView axes(x.shape(), axis);
    Shape shape = x.shape();
    shape[axis] = indices.count();
    Tensor y = empty(shape, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = y.edit<T>();
        const int64_t slices = axes.before * indices.count(), after = axes.after;
        parallel_for(slices, rows_per_chunk(after), [&](int64_t begin, int64_t end) {
            for (int64_t slice = begin; slice < end; ++slice) {
                const int64_t b = slice / indices.count(), index = indices[slice % indices.count()];
                std::copy_n(in + (b * axes.size + index) * after, after, out + slice * after);
            }
        });
    });
    return y;
}

// The positions 0, 1, ... of all indices; if there are many, sorted so that equal indices are
// neighbours.
std::vector<int64_t> grouped(const Indices& indices) {
    std::vector<int64_t> order(indices.count());
    std::iota(order.begin(), order.end(), 0);
    if (indices.count() > few_terms)
        std::stable_sort(order.begin(), order.end(),
                         [&](int64_t i, int64_t j) { return indices[i] < indices[j]; });
    return order;
}

// sum[b][indices[i]] += g[b][i]. The slices of one index are added in the order of i, so the sum has
// the same bits each time; the numbers within a slice are divided among the threads.
void add_slices(Tensor& sum, int axis, const Indices& indices, const Tensor& g) {
    const Tensor from = contiguous(g);
    const AxisView axes(sum.shape(), axis);
    const std::vector<int64_t> order = grouped(indices);
    with_dtype(sum.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = sum.edit<T>();
        const int64_t count = indices.count(), after = axes.after;
        const int64_t grain = std::max<int64_t>(rows_per_chunk(axes.before * count), 64);
        parallel_for(after, grain, [&](int64_t begin, int64_t end) {
            for (int64_t b = 0; b < axes.before; ++b)
                for (int64_t i = 0, same; i < count; i += same) {
                    const int64_t index = indices[order[i]];
                    for (same = 1; i + same < count && indices[order[i + same]] == index;) ++same;
                    add_rows(
                        out + (b * axes.size + index) * after + begin, end - begin, same,
                        [&](int64_t k) { return in + (b * count + order[i + k]) * after + begin; });
                }
        });
    });
}

// --- single elements: gather, scatter_add -------------------------------------------------------

// visit(i, offset) for every i in row-major order: the offset of the element that index i picks, in a
// tensor of these strides.
template <class Visit>
void for_each_index(const Indices& indices, int axis, const Strides& strides, Visit visit) {
    const Shape& shape = indices.shape();
    Axes at;
    int64_t offset = 0;  // of the element, without its index along the axis
    for (int64_t i = 0; i < indices.count(); ++i) {
        visit(i, offset + indices[i] * strides[axis]);
        for (int a = shape.count - 1; a >= 0; --a) {
            const int64_t step = a == axis ? 0 : strides[a];
            offset += step;
            if (++at[a] < shape[a]) break;
            offset -= shape[a] * step;
            at[a] = 0;
        }
    }
}

// Whether one element of a tensor of this shape gets more numbers than may be added one by one.
bool many_at_one(const Indices& indices, int axis, const Shape& shape, const Strides& strides) {
    if (indices.count() <= few_terms) return false;
    std::vector<uint8_t> counts(shape.numel());
    bool many = false;
    for_each_index(indices, axis, strides, [&](int64_t, int64_t offset) {
        many |= counts[offset] == few_terms;
        counts[offset] += counts[offset] < few_terms;
    });
    return many;
}

// sum[i][indices[i][j]][j] += g[i][j], in double where many numbers meet in one place
void add_elements(Tensor& sum, int axis, const Indices& indices, const Tensor& g,
                  int64_t most_at_one = std::numeric_limits<int64_t>::max()) {
    const Tensor from = contiguous(g);
    with_dtype(sum.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = sum.edit<T>();
        if (most_at_one <= few_terms || !many_at_one(indices, axis, sum.shape(), sum.strides()))
            return for_each_index(indices, axis, sum.strides(),
                                  [&](int64_t i, int64_t offset) { out[offset] += in[i]; });
        std::vector<double> sums(out, out + sum.numel());
        for_each_index(indices, axis, sum.strides(),
                       [&](int64_t i, int64_t offset) { sums[offset] += in[i]; });
        std::transform(sums.begin(), sums.end(), out, [](double x) { return static_cast<T>(x); });
    });
}

void check_indices(const char* name, const Shape& shape, int axis, const Indices& indices) {
    bool fits = indices.shape().count == shape.count;
    for (int i = 0; fits && i < shape.count; ++i)
        fits = i == axis || indices.shape()[i] <= shape[i];
    check(fits,
          "{}: indices of shape {} do not fit a tensor of shape {}: they need as many axes, none "
          "longer than the tensor's except axis {}",
          name, indices.shape(), shape, axis);
    check_range(indices, shape[axis], name, "the size of the axis");
}

void check_slices(const char* name, const Shape& shape, int axis, const Indices& indices) {
    check(indices.shape().count == 1, "{}: expected indices with one axis, got shape {}", name,
          indices.shape());
    check_range(indices, shape[axis], name, "the size of the axis");
}

}  // namespace

// --- the operations -----------------------------------------------------------------------------

Tensor embedding(const Tensor& table, const Indices& ids) {
    check(table.defined(), "embedding: the table is not defined");
    check(table.dim() == 2, "embedding: expected a table [V, D], got shape {}", table.shape());
    check_range(ids, table.size(0), "embedding",
                "the rows of the table; is this the vocabulary that the ids were made with?");
    const Shape rows = table.shape();
    const Indices flat = ids.reshaped({ids.count()});
    Shape shape = ids.shape();
    shape.push(rows[1]);
    Tensor value = empty(shape, table.dtype());
    with_dtype(table.dtype(), [&]<class T>(T) {
        const Rows<T> from(table);
        T* to = value.edit<T>();
        parallel_for(flat.count(), rows_per_chunk(rows[1]), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i)
                std::copy_n(from[flat[i]], rows[1], to + i * rows[1]);
        });
    });
    // dL/dtable[id] = Σ g over the positions of this id. It is added to one table in place: otherwise
    // a decoder that embeds one word a step would make a table of zeros at each step.
    return record(
        "embedding", std::move(value), table,
        in_place(
            [=](const Tensor& g) {
                return index_add(rows, 0, flat, reshape(g, {flat.count(), rows[1]}));
            },
            [=](const Tensor& g, GradientSum sum) { add_slices(sum.open(), 0, flat, g); }));
}

Tensor index_select(const Tensor& x, Integer axis, const Indices& indices) {
    check(x.defined(), "index_select: the input is not defined");
    const Shape shape = x.shape();
    const int a = shape.axis(axis, "index_select");
    check_slices("index_select", shape, a, indices);
    return record(
        "index_select", pick_slices(x, a, indices), x,
        in_place([=](const Tensor& g) { return index_add(shape, a, indices, g); },
                 [=](const Tensor& g, GradientSum sum) { add_slices(sum.open(), a, indices, g); }));
}

Tensor index_add(const Shape& shape, Integer axis, const Indices& indices, const Tensor& source) {
    check(source.defined(), "index_add: the source is not defined");
    const int a = shape.axis(axis, "index_add");
    check_slices("index_add", shape, a, indices);
    Shape expected = shape;
    expected[a] = indices.count();
    check(source.shape() == expected, "index_add: {} indices in {} need a source {}, got {}",
          indices.count(), shape, expected, source.shape());
    Tensor value = zeros(shape, source.dtype());
    add_slices(value, a, indices, detach(source));
    return record("index_add", std::move(value), source,
                  [=](const Tensor& g) { return index_select(g, a, indices); });
}

Tensor gather(const Tensor& x, Integer axis, const Indices& indices) {
    check(x.defined(), "gather: the input is not defined");
    const Shape shape = x.shape();
    const int a = shape.axis(axis, "gather");
    check_indices("gather", shape, a, indices);
    Tensor value = empty(indices.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* from = x.data<T>();
        T* to = value.edit<T>();
        for_each_index(indices, a, x.strides(),
                       [&](int64_t i, int64_t offset) { to[i] = from[offset]; });
    });
    return record("gather", std::move(value), x,
                  in_place([=](const Tensor& g) { return scatter_add(shape, a, indices, g); },
                           [=](const Tensor& g, GradientSum sum) {
                               add_elements(sum.open(), a, indices, g);
                           }));
}

Tensor scatter_add(const Shape& shape, Integer axis, const Indices& indices, const Tensor& source,
                   Integer most_at_one) {
    check(source.defined(), "scatter_add: the source is not defined");
    const int a = shape.axis(axis, "scatter_add");
    check_indices("scatter_add", shape, a, indices);
    check(source.shape() == indices.shape(),
          "scatter_add: the source must have the shape of the indices, {}, got {}", indices.shape(),
          source.shape());
    Tensor value = zeros(shape, source.dtype());
    add_elements(value, a, indices, detach(source), most_at_one);
    return record("scatter_add", std::move(value), source,
                  [=](const Tensor& g) { return gather(g, a, indices); });
}

Tensor at_index(const Tensor& x, const Indices& indices) {
    Shape shape = indices.shape();
    for (int i = 1; i < x.dim(); ++i) shape.push(x.shape()[i]);
    return reshape(index_select(x, 0, indices.reshaped({indices.count()})), shape);
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, double value) {
    check(x.defined() && mask.defined(), "masked_fill: an input is not defined");
    check(broadcasts_to(mask.shape(), x.shape()),
          "masked_fill: a mask of shape {} does not broadcast to the input's {}", mask.shape(),
          x.shape());
    return where(mask, value, x);
}

// y[i] = x[where the mask is not 0 for the i-th time]          dL/dx: g there, 0 elsewhere
Tensor masked_select(const Tensor& x, const Tensor& mask) {
    check(x.defined() && mask.defined(), "masked_select: an input is not defined");
    const Shape shape = broadcast(x.shape(), mask.shape(), "masked_select");
    const Indices found = nonzero(reshape(expand(detach(mask), shape), {shape.numel()}));
    return index_select(reshape(expand(x, shape), {shape.numel()}), 0,
                        found.reshaped({found.count()}));
}

Tensor one_hot(const Indices& labels, Integer classes, Dtype dtype) {
    check(classes > 0, "one_hot: expected at least one class, got {}", classes);
    check_range(labels, classes, "one_hot", "the number of classes");
    Shape shape = labels.shape();
    shape.push(classes);
    Tensor y = zeros(shape, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* to = y.edit<T>();
        for (int64_t i = 0; i < labels.count(); ++i) to[i * classes + labels[i]] = 1;
    });
    return y;
}

}  // namespace heed
