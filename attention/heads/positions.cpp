#include "attention/heads/positions.h"

#include <algorithm>
#include <cmath>

#include "attention/scores/score.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/rows.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/storage.h"
#include "nn/layers/init.h"

namespace heed {

const char* name_of(PositionKind kind) {
    switch (kind) {
        case PositionKind::none:
            return "none";
        case PositionKind::sinusoidal:
            return "sinusoidal";
        case PositionKind::learned:
            return "learned";
        case PositionKind::relative:
            return "relative";
        case PositionKind::rotary:
            return "rotary";
        case PositionKind::alibi:
            return "alibi";
    }
    return "?";
}

const std::vector<PositionKind>& position_kinds() {
    static const std::vector<PositionKind> all{PositionKind::none,    PositionKind::sinusoidal,
                                               PositionKind::learned, PositionKind::relative,
                                               PositionKind::rotary,  PositionKind::alibi};
    return all;
}

namespace {

// [count, pairs]: f of the angle of pair i at position p, p base^(-i / pairs).
template <class F>
Tensor of_angles(int64_t first, int64_t count, int64_t pairs, double base, Dtype dtype, F f) {
    std::vector<double> numbers;
    numbers.reserve(count * pairs);
    for (int64_t p = first; p < first + count; ++p)
        for (int64_t i = 0; i < pairs; ++i)
            numbers.push_back(f(p * std::pow(base, -static_cast<double>(i) / pairs)));
    return tensor(numbers, {count, pairs}, dtype);
}

// The bias of the last call of this thread, which is most often that of the next one as well; unless
// somebody has edited it since.
Tensor kept_alibi_bias(int64_t heads, int64_t queries, int64_t keys, Dtype dtype) {
    thread_local Tensor kept;
    thread_local uint32_t version = 0;
    if (!kept.defined() || kept.shape() != Shape{heads, queries, keys} || kept.dtype() != dtype ||
        kept.body()->storage->version != version) {
        kept = alibi_bias(heads, queries, keys, dtype);
        version = kept.body()->storage->version;
    }
    return kept;
}

// [Q, K]: the row of the table for the distance from query i to key j.
Indices rows_of_distances(int64_t queries, int64_t keys, int64_t max_distance) {
    std::vector<int> rows;
    rows.reserve(queries * keys);
    for (int64_t i = 0; i < queries; ++i)
        for (int64_t j = 0; j < keys; ++j) {
            const int64_t distance = j - (keys - queries + i);
            rows.push_back(
                static_cast<int>(std::clamp(distance, -max_distance, max_distance) + max_distance));
        }
    return Indices(std::move(rows), {queries, keys});
}

// [B, H, Q, X] times [Q, X, Y] -> [B, H, Q, Y]: the second factor is the same for all sequences and
// heads, so this is Q products of [B H, X] and [X, Y].
Tensor product_by_query(const Tensor& x, const Tensor& by_query) {
    const int64_t batch = x.size(0), heads = x.size(1), queries = x.size(2);
    const Tensor first = reshape(permute(x, {2, 0, 1, 3}), {queries, batch * heads, x.size(3)});
    const Tensor y = matmul(first, by_query);  // [Q, B H, Y]
    return permute(reshape(y, {queries, batch, heads, by_query.size(2)}), {1, 2, 0, 3});
}

}  // namespace

Tensor sinusoidal_positions(Integer first, Integer count, Integer width, Dtype dtype) {
    const UserCall named("sinusoidal_positions");
    check(count >= 0, "sinusoidal_positions: expected a count of 0 or more, got {}", count);
    check(width > 0 && width % 2 == 0,
          "sinusoidal_positions: a width of {}; each wavelength needs a sine and a cosine, so make "
          "it even",
          width);
    const auto of_all = [&](auto f) {
        return of_angles(first, count, width / 2, 10000, dtype, f);  // [T, D / 2]
    };
    const Tensor sines = of_all([](double angle) { return std::sin(angle); });
    const Tensor cosines = of_all([](double angle) { return std::cos(angle); });
    return reshape(stack({sines, cosines}, 2), {count, width});
}

namespace {

// Cosines and sines of the angles of positions first, first + 1, ... Sequences begin at 0, but for
// decoding with a cache, so a table from 0 on is kept for the next call of the same thread.
struct RotaryTable {
    int64_t first, pairs;
    double base;
    Tensor cosines, sines;  // [T, D / 2]

    bool serves(int64_t from, int64_t count, int64_t width, double with_base, Dtype dtype) const {
        return cosines.defined() && cosines.dtype() == dtype && pairs == width / 2 &&
               base == with_base && first <= from && from + count <= first + cosines.size(0);
    }
};

constexpr int64_t longest_kept_table = 1 << 16;

RotaryTable rotary_table(int64_t from, int64_t count, int64_t width, double base, Dtype dtype) {
    thread_local RotaryTable kept;
    if (kept.serves(from, count, width, base, dtype)) return kept;
    const bool keep = from >= 0 && from <= longest_kept_table - count;
    // A step of a decoder asks for one position more each time.
    const int64_t first = keep ? 0 : from, steps = keep ? from + count + from / 2 : count;
    const auto of = [&](auto f) { return of_angles(first, steps, width / 2, base, dtype, f); };
    const RotaryTable table{first, width / 2, base,
                            of([](double angle) { return std::cos(angle); }),
                            of([](double angle) { return std::sin(angle); })};
    if (keep) kept = table;
    return table;
}

// y = (a c - b s, a s + b c) for each pair (a, b) of x.     dL/dx = g rotated back
Tensor rotated(const Tensor& x, int64_t from, const RotaryTable& table, bool back) {
    const int64_t steps = x.size(-2), pairs = x.size(-1) / 2;
    Tensor y = empty(x.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Rows<T> xs(x);
        const T *c = table.cosines.data<T>(), *s = table.sines.data<T>();
        T* out = y.edit<T>();
        for_each_row(x.shape(), [&](int64_t row) {
            const int64_t angles = (from - table.first + row % steps) * pairs;
            const T *pair = xs[row], sign = back ? -1 : 1;
            T* to = out + row * 2 * pairs;
            for (int64_t i = 0; i < pairs; ++i) {
                const T a = pair[2 * i], b = pair[2 * i + 1];
                const T cosine = c[angles + i], sine = sign * s[angles + i];
                to[2 * i] = a * cosine - b * sine;
                to[2 * i + 1] = a * sine + b * cosine;
            }
        });
    });
    return record("rotary", std::move(y), x,
                  [=](const Tensor& g) { return rotated(g, from, table, !back); });
}

}  // namespace

Tensor rotary(const Tensor& x, Integer first, double base) {
    const UserCall named("rotary");
    check_defined("rotary", x);
    check(x.dim() >= 2 && x.size(-1) % 2 == 0,
          "rotary: x {}; expected [..., T, D] with an even D, since pairs are rotated", x.shape());
    check(base > 0, "rotary: the base must be positive, got {}", base);
    if (x.numel() == 0) return x;
    return rotated(x, first, rotary_table(first, x.size(-2), x.size(-1), base, x.dtype()), false);
}

std::vector<double> alibi_slopes(Integer heads) {
    check(heads > 0, "alibi_slopes: {} heads; expected at least 1", heads);
    int64_t power = 1;
    while (2 * power <= heads) power *= 2;
    std::vector<double> slopes;
    for (int64_t h = 1; h <= power; ++h) slopes.push_back(std::exp2(-8.0 * h / power));
    for (int64_t h = 1; static_cast<int64_t>(slopes.size()) < heads; h += 2)
        slopes.push_back(std::exp2(-4.0 * h / power));
    return slopes;
}

Tensor alibi_bias(Integer heads, Integer queries, Integer keys, Dtype dtype) {
    const UserCall named("alibi_bias");
    check(heads >= 1 && queries >= 0,
          "alibi_bias: {} heads and {} queries; expected at least 1 and 0", heads, queries);
    check(queries <= keys,
          "alibi_bias: {} queries but only {} keys; the queries are at the last positions of the "
          "keys",
          queries, keys);
    const std::vector<double> slopes = alibi_slopes(heads);
    Tensor bias = empty({heads, queries, keys}, dtype);
    with_dtype(dtype, [&]<class T>(T) {
        T* to = bias.edit<T>();
        for (double slope : slopes)
            for (int64_t i = 0; i < queries; ++i)
                for (int64_t j = 0; j < keys; ++j)
                    *to++ = static_cast<T>(-slope *
                                           static_cast<double>(std::abs(j - (keys - queries + i))));
    });
    return bias;
}

// --- absolute -----------------------------------------------------------------------------------

AbsolutePositions::AbsolutePositions(const PositionOptions& o, Rng& rng) : kind(o.kind) {
    if (kind != PositionKind::learned) return;
    check(o.width > 0 && o.max_positions > 0,
          "AbsolutePositions: {} positions of width {}; expected positive sizes", o.max_positions,
          o.width);
    table = parameter(normal({o.max_positions, o.width}, 0, 0.02, rng));
}

Tensor AbsolutePositions::operator()(const Tensor& x, Integer first) const {
    const UserCall named("AbsolutePositions");
    check_defined("AbsolutePositions", x);
    if (kind != PositionKind::sinusoidal && kind != PositionKind::learned) return x;
    check(x.dim() == 3, "AbsolutePositions: x {}; expected [B, T, D]", x.shape());
    const int64_t steps = x.size(1), width = x.size(2);
    if (kind == PositionKind::sinusoidal)
        return x + sinusoidal_positions(first, steps, width, x.dtype());
    check(width == table.size(1), "AbsolutePositions: x {}, but the positions are {}", x.shape(),
          table.shape());
    check(first + steps <= table.size(0),
          "AbsolutePositions: position {}, but only {} positions were learned; make max_positions "
          "larger "
          "or cut the sequence",
          first + steps - 1, table.size(0));
    return x + slice(table, 0, first, first + steps);
}

// --- relative -----------------------------------------------------------------------------------

RelativePositions::RelativePositions(const PositionOptions& o, Rng& rng) : kind(o.kind) {
    check(o.heads > 0 && o.width % o.heads == 0,
          "RelativePositions: a width of {} cannot be divided among {} heads", o.width, o.heads);
    const int64_t width = o.width / o.heads;
    check(kind != PositionKind::rotary || width % 2 == 0,
          "RelativePositions: heads of width {} cannot be rotated pair by pair; make it even",
          width);
    if (kind != PositionKind::relative) return;
    check(o.max_distance >= 0, "RelativePositions: max_distance is {}; expected at least 0",
          o.max_distance);
    key = parameter(xavier_uniform({2 * o.max_distance + 1, width}, rng));
    value = parameter(xavier_uniform({2 * o.max_distance + 1, width}, rng));
}

Tensor RelativePositions::rotate(const Tensor& x, Integer first) const {
    const UserCall named("RelativePositions");
    check_defined("RelativePositions", x);
    return kind == PositionKind::rotary ? rotary(x, first) : x;
}

Tensor RelativePositions::bias(const Tensor& q, Integer keys, double scale) const {
    const UserCall named("RelativePositions");
    check_defined("RelativePositions", q);
    check(q.dim() == 4, "RelativePositions: q {}; expected split heads [B, H, Q, D]", q.shape());
    const int64_t queries = q.size(2);
    check(queries <= keys,
          "RelativePositions: {} queries but only {} keys; the queries are at the last positions "
          "of the keys",
          queries, keys);
    if (kind == PositionKind::alibi) return kept_alibi_bias(q.size(1), queries, keys, q.dtype());
    if (kind != PositionKind::relative) return {};
    check(q.size(3) == key.size(1),
          "RelativePositions: q {}, but the vectors of distances are {}; expected [B, H, Q, {}]",
          q.shape(), key.shape(), key.size(1));
    const Tensor a =
        embedding(key, rows_of_distances(queries, keys, key.size(0) / 2));  // [Q, K, D]
    return product_by_query(q * scale_of_scores(scale, q, "RelativePositions"), transpose(a));
}

Tensor RelativePositions::context(const Tensor& weights) const {
    const UserCall named("RelativePositions");
    check_defined("RelativePositions", weights);
    if (kind != PositionKind::relative) return {};
    check(weights.dim() == 4, "RelativePositions: weights {}; expected [B, H, Q, K]",
          weights.shape());
    return product_by_query(weights,
                            embedding(value, rows_of_distances(weights.size(2), weights.size(3),
                                                               value.size(0) / 2)));  // [Q, K, D]
}

}  // namespace heed
