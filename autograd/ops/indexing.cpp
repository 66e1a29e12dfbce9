#include "autograd/ops/indexing.h"

#include <cstring>

#include "autograd/ops/binary.h"
#include "autograd/ops/rows.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// --- whole slices: embedding, index_select, index_add -------------------------------------------

// A row-major tensor seen from one axis: [before, size, after].
struct AroundAxis {
    int64_t before = 1, size, after = 1;
    AroundAxis(const Shape& shape, int axis) : size(shape[axis]) {
        for (int i = 0; i < axis; ++i) before *= shape[i];
        for (int i = axis + 1; i < shape.count; ++i) after *= shape[i];
    }
};

// y[b][i] = x[b][places[i]] for every b of the axes before
Tensor pick_slices(const Tensor& x, int axis, const Indices& places) {
    const Tensor from = contiguous(detach(x));
    const AroundAxis around(x.shape(), axis);
    Shape shape = x.shape();
    shape[axis] = places.count();
    Tensor y = empty(shape, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = y.edit<T>();
        const int64_t slices = around.before * places.count(), after = around.after;
        parallel_for(slices, rows_per_chunk(after), [&](int64_t begin, int64_t end) {
            for (int64_t slice = begin; slice < end; ++slice) {
                const int64_t b = slice / places.count(), place = places[slice % places.count()];
                std::copy_n(in + (b * around.size + place) * after, after, out + slice * after);
            }
        });
    });
    return y;
}

// sum[b][places[i]] += g[b][i]. The places come in order, so equal ones always add up in the same
// order; threads share out the numbers after the axis.
void add_slices(Tensor& sum, int axis, const Indices& places, const Tensor& g) {
    const Tensor from = contiguous(g);
    const AroundAxis around(sum.shape(), axis);
    with_dtype(sum.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = sum.edit<T>();
        const int64_t slices = around.before * places.count(), after = around.after;
        const int64_t grain = std::max<int64_t>(rows_per_chunk(slices), 64);
        parallel_for(after, grain, [&](int64_t begin, int64_t end) {
            for (int64_t slice = 0; slice < slices; ++slice) {
                const int64_t b = slice / places.count(), place = places[slice % places.count()];
                const T* row = in + slice * after;
                T* to = out + (b * around.size + place) * after;
                for (int64_t i = begin; i < end; ++i) to[i] += row[i];
            }
        });
    });
}

// --- single elements: gather, scatter_add -------------------------------------------------------

// visit(i, offset) for every place i in row-major order: the offset, in a tensor of these strides,
// of the element it points at.
template <class Visit>
void for_each_place(const Indices& places, int axis, const Strides& strides, Visit visit) {
    const Shape& shape = places.shape();
    Axes at;
    int64_t offset = 0;  // of the element, but for the axis that the places speak of
    for (int64_t i = 0; i < places.count(); ++i) {
        visit(i, offset + places[i] * strides[axis]);
        for (int a = shape.count - 1; a >= 0; --a) {
            const int64_t step = a == axis ? 0 : strides[a];
            offset += step;
            if (++at[a] < shape[a]) break;
            offset -= shape[a] * step;
            at[a] = 0;
        }
    }
}

// sum[i][places[i][j]][j] += g[i][j]
void add_elements(Tensor& sum, int axis, const Indices& places, const Tensor& g) {
    const Tensor from = contiguous(g);
    with_dtype(sum.dtype(), [&]<class T>(T) {
        const T* in = from.data<T>();
        T* out = sum.edit<T>();
        for_each_place(places, axis, sum.strides(),
                       [&](int64_t i, int64_t offset) { out[offset] += in[i]; });
    });
}

void check_places(const char* name, const Shape& shape, int axis, const Indices& places) {
    bool fits = places.shape().count == shape.count;
    for (int i = 0; fits && i < shape.count; ++i) fits = i == axis || places.shape()[i] <= shape[i];
    check(fits,
          "{}: places of shape {} do not fit a tensor of shape {}: they need as many axes, none "
          "longer than the tensor's but axis {}",
          name, places.shape(), shape, axis);
    check_range(places, shape[axis], name, "the size of the axis they point along");
}

void check_slices(const char* name, const Shape& shape, int axis, const Indices& places) {
    check(places.shape().count == 1, "{}: expected places with one axis, got shape {}", name,
          places.shape());
    check_range(places, shape[axis], name, "the size of the axis they point along");
}

}  // namespace

// --- the operations -----------------------------------------------------------------------------

Tensor embedding(const Tensor& table, const Indices& ids) {
    check(table.defined(), "embedding: the table is not defined");
    check(table.dim() == 2, "embedding: expected a table [V, D], got shape {}", table.shape());
    check_range(ids, table.size(0), "embedding",
                "the rows of the table; is this the vocabulary "
                "that the ids were made with?");
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
    // dL/dtable[id] = Σ g over the places of this id. Added to one table in place: a decoder that
    // looks a word up at every step must not make a table of zeros at every step.
    return record(
        "embedding", std::move(value), table,
        in_place(
            [=](const Tensor& g) {
                return index_add(rows, 0, flat, reshape(g, {flat.count(), rows[1]}));
            },
            [=](const Tensor& g, GradientSum sum) { add_slices(sum.open(), 0, flat, g); }));
}

Tensor index_select(const Tensor& x, int axis, const Indices& places) {
    check(x.defined(), "index_select: the input is not defined");
    const Shape shape = x.shape();
    const int a = shape.axis(axis, "index_select");
    check_slices("index_select", shape, a, places);
    return record(
        "index_select", pick_slices(x, a, places), x,
        in_place([=](const Tensor& g) { return index_add(shape, a, places, g); },
                 [=](const Tensor& g, GradientSum sum) { add_slices(sum.open(), a, places, g); }));
}

Tensor index_add(const Shape& shape, int axis, const Indices& places, const Tensor& source) {
    check(source.defined(), "index_add: the source is not defined");
    const int a = shape.axis(axis, "index_add");
    check_slices("index_add", shape, a, places);
    Shape expected = shape;
    expected[a] = places.count();
    check(source.shape() == expected, "index_add: {} places in {} need a source {}, got {}",
          places.count(), shape, expected, source.shape());
    Tensor value = zeros(shape, source.dtype());
    add_slices(value, a, places, detach(source));
    return record("index_add", std::move(value), source,
                  [=](const Tensor& g) { return index_select(g, a, places); });
}

Tensor gather(const Tensor& x, int axis, const Indices& places) {
    check(x.defined(), "gather: the input is not defined");
    const Shape shape = x.shape();
    const int a = shape.axis(axis, "gather");
    check_places("gather", shape, a, places);
    Tensor value = empty(places.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const T* from = x.data<T>();
        T* to = value.edit<T>();
        for_each_place(places, a, x.strides(),
                       [&](int64_t i, int64_t offset) { to[i] = from[offset]; });
    });
    return record("gather", std::move(value), x,
                  in_place([=](const Tensor& g) { return scatter_add(shape, a, places, g); },
                           [=](const Tensor& g, GradientSum sum) {
                               add_elements(sum.open(), a, places, g);
                           }));
}

Tensor scatter_add(const Shape& shape, int axis, const Indices& places, const Tensor& source) {
    check(source.defined(), "scatter_add: the source is not defined");
    const int a = shape.axis(axis, "scatter_add");
    check_places("scatter_add", shape, a, places);
    check(source.shape() == places.shape(),
          "scatter_add: the source must have the shape of the places, {}, got {}", places.shape(),
          source.shape());
    Tensor value = zeros(shape, source.dtype());
    add_elements(value, a, places, detach(source));
    return record("scatter_add", std::move(value), source,
                  [=](const Tensor& g) { return gather(g, a, places); });
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, double value) {
    check(x.defined() && mask.defined(), "masked_fill: an input is not defined");
    check_same_dtype(x, mask, "masked_fill");
    check(broadcasts_to(mask.shape(), x.shape()),
          "masked_fill: a mask of shape {} does not broadcast to the input's {}", mask.shape(),
          x.shape());
    return where(mask, value, x);
}

Tensor one_hot(const Indices& labels, int64_t classes, Dtype dtype) {
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
