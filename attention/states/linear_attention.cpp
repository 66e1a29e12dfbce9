#include "attention/states/linear_attention.h"

#include <algorithm>
#include <cmath>

#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/compare.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/cumulative.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"

namespace heed {

namespace {

// What all three forms read, checked: gates and β of every step, and with normalise a column of ones
// behind the values.
struct Steps {
    Tensor q, k, v;
    Tensor log_gate;  // [B or 1, H or 1, T, D or 1], or not defined
    Tensor beta;      // [B or 1, H or 1, T, 1], or not defined
    Tensor state;     // or not defined

    Steps(const char* name, const Tensor& query, const Tensor& key, const Tensor& value,
          const StateOptions& o)
        : q(query), k(key), v(value) {
        const Shapes in(name, {{"q", q, "B H T D"}, {"k", k, "B H T D"}, {"v", v, "B H T D'"}});
        check(in["T"] > 0, "the sequence has no steps, q is {}", q.shape());
        check(!o.normalise || !o.beta.defined(),
              "normalise with the delta rule, whose weights may be negative and sum to 0");
        check(!o.normalise || in["D"] > 0, "keys {} of width 0 have no weights to be normalised",
              k.shape());
        check_positive(name, {{"chunk", o.chunk}});
        const auto of_steps = [&](const Tensor& x, const char* what, const Shape& all) {
            if (!x.defined()) return x;
            check(broadcasts_to(x.shape(), all), "{} is {}; expected {} or what broadcasts to it",
                  what, x.shape(), all);
            check_same_dtype(q, x, name);
            Shape four{1, 1, 1, 1};
            for (int i = 0; i < x.dim(); ++i) four[4 - x.dim() + i] = x.shape()[i];
            const Tensor y = reshape(x, four);
            four[2] = in["T"];
            return expand(y, four);
        };
        log_gate = of_steps(o.log_gate, "log_gate", {in["B"], in["H"], in["T"], in["D"]});
        beta = of_steps(o.beta, "beta", {in["B"], in["H"], in["T"], 1});
        if (o.normalise) v = concat({v, ones({in["B"], in["H"], in["T"], 1}, v.dtype())}, 3);
        if (o.state) state = *o.state;
        if (state.defined())
            Shapes(name, {{"state", state, "B H D D'"}},
                   {{"B", in["B"]}, {"H", in["H"]}, {"D", in["D"]}, {"D'", v.size(3)}},
                   "a state belongs to its batch, heads and widths");
    }
    int64_t count() const { return q.size(2); }
};

// The steps of x [., ., T, .] from first to end.
Tensor part(const Tensor& x, int64_t first, int64_t end) {
    return x.defined() ? slice(x, 2, first, end) : x;
}

// Keeps the state, and divides by the last column of y, which with normalise holds the sums of the weights.
Tensor finished(const Tensor& y, const Tensor& state, const StateOptions& o) {
    if (o.state) *o.state = state;
    if (!o.normalise) return y;
    const int64_t width = y.size(3) - 1;
    return slice(y, 3, 0, width) / slice(y, 3, width, width + 1);
}

}  // namespace

Tensor linear_attention_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                   const StateOptions& options) {
    const UserCall named("linear_attention_definition");
    const Steps x("linear_attention_definition", q, k, v, options);
    Tensor state = x.state.defined()
                       ? x.state
                       : zeros({q.size(0), q.size(1), q.size(3), x.v.size(3)}, q.dtype());
    std::vector<Tensor> contexts;
    for (int64_t t = 0; t < x.count(); ++t) {
        const auto at = [&](const Tensor& all) { return part(all, t, t + 1); };  // [B, H, 1, .]
        if (x.log_gate.defined()) state = transpose(exp(at(x.log_gate))) * state;
        Tensor u = at(x.v);
        if (x.beta.defined()) u = at(x.beta) * (u - matmul(at(x.k), state));
        state = state + matmul(transpose(at(x.k)), u);
        contexts.push_back(matmul(at(x.q), state));
    }
    return finished(concat(contexts, 2), state, options);
}

namespace {

// wᵢⱼ = Σ_d qᵢ kⱼ e^(bᵢ - bⱼ), where b is the sum of ln α up to a step: what is left of key j at step i.
// With one α for all of a row the factor stands in front of the dot product. With α for each element
// it is inside, and e^bᵢ e^-bⱼ apart would overflow.
Tensor decayed_scores(const Tensor& q, const Tensor& k, const Tensor& b, const Tensor& past) {
    if (!b.defined()) return where(past, scores_of_pairs(q, k, past), 0.0);
    if (b.size(3) == 1)
        return where(past, scores_of_pairs(q, k, past) * exp(where(past, b - transpose(b), 0.0)),
                     0.0);
    const Tensor pairs = unsqueeze(past, 3);  // [1, T, T, 1]
    const Tensor left = exp(where(pairs, unsqueeze(b, 3) - unsqueeze(b, 2), 0.0));
    return where(past, sum(unsqueeze(q, 3) * unsqueeze(k, 2) * left, {-1}), 0.0);
}

struct ChunkOutput {
    Tensor context, weights, state;
};

// All steps at once. What the delta rule writes depends on what was written before it in the chunk:
//     uᵢ = βᵢ (vᵢ - (e^bᵢ S)ᵀ kᵢ - Σⱼ aᵢⱼ uⱼ) over j < i, with aᵢⱼ the decayed score of kᵢ and kⱼ,
// a triangular system. After that it is the sum with u for v.
ChunkOutput one_chunk(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& log_gate,
                      const Tensor& beta, const Tensor& state) {
    const Tensor past = causal_mask(q.size(2), q.dtype());
    const Tensor b = log_gate.defined() ? cumsum(log_gate, 2) : log_gate;
    const auto from_state = [&](const Tensor& x) {
        return matmul(b.defined() ? x * exp(b) : x, state);
    };
    Tensor weights = decayed_scores(q, k, b, past);  // [B, H, T, T]
    Tensor u = v, solved;
    if (beta.defined()) {
        solved = unit_lower_inverse(beta * decayed_scores(k, k, b, past));
        u = context_of_pairs(solved, beta * (state.defined() ? v - from_state(k) : v), past);
    }
    Tensor context = context_of_pairs(weights, u, past);
    if (state.defined()) context = context + from_state(q);
    if (beta.defined()) weights = matmul(weights, solved * transpose(beta));

    Tensor next;
    if (!b.defined()) {
        next = matmul(transpose(k), u);
        if (state.defined()) next = next + state;
    } else {
        const Tensor last = part(b, q.size(2) - 1, q.size(2));  // [., ., 1, .]
        next = matmul(transpose(k * exp(last - b)), u);
        if (state.defined()) next = next + transpose(exp(last)) * state;
    }
    return {context, weights, next};
}

}  // namespace

AttentionOutput linear_attention_parallel(const Tensor& q, const Tensor& k, const Tensor& v,
                                          const StateOptions& options) {
    const UserCall named("linear_attention_parallel");
    const Steps x("linear_attention_parallel", q, k, v, options);
    const ChunkOutput y = one_chunk(x.q, x.k, x.v, x.log_gate, x.beta, x.state);
    const Tensor weights =
        options.normalise ? y.weights / slice(y.context, 3, v.size(3), v.size(3) + 1) : y.weights;
    return {finished(y.context, y.state, options), weights};
}

Tensor linear_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                        const StateOptions& options) {
    const UserCall named("linear_attention");
    const Steps x("linear_attention", q, k, v, options);
    std::vector<Tensor> contexts;
    Tensor state = x.state;
    for (int64_t first = 0; first < x.count(); first += options.chunk) {
        const int64_t end = std::min(first + options.chunk, x.count());
        const ChunkOutput y =
            one_chunk(part(x.q, first, end), part(x.k, first, end), part(x.v, first, end),
                      part(x.log_gate, first, end), part(x.beta, first, end), state);
        contexts.push_back(y.context);
        state = y.state;
    }
    return finished(concat(contexts, 2), state, options);
}

Tensor elu_features(const Tensor& x) {
    const UserCall named("elu_features");
    return elu(x) + 1.0;
}

Tensor retention_decays(Integer heads, Dtype dtype, double first) {
    check_positive("retention_decays", {{"heads", heads.value}, {"first", first}});
    std::vector<double> logs;
    for (int64_t h = 0; h < heads; ++h)
        logs.push_back(std::log1p(-std::exp2(-first - static_cast<double>(h))));
    return tensor(logs, {heads, 1, 1}, dtype);
}

namespace {

// (I + A) X = I, row by row: Xᵢ = eᵢ - Σⱼ Aᵢⱼ Xⱼ over j < i.
Tensor forward_substitution(const Tensor& a) {
    const int64_t n = a.size(-1);
    const Tensor given = contiguous(a);
    Tensor x = zeros(a.shape(), a.dtype());
    with_dtype(a.dtype(), [&]<class T>(T) {
        const T* from = given.data<T>();
        T* to = x.edit<T>();
        for (int64_t matrix = 0; matrix < a.numel(); matrix += n * n)
            for (int64_t i = 0; i < n; ++i) {
                T* row = to + matrix + i * n;
                row[i] = 1;
                for (int64_t j = 0; j < i; ++j) {
                    const T factor = from[matrix + i * n + j];
                    const T* earlier = to + matrix + j * n;
                    for (int64_t c = 0; c <= j; ++c) row[c] -= factor * earlier[c];
                }
            }
    });
    return x;
}

}  // namespace

// X = (I + A)⁻¹          dL/dA = -Xᵀ G Xᵀ below the diagonal
Tensor unit_lower_inverse(const Tensor& a) {
    const Shapes in("unit_lower_inverse", {{"a", a, "... T T"}});
    return record("unit_lower_inverse", forward_substitution(a), a,
                  [](const Tensor& g, const Tensor& x) {
                      return -tril(matmul(transpose(x), matmul(g, transpose(x))), -1);
                  });
}

// --- as a layer ----------------------------------------------------------------------------------

const char* name_of(StateRule rule) {
    switch (rule) {
        case StateRule::sum:
            return "sum";
        case StateRule::decay:
            return "decay";
        case StateRule::gate:
            return "gate";
        default:
            return "delta";
    }
}

const std::vector<StateRule>& state_rules() {
    static const std::vector<StateRule> all{StateRule::sum, StateRule::decay, StateRule::gate,
                                            StateRule::delta};
    return all;
}

LinearAttention::LinearAttention(const LinearAttentionOptions& o, Rng& rng) : options(o) {
    check_positive(
        "LinearAttention",
        {{"width", o.width}, {"heads", o.heads}, {"most_beta", o.most_beta}, {"chunk", o.chunk}});
    check(o.most_beta <= 2,
          "LinearAttention: most_beta is {}; above 2 the state grows with each step", o.most_beta);
    check(o.width % o.heads == 0, "LinearAttention: {} heads do not divide the width {}", o.heads,
          o.width);
    query = Linear(o.width, o.width, rng);
    key = Linear(o.width, o.width, rng);
    value = Linear(o.width, o.width, rng);
    if (o.rule == StateRule::gate) gate = Linear(o.width, o.width, rng);
    if (o.rule == StateRule::delta) gate = Linear(o.width, o.heads, rng);
    if (o.rule != StateRule::sum) norm = RmsNorm(o.width / o.heads, 1e-6);
    output = Linear(o.width, o.width, rng);
}

Tensor LinearAttention::operator()(const Tensor& x, Tensor* state) const {
    const Shapes in("LinearAttention", {{"x", x, "B T D"}}, {{"D", options.width}},
                    "the layer was made for this width");
    const int64_t heads = options.heads, width = options.width / heads;
    const auto split = [&](const Tensor& y) {  // [B, T, H W] -> [B, H, T, W]
        return transpose(reshape(y, {in["B"], in["T"], heads, y.size(2) / heads}), 1, 2);
    };
    const auto unit = [](const Tensor& y) { return y / sqrt(sum(square(y), {-1}, true) + 1e-6); };
    Tensor q = split(query(x)), k = split(key(x));
    StateOptions call{.state = state, .chunk = options.chunk};
    switch (options.rule) {
        case StateRule::sum:
            q = elu_features(q), k = elu_features(k);
            call.normalise = true;
            break;
        case StateRule::decay:
            k = k / std::sqrt(static_cast<double>(width));
            call.log_gate = retention_decays(heads, x.dtype());
            break;
        case StateRule::gate:
            k = k / std::sqrt(static_cast<double>(width));
            call.log_gate = split(log_sigmoid(gate(x)) / 16);  // Yang et al. 2023, section 4.4
            break;
        case StateRule::delta:
            q = unit(q), k = unit(k);
            call.beta = split(sigmoid(gate(x)) * options.most_beta);
            break;
    }
    q = hook(*this, "q", q), k = hook(*this, "k", k);
    const Tensor v = hook(*this, "v", split(value(x)));
    Tensor context = hook(*this, "heads", linear_attention(q, k, v, call));
    if (norm.weight.defined()) context = norm(context);
    return output(reshape(transpose(context, 1, 2), x.shape()));
}

}  // namespace heed
