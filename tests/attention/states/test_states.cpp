// Attention whose past is a state: against plain loops, the three forms against each other, one step at a
// time against all at once; the scan against its definition; and what stays of a cache.
#include "attention/attention.h"
#include "tests/autograd/compare.h"

using namespace heed;

namespace {

struct StateInputs {
    Tensor q, k, v, gate, beta;
    explicit StateInputs(int64_t steps, int64_t gate_width = 3, uint64_t seed = 1)
        : q(abs(numbers({2, 3, steps, 3}, seed)) + 0.1),
          k(abs(numbers({2, 3, steps, 3}, seed + 1)) * 0.5 + 0.1),
          v(numbers({2, 3, steps, 4}, seed + 2)),
          gate(-abs(numbers({2, 3, steps, gate_width}, seed + 3))),
          beta(sigmoid(numbers({2, 3, steps, 1}, seed + 4))) {}
};

// S' = diag(α) S; u = v, or β (v - S'ᵀ k); S = S' + k uᵀ; o = Sᵀ q, or divided by q · Σ k.
Tensor plain_loop(const StateInputs& x, bool gated, bool delta, bool normalise) {
    const int64_t heads = 6, steps = x.q.size(2), width = 3, values = 4;
    const auto q = x.q.to_vector(), k = x.k.to_vector(), v = x.v.to_vector(),
               gate = x.gate.to_vector(), beta = x.beta.to_vector();
    const int64_t gates = x.gate.size(3);
    std::vector<double> out;
    for (int64_t h = 0; h < heads; ++h) {
        double state[3][4] = {}, total[3] = {};
        for (int64_t t = 0; t < steps; ++t) {
            const int64_t row = h * steps + t;
            for (int64_t d = 0; d < width; ++d) {
                const double alpha = gated ? std::exp(gate[row * gates + (gates == 1 ? 0 : d)]) : 1;
                for (double& number : state[d]) number *= alpha;
                total[d] = alpha * total[d] + k[row * width + d];
            }
            double written[4];
            for (int64_t e = 0; e < values; ++e) {
                double held = 0;
                for (int64_t d = 0; d < width; ++d) held += state[d][e] * k[row * width + d];
                const double value = v[row * values + e];
                written[e] = delta ? beta[row] * (value - held) : value;
            }
            double sum = 0;
            for (int64_t d = 0; d < width; ++d) sum += q[row * width + d] * total[d];
            for (int64_t e = 0; e < values; ++e) {
                double read = 0;
                for (int64_t d = 0; d < width; ++d) {
                    state[d][e] += k[row * width + d] * written[e];
                    read += q[row * width + d] * state[d][e];
                }
                out.push_back(normalise ? read / sum : read);
            }
        }
    }
    return tensor(out, {2, 3, steps, values}, Dtype::float64);
}

struct Rule {
    const char* name;
    bool gated, delta, normalise;
    StateOptions options(const StateInputs& x, int64_t chunk = 32) const {
        return {.log_gate = gated ? x.gate : Tensor(),
                .beta = delta ? x.beta : Tensor(),
                .normalise = normalise,
                .chunk = chunk};
    }
};
const Rule rules[]{
    {"the sum", false, false, false},       {"normalised", false, false, true},
    {"gates", true, false, false},          {"gates, normalised", true, false, true},
    {"the delta rule", false, true, false}, {"the delta rule, gates", true, true, false}};

template <class Layer>
void require_same_step_by_step(const Layer& layer, const Tensor& x) {
    const Tensor whole = layer(x);
    Tensor state;
    std::vector<Tensor> steps{layer(slice(x, 1, 0, 3), &state)};
    for (int64_t t = 3; t < x.size(1); ++t) steps.push_back(layer(slice(x, 1, t, t + 1), &state));
    CHECK(largest_difference(concat(steps, 1), whole) <= 1e-12);
}

}  // namespace

TEST_CASE("the recurrence of linear attention is the plain loop", "[attention][states]") {
    for (int64_t gate_width : {1, 3})
        for (const Rule& rule : rules) {
            INFO(rule.name);
            const StateInputs x(9, gate_width);
            CHECK(largest_difference(linear_attention_definition(x.q, x.k, x.v, rule.options(x)),
                                     plain_loop(x, rule.gated, rule.delta, rule.normalise)) <=
                  1e-12);
        }
}

TEST_CASE("recurrent, parallel and chunked linear attention are equal", "[attention][states]") {
    for (int64_t gate_width : {1, 3})
        for (const Rule& rule : rules)
            for (bool begun : {false, true}) {
                INFO(rule.name << ", begun " << begun);
                const StateInputs x(11, gate_width);
                const Tensor first =
                    begun ? abs(numbers({2, 3, 3, rule.normalise ? 5 : 4}, 9)) : Tensor();
                const auto call = [&](const auto& form, int64_t chunk, Tensor& state) {
                    StateOptions options = rule.options(x, chunk);
                    state = first;
                    options.state = &state;
                    return form(x.q, x.k, x.v, options);
                };
                Tensor expected_state, state;
                const Tensor expected = call(linear_attention_definition, 1, expected_state);
                const Tensor parallel = call(linear_attention_parallel, 1, state).context;
                CHECK(largest_difference(parallel, expected) <= 1e-12);
                CHECK(largest_difference(state, expected_state) <= 1e-12);
                for (int64_t chunk : {1, 4, 11, 64}) {
                    CHECK(largest_difference(call(linear_attention, chunk, state), expected) <=
                          1e-12);
                    CHECK(largest_difference(state, expected_state) <= 1e-12);
                }
            }
}

TEST_CASE("the context of linear attention is its weights times the values",
          "[attention][states]") {
    for (const Rule& rule : rules) {
        INFO(rule.name);
        const StateInputs x(7);
        const auto [context, weights] = linear_attention_parallel(x.q, x.k, x.v, rule.options(x));
        CHECK(largest_difference(matmul(weights, x.v), context) <= 1e-12);
        CHECK(max(abs(triu(weights, 1))).item() == 0);
        if (rule.normalise)
            CHECK(largest_difference(sum(weights, {-1}), ones({2, 3, 7}, Dtype::float64)) <= 1e-12);
    }
}

TEST_CASE("the delta rule replaces the value of a key, and the sum adds to it",
          "[attention][states]") {
    // Key 0 gets the value 1, key 1 the value 5, and key 0 the value 2. Then key 0 is read.
    const Tensor k = tensor({1, 0, 0, 1, 1, 0}, {1, 1, 3, 2}),
                 q = tensor({1, 0, 1, 0, 1, 0}, {1, 1, 3, 2}), v = tensor({1, 5, 2}, {1, 1, 3, 1});
    CHECK(linear_attention(q, k, v).at({0, 0, 2, 0}) == 3);
    CHECK(linear_attention(q, k, v, {.beta = ones({1})}).at({0, 0, 2, 0}) == 2);
    CHECK(linear_attention(q, k, v, {.beta = full({1}, 0.5)}).at({0, 0, 2, 0}) == 1.25);
}

TEST_CASE("with β = 2 and one key, the state of the delta rule changes its sign",
          "[attention][states]") {
    const Tensor one = ones({1, 1, 5, 1});
    Tensor state = ones({1, 1, 1, 1});
    const Tensor o =
        linear_attention(one, one, zeros({1, 1, 5, 1}), {.beta = full({1}, 2), .state = &state});
    CHECK(o.to_vector() == std::vector<double>{-1, 1, -1, 1, -1});
}

TEST_CASE("the chunked delta rule is stable where all keys are alike", "[attention][states]") {
    // The powers of A have elements of 1e37 here: a series of them would be lost in rounding.
    const Tensor k = ones({1, 1, 128, 1}), v = reshape(arange(128), {1, 1, 128, 1});
    CHECK(largest_difference(linear_attention(k, k, v, {.beta = ones({1}), .chunk = 128}), v) <=
          1e-6);
}

TEST_CASE("strong gates do not overflow", "[attention][states]") {
    const StateInputs x(40);
    const Tensor gate = full({1}, -300, Dtype::float64);
    const Tensor expected = sum(x.q * x.k, {-1}, true) * x.v;  // only the step itself is left
    CHECK(largest_difference(linear_attention(x.q, x.k, x.v, {.log_gate = gate}), expected) <=
          1e-12);
    const Tensor each = expand(gate, {1, 1, 1, 3});
    CHECK(largest_difference(linear_attention(x.q, x.k, x.v, {.log_gate = each}), expected) <=
          1e-12);
}

TEST_CASE("NaN in a later step does not reach an earlier context", "[attention][states]") {
    for (const Rule& rule : rules) {
        StateInputs x(6);
        const Tensor clean = linear_attention(x.q, x.k, x.v, rule.options(x));
        x.k.edit<double>()[5 * 3] = NAN;  // of the last step of the first head
        x.v.edit<double>()[5 * 4] = NAN;
        const Tensor y = linear_attention(x.q, x.k, x.v, rule.options(x));
        INFO(rule.name);
        CHECK(largest_difference(slice(y, 2, 0, 5), slice(clean, 2, 0, 5)) <= 1e-12);
    }
}

TEST_CASE("a layer with a state gives step by step what it gives at once", "[attention][states]") {
    Rng rng(3);
    const Tensor x = numbers({2, 9, 8}, 4);
    for (StateRule rule : state_rules()) {
        INFO(name_of(rule));
        LinearAttention layer({.width = 8, .heads = 2, .rule = rule, .most_beta = 2, .chunk = 4},
                              rng);
        to_dtype(layer, Dtype::float64);
        require_same_step_by_step(layer, x);
    }
    SelectiveStateSpace space({.width = 8, .numbers = 3}, rng);
    to_dtype(space, Dtype::float64);
    require_same_step_by_step(space, x);
}

TEST_CASE("no layer with a state reads the future", "[attention][states][laws]") {
    Rng rng(6);
    const auto require_causal = [](const auto& layer) {
        const laws::Verdict verdict = laws::causal(
            [&](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor&) {
                return AttentionOutput{layer(concat({q, k, v}, 2)), {}};
            },
            {.queries = 5, .value_width = 4});
        INFO(verdict.message);
        CHECK(verdict.holds);
    };
    for (StateRule rule : state_rules()) {
        INFO(name_of(rule));
        LinearAttention layer({.width = 12, .heads = 2, .rule = rule, .chunk = 2}, rng);
        to_dtype(layer, Dtype::float64);
        require_causal(layer);
    }
    SelectiveStateSpace space({.width = 12, .numbers = 3}, rng);
    to_dtype(space, Dtype::float64);
    require_causal(space);
}

TEST_CASE("the decays of retention are 1 - 2^(-5 - h)", "[attention][states]") {
    const auto logs = retention_decays(3, Dtype::float64).to_vector();
    for (int h = 0; h < 3; ++h)
        CHECK(std::abs(std::exp(logs[h]) - (1 - std::pow(2.0, -5 - h))) < 1e-15);
}

TEST_CASE("the selective scan is the plain loop, and its gradients are those of the definition",
          "[attention][states]") {
    for (int64_t width : {1, 5, 16, 37}) {
        const int64_t steps = 7, n = 3;
        std::vector<Tensor> xs{numbers({2, steps, width}, 1), abs(numbers({2, steps, width}, 2)),
                               -abs(numbers({width, n}, 3)), numbers({2, steps, n}, 4),
                               numbers({2, steps, n}, 5)};
        const auto x = xs[0].to_vector(), delta = xs[1].to_vector(), a = xs[2].to_vector(),
                   b = xs[3].to_vector(), c = xs[4].to_vector();
        std::vector<double> y(2 * steps * width);
        for (int64_t row = 0; row < 2; ++row)
            for (int64_t d = 0; d < width; ++d) {
                double h[n] = {};
                for (int64_t t = 0; t < steps; ++t) {
                    const int64_t at = row * steps + t, i = at * width + d;
                    for (int64_t j = 0; j < n; ++j) {
                        h[j] = std::exp(delta[i] * a[d * n + j]) * h[j] +
                               delta[i] * b[at * n + j] * x[i];
                        y[i] += c[at * n + j] * h[j];
                    }
                }
            }
        const Tensor expected = tensor(y, {2, steps, width}, Dtype::float64);
        CHECK(largest_difference(selective_scan(xs[0], xs[1], xs[2], xs[3], xs[4]), expected) <=
              1e-12);
        CHECK(largest_difference(selective_scan_definition(xs[0], xs[1], xs[2], xs[3], xs[4]),
                                 expected) <= 1e-12);

        for (Tensor& each : xs) each = parameter(each);
        const Tensor weights = numbers(expected.shape(), 6);
        const auto got = grad(sum(weights * selective_scan(xs[0], xs[1], xs[2], xs[3], xs[4])), xs);
        const auto right =
            grad(sum(weights * selective_scan_definition(xs[0], xs[1], xs[2], xs[3], xs[4])), xs);
        for (std::size_t i = 0; i < xs.size(); ++i) {
            INFO("input " << i << ", width " << width);
            CHECK(largest_difference(got[i], right[i]) <= 1e-12);
        }
    }
}

// In the paper's words: with δ near 0 a step is passed over, with a large one the past is forgotten.
TEST_CASE("a small step keeps the state of a state space and a large one forgets it",
          "[attention][states]") {
    const Tensor x = zeros({1, 1, 1}), a = full({1, 1}, -1), b = ones({1, 1, 1});
    for (const auto& [delta, left] : std::vector<std::pair<double, double>>{{0, 1}, {50, 0}}) {
        Tensor state = ones({1, 1, 1});
        const Tensor y = selective_scan(x, full({1, 1, 1}, delta), a, b, b, &state);
        CHECK(std::abs(y.item() - left) < 1e-6);
        CHECK(std::abs(state.item() - left) < 1e-6);
    }
}

TEST_CASE("what stays of a cache counts as neighbours", "[attention][states]") {
    for (PositionKind kind : {PositionKind::none, PositionKind::rotary, PositionKind::alibi}) {
        Rng rng(5);
        SelfAttention layer({.width = 8, .heads = 2}, {.kind = kind}, rng);
        to_dtype(layer, Dtype::float64);
        const Tensor x = numbers({2, 10, 8}, 6);
        KeyValueCache cache;
        layer(slice(x, 1, 0, 9), {.causal = true, .cache = &cache});
        keep_first_and_last(cache, 2, 3, layer.positions);
        CHECK(cache[0].key.size(2) == 5);
        const Tensor next = layer(slice(x, 1, 9, 10), {.causal = true, .cache = &cache});
        // One layer: the same as for a text from which the others are cut out.
        const Tensor cut = concat({slice(x, 1, 0, 2), slice(x, 1, 6, 10)}, 1);
        CHECK(largest_difference(next, slice(layer(cut, {.causal = true}), 1, 5, 6)) <= 1e-12);
        const KeyValueCache before = cache;
        keep_first_and_last(cache, 4, 3, layer.positions);
        CHECK(largest_difference(cache[0].key, before[0].key) <= 0);
        keep_first_and_last(cache, 1, 0, layer.positions);
        CHECK(cache[0].value.size(2) == 1);
    }
}
