#include "attention/scores/mask.h"

#include <algorithm>
#include <cmath>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/finite.h"
#include "autograd/tensor/shapes.h"
#include "nn/data/batches.h"

namespace heed {

namespace {

// [1, Q, K] with 1 where allowed(position of the query, position of the key).
template <class Allowed>
Tensor mask_by_position(const char* operation, int64_t queries, int64_t keys, Dtype dtype,
                        const Allowed& allowed) {
    check_not_negative(operation, {{"queries", queries}});
    check_last_positions(queries, keys, operation);
    Tensor mask = zeros({1, queries, keys}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* out = mask.edit<T>();
        for (int64_t i = 0; i < queries; ++i)
            for (int64_t j = 0; j < keys; ++j)
                if (allowed(keys - queries + i, j)) out[i * keys + j] = 1;
    });
    return mask;
}

constexpr const char* zero_and_one =
    "a mask is 1 where a query may attend to a key and 0 where it may not. Numbers that are added to "
    "the scores, 0 and -inf, are no mask: pass them as the bias, or write mask == 0.0";

// The shapes in which a mask of fewer axes than the scores can have one meaning only.
const char* clear_shapes(int of_mask, int of_scores) {
    if (of_scores == 3)
        return "[B, 1, K], a mask for each sequence, or to [1, Q, K], one for each query";
    if (of_mask == 2)
        return "[B, 1, 1, K], a mask for each sequence, or to [1, 1, Q, K], one for each query";
    return "[B, 1, Q, K], a mask for each sequence, or to [1, H, Q, K], one for each head";
}

bool broadcasts_together(const Shape& a, const Shape& b) {
    for (int i = 1; i <= std::min(a.count, b.count); ++i) {
        const int64_t m = a[a.count - i], n = b[b.count - i];
        if (m != n && m != 1 && n != 1) return false;
    }
    return true;
}

}  // namespace

Tensor padding_mask(const Indices& lengths, Integer keys, Dtype dtype) {
    const Shapes in("padding_mask", {{"lengths", lengths, "B"}}, {}, "one for each sequence");
    for (int64_t b = 0; b < lengths.count(); ++b)
        check(lengths[b] >= 0 && lengths[b] <= keys,
              "padding_mask: length {} of sequence {} is outside 0 .. {}, the padded length",
              lengths[b], b, keys);
    return unsqueeze(length_mask(lengths, keys, dtype), 1);
}

Tensor left_padding_mask(const Indices& lengths, Integer keys, Dtype dtype) {
    const UserCall named("left_padding_mask");
    return contiguous(flip(padding_mask(lengths, keys, dtype), 2));
}

Tensor causal_mask(Integer queries, Integer keys, Dtype dtype) {
    const UserCall named("causal_mask");
    return mask_by_position("causal_mask", queries, keys, dtype,
                            [](int64_t query, int64_t key) { return key <= query; });
}

Tensor causal_mask(Integer size, Dtype dtype) { return causal_mask(size, size, dtype); }

Tensor sliding_window_mask(Integer queries, Integer keys, Integer before, Integer after,
                           Dtype dtype) {
    const UserCall named("sliding_window_mask");
    check_not_negative("sliding_window_mask", {{"before", before.value}, {"after", after.value}});
    return mask_by_position(
        "sliding_window_mask", queries, keys, dtype,
        [=](int64_t query, int64_t key) { return key >= query - before && key <= query + after; });
}

Tensor combine(const std::vector<Tensor>& masks) {
    const UserCall named("combine");
    Tensor all;
    for (const Tensor& mask : masks) {
        if (!mask.defined()) continue;
        check_mask_numbers(mask, "combine");
        check(!all.defined() || broadcasts_together(all.shape(), mask.shape()),
              "combine: masks {} and {} do not broadcast; a padding mask is [B, 1, K], a causal "
              "one [1, Q, K]",
              all.defined() ? all.shape() : Shape(), mask.shape());
        all = all.defined() ? logical_and(all, mask) : mask;
    }
    return all;
}

void check_last_positions(Integer queries, Integer keys, const char* operation) {
    check(queries <= keys,
          "{}: {} queries but only {} keys; the queries are at the last positions of the keys",
          operation, queries, keys);
}

void check_mask_numbers(const Tensor& mask, const char* operation) {
    if (!mask.defined() || all_finite(mask)) return;
    for (double number : mask.to_vector())
        check(std::isfinite(number), "{}: the mask holds {}; {}", operation, number, zero_and_one);
}

void check_mask(const Tensor& mask, const Shape& scores, const char* operation) {
    if (!mask.defined()) return;
    check_mask_numbers(mask, operation);
    Shape shape;  // without leading axes of size 1 that the scores do not have
    for (int i = 0; i < mask.dim(); ++i)
        if (shape.count > 0 || mask.size(i) != 1 || mask.dim() - i <= scores.count)
            shape.push(mask.size(i));
    check(broadcasts_to(shape, scores),
          "{}: the mask {} does not broadcast to the scores {}; a padding mask is [B, 1, K], a "
          "causal one [1, Q, K]",
          operation, mask.shape(), scores);
    if (shape.count < 2 || shape.count >= scores.count) return;
    const int64_t first = shape[0], aligned = scores[scores.count - shape.count];
    check(first == 1 || first != aligned || first != scores[0],
          "{}: the mask {} for the scores {} is ambiguous: its first axis may be the batch or a "
          "later axis of the same size; reshape it to {}",
          operation, mask.shape(), scores, clear_shapes(shape.count, scores.count));
}

}  // namespace heed
