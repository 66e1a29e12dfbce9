#include "nn/recurrent/recurrent_step.h"

#include "autograd/base/parallel.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/record/record.h"
#include "nn/recurrent/gate_loops.h"

namespace heed {

const char* name_of(CellKind kind) {
    switch (kind) {
        case CellKind::rnn_tanh:
            return "rnn (tanh)";
        case CellKind::rnn_relu:
            return "rnn (relu)";
        case CellKind::gru:
            return "gru";
        default:
            return "lstm";
    }
}

int gates_of(CellKind kind) {
    return with_gates(kind, [](auto gates) { return decltype(gates)::gates; });
}
int states_of(CellKind kind) {
    return with_gates(kind, [](auto gates) { return decltype(gates)::states; });
}

namespace {

template <class Gates>
using States = std::array<Tensor, Gates::states>;

template <class Gates>
States<Gates> to_array(const RecurrentState& state) {
    if constexpr (Gates::states == 1)
        return {state.hidden};
    else
        return {state.hidden, state.cell};
}

// --- the definition ---------------------------------------------------------------------------

template <class Gates>
States<Gates> definition(const Tensor& x, const Tensor& h, const States<Gates>& state,
                         const ActiveRows& active) {
    const auto parts = [](const Tensor& t) {
        const std::vector<Tensor> all = chunk(t, Gates::gates, -1);
        std::array<Tensor, Gates::gates> result;
        std::copy(all.begin(), all.end(), result.begin());
        return result;
    };
    std::array<Tensor, Gates::saved> saved;
    States<Gates> next = Gates::forward(parts(x), parts(h), state, saved);
    if (!active.lengths) return next;
    std::vector<double> mask;
    for (int64_t row = 0; row < x.size(0); ++row) mask.push_back(active(row));
    for (int k = 0; k < Gates::states; ++k)
        next[k] = where(tensor(mask, {x.size(0), 1}, x.dtype()), next[k], state[k]);
    return next;
}

// --- the kernel -------------------------------------------------------------------------------

// All states of a step in one tensor: [B, H], or [states, B, H] if there are several.
template <class Gates>
Tensor join(const States<Gates>& states) {
    return Gates::states == 1 ? states[0] : stack({states.begin(), states.end()});
}

template <class T>
MatrixRows<const T> rows_of(const Tensor& x) {
    return {x.data<T>(), x.strides()[0]};
}
// The rows of state k in what join() made.
template <class T>
MatrixRows<const T> state_rows(const Tensor& joined, int k) {
    return {joined.data<T>() + (joined.dim() == 3 ? k * joined.strides()[0] : 0),
            joined.strides()[joined.dim() - 2]};
}
template <class T>
MatrixRows<T> writable_rows(Tensor& x, int k = 0) {
    const int64_t width = x.size(-1), height = x.size(-2);
    return {x.edit<T>() + k * height * width, width};
}

// Rows must be contiguous; their distance is free.
Tensor with_contiguous_rows(const Tensor& x) {
    return x.strides()[x.dim() - 1] == 1 || x.size(-1) == 1 ? x : contiguous(x);
}

// A gate costs about as much as forty simple steps.
int64_t grain(int64_t hidden) { return parallel_grain / (40 * hidden) + 1; }

template <class Gates>
RecurrentState step(const Tensor& given_x, const Tensor& given_h, const States<Gates>& given_state,
                    const ActiveRows& active) {
    constexpr int states = Gates::states, inputs = 2 + states;
    const Tensor x = with_contiguous_rows(given_x), h = with_contiguous_rows(given_h);
    States<Gates> state;
    for (int k = 0; k < states; ++k) state[k] = with_contiguous_rows(given_state[k]);

    const int64_t batch = state[0].size(0), hidden = state[0].size(1);
    bool recorded = needs_record(x) || needs_record(h);
    for (const Tensor& s : state) recorded |= needs_record(s);

    Tensor value =
        empty(states == 1 ? Shape{batch, hidden} : Shape{states, batch, hidden}, x.dtype());
    Tensor saved = empty({recorded ? batch : 0, Gates::saved * hidden}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        StepForward<Gates, T> job{rows_of<T>(x), rows_of<T>(h), {}, {}, {}};
        for (int k = 0; k < states; ++k) job.state[k] = rows_of<T>(state[k]);
        for (int k = 0; k < states; ++k) job.next[k] = writable_rows<T>(value, k);
        if (recorded) job.saved = writable_rows<T>(saved);
        parallel_for(batch, grain(hidden), [&](int64_t begin, int64_t end) {
            forward_rows(job, begin, end, hidden, active);
        });
    });

    if (recorded) {
        std::array<Tensor, inputs> xs{x, h};
        for (int k = 0; k < states; ++k) xs[2 + k] = state[k];
        const auto plain = [active](const Tensor& px, const Tensor& ph, const auto&... ps) {
            return join<Gates>(definition<Gates>(px, ph, {ps...}, active));
        };
        const auto backward = [xs, saved, active](const Tensor& given_g, const Tensor& y) {
            const Tensor g = with_contiguous_rows(given_g);
            const int64_t rows = xs[2].size(0), units = xs[2].size(1);
            std::array<Tensor, inputs> d;
            for (int i = 0; i < inputs; ++i) d[i] = empty(xs[i].shape(), g.dtype());
            with_dtype(g.dtype(), [&]<class T>(T) {
                StepBackward<Gates, T> job{};
                for (int k = 0; k < states; ++k) {
                    job.g[k] = state_rows<T>(g, k);
                    job.state[k] = rows_of<T>(xs[2 + k]);
                    job.next[k] = state_rows<T>(y, k);
                    job.dstate[k] = writable_rows<T>(d[2 + k]);
                }
                job.saved = rows_of<T>(saved);
                job.dx = writable_rows<T>(d[0]);
                job.dh = writable_rows<T>(d[1]);
                parallel_for(rows, grain(units), [&](int64_t begin, int64_t end) {
                    backward_rows(job, begin, end, units, active);
                });
            });
            return d;
        };
        value = record_fused(Gates::name, value, xs, plain, backward);
    }
    if constexpr (states == 1) return {value, {}};
    return {select(value, 0, 0), select(value, 0, 1)};
}

void check_step(CellKind kind, const Tensor& x, const Tensor& h, const RecurrentState& state,
                const ActiveRows& active) {
    const auto shape_of = [](const Tensor& t) {
        return t.defined() ? to_string(t.shape()) : std::string("none");
    };
    const Tensor& hidden = state.hidden;
    check(hidden.defined() && hidden.dim() == 2, "{}: expected a hidden state [B, H], got {}",
          name_of(kind), shape_of(hidden));
    if (kind == CellKind::lstm)
        check(state.cell.defined() && state.cell.shape() == hidden.shape(),
              "lstm: expected a cell state of the hidden state's shape {}, got {}", hidden.shape(),
              shape_of(state.cell));
    const Shape wide{hidden.size(0), gates_of(kind) * hidden.size(1)};
    check(
        x.shape() == wide && h.shape() == wide,
        "{}: with hidden state {} expected projections of shape {}, got {} of the input and {} of "
        "the hidden state",
        name_of(kind), hidden.shape(), wide, x.shape(), h.shape());
    check_same_dtype(x, hidden, name_of(kind));
    check_same_dtype(h, hidden, name_of(kind));
    if (active.lengths)
        check(active.lengths->count() == hidden.size(0), "{}: expected {} lengths, got {}",
              name_of(kind), hidden.size(0), active.lengths->count());
}

}  // namespace

RecurrentState recurrent_step(CellKind kind, const Tensor& x, const Tensor& h,
                              const RecurrentState& state, const ActiveRows& active) {
    check_step(kind, x, h, state, active);
    return with_gates(kind, [&]<class Gates>(Gates) {
        return step<Gates>(x, h, to_array<Gates>(state), active);
    });
}

RecurrentState recurrent_step_definition(CellKind kind, const Tensor& x, const Tensor& h,
                                         const RecurrentState& state, const ActiveRows& active) {
    check_step(kind, x, h, state, active);
    return with_gates(kind, [&]<class Gates>(Gates) -> RecurrentState {
        const States<Gates> next = definition<Gates>(x, h, to_array<Gates>(state), active);
        return {next[0], Gates::states == 2 ? next[Gates::states - 1] : Tensor()};
    });
}

}  // namespace heed
