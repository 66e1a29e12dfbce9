#include "attention/states/selective_scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "autograd/base/parallel.h"
#include "autograd/base/settings.h"
#include "autograd/kernels/vec.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/record.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"

namespace heed {

namespace {

using ScanInputs = std::array<Tensor, 5>;  // x, delta, a, b, c

void check_scan(const char* name, const ScanInputs& xs, const Tensor* state) {
    const Shapes in(name, {{"x", xs[0], "B T D"},
                           {"delta", xs[1], "B T D"},
                           {"a", xs[2], "D N"},
                           {"b", xs[3], "B T N"},
                           {"c", xs[4], "B T N"}});
    check(in["T"] > 0, "the sequence has no steps, x is {}", xs[0].shape());
    if (state && state->defined())
        Shapes(name, {{"state", *state, "B D N"}}, {{"B", in["B"]}, {"D", in["D"]}, {"N", in["N"]}},
               "a state belongs to its batch");
}

Tensor scan_definition(const ScanInputs& xs, Tensor* state) {
    const auto& [x, delta, a, b, c] = xs;
    Tensor h =
        state && state->defined() ? *state : zeros({x.size(0), a.size(0), a.size(1)}, x.dtype());
    std::vector<Tensor> ys;
    for (int64_t t = 0; t < x.size(1); ++t) {
        const Tensor d = unsqueeze(select(delta, 1, t), 2);  // [B, D, 1]
        const Tensor bt = unsqueeze(select(b, 1, t), 1);     // [B, 1, N]
        h = exp(d * a) * h + d * bt * unsqueeze(select(x, 1, t), 2);
        ys.push_back(sum(h * unsqueeze(select(c, 1, t), 1), {-1}));
    }
    if (state) *state = h;
    return stack(ys, 1);
}

}  // namespace

Tensor selective_scan_definition(const Tensor& x, const Tensor& delta, const Tensor& a,
                                 const Tensor& b, const Tensor& c, Tensor* state) {
    const UserCall named("selective_scan_definition");
    const ScanInputs xs{x, delta, a, b, c};
    check_scan("selective_scan_definition", xs, state);
    return scan_definition(xs, state);
}

// --- the loops -------------------------------------------------------------------------------------

// Channels do not interact in the scan, so a vector register holds the same number n of the states of
// neighbouring channels: nothing is added up across a register but the gradients of B and C, which all
// channels share.
//
// Backward goes from the last step to the first. With s = dL/dh behind step t, and h' the state before it:
//
//     s  = Cₜ gₜ + e^(δₜ₊₁ A) sₜ₊₁           dL/dC = h g       dL/dB = s δ x     dL/dx = Σ s δ B
//     dL/dδ = Σ s (A e^(δA) h' + B x)       dL/dA = Σ s δ e^(δA) h'
//
// A sequence is one piece of work, so that each gradient of B and C is added up by one thread.

namespace scan {
namespace {

struct Sizes {
    int64_t batch = 0, time = 0, width = 0, numbers = 0;  // B, T, D, N
};

// Calls run(channel, lanes) for the registers of channels.
template <class T, class Run>
void for_registers(int64_t width, const Run& run) {
    for (int64_t d = 0; d < width; d += Vec<T>::lanes)
        run(d, std::min<int64_t>(Vec<T>::lanes, width - d));
}

// xs: x, delta, a, b, c, contiguous. h [B, D, N] is the first state, and then the last.
template <class T>
void forward(const Sizes& s, const std::array<Tensor, 5>& xs, Tensor& h, Tensor& y) {
    const auto [B, L, D, N] = s;
    const Tensor at = contiguous(transpose(xs[2]));  // [N, D]
    Tensor ht = contiguous(transpose(h));            // [B, N, D]
    const T *x = xs[0].data<T>(), *delta = xs[1].data<T>(), *a = at.data<T>();
    const T *b = xs[3].data<T>(), *c = xs[4].data<T>();
    T *states = ht.edit<T>(), *out = y.edit<T>();
    parallel_for(s.batch, 1, [&, L = L, D = D, N = N](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row)
            for (int64_t t = 0; t < L; ++t) {
                const int64_t step = row * L + t;
                for_registers<T>(D, [&](int64_t d, int64_t lanes) {
                    const Vec<T> dt = Vec<T>::load(delta + step * D + d, lanes);
                    const Vec<T> xt = Vec<T>::load(x + step * D + d, lanes);
                    Vec<T> sum = 0.0;
                    for (int64_t n = 0; n < N; ++n) {
                        T* const state = states + (row * N + n) * D + d;
                        const Vec<T> next = exp(dt * Vec<T>::load(a + n * D + d, lanes)) *
                                                Vec<T>::load(state, lanes) +
                                            dt * Vec<T>(b[step * N + n]) * xt;
                        next.store(state, lanes);
                        sum += next * Vec<T>(c[step * N + n]);
                    }
                    sum.store(out + step * D + d, lanes);
                });
            }
    });
    h = contiguous(transpose(ht));
}

template <class T>
T sum_of_lanes(Vec<T> x, int64_t lanes) {
    T sum = 0;
    for (int64_t i = 0; i < lanes; ++i) sum += x[static_cast<int>(i)];
    return sum;
}

// One register of channels of a sequence, computed again for backward: for each step and each n the states
// before it, those after the last, and the factors e^(δA).
template <class T>
struct Replay {
    Sizes sizes;
    std::vector<T> states, factors;  // [T + 1, N, lanes], [T, N, lanes]

    explicit Replay(const Sizes& s)
        : sizes(s),
          states((s.time + 1) * s.numbers * Vec<T>::lanes),
          factors(s.time * s.numbers * Vec<T>::lanes) {}
    T* state(int64_t t, int64_t n) { return &states[(t * sizes.numbers + n) * Vec<T>::lanes]; }
    T* factor(int64_t t, int64_t n) { return &factors[(t * sizes.numbers + n) * Vec<T>::lanes]; }

    // x, delta [T, D], a [N, D], all from the first channel on, and b [T, N].
    void run(const T* x, const T* delta, const T* a, const T* b, int64_t lanes) {
        const auto [batch, L, D, N] = sizes;
        std::fill_n(states.begin(), N * Vec<T>::lanes, T(0));
        for (int64_t t = 0; t < L; ++t) {
            const Vec<T> dt = Vec<T>::load(delta + t * D, lanes);
            const Vec<T> xt = Vec<T>::load(x + t * D, lanes);
            for (int64_t n = 0; n < N; ++n) {
                const Vec<T> left = exp(dt * Vec<T>::load(a + n * D, lanes));
                left.store(factor(t, n));
                (left * Vec<T>::load(state(t, n)) + dt * Vec<T>(b[t * N + n]) * xt)
                    .store(state(t + 1, n));
            }
        }
    }
};

// The gradients of x, delta, a, b and c, from g [B, T, D], for a first state of 0.
template <class T>
std::array<Tensor, 5> backward(const Sizes& sizes, const Tensor& g,
                               const std::array<Tensor, 5>& xs) {
    const int64_t L = sizes.time, D = sizes.width, N = sizes.numbers;
    const Tensor at = contiguous(transpose(xs[2]));  // [N, D]
    Tensor dx = empty(xs[0].shape(), g.dtype()), ddelta = empty(xs[0].shape(), g.dtype());
    Tensor db = zeros(xs[3].shape(), g.dtype()), dc = zeros(xs[3].shape(), g.dtype());
    Tensor da = zeros({sizes.batch, N, D}, g.dtype());  // of each sequence
    const T *x = xs[0].data<T>(), *delta = xs[1].data<T>(), *a = at.data<T>();
    const T *b = xs[3].data<T>(), *c = xs[4].data<T>(), *gy = g.data<T>();
    T *to_x = dx.edit<T>(), *to_delta = ddelta.edit<T>(), *to_a = da.edit<T>();
    T *to_b = db.edit<T>(), *to_c = dc.edit<T>();
    constexpr int64_t lanes_of = Vec<T>::lanes;
    parallel_for(sizes.batch, 1, [&](int64_t begin, int64_t end) {
        Replay<T> replay(sizes);
        std::vector<T> s(N * lanes_of);
        for (int64_t row = begin; row < end; ++row)
            for_registers<T>(D, [&](int64_t d, int64_t lanes) {
                const int64_t from = row * L * D + d;
                replay.run(x + from, delta + from, a + d, b + row * L * N, lanes);
                std::fill(s.begin(), s.end(), T(0));
                for (int64_t t = L - 1; t >= 0; --t) {
                    const int64_t step = row * L + t;
                    const Vec<T> dt = Vec<T>::load(delta + step * D + d, lanes);
                    const Vec<T> xt = Vec<T>::load(x + step * D + d, lanes);
                    const Vec<T> gt = Vec<T>::load(gy + step * D + d, lanes);
                    Vec<T> of_x = 0.0, of_delta = 0.0;
                    for (int64_t n = 0; n < N; ++n) {
                        const Vec<T> bn = b[step * N + n], cn = c[step * N + n];
                        const Vec<T> before = Vec<T>::load(replay.state(t, n));
                        const Vec<T> after = Vec<T>::load(replay.state(t + 1, n));
                        const Vec<T> factor = Vec<T>::load(replay.factor(t, n));
                        const Vec<T> an = Vec<T>::load(a + n * D + d, lanes);
                        const Vec<T> now = Vec<T>::load(&s[n * lanes_of]) + cn * gt;
                        const Vec<T> left = now * factor;  // dL/dh' behind the step before
                        left.store(&s[n * lanes_of]);
                        to_c[step * N + n] += sum_of_lanes(after * gt, lanes);
                        to_b[step * N + n] += sum_of_lanes(now * dt * xt, lanes);
                        of_x += now * dt * bn;
                        of_delta += left * an * before + now * bn * xt;
                        T* const sum = to_a + (row * N + n) * D + d;
                        (Vec<T>::load(sum, lanes) + left * dt * before).store(sum, lanes);
                    }
                    of_x.store(to_x + step * D + d, lanes);
                    of_delta.store(to_delta + step * D + d, lanes);
                }
            });
    });
    return {dx, ddelta, contiguous(transpose(sum(da, 0))), db, dc};
}

}  // namespace
}  // namespace scan

Tensor selective_scan(const Tensor& x, const Tensor& delta, const Tensor& a, const Tensor& b,
                      const Tensor& c, Tensor* state) {
    const UserCall named("selective_scan");
    const ScanInputs given{x, delta, a, b, c};
    check_scan("selective_scan", given, state);
    bool recorded = state && state->defined() && needs_record(*state);
    for (const Tensor& each : given) recorded |= needs_record(each);
    if (state && recorded) return scan_definition(given, state);

    ScanInputs xs;
    for (std::size_t i = 0; i < xs.size(); ++i) xs[i] = contiguous(detach(given[i]));
    const scan::Sizes sizes{x.size(0), x.size(1), a.size(0), a.size(1)};
    Tensor h = state && state->defined()
                   ? copy_of(*state)
                   : zeros({sizes.batch, sizes.width, sizes.numbers}, x.dtype());
    Tensor y = empty(x.shape(), x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) { scan::forward<T>(sizes, xs, h, y); });
    if (state) *state = h;
    const auto plain = [](const auto&... inputs) { return scan_definition({inputs...}, nullptr); };
    const auto backward = [xs, sizes](const Tensor& g) {
        ScanInputs d;
        with_dtype(g.dtype(), [&]<class T>(T) { d = scan::backward<T>(sizes, contiguous(g), xs); });
        return d;
    };
    return record_fused("selective_scan", y, given, plain, backward);
}

// --- as a layer ----------------------------------------------------------------------------------

SelectiveStateSpace::SelectiveStateSpace(const StateSpaceOptions& o, Rng& rng) {
    check_positive("SelectiveStateSpace", {{"width", o.width}, {"numbers", o.numbers}});
    check_not_negative("SelectiveStateSpace", {{"rank", o.rank}});
    const int64_t low = o.rank > 0 ? o.rank : (o.width + 15) / 16;
    input = Linear(o.width, o.width, rng);
    gate = Linear(o.width, o.width, rng);
    rank = Linear(o.width, low, rng, false);
    delta = Linear(low, o.width, rng);
    b = Linear(o.width, o.numbers, rng, false);
    c = Linear(o.width, o.numbers, rng, false);
    log_a = parameter(contiguous(expand(log(arange(o.numbers) + 1.0), {o.width, o.numbers})));
    skip = parameter(ones({o.width}));
    output = Linear(o.width, o.width, rng);
    // δ at first between 0.001 and 0.1, its logarithm uniform (section 3.6): softplus(bias) = δ.
    const Tensor first = exp(uniform({o.width}, std::log(1e-3), std::log(1e-1), rng));
    delta.bias = parameter(log(expm1(first)));
}

Tensor SelectiveStateSpace::operator()(const Tensor& x, Tensor* state) const {
    const Shapes in("SelectiveStateSpace", {{"x", x, "B T D"}}, {{"D", skip.size(0)}},
                    "the layer was made for this width");
    const Tensor u = silu(input(x));
    const Tensor step = hook(*this, "delta", softplus(delta(rank(u))));
    const Tensor y = selective_scan(u, step, -exp(log_a), b(u), c(u), state);
    return output((y + skip * u) * silu(gate(x)));
}

}  // namespace heed
