#include "attention/heads/positions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "attention/scores/mask.h"
#include "attention/scores/score.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"
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

// [count, pairs]: f of the angle of each pair at position p, p times its frequency.
template <class F>
Tensor of_angles(int64_t first, int64_t count, const std::vector<double>& frequencies, Dtype dtype,
                 F f) {
    std::vector<double> numbers;
    numbers.reserve(count * frequencies.size());
    for (int64_t p = first; p < first + count; ++p)
        for (const double frequency : frequencies)
            numbers.push_back(f(static_cast<double>(p) * frequency));
    return tensor(numbers, {count, std::ssize(frequencies)}, dtype);
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
    check_not_negative("sinusoidal_positions", {{"count", count.value}});
    check(width > 0 && width % 2 == 0,
          "sinusoidal_positions: a width of {}; each wavelength needs a sine and a cosine, so make "
          "it even",
          width);
    const std::vector<double> frequencies = rotary_frequencies(width);
    const auto of_all = [&](auto f) {
        return of_angles(first, count, frequencies, dtype, f);  // [T, D / 2]
    };
    const Tensor sines = of_all([](double angle) { return std::sin(angle); });
    const Tensor cosines = of_all([](double angle) { return std::cos(angle); });
    return reshape(stack({sines, cosines}, 2), {count, width});
}

Indices positions_of(const Tensor& mask, Integer steps) {
    const Shapes in("positions_of", {{"mask", mask, "B 1 K"}}, {}, "a padding mask");
    const int64_t batch = in["B"], keys = in["K"], first = steps ? keys - steps : 0;
    check(steps >= 0 && steps <= keys, "{} steps of {} tokens; expected 0 to all", steps, keys);
    check_mask_numbers(mask, "positions_of");
    const std::vector<double> allowed = mask.to_vector();
    std::vector<int> positions;
    for (int64_t b = 0; b < batch; ++b)
        for (int64_t j = 0, before = 0; j < keys; ++j) {
            if (j >= first) positions.push_back(static_cast<int>(before));
            before += allowed[b * keys + j] != 0;
        }
    return Indices(std::move(positions), {batch, keys - first});
}

namespace {

// Cosines and sines of the angles of positions first, first + 1, ... Sequences begin at 0, but for
// decoding with a cache, so a table from 0 on is kept for the next call of the same thread.
struct RotaryTable {
    int64_t first;
    std::vector<double> frequencies;
    Tensor cosines, sines;  // [T, D / 2]

    bool serves(int64_t from, int64_t count, const std::vector<double>& wanted, Dtype dtype) const {
        return cosines.defined() && cosines.dtype() == dtype && frequencies == wanted &&
               first <= from && from + count <= first + cosines.size(0);
    }
};

constexpr int64_t longest_kept_table = 1 << 16;

RotaryTable rotary_table(int64_t from, int64_t count, const std::vector<double>& frequencies,
                         Dtype dtype) {
    thread_local RotaryTable kept;
    if (kept.serves(from, count, frequencies, dtype)) return kept;
    const bool keep = from >= 0 && from <= longest_kept_table - count;
    // A step of a decoder asks for one position more each time.
    const int64_t first = keep ? 0 : from, steps = keep ? from + count + from / 2 : count;
    const auto of = [&](auto f) { return of_angles(first, steps, frequencies, dtype, f); };
    const RotaryTable table{first, frequencies, of([](double angle) { return std::cos(angle); }),
                            of([](double angle) { return std::sin(angle); })};
    if (keep) kept = table;
    return table;
}

// Where the rows of x [..., T, D] are: at first, first + 1, ..., or at given positions [T] or [B, T].
struct RowPositions {
    int64_t first = 0;
    Indices given = {};

    // The smallest position, and how many there are from it to the largest.
    std::pair<int64_t, int64_t> range(int64_t steps) const {
        if (given.count() == 0) return {first, steps};
        const auto [least, most] = std::minmax_element(given.begin(), given.end());
        return {*least, int64_t{*most} - *least + 1};
    }
    // Of row number `row`, of `rows` in all.
    int64_t of(int64_t row, int64_t rows, int64_t steps) const {
        if (given.count() == 0) return first + row % steps;
        const int64_t sequence = given.shape().count == 1 ? 0 : row / (rows / given.size(0));
        return given[sequence * steps + row % steps];
    }
};

// Where in a head the two numbers of pair i are.
template <RotaryLayout layout>
struct PairIndices {
    int64_t pairs;
    int64_t first(int64_t i) const { return layout == RotaryLayout::pairs ? 2 * i : i; }
    int64_t second(int64_t i) const {
        return layout == RotaryLayout::pairs ? 2 * i + 1 : i + pairs;
    }
};

// y = (a c - b s, a s + b c) for each pair (a, b) of x.     dL/dx = g rotated back
template <RotaryLayout layout>
Tensor rotated(const Tensor& x, const RowPositions& positions, const RotaryTable& table,
               bool back) {
    const int64_t steps = x.size(-2), pairs = x.size(-1) / 2, rows = x.numel() / (2 * pairs);
    const PairIndices<layout> at{pairs};
    Tensor y = empty(x.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Rows<T> xs(x);
        const T *c = table.cosines.data<T>(), *s = table.sines.data<T>();
        T* out = y.edit<T>();
        for_each_row(x.shape(), [&](int64_t row) {
            const int64_t angles = (positions.of(row, rows, steps) - table.first) * pairs;
            const T *from = xs[row], sign = back ? -1 : 1;
            T* to = out + row * 2 * pairs;
            for (int64_t i = 0; i < pairs; ++i) {
                const T a = from[at.first(i)], b = from[at.second(i)];
                const T cosine = c[angles + i], sine = sign * s[angles + i];
                to[at.first(i)] = a * cosine - b * sine;
                to[at.second(i)] = a * sine + b * cosine;
            }
        });
    });
    return record("rotary", std::move(y), x,
                  [=](const Tensor& g) { return rotated<layout>(g, positions, table, !back); });
}

Tensor rotary_at(const Tensor& x, const RowPositions& positions,
                 const std::vector<double>& frequencies, RotaryLayout layout) {
    check(x.size(-1) == 2 * std::ssize(frequencies),
          "x {} and {} frequencies; expected one for each pair", x.shape(), frequencies.size());
    if (x.numel() == 0) return x;
    const auto [first, count] = positions.range(x.size(-2));
    const RotaryTable table = rotary_table(first, count, frequencies, x.dtype());
    return layout == RotaryLayout::pairs
               ? rotated<RotaryLayout::pairs>(x, positions, table, false)
               : rotated<RotaryLayout::halves>(x, positions, table, false);
}

// x [..., T, D] with positions [T], or x [B, ..., T, D] with positions [B, T].
void check_shapes(const Tensor& x, const Indices& positions) {
    const bool of_each = positions.shape().dim() == 2;
    const Shapes in("rotary", {{"x", x, of_each ? AxisNames("B ... T D") : "... T D"},
                               {"positions", positions, of_each ? AxisNames("B T") : "T"}});
}

// Those of the last call of this thread, which is most often that of the next one as well.
const std::vector<double>& kept_frequencies(const Tensor& x, double base, double interpolation) {
    struct Key {
        int64_t width = -1;
        double base = 0, interpolation = 0;
        bool operator==(const Key&) const = default;
    };
    thread_local Key key;
    thread_local std::vector<double> kept;
    check(x.size(-1) % 2 == 0, "x {}; expected an even width, since pairs are rotated", x.shape());
    check_positive("rotary", {{"base", base}, {"interpolation", interpolation}});
    const Key wanted{x.size(-1), base, interpolation};
    if (!(key == wanted)) kept = rotary_frequencies(x.size(-1), base, interpolation), key = wanted;
    return kept;
}

}  // namespace

std::vector<double> rotary_frequencies(Integer width, double base, double interpolation) {
    check(width >= 0 && width % 2 == 0,
          "rotary_frequencies: a width of {}; expected an even one, for pairs", width);
    check_positive("rotary_frequencies", {{"base", base}, {"interpolation", interpolation}});
    std::vector<double> frequencies;
    for (int64_t i = 0; i < width / 2; ++i)
        frequencies.push_back(std::pow(base, -2 * static_cast<double>(i) / width) / interpolation);
    return frequencies;
}

std::vector<double> llama3_frequencies(Integer width, double base, const Llama3Scaling& scaling) {
    const auto& [factor, low, high, positions] = scaling;
    check_positive("llama3_frequencies",
                   {{"factor", factor}, {"low", low}, {"positions", positions}});
    check(high > low,
          "llama3_frequencies: turns from {} to {}; expected the first below the second", low,
          high);
    std::vector<double> frequencies = rotary_frequencies(width, base);
    for (double& frequency : frequencies) {
        const double turns = positions * frequency / (2 * std::numbers::pi);
        const double kept = std::clamp((turns - low) / (high - low), 0.0, 1.0);
        frequency *= kept + (1 - kept) / factor;
    }
    return frequencies;
}

Tensor rotary(const Tensor& x, Integer first, double base, RotaryLayout layout,
              double interpolation) {
    const Shapes in("rotary", {{"x", x, "... T D"}});
    return rotary_at(x, {.first = first}, kept_frequencies(x, base, interpolation), layout);
}

Tensor rotary(const Tensor& x, const Indices& positions, double base, RotaryLayout layout,
              double interpolation) {
    check_shapes(x, positions);
    return rotary_at(x, {.given = positions}, kept_frequencies(x, base, interpolation), layout);
}

Tensor rotary(const Tensor& x, Integer first, const std::vector<double>& frequencies,
              RotaryLayout layout) {
    const Shapes in("rotary", {{"x", x, "... T D"}});
    return rotary_at(x, {.first = first}, frequencies, layout);
}

Tensor rotary(const Tensor& x, const Indices& positions, const std::vector<double>& frequencies,
              RotaryLayout layout) {
    check_shapes(x, positions);
    return rotary_at(x, {.given = positions}, frequencies, layout);
}

double ntk_base(double factor, Integer width, double base) {
    check_positive("ntk_base", {{"factor", factor}, {"base", base}});
    check(width > 2, "ntk_base: heads of width {}; expected at least two pairs", width);
    return base * std::pow(factor, static_cast<double>(width) / (static_cast<double>(width) - 2));
}

Tensor with_rotary_layout(const Tensor& weight, Integer heads, RotaryLayout from, RotaryLayout to) {
    const Shapes in("with_rotary_layout", {{"weight", weight, "Out ..."}});
    check(heads > 0 && in["Out"] % (2 * heads) == 0,
          "a weight {} of {} heads; expected rows for heads of an even width", weight.shape(),
          heads);
    if (from == to) return weight;
    const int64_t pairs = weight.size(0) / heads / 2;
    const bool apart = from == RotaryLayout::pairs;  // the numbers of a pair lie side by side
    const Tensor split = reshape(weight, {heads, apart ? pairs : 2, apart ? 2 : pairs, -1});
    return reshape(transpose(split, 1, 2), weight.shape());
}

std::vector<double> alibi_slopes(Integer heads) {
    check_positive("alibi_slopes", {{"heads", heads.value}});
    int64_t power = 1;
    while (2 * power <= heads) power *= 2;
    std::vector<double> slopes;
    for (int64_t h = 1; h <= power; ++h) slopes.push_back(std::exp2(-8.0 * h / power));
    for (int64_t h = 1; static_cast<int64_t>(slopes.size()) < heads; h += 2)
        slopes.push_back(std::exp2(-4.0 * h / power));
    return slopes;
}

Tensor alibi_bias(Integer heads, Integer queries, Integer keys, Dtype dtype) {
    check_positive("alibi_bias", {{"heads", heads.value}});
    check_not_negative("alibi_bias", {{"queries", queries.value}});
    check_last_positions(queries, keys, "alibi_bias");
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

namespace {

void check_learned(int64_t position, const Tensor& table) {
    check(position < table.size(0),
          "AbsolutePositions: position {}, but only {} positions were learned; make max_positions "
          "larger or cut the sequence",
          position, table.size(0));
}

}  // namespace

AbsolutePositions::AbsolutePositions(const PositionOptions& o, Rng& rng) : kind(o.kind) {
    if (kind != PositionKind::learned) return;
    check_positive("AbsolutePositions", {{"max_positions", o.max_positions}, {"width", o.width}});
    table = parameter(normal({o.max_positions, o.width}, 0, 0.02, rng));
}

Tensor AbsolutePositions::operator()(const Tensor& x, Integer first) const {
    const Shapes in("AbsolutePositions", {{"x", x, "B T D"}, {"table", table, "? P D"}});
    if (kind == PositionKind::sinusoidal)
        return x + sinusoidal_positions(first, in["T"], in["D"], x.dtype());
    if (kind != PositionKind::learned) return x;
    check_learned(first + in["T"] - 1, table);
    return x + slice(table, 0, first, first + in["T"]);
}

Tensor AbsolutePositions::operator()(const Tensor& x, const Indices& positions) const {
    const Shapes in(
        "AbsolutePositions",
        {{"x", x, "B T D"}, {"positions", positions, "B T"}, {"table", table, "? P D"}});
    const int most = positions.count() ? *std::max_element(positions.begin(), positions.end()) : 0;
    if (kind == PositionKind::sinusoidal)
        return x + embedding(sinusoidal_positions(0, most + 1, in["D"], x.dtype()), positions);
    if (kind != PositionKind::learned) return x;
    check_learned(most, table);
    return x + embedding(table, positions);
}

// --- relative -----------------------------------------------------------------------------------

RelativePositions::RelativePositions(const PositionOptions& o, Rng& rng)
    : kind(o.kind), layout(o.layout), frequencies(o.frequencies) {
    check_positive("RelativePositions", {{"base", o.base}, {"interpolation", o.interpolation}});
    check(std::isfinite(o.base) && std::isfinite(o.interpolation),
          "RelativePositions: a base of {} and an interpolation of {}; expected finite numbers",
          o.base, o.interpolation);
    check(o.heads > 0 && o.width % o.heads == 0,
          "RelativePositions: a width of {} cannot be divided among {} heads", o.width, o.heads);
    const int64_t width = o.width / o.heads;
    check(kind != PositionKind::rotary || width % 2 == 0,
          "RelativePositions: heads of width {} cannot be rotated pair by pair; make it even",
          width);
    if (kind == PositionKind::rotary && frequencies.empty())
        frequencies = rotary_frequencies(width, o.base, o.interpolation);
    check(frequencies.empty() || 2 * std::ssize(frequencies) == width,
          "RelativePositions: {} frequencies; expected one for each pair of a head of width {}",
          frequencies.size(), width);
    for (const double frequency : frequencies)
        check(std::isfinite(frequency) && frequency > 0,
              "RelativePositions: a frequency of {}; expected a finite number above 0", frequency);
    if (kind != PositionKind::relative) return;
    check_not_negative("RelativePositions", {{"max_distance", o.max_distance}});
    key = parameter(xavier_uniform({2 * o.max_distance + 1, width}, rng));
    value = parameter(xavier_uniform({2 * o.max_distance + 1, width}, rng));
}

Tensor RelativePositions::rotate(const Tensor& x, Integer first) const {
    const Shapes in("RelativePositions", {{"x", x, "B H T D"}});
    return kind == PositionKind::rotary ? rotary(x, first, frequencies, layout) : x;
}

Tensor RelativePositions::rotate(const Tensor& x, const Indices& positions) const {
    const Shapes in("RelativePositions", {{"x", x, "B H T D"}});
    return kind == PositionKind::rotary ? rotary(x, positions, frequencies, layout) : x;
}

Tensor RelativePositions::bias(const Tensor& q, Integer keys, double scale) const {
    const Shapes in("RelativePositions", {{"q", q, "B H Q D"}, {"key", key, "? R D"}});
    check_last_positions(in["Q"], keys, "RelativePositions");
    if (kind == PositionKind::alibi) return kept_alibi_bias(in["H"], in["Q"], keys, q.dtype());
    if (kind != PositionKind::relative) return {};
    const Tensor a =
        embedding(key, rows_of_distances(in["Q"], keys, key.size(0) / 2));  // [Q, K, D]
    return product_by_query(q * scale_of_scores(scale, q, "RelativePositions"), transpose(a));
}

Tensor RelativePositions::context(const Tensor& weights) const {
    const Shapes in("RelativePositions", {{"weights", weights, "B H Q K"}});
    if (kind != PositionKind::relative) return {};
    const Tensor a =
        embedding(value, rows_of_distances(in["Q"], in["K"], value.size(0) / 2));  // [Q, K, D]
    return product_by_query(weights, a);
}

}  // namespace heed
