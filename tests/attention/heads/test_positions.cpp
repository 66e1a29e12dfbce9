// Positions: each formula against a plain loop, and that relative ones depend on distances only.
#include "attention/heads/self_attention.h"
#include "attention/laws/laws.h"
#include "attention/scores/mask.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

SelfAttention make(PositionKind kind, int64_t width = 4, int64_t heads = 2,
                   int64_t max_distance = 2) {
    Rng rng(1);
    SelfAttention layer({.width = width, .heads = heads},
                        {.kind = kind, .max_distance = max_distance}, rng);
    to_dtype(layer, f64);
    return layer;
}

constexpr PositionKind inside[] = {PositionKind::relative, PositionKind::rotary,
                                   PositionKind::alibi};

}  // namespace

TEST_CASE("sinusoidal positions are those of the paper", "[attention]") {
    const Tensor p = sinusoidal_positions(3, 4, 6, f64);  // positions 3 .. 6
    for (int t = 0; t < 4; ++t)
        for (int i = 0; i < 3; ++i) {
            const double angle = (t + 3) / std::pow(10000.0, 2 * i / 6.0);
            CHECK(std::abs(p.at({t, 2 * i}) - std::sin(angle)) < 1e-14);
            CHECK(std::abs(p.at({t, 2 * i + 1}) - std::cos(angle)) < 1e-14);
        }
}

TEST_CASE("absolute positions are added, and continue after those in a cache", "[attention]") {
    Rng rng(1);
    const Tensor x = numbers({2, 5, 4});
    for (PositionKind kind : position_kinds()) {
        INFO(name_of(kind));
        AbsolutePositions positions({.kind = kind, .width = 4, .max_positions = 5}, rng);
        to_dtype(positions, f64);
        const Tensor all = positions(x);
        const bool adds = kind == PositionKind::sinusoidal || kind == PositionKind::learned;
        CHECK((largest_difference(all, x) > 0) == adds);
        CHECK(largest_difference(slice(all, 1, 3, 5), positions(slice(x, 1, 3, 5), 3)) == 0);
        CHECK(parameters(positions).size() == (kind == PositionKind::learned ? 1 : 0));
    }
}

TEST_CASE("rotary positions rotate pairs, and dot products depend on the distance only",
          "[attention]") {
    const Tensor x = numbers({1, 1, 1, 4}, 1), y = numbers({1, 1, 1, 4}, 2);
    const Tensor rotated = rotary(x, 7);
    for (int i = 0; i < 2; ++i) {
        const double angle = 7 / std::pow(10000.0, 2 * i / 4.0);
        const double a = x.at({0, 0, 0, 2 * i}), b = x.at({0, 0, 0, 2 * i + 1});
        CHECK(std::abs(rotated.at({0, 0, 0, 2 * i}) - (a * std::cos(angle) - b * std::sin(angle))) <
              1e-14);
        CHECK(std::abs(rotated.at({0, 0, 0, 2 * i + 1}) -
                       (a * std::sin(angle) + b * std::cos(angle))) < 1e-14);
    }
    const auto dot = [&](int p, int q) { return sum(rotary(x, p) * rotary(y, q)).item(); };
    CHECK(std::abs(dot(3, 5) - dot(103, 105)) < 1e-12);
    CHECK(std::abs(dot(3, 5) - dot(3, 6)) > 1e-3);
    CHECK(std::abs(dot(4, 4) - sum(x * y).item()) < 1e-12);
}

TEST_CASE("rotary positions are the same from any table of angles", "[attention]") {
    // The first call makes a table; the others find their positions in it, or make a larger one, one of
    // another width, base or dtype, or one that does not begin at 0.
    const auto by_hand = [](const Tensor& x, int64_t first, double base) {
        std::vector<double> y;
        for (int64_t t = 0; t < x.size(0); ++t)
            for (int64_t i = 0; i < x.size(1); ++i) {
                const double angle = static_cast<double>(first + t) *
                                     std::pow(base, -static_cast<double>(i / 2 * 2) /
                                                        static_cast<double>(x.size(1)));
                const double a = x.at({t, i / 2 * 2}), b = x.at({t, i / 2 * 2 + 1});
                y.push_back(i % 2 ? a * std::sin(angle) + b * std::cos(angle)
                                  : a * std::cos(angle) - b * std::sin(angle));
            }
        return tensor(y, x.shape(), x.dtype());
    };
    struct Call {
        int64_t first, steps, width;
        double base = 10000;
    };
    for (Dtype dtype : {Dtype::float64, Dtype::float32})
        for (const Call& c : {Call{0, 6, 4},
                              {3, 2, 4},
                              {0, 9, 4},
                              {1, 4, 4, 500},
                              {2, 5, 6},
                              {-7, 3, 4},
                              {20, 1, 4},
                              {21, 1, 4},
                              {70000, 2, 4},
                              {0, 6, 4}}) {
            INFO(c.first << ", " << c.steps << " steps, width " << c.width << ", base " << c.base);
            const Tensor x = to_dtype(numbers({c.steps, c.width}, 5), dtype);
            CHECK(largest_difference(rotary(x, c.first, c.base), by_hand(x, c.first, c.base)) <
                  (dtype == Dtype::float64 ? 1e-12 : 1e-6));
        }
}

TEST_CASE("rotary positions, interpolated and with another base", "[attention]") {
    const Tensor x = numbers({2, 6, 8});
    // Position 2 p divided by 2 is position p.
    CHECK(largest_difference(rotary(x, {0, 2, 4, 6, 8, 10}, 500, RotaryLayout::halves, 2),
                             rotary(x, 0, 500, RotaryLayout::halves)) < 1e-14);
    CHECK(largest_difference(rotary(x, 3, 500, RotaryLayout::pairs, 2), rotary(x, 3, 500)) > 0.1);

    // The slowest of four pairs turns 4 times more slowly, the fastest as before.
    const double base = ntk_base(4, 8, 100);
    CHECK(std::abs(std::pow(base, -6.0 / 8) - std::pow(100, -6.0 / 8) / 4) < 1e-15);
    const Tensor slow = rotary(x, 4, base), plain = rotary(x, 1, 100);
    CHECK(largest_difference(slice(slice(slow, 1, 0, 1), 2, 6, 8),
                             slice(slice(plain, 1, 0, 1), 2, 6, 8)) < 1e-14);
    CHECK(largest_difference(slice(slow, 2, 0, 2), slice(rotary(x, 4, 100), 2, 0, 2)) < 1e-14);

    // A layer uses them, with positions counted or given.
    Rng rng(1);
    const RelativePositions layer(
        {.kind = PositionKind::rotary, .width = 16, .heads = 2, .base = 500, .interpolation = 2},
        rng);
    const Tensor heads = numbers({1, 2, 3, 8});
    const Tensor expected = rotary(heads, 1, 500, RotaryLayout::pairs, 2);
    CHECK(largest_difference(layer.rotate(heads, 1), expected) == 0);
    CHECK(largest_difference(layer.rotate(heads, Indices({1, 2, 3}, {1, 3})), expected) == 0);
}

TEST_CASE("rotary positions by a list of frequencies, and those of Llama 3.1", "[attention]") {
    const Tensor x = numbers({2, 3, 8});
    for (const RotaryLayout layout : {RotaryLayout::pairs, RotaryLayout::halves})
        CHECK(largest_difference(rotary(x, 2, rotary_frequencies(8, 300, 2), layout),
                                 rotary(x, 2, 300, layout, 2)) == 0);
    CHECK(largest_difference(rotary(x, Indices({2, 3, 4}, {3}), rotary_frequencies(8)),
                             rotary(x, 2)) == 0);

    // With the base 100 the four pairs of a head turn 1.91, 0.604, 0.191 and 0.0604 times over 12 positions.
    const std::vector<double> plain = rotary_frequencies(8, 100),
                              slow = llama3_frequencies(8, 100, {4, 0.3, 1.5, 12});
    const double kept = (0.6039505452538444 - 0.3) / 1.2;
    CHECK(slow[0] == plain[0]);
    CHECK(slow[1] == Approx(plain[1] * (kept + (1 - kept) / 4)));
    CHECK(slow[2] == Approx(plain[2] / 4));
    CHECK(slow[3] == Approx(plain[3] / 4));
    CHECK_THROWS_WITH(llama3_frequencies(8, 100, {4, 2, 2, 12}),
                      "llama3_frequencies: turns from 2 to 2; expected the first below the second");
    Rng rng(1);
    PositionOptions wrong{.kind = PositionKind::rotary, .width = 16, .heads = 2};
    wrong.frequencies = {1, 0.5};
    CHECK_THROWS_WITH(
        RelativePositions(wrong, rng),
        "RelativePositions: 2 frequencies; expected one for each pair of a head of width 8");
    wrong.frequencies = {1, 0.5, 0.25, std::numeric_limits<double>::infinity()};
    CHECK_THROWS_WITH(RelativePositions(wrong, rng),
                      "RelativePositions: a frequency of inf; expected a finite number above 0");
}

TEST_CASE("rotary positions in halves are those of rotate_half", "[attention][parity]") {
    // x cos + concat(-x₂, x₁) sin, x₁ and x₂ the halves of x, computed by NumPy at positions 0, 1, 5.
    const Tensor x = tensor({0.5, -1, 2, 0.25, 1.5, -0.75, 1, 2, 3, -1, -2, -3, 0.1, 0.2, -0.3, 0.4,
                             -0.5, 0.6},
                            {1, 1, 3, 6}, f64),
                 expected = tensor(
                     {0.5, -1.0, 2.0, 0.25, 1.5, -0.75,  //
                      1.381773290676036, 2.090644399010723, 3.006456336689539, 0.301168678939757,
                      -1.905047505151798, -2.993529738549346, 0.411935928411578, 0.309638900688088,
                      -0.306445773281009, 0.017572446718977, -0.440594769806307, 0.596733598884966},
                     {1, 1, 3, 6}, f64);
    CHECK(largest_difference(rotary(x, {0, 1, 5}, 10000, RotaryLayout::halves), expected) < 1e-14);
}

TEST_CASE("rotary positions that are given are those that are counted", "[attention]") {
    const Tensor x = numbers({2, 3, 4, 6}, 1);
    for (RotaryLayout layout : {RotaryLayout::pairs, RotaryLayout::halves}) {
        CHECK(largest_difference(rotary(x, {5, 6, 7, 8}, 10000, layout),
                                 rotary(x, 5, 10000, layout)) == 0);
        const Indices of_each({5, 6, 7, 8, 100, 2, 2, 0}, {2, 4});
        const Tensor y = rotary(x, of_each, 500, layout);
        for (int64_t b = 0; b < 2; ++b)
            for (int64_t t = 0; t < 4; ++t) {
                const auto row = [&](const Tensor& all) {
                    return slice(slice(all, 0, b, b + 1), 2, t, t + 1);
                };
                CHECK(largest_difference(row(y), rotary(row(x), of_each.at({b, t}), 500, layout)) <
                      1e-15);
            }
    }
    for (PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned}) {
        Rng rng(1);
        AbsolutePositions positions({.kind = kind, .width = 6, .max_positions = 20}, rng);
        to_dtype(positions, f64);
        const Tensor tokens = numbers({2, 3, 6}, 1);
        CHECK(largest_difference(positions(tokens, Indices({4, 5, 6, 4, 5, 6}, {2, 3})),
                                 positions(tokens, 4)) < 1e-15);
    }
}

TEST_CASE("weights in another rotary layout give the same scores", "[attention][laws]") {
    constexpr RotaryLayout pairs = RotaryLayout::pairs, halves = RotaryLayout::halves;
    for (int64_t heads : {1, 2, 3}) {
        const int64_t width = 6 * heads;
        Rng rng(1);
        SelfAttention in_pairs({.width = width, .heads = heads}, {.kind = PositionKind::rotary},
                               rng);
        to_dtype(in_pairs, f64);
        SelfAttention in_halves = in_pairs;
        in_halves.positions.layout = halves;
        for (Linear* each : {&in_halves.multi_head.query, &in_halves.multi_head.key}) {
            each->weight = with_rotary_layout(each->weight, heads, pairs, halves);
            each->bias = with_rotary_layout(each->bias, heads, pairs, halves);
        }
        const Tensor x = numbers({2, 5, width}, 3);
        const auto both = [&](const SelfAttention& layer) {
            return with_weights(layer, x, {.causal = true});
        };
        const AttentionOutput a = both(in_pairs), b = both(in_halves);
        CHECK(largest_difference(a.weights, b.weights) < 1e-14);
        CHECK(largest_difference(a.context, b.context) < 1e-14);

        // Without the change they are others, and the way back gives the weights of before.
        in_halves.multi_head.key = in_pairs.multi_head.key;
        CHECK(largest_difference(both(in_halves).weights, a.weights) > 1e-3);
        const Tensor w = in_pairs.multi_head.query.weight;
        CHECK(largest_difference(with_rotary_layout(with_rotary_layout(w, heads, pairs, halves),
                                                    heads, halves, pairs),
                                 w) == 0);
        CHECK(largest_difference(with_rotary_layout(w, heads, halves, halves), w) == 0);
    }
    // The numbers of one head: the first of each pair, then the second of each.
    CHECK(with_rotary_layout(tensor({0, 1, 2, 3, 4, 5}), 1, pairs, halves).to_vector() ==
          std::vector<double>{0, 2, 4, 1, 3, 5});
}

TEST_CASE("positions count the tokens that are no padding", "[attention]") {
    CHECK(positions_of(left_padding_mask({2, 4}, 4)) == Indices({0, 0, 0, 1, 0, 1, 2, 3}, {2, 4}));
    CHECK(positions_of(left_padding_mask({2, 4}, 4), 1) == Indices({1, 3}, {2, 1}));
    CHECK(positions_of(padding_mask({2, 4}, 4)) == Indices({0, 1, 2, 2, 0, 1, 2, 3}, {2, 4}));
    CHECK(left_padding_mask({0, 1}, 2).to_vector() == std::vector<double>{0, 0, 0, 1});
}

TEST_CASE("the bias of ALiBi is right although the last one is kept", "[attention]") {
    Rng rng(1);
    const RelativePositions positions({.kind = PositionKind::alibi, .width = 4, .heads = 2}, rng);
    for (int64_t keys : {3, 3, 5, 3}) {
        Tensor bias = positions.bias(numbers({1, 2, 3, 2}), keys, 0);
        CHECK(largest_difference(bias, alibi_bias(2, 3, keys, f64)) == 0);
        bias.edit<double>()[0] = 9;  // the next call must not see it
    }
    CHECK(positions.bias(to_dtype(numbers({1, 2, 3, 2}), Dtype::float32), 3, 0).dtype() ==
          Dtype::float32);
}

TEST_CASE("ALiBi has the slopes of its paper", "[attention]") {
    CHECK(alibi_slopes(8) == std::vector<double>{1. / 2, 1. / 4, 1. / 8, 1. / 16, 1. / 32, 1. / 64,
                                                 1. / 128, 1. / 256});
    const std::vector<double> twelve = alibi_slopes(12), sixteen = alibi_slopes(16);
    CHECK(sixteen[0] == std::exp2(-0.5));
    for (int h = 0; h < 4; ++h) CHECK(twelve[8 + h] == sixteen[2 * h]);
    const Tensor bias = alibi_bias(2, 2, 4, f64);  // slopes 1/16 and 1/256; queries at 2 and 3
    CHECK(bias.at({0, 0, 0}) == -2. / 16);
    CHECK(bias.at({0, 0, 3}) == -1. / 16);
    CHECK(bias.at({1, 1, 0}) == -3. / 256);
    CHECK(bias.at({1, 1, 3}) == 0);
}

TEST_CASE("Shaw's relative positions are those of a plain loop", "[attention]") {
    const SelfAttention layer = make(PositionKind::relative, 4, 1, 2);
    const Tensor x = numbers({1, 5, 4});
    const AttentionOutput y = with_weights(layer, x);
    const Tensor q = layer.multi_head.query(x), k = layer.multi_head.key(x),
                 v = layer.multi_head.value(x);
    const auto row = [](const Tensor& t, int64_t i) { return select(t, t.dim() - 2, i); };
    std::vector<Tensor> contexts;
    for (int i = 0; i < 5; ++i) {
        std::vector<Tensor> scores, values;
        for (int j = 0; j < 5; ++j) {
            const int distance = std::clamp(j - i, -2, 2) + 2;
            scores.push_back(sum(row(q, i) * (row(k, j) + row(layer.positions.key, distance))) / 2);
            values.push_back(row(v, j) + row(layer.positions.value, distance));
        }
        const Tensor weights = softmax(stack(scores));
        CHECK(largest_difference(weights, select(select(select(y.weights, 0, 0), 0, 0), 0, i)) <
              1e-12);
        Tensor context = values[0] * select(weights, 0, 0);
        for (int j = 1; j < 5; ++j) context = context + values[j] * select(weights, 0, j);
        contexts.push_back(context);
    }
    const Tensor expected = layer.multi_head.output(stack(contexts, 1));
    CHECK(largest_difference(expected, y.context) < 1e-12);
}

TEST_CASE("attention by distance does not change when a sequence is shifted", "[laws][attention]") {
    // A window of two tokens each way: the middle of a repeated pattern gives the same everywhere.
    const Tensor period = numbers({1, 3, 4});
    const Tensor x = concat({period, period, period, period}, 1);  // [1, 12, 4]
    const Tensor mask = sliding_window_mask(12, 12, 2, 2, f64);
    for (PositionKind kind : inside) {
        INFO(name_of(kind));
        const Tensor y = make(kind)(x, {.mask = mask});
        CHECK(largest_difference(slice(y, 1, 3, 6), slice(y, 1, 6, 9)) < 1e-12);
    }
}

TEST_CASE("self-attention obeys the laws, with positions those that do not depend on order",
          "[laws]") {
    for (PositionKind kind : position_kinds()) {
        INFO(name_of(kind));
        const SelfAttention layer = make(kind);
        // One tensor serves as all three.
        const AttentionFunction self = [&](const Tensor& q, const Tensor&, const Tensor&,
                                           const Tensor& mask) {
            return with_weights(layer, q, {.mask = mask});
        };
        const laws::Sizes square{.queries = 5, .keys = 5, .value_width = 4};
        std::vector<laws::Verdict> verdicts{laws::distribution(self, square),
                                            laws::batch_rows(self, square)};
        // The law changes keys and values, so here the keys are the tokens.
        const AttentionFunction causal = [&](const Tensor&, const Tensor& k, const Tensor&,
                                             const Tensor&) {
            return with_weights(layer, k, {.causal = true});
        };
        verdicts.push_back(laws::causal(causal, square));
        std::vector<std::pair<std::string, Tensor>> named;
        for (const Parameter& p : parameters(layer))
            if (p.name != "key.bias") named.emplace_back(p.name, p.tensor);
        verdicts.push_back(laws::every_parameter(self, named, square));
        for (const laws::Verdict& verdict : verdicts) {
            INFO(to_string(verdict));
            CHECK(verdict.holds);
        }

        // Without positions the order has no effect; with relative positions it has.
        const Tensor x = numbers({1, 4, 4});
        const double moved = largest_difference(flip(layer(flip(x, 1)), 1), layer(x));
        const bool symmetric =
            std::find(std::begin(inside), std::end(inside), kind) == std::end(inside) ||
            kind == PositionKind::alibi;  // |j - i| is the same both ways
        CHECK((moved < 1e-12) == symmetric);
    }
}

TEST_CASE("with a cache, one or two tokens at a time give the same as all at once",
          "[laws][attention]") {
    const Tensor x = numbers({2, 6, 4});
    for (PositionKind kind : position_kinds())
        for (int64_t step : {1, 2}) {
            INFO(name_of(kind) << ", " << step);
            const SelfAttention layer = make(kind);
            const Tensor all = layer(x, {.causal = true});
            KeyValueCache cache;
            for (int64_t t = 0; t < 6; t += step) {
                const Tensor y = layer(slice(x, 1, t, t + step), {.causal = true, .cache = &cache});
                CHECK(largest_difference(y, slice(all, 1, t, t + step)) < 1e-12);
            }
            CHECK(cache[0].key.shape() == Shape{2, 2, 6, 2});
        }
}

TEST_CASE("positions refuse what does not fit", "[attention][errors]") {
    Rng rng(1);
    CHECK_THROWS_WITH(sinusoidal_positions(0, 2, 5), ContainsSubstring("width of 5"));
    CHECK_THROWS_WITH(rotary(zeros({2, 3}), 0),
                      ContainsSubstring("x [2, 3]") && ContainsSubstring("even width"));
    CHECK_THROWS_WITH(alibi_slopes(0), ContainsSubstring("heads is 0"));
    CHECK_THROWS_WITH(make(PositionKind::rotary, 6, 2), ContainsSubstring("heads of width 3"));
    const AbsolutePositions learned({.kind = PositionKind::learned, .width = 4, .max_positions = 3},
                                    rng);
    CHECK_THROWS_WITH(learned(zeros({1, 4, 4})),
                      ContainsSubstring("position 3, but only 3 positions were learned") &&
                          ContainsSubstring("make max_positions larger"));
    CHECK_THROWS_WITH(learned(zeros({1, 2, 6})),
                      ContainsSubstring("D is 6 in x [1, 2, 6] and 4 in table [3, 4]"));
    CHECK_THROWS_WITH(learned(zeros({2, 4})), ContainsSubstring("expected x [B, T, D]"));
    const SelfAttention layer = make(PositionKind::none);
    CHECK_THROWS_WITH(layer(numbers({3, 4})),
                      ContainsSubstring("x is [3, 4]; expected x [B, T, D]"));
    KeyValueCache cache;
    layer(numbers({2, 1, 4}), {.cache = &cache});
    CHECK_THROWS_WITH(layer(numbers({3, 1, 4}), {.cache = &cache}),
                      ContainsSubstring("x [3, 1, 4], but the cache holds keys [2, 2, 1, 2]"));
}
