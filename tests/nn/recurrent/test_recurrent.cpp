#include <cstring>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

const CellKind all_kinds[] = {CellKind::rnn_tanh, CellKind::rnn_relu, CellKind::gru,
                              CellKind::lstm};

Tensor as_single(const Tensor& x) { return to_dtype(x, Dtype::float32); }

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

// One step for one row in plain loops, as PyTorch's documentation writes it.
struct PlainCell {
    CellKind kind;
    int64_t I, H;
    std::vector<double> w_ih, w_hh, b_ih, b_hh;

    explicit PlainCell(const RecurrentCell& cell)
        : kind(cell.kind),
          I(cell.input_size()),
          H(cell.hidden_size()),
          w_ih(cell.weight_ih.to_vector()),
          w_hh(cell.weight_hh.to_vector()),
          b_ih(cell.bias_ih.to_vector()),
          b_hh(cell.bias_hh.to_vector()) {}

    void step(const std::vector<double>& x, std::vector<double>& h, std::vector<double>& c) const {
        const std::vector<double> before = h;
        for (int64_t j = 0; j < H; ++j) {
            double a[4], b[4];
            for (int gate = 0; gate < gates_of(kind); ++gate) {
                const int64_t row = gate * H + j;
                a[gate] = b_ih[row];
                b[gate] = b_hh[row];
                for (int64_t i = 0; i < I; ++i) a[gate] += w_ih[row * I + i] * x[i];
                for (int64_t i = 0; i < H; ++i) b[gate] += w_hh[row * H + i] * before[i];
            }
            if (kind == CellKind::rnn_tanh) {
                h[j] = std::tanh(a[0] + b[0]);
            } else if (kind == CellKind::rnn_relu) {
                h[j] = std::max(a[0] + b[0], 0.0);
            } else if (kind == CellKind::gru) {
                const double r = sigma(a[0] + b[0]), z = sigma(a[1] + b[1]);
                const double n = std::tanh(a[2] + r * b[2]);
                h[j] = (1 - z) * n + z * before[j];
            } else {
                const double i = sigma(a[0] + b[0]), f = sigma(a[1] + b[1]);
                const double g = std::tanh(a[2] + b[2]), o = sigma(a[3] + b[3]);
                c[j] = f * c[j] + i * g;
                h[j] = o * std::tanh(c[j]);
            }
        }
    }
};

template <class Layer>
Layer in_double(Layer layer) {
    to_dtype(layer, Dtype::float64);
    return layer;
}

std::vector<double> row(const Tensor& x, int64_t b, int64_t t) {
    return select(select(x, 0, b), 0, t).to_vector();
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).margin(1e-12));
}

}  // namespace

TEST_CASE("a padded, bidirectional layer gives what plain loops over each row give") {
    for (CellKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        Rng rng(3);
        const int64_t B = 3, T = 4, H = 3;
        const std::vector<int> lengths{4, 2, 0};
        const auto rnn = in_double(Recurrent(kind, 2, H, {.bidirectional = true}, rng));
        const Tensor x = numbers({B, T, 2});
        const RecurrentOutput out = rnn(x, lengths);
        REQUIRE(out.output.shape() == Shape{B, T, 2 * H});
        REQUIRE(out.states.size() == 2);

        for (int direction : {0, 1}) {
            const PlainCell plain(rnn.cells[direction]);
            for (int64_t b = 0; b < B; ++b) {
                std::vector<double> h(H, 0.0), c(H, 0.0);
                for (int64_t i = 0; i < lengths[b]; ++i) {
                    const int64_t t = direction == 0 ? i : lengths[b] - 1 - i;
                    plain.step(row(x, b, t), h, c);
                    const std::vector<double> both = row(out.output, b, t);
                    const auto own = both.begin() + direction * H;
                    check_close({own, own + H}, h);
                }
                check_close(select(out.states[direction].hidden, 0, b).to_vector(), h);
                if (kind == CellKind::lstm)
                    check_close(select(out.states[direction].cell, 0, b).to_vector(), c);
                for (int64_t t = lengths[b]; t < T; ++t)
                    check_close(row(out.output, b, t), std::vector<double>(2 * H, 0.0));
            }
        }
    }
}

TEST_CASE("the sequence kernel agrees with its definition, in values and gradients", "[grad]") {
    for (CellKind kind : all_kinds)
        for (int64_t H : {1, 8, 19})
            for (bool reverse : {false, true})
                for (bool ragged : {false, true}) {
                    CAPTURE(name_of(kind), H, reverse, ragged);
                    const int64_t B = 35, T = 3, wide = gates_of(kind) * H;
                    std::vector<int> lengths;
                    for (int64_t b = 0; b < B; ++b)
                        lengths.push_back(static_cast<int>(b % (T + 1)));
                    SequenceOptions options{std::nullopt, reverse};
                    if (ragged) options.lengths = Indices(lengths);
                    std::vector<Tensor> inputs{numbers({B, T, wide}), numbers({wide, H}, 2),
                                               numbers({wide}, 3), numbers({B, H}, 4),
                                               numbers({B, H}, 5)};
                    if (states_of(kind) == 1) inputs.pop_back();
                    const auto state = [](const std::vector<Tensor>& x) {
                        return RecurrentState{x[3], x.size() > 4 ? x[4] : Tensor()};
                    };
                    const auto fused = [&](const std::vector<Tensor>& x) {
                        return recurrent_sequence(kind, x[0], state(x), x[1], x[2], options);
                    };
                    const auto plain = [&](const std::vector<Tensor>& x) {
                        return recurrent_sequence_definition(kind, x[0], state(x), x[1], x[2],
                                                             options);
                    };
                    CHECK(largest_difference(fused(inputs), plain(inputs)) < 1e-12);
                    const auto fast = gradients_of(fused, inputs),
                               slow = gradients_of(plain, inputs);
                    for (std::size_t i = 0; i < inputs.size(); ++i)
                        CHECK(largest_difference(fast[i], slow[i]) < 1e-10);

                    // float32 runs other kernels.
                    std::vector<Tensor> narrow;
                    for (const Tensor& x : inputs) narrow.push_back(to_dtype(x, Dtype::float32));
                    const auto single = gradients_of(fused, narrow);
                    for (std::size_t i = 0; i < inputs.size(); ++i) {
                        const Tensor wide_again = to_dtype(single[i], Dtype::float64);
                        CHECK(largest_difference(wide_again, slow[i]) <
                              1e-4 * (1 + max(abs(slow[i])).item()));
                    }
                }
}

TEST_CASE("the step kernel agrees with its definition, and a layer with single steps", "[grad]") {
    for (CellKind kind : all_kinds) {
        CAPTURE(name_of(kind));
        Rng rng(8);
        const auto cell = in_double(RecurrentCell(kind, 3, 5, rng));
        const Tensor x = numbers({4, 3, 3});
        RecurrentState state = cell.zero_state(4), plain = state;
        for (int64_t t = 0; t < 3; ++t) {
            const Tensor now = select(x, 1, t);
            plain = recurrent_step_definition(
                kind, cell.project(now), linear(plain.hidden, cell.weight_hh, cell.bias_hh), plain);
            state = cell(now, state);
            CHECK(largest_difference(state.hidden, plain.hidden) < 1e-14);
        }
        Recurrent rnn;
        rnn.cells = {cell};
        const RecurrentOutput out = rnn(x);
        CHECK(largest_difference(out.states[0].hidden, state.hidden) < 1e-14);
        CHECK(largest_difference(select(out.output, 1, 2), state.hidden) < 1e-14);
        if (kind == CellKind::lstm)
            CHECK(largest_difference(out.states[0].cell, state.cell) < 1e-14);
    }
}

TEST_CASE("padding changes no result, whatever numbers it holds") {
    for (CellKind kind : {CellKind::gru, CellKind::lstm}) {
        Rng rng(5);
        const auto rnn =
            in_double(Recurrent(kind, 2, 3, {.layers = 2, .bidirectional = true}, rng));
        const Tensor x = numbers({2, 5, 2});
        const RecurrentOutput together = rnn(x, {2, 5});
        const RecurrentOutput alone = rnn(slice(slice(x, 0, 0, 1), 1, 0, 2));
        CHECK(largest_difference(slice(slice(together.output, 0, 0, 1), 1, 0, 2), alone.output) <
              1e-14);
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(largest_difference(slice(together.states[i].hidden, 0, 0, 1),
                                     alone.states[i].hidden) < 1e-14);

        // With other numbers in the padding nothing changes, and the padding gets no gradient.
        Tensor other = clone(x);
        for (int64_t i = 4; i < 10; ++i) other.edit<double>()[i] = 1000;
        Tensor leaf = clone(other).set_requires_grad();
        const RecurrentOutput again = rnn(leaf, {2, 5});
        CHECK(largest_difference(again.output, together.output) == 0);
        backward(weighed(again.output) + weighed(again.states[0].hidden));
        for (int64_t t = 0; t < 5; ++t) {
            const double size = sum(abs(select(select(leaf.grad(), 0, 0), 0, t))).item();
            CHECK((t < 2 ? size > 1e-6 : size == 0));
        }
    }
}

TEST_CASE("a layer starts from its initial state, also in rows of length 0") {
    Rng rng(6);
    const auto gru = in_double(Gru(2, 3, {.bidirectional = true}, rng));
    const Tensor x = numbers({2, 3, 2}), start = numbers({2, 3}, 2), other = numbers({2, 3}, 3);
    const RecurrentOutput out = gru(x, {3, 0}, {{start}, {other}});
    CHECK(largest_difference(select(out.states[0].hidden, 0, 1), select(start, 0, 1)) == 0);
    CHECK(largest_difference(select(out.states[1].hidden, 0, 1), select(other, 0, 1)) == 0);
    const RecurrentOutput first = gru(slice(x, 1, 0, 1), {}, {{start}, {other}});
    const RecurrentOutput rest = gru(slice(x, 1, 1, 3), {}, first.states);
    CHECK(largest_difference(select(rest.states[0].hidden, 0, 0),
                             select(out.states[0].hidden, 0, 0)) < 1e-14);
}

TEST_CASE("where the definition gives NaN or infinity, so does the kernel") {
    for (CellKind kind : all_kinds)
        for (double bad : {nan_value, infinity, -infinity}) {
            CAPTURE(name_of(kind), bad);
            const int64_t wide = gates_of(kind) * 3;
            Tensor x = numbers({2, 2, wide});
            x.edit<double>()[wide + 1] = bad;  // row 0, step 1, unit 1 of the first gate
            const RecurrentState start{numbers({2, 3}, 2),
                                       states_of(kind) == 2 ? numbers({2, 3}, 3) : Tensor()};
            const Tensor weight = numbers({wide, 3}, 4);
            const std::vector<double> fused =
                recurrent_sequence(kind, x, start, weight, {}).to_vector();
            const std::vector<double> plain =
                recurrent_sequence_definition(kind, x, start, weight, {}).to_vector();
            for (std::size_t i = 0; i < plain.size(); ++i)
                CHECK((std::isnan(plain[i])
                           ? std::isnan(fused[i])
                           : fused[i] == plain[i] || std::abs(fused[i] - plain[i]) < 1e-12));
        }
}

TEST_CASE("parameters have PyTorch's names and shapes") {
    Rng rng(1);
    const Lstm lstm(5, 3, {.layers = 2, .bidirectional = true}, rng);
    std::vector<std::string> found;
    for (const Parameter& p : parameters(lstm))
        found.push_back(p.name + " " + to_string(p.tensor.shape()));
    CHECK(found.size() == 16);
    CHECK(found[0] == "weight_ih_l0 [12, 5]");
    CHECK(found[1] == "weight_hh_l0 [12, 3]");
    CHECK(found[3] == "bias_hh_l0 [12]");
    CHECK(found[4] == "weight_ih_l0_reverse [12, 5]");
    CHECK(found[8] == "weight_ih_l1 [12, 6]");
    CHECK(found[12] == "weight_ih_l1_reverse [12, 6]");
    CHECK(parameters(Gru(5, 3, {.bias = false}, rng)).size() == 2);
}

TEST_CASE("recurrent layers give the same bits with one thread and with two") {
    for (CellKind kind : {CellKind::gru, CellKind::lstm}) {
        const int before = threads();
        std::vector<std::vector<double>> results[2];
        for (int count : {1, 2}) {
            set_threads(count);
            Rng rng(9);
            Recurrent rnn(kind, 24, 40, {.bidirectional = true}, rng);
            const Tensor x = normal({70, 9, 24}, 0, 1, rng);
            const Tensor y = rnn(x, Indices(std::vector<int>(70, 7))).output;
            backward(weighed(y));
            auto& mine = results[count - 1];
            mine.push_back(y.to_vector());
            for (const Parameter& p : parameters(rnn)) mine.push_back(p.tensor.grad().to_vector());
        }
        set_threads(before);
        CHECK(results[0] == results[1]);
    }
}

TEST_CASE("recurrent layers refuse shapes that do not match", "[errors]") {
    Rng rng(1);
    const Gru gru(4, 3, {}, rng);
    const Lstm lstm(4, 3, {}, rng);
    const Tensor x = zeros({2, 5, 4});
    CHECK_THROWS_WITH(gru(zeros({2, 4})), "gru: x is [2, 4]; expected x [B, T, 4]");
    CHECK_THROWS_WITH(gru(zeros({2, 5, 3})), "gru: x is [2, 5, 3]; expected x [B, T, 4]");
    CHECK_THROWS_WITH(gru(x, {5}),
                      "gru: lengths are [1]; expected [2], one for each row of x [2, 5, 4]");
    CHECK_THROWS_WITH(gru(x, {5, 6}), "gru: length_mask: length 6 is outside 0 to 5");
    CHECK_THROWS_WITH(gru(x, {}, {{}, {}}), ContainsSubstring("2 initial states for 1 cells"));
    CHECK_THROWS_WITH(
        gru(x, {}, {{zeros({3, 3})}}),
        ContainsSubstring("gru: initial hidden is [3, 3]; expected initial hidden [2, 3]"));
    CHECK_THROWS_WITH(lstm(x, {}, {{zeros({2, 3})}}),
                      ContainsSubstring("lstm: cell is not defined"));
    CHECK_THROWS_WITH(gru(to_dtype(x, Dtype::float64)), ContainsSubstring("do not mix"));
    CHECK_THROWS_WITH(Gru(0, 3, {}, rng), "gru: input is 0; expected a positive number");
    CHECK_THROWS_WITH(Gru()(x), ContainsSubstring("has no cells"));
    CHECK_THROWS_WITH(
        recurrent_step(CellKind::gru, zeros({2, 8}), zeros({2, 9}), {zeros({2, 3})}),
        "recurrent_step: gru: x is [2, 8]; expected hidden [B, H], x [B, 9] and h [B, 9]; "
        "x and h hold all gates side by side");
}

TEST_CASE("a state that overflows before the padding makes no gradient NaN through it", "[bad]") {
    // h1 = relu(x1 + W h0) with x1 infinite: the padding after it multiplies a gradient of 0 by ∞.
    const Tensor x = tensor({1, infinity, 5, 1, 2, 3}, {2, 3, 1}, Dtype::float64);
    Tensor weight = tensor({0.5}, {1, 1}, Dtype::float64).set_requires_grad();
    SequenceOptions options;
    options.lengths = Indices({2, 3});
    const Tensor h = recurrent_sequence(CellKind::rnn_relu, x, {zeros({2, 1}, Dtype::float64), {}},
                                        weight, {}, options);
    // The last state of row 1 alone: what row 0 overflows to has no weight in this sum.
    const Tensor last = select(select(select(h, 0, 0), 0, 3), 0, 1);
    CHECK(std::isfinite(grad(sum(last), {weight})[0].item()));
}

TEST_CASE("NaN in the padding reaches neither the output nor any gradient", "[bad]") {
    for (CellKind kind : all_kinds)
        for (bool bidirectional : {false, true}) {
            INFO(name_of(kind) << (bidirectional ? ", both directions" : ""));
            Rng rng(2);
            Recurrent layer(kind, 3, 4, {.layers = 2, .bidirectional = bidirectional}, rng);
            const Indices lengths({3, 5, 1});
            const Tensor clean = as_single(numbers({3, 5, 3}));
            Tensor dirty = clone(clean);
            for (int64_t b = 0; b < 3; ++b)
                for (int64_t i = lengths[b] * 3; i < 15; ++i)
                    dirty.edit<float>()[b * 15 + i] =
                        i % 2 ? static_cast<float>(nan_value) : INFINITY;
            const auto run = [&](const Tensor& x, bool again) {
                Tensor leaf = clone(x).set_requires_grad();
                std::vector<Tensor> all{leaf};
                for (const Parameter& p : parameters(layer)) all.push_back(p.tensor);
                const RecurrentOutput out = layer(leaf, lengths, {}, Mode::evaluation());
                std::vector<Tensor> results = grad(weighed(out.output), all, again);
                results.push_back(out.output);
                for (const RecurrentState& state : out.states) results.push_back(state.hidden);
                return results;
            };
            for (bool again : {false, true}) {
                const auto a = run(clean, again), b = run(dirty, again);
                for (std::size_t i = 0; i < a.size(); ++i)
                    CHECK(largest_difference(a[i], b[i]) == 0);
            }
        }
}
