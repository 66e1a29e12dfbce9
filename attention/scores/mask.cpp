#include "attention/scores/mask.h"

#include <algorithm>

#include "autograd/ops/compare.h"
#include "autograd/ops/shape_ops.h"
#include "nn/data/batches.h"

namespace heed {

namespace {

// [Q, K] with 1 where allowed(place of the query, place of the key).
template <class Allowed>
Tensor mask_by_place(const char* operation, int64_t queries, int64_t keys, Dtype dtype,
                     const Allowed& allowed) {
    check(queries <= keys,
          "{}: {} queries but only {} keys; the queries are the last of the keys' places",
          operation, queries, keys);
    Tensor mask = zeros({queries, keys}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* out = mask.edit<T>();
        for (int64_t i = 0; i < queries; ++i)
            for (int64_t j = 0; j < keys; ++j)
                if (allowed(keys - queries + i, j)) out[i * keys + j] = 1;
    });
    return mask;
}

bool broadcasts_together(const Shape& a, const Shape& b) {
    for (int i = 1; i <= std::min(a.count, b.count); ++i) {
        const int64_t m = a[a.count - i], n = b[b.count - i];
        if (m != n && m != 1 && n != 1) return false;
    }
    return true;
}

}  // namespace

Tensor padding_mask(const Indices& lengths, int64_t keys, Dtype dtype) {
    check(lengths.shape().dim() == 1, "padding_mask: lengths {}; expected [B], one a sequence",
          lengths.shape());
    for (int64_t b = 0; b < lengths.count(); ++b)
        check(lengths[b] >= 0 && lengths[b] <= keys,
              "padding_mask: length {} of sequence {} is outside 0 .. {}, the padded length",
              lengths[b], b, keys);
    return unsqueeze(length_mask(lengths, keys, dtype), 1);
}

Tensor causal_mask(int64_t queries, int64_t keys, Dtype dtype) {
    return mask_by_place("causal_mask", queries, keys, dtype,
                         [](int64_t query, int64_t key) { return key <= query; });
}

Tensor causal_mask(int64_t size, Dtype dtype) { return causal_mask(size, size, dtype); }

Tensor sliding_window_mask(int64_t queries, int64_t keys, int64_t before, int64_t after,
                           Dtype dtype) {
    check(before >= 0 && after >= 0,
          "sliding_window_mask: a window reaches at least 0 places, not {} before and {} after",
          before, after);
    return mask_by_place(
        "sliding_window_mask", queries, keys, dtype,
        [=](int64_t query, int64_t key) { return key >= query - before && key <= query + after; });
}

Tensor combine(const std::vector<Tensor>& masks) {
    Tensor all;
    for (const Tensor& mask : masks) {
        if (!mask.defined()) continue;
        check(!all.defined() || broadcasts_together(all.shape(), mask.shape()),
              "combine: masks {} and {} do not broadcast; a padding mask is [B, 1, K], a causal "
              "one [Q, K]",
              all.defined() ? all.shape() : Shape(), mask.shape());
        all = all.defined() ? logical_and(all, mask) : mask;
    }
    return all;
}

void check_mask(const Tensor& mask, const Shape& scores, const char* operation) {
    check(!mask.defined() || broadcasts_to(mask.shape(), scores),
          "{}: the mask {} does not broadcast to the scores {}; a padding mask is [B, 1, K], a "
          "causal one [Q, K]",
          operation, mask.defined() ? mask.shape() : Shape(), scores);
}

}  // namespace heed
