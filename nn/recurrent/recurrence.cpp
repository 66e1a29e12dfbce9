#include "nn/recurrent/recurrence.h"

#include "autograd/backward/backward.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"
#include "autograd/tensor/shapes.h"
#include "nn/data/batches.h"
#include "nn/recurrent/recurrence_kernels.h"

namespace heed {

using namespace recurrence;

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
    return with_cell(kind, [](auto cell) { return decltype(cell)::gates; });
}
int states_of(CellKind kind) {
    return with_cell(kind, [](auto cell) { return decltype(cell)::states; });
}

namespace {

void check_lengths(const char* name, const Indices& lengths, int64_t rows) {
    check(lengths.count() == rows, "{}: there are {} lengths; expected {}, one for each row", name,
          lengths.count(), rows);
}

void check_state(CellKind kind, const RecurrentState& state) {
    const char* name = name_of(kind);
    if (states_of(kind) == 1)
        Shapes(name, {{"hidden", state.hidden, "B H"}});
    else
        Shapes(name, {{"hidden", state.hidden, "B H"}, {"cell", state.cell, "B H"}});
}

void check_step(CellKind kind, const Tensor& x, const Tensor& h, const RecurrentState& state,
                const ActiveRows& active) {
    const char* name = name_of(kind);
    const Tensor& hidden = state.hidden;
    check_state(kind, state);
    const Shapes in(name, {{"hidden", hidden, "B H"}, {"x", x, "B G"}, {"h", h, "B G"}},
                    {{"G", gates_of(kind) * hidden.size(1)}},
                    "x and h hold all gates side by side");
    if (active.lengths) check_lengths(name, *active.lengths, in["B"]);
}

void check_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                    const Tensor& weight, const Tensor& bias, const SequenceOptions& options) {
    const char* name = name_of(kind);
    const Tensor& hidden = initial.hidden;
    check_state(kind, initial);
    const Shapes in(name,
                    {{"hidden", hidden, "B H"},
                     {"x", x, "B T G"},
                     {"weight", weight, "G H"},
                     {"bias", bias, "? G"}},
                    {{"G", gates_of(kind) * hidden.size(1)}}, "all gates lie side by side");
    check(in["T"] > 0, "{}: the sequence has no steps, x is {}", name, x.shape());
    if (!options.lengths) return;
    check_lengths(name, *options.lengths, in["B"]);
    for (int length : *options.lengths)
        check(length >= 0 && length <= in["T"], "{}: length {} is outside 0 to {}", name, length,
              in["T"]);
}

template <class Cell>
using States = std::array<Tensor, Cell::states>;

template <class Cell>
States<Cell> to_array(const RecurrentState& state) {
    if constexpr (Cell::states == 1)
        return {state.hidden};
    else
        return {state.hidden, state.cell};
}

// --- the definitions, of plain operations --------------------------------------------------------

// [B, 1]: 1 where the row takes part in the step.
Tensor mask_of(const ActiveRows& active, int64_t rows, Dtype dtype) {
    std::vector<double> runs;
    for (int64_t row = 0; row < rows; ++row) runs.push_back(active(row));
    return tensor(runs, {rows, 1}, dtype);
}

// The formula of the cell on whole tensors; rows that are not active keep their state, and what is
// projected there, perhaps NaN, is not looked at.
template <class Cell>
States<Cell> step_definition(const Tensor& given_x, const Tensor& given_h,
                             const States<Cell>& state, const ActiveRows& active) {
    Tensor x = given_x, h = given_h, mask;
    if (active.lengths) {
        mask = mask_of(active, x.size(0), x.dtype());
        x = where(mask, x, 0.0);
        h = where(mask, h, 0.0);
    }
    const auto gates = [](const Tensor& t) {  // [B, gates H] -> one [B, H] for each gate
        const int64_t width = t.size(1) / Cell::gates;
        std::array<Tensor, Cell::gates> parts;
        for (int k = 0; k < Cell::gates; ++k) parts[k] = slice(t, 1, k * width, (k + 1) * width);
        return parts;
    };
    States<Cell> next = Cell::forward(gates(x), gates(h), state).next;
    if (!mask.defined()) return next;
    for (int k = 0; k < Cell::states; ++k) next[k] = where(mask, next[k], state[k]);
    return next;
}

}  // namespace

RecurrentState recurrent_step_definition(CellKind kind, const Tensor& x, const Tensor& h,
                                         const RecurrentState& state, const ActiveRows& active) {
    const UserCall named("recurrent_step_definition");
    check_step(kind, x, h, state, active);
    return with_cell(kind, [&]<class Cell>(Cell) -> RecurrentState {
        const States<Cell> next = step_definition<Cell>(x, h, to_array<Cell>(state), active);
        return {next[0], Cell::states == 2 ? next[Cell::states - 1] : Tensor()};
    });
}

Tensor recurrent_sequence_definition(CellKind kind, const Tensor& x, const RecurrentState& initial,
                                     const Tensor& weight, const Tensor& bias,
                                     const SequenceOptions& options) {
    const UserCall named("recurrent_sequence_definition");
    check_sequence(kind, x, initial, weight, bias, options);
    const Timeline time{x.size(1), options.reverse};
    std::vector<Tensor> hidden(time.length + 1), cell(time.length + 1);
    RecurrentState state = initial;
    hidden[time.first()] = state.hidden;
    cell[time.first()] = state.cell;
    for (int64_t i = 0; i < time.length; ++i) {
        const int64_t t = time.step(i);
        const ActiveRows active{options.lengths, t};
        // In the padding h has gradient 0, but a state that overflowed before it is ∞: 0 times ∞ is
        // NaN.
        const Tensor before = options.lengths
                                  ? where(mask_of(active, x.size(0), x.dtype()), state.hidden, 0.0)
                                  : state.hidden;
        const Tensor h = linear_definition(before, weight, bias);
        state = recurrent_step_definition(kind, select(x, 1, t), h, state, active);
        hidden[time.after(t)] = state.hidden;
        cell[time.after(t)] = state.cell;
    }
    return states_of(kind) == 1 ? unsqueeze(stack(hidden), 0) : stack({stack(hidden), stack(cell)});
}

// --- one step by its kernel ----------------------------------------------------------------------

namespace {

// All states of a step in one tensor: [B, H], or [states, B, H] if there are several.
template <class Cell>
Tensor join(const States<Cell>& states) {
    return Cell::states == 1 ? states[0] : stack({states.begin(), states.end()});
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

// The kernel needs contiguous rows; the distance between rows is free.
Tensor with_contiguous_rows(const Tensor& x) {
    return x.strides()[x.dim() - 1] == 1 || x.size(-1) == 1 ? x : contiguous(x);
}

template <class Cell>
using StepInputs = std::array<Tensor, 2 + Cell::states>;  // x, h and the states before the step

// The joined states after a step, and in `saved`, [B, saved H] or empty, what backward needs.
template <class Cell>
Tensor run_step(const StepInputs<Cell>& xs, const ActiveRows& active, Tensor& saved) {
    constexpr int states = Cell::states;
    const int64_t batch = xs[2].size(0), hidden = xs[2].size(1);
    Tensor next =
        empty(states == 1 ? Shape{batch, hidden} : Shape{states, batch, hidden}, xs[0].dtype());
    with_dtype(next.dtype(), [&]<class T>(T) {
        StepForward<Cell, T> job{rows_of<T>(xs[0]), rows_of<T>(xs[1]), {}, {}, {}};
        for (int k = 0; k < states; ++k) job.state[k] = rows_of<T>(xs[2 + k]);
        for (int k = 0; k < states; ++k) job.next[k] = writable_rows<T>(next, k);
        if (saved.numel() > 0) job.saved = writable_rows<T>(saved);
        parallel_for(batch, rows_per_chunk(hidden), [&](int64_t begin, int64_t end) {
            forward_rows(job, begin, end, hidden, active);
        });
    });
    return next;
}

// The gradients of all inputs, from the gradient g of the joined states after the step.
template <class Cell>
StepInputs<Cell> run_step_backward(const Tensor& g, const Tensor& next, const StepInputs<Cell>& xs,
                                   const Tensor& saved, const ActiveRows& active) {
    const int64_t batch = xs[2].size(0), hidden = xs[2].size(1);
    StepInputs<Cell> d;
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = empty(xs[i].shape(), g.dtype());
    with_dtype(g.dtype(), [&]<class T>(T) {
        StepBackward<Cell, T> job{};
        for (int k = 0; k < Cell::states; ++k) {
            job.g[k] = state_rows<T>(g, k);
            job.state[k] = rows_of<T>(xs[2 + k]);
            job.next[k] = state_rows<T>(next, k);
            job.dstate[k] = writable_rows<T>(d[2 + k]);
        }
        job.saved = rows_of<T>(saved);
        job.dx = writable_rows<T>(d[0]);
        job.dh = writable_rows<T>(d[1]);
        parallel_for(batch, rows_per_chunk(hidden), [&](int64_t begin, int64_t end) {
            backward_rows(job, begin, end, hidden, active);
        });
    });
    return d;
}

template <class Cell>
RecurrentState step(const Tensor& x, const Tensor& h, const States<Cell>& state,
                    const ActiveRows& active) {
    StepInputs<Cell> xs{with_contiguous_rows(x), with_contiguous_rows(h)};
    for (int k = 0; k < Cell::states; ++k) xs[2 + k] = with_contiguous_rows(state[k]);
    bool recorded = false;
    for (const Tensor& input : xs) recorded |= needs_record(input);

    const int64_t batch = state[0].size(0), hidden = state[0].size(1);
    Tensor saved = empty({recorded ? batch : 0, Cell::saved * hidden}, x.dtype());
    Tensor next = run_step<Cell>(xs, active, saved);
    if (recorded) {
        const auto plain = [active](const Tensor& px, const Tensor& ph, const auto&... ps) {
            return join<Cell>(step_definition<Cell>(px, ph, {ps...}, active));
        };
        const auto backward = [xs, saved, active](const Tensor& g, const Tensor& y) {
            return run_step_backward<Cell>(with_contiguous_rows(g), y, xs, saved, active);
        };
        next = record_fused(Cell::name, next, xs, plain, backward);
    }
    if constexpr (Cell::states == 1) return {next, {}};
    return {select(next, 0, 0), select(next, 0, 1)};
}

}  // namespace

RecurrentState recurrent_step(CellKind kind, const Tensor& x, const Tensor& h,
                              const RecurrentState& state, const ActiveRows& active) {
    const UserCall named("recurrent_step");
    check_step(kind, x, h, state, active);
    return with_cell(
        kind, [&]<class Cell>(Cell) { return step<Cell>(x, h, to_array<Cell>(state), active); });
}

// --- a sequence by its kernel --------------------------------------------------------------------

namespace {

template <class... Tensors>
RecurrentState to_state(const Tensor& hidden, const Tensors&... cell) {
    return {hidden, cell...};
}

template <class Cell>
using SequenceInputs = std::array<Tensor, 3 + Cell::states>;  // x, weight, bias, initial states

// The gradients of all inputs, from the gradient g of all states, which are in `all`.
template <class Cell>
SequenceInputs<Cell> sequence_backward(const Sequence<Cell>& sequence, const Tensor& g,
                                       const Tensor& all, const Tensor& saved,
                                       const SequenceInputs<Cell>& xs) {
    const int64_t batch = sequence.batch, hidden = sequence.hidden;
    const int64_t steps = sequence.time.length, first = sequence.time.reverse ? 1 : 0;
    SequenceInputs<Cell> d;
    d[0] = empty(xs[0].shape(), g.dtype());
    Tensor dh = empty({steps, batch, Cell::gates * hidden}, g.dtype());
    States<Cell> dinitial;
    for (Tensor& s : dinitial) s = empty({batch, hidden}, g.dtype());
    with_dtype(g.dtype(), [&]<class T>(T) {
        sequence.template backward<T>(contiguous(g), all, saved, xs[1], d[0], dh, dinitial);
    });

    // dL/dW_hh = Σ over steps and rows of dh hiddenᵀ, with the hidden state before the step. In the
    // padding dh is 0, but a state that overflowed before it is not: 0 times ∞ is NaN.
    const Tensor flat = flatten(dh, 0, 1);  // [B T, gates H]
    Tensor before = slice(select(all, 0, 0), 0, first, first + steps);
    if (sequence.lengths) {
        const Tensor mask = length_mask(*sequence.lengths, steps, g.dtype());
        before = where(unsqueeze(transpose(mask), 2), before, 0.0);
    }
    d[1] = matmul(transpose(flat), flatten(before, 0, 1));
    if (xs[2].defined()) d[2] = sum(flat, 0);
    for (int k = 0; k < Cell::states; ++k) d[3 + k] = dinitial[k];
    return d;
}

template <class Cell>
Tensor all_steps(CellKind kind, const Tensor& x, const States<Cell>& initial, const Tensor& weight,
                 const Tensor& bias, const SequenceOptions& options) {
    SequenceInputs<Cell> xs{x.strides()[2] == 1 ? x : contiguous(x), contiguous(weight),
                            bias.defined() ? contiguous(bias) : bias};
    States<Cell> start;
    for (int k = 0; k < Cell::states; ++k) xs[3 + k] = start[k] = contiguous(initial[k]);
    bool recorded = false;
    for (const Tensor& input : xs) recorded |= needs_record(input);

    const int64_t batch = x.size(0), steps = x.size(1), hidden = weight.size(1);
    const Sequence<Cell> sequence{batch, hidden, {steps, options.reverse}, options.lengths};
    Tensor all = empty({Cell::states, steps + 1, batch, hidden}, x.dtype());
    Tensor saved = empty({recorded ? steps : 0, batch, Cell::saved * hidden}, x.dtype());
    {
        const InnerOperations inner;
        with_dtype(x.dtype(), [&]<class T>(T) {
            sequence.template forward<T>(xs[0], start, xs[1], xs[2], all, saved);
        });
    }
    if (!recorded) return all;

    const auto plain = [=](const Tensor& px, const Tensor& pw, const Tensor& pb,
                           const auto&... state) {
        return recurrent_sequence_definition(kind, px, to_state(state...), pw, pb, options);
    };
    const auto backward = [=](const Tensor& g, const Tensor& y) {
        return sequence_backward<Cell>(sequence, g, y, saved, xs);
    };
    return record_fused(name_of(kind), all, xs, plain, backward);
}

}  // namespace

Tensor recurrent_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                          const Tensor& weight, const Tensor& bias,
                          const SequenceOptions& options) {
    const UserCall named("recurrent_sequence");
    check_sequence(kind, x, initial, weight, bias, options);
    return with_cell(kind, [&]<class Cell>(Cell) {
        return all_steps<Cell>(kind, x, to_array<Cell>(initial), weight, bias, options);
    });
}

}  // namespace heed
