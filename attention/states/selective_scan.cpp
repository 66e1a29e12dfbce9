#include "attention/states/selective_scan.h"

#include <cmath>

#include "attention/states/selective_scan_kernel.h"
#include "autograd/base/settings.h"
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
