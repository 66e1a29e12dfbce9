#include "nn/recurrent/recurrence.h"

#include "autograd/backward/backward.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reductions.h"
#include "autograd/record/inner.h"
#include "autograd/record/record.h"
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

void check_step(CellKind kind, const Tensor& x, const Tensor& h, const RecurrentState& state,
                const ActiveRows& active) {
    const Tensor& hidden = state.hidden;
    check(hidden.defined() && hidden.dim() == 2, "{}: expected a hidden state [B, H], got {}",
          name_of(kind), ShapeOf{hidden});
    if (states_of(kind) == 2)
        check(state.cell.defined() && state.cell.shape() == hidden.shape(),
              "{}: expected a cell state of the hidden state's shape {}, got {}", name_of(kind),
              hidden.shape(), ShapeOf{state.cell});
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

void check_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                    const Tensor& weight, const Tensor& bias, const SequenceOptions& options) {
    const char* name = name_of(kind);
    const int64_t gates = gates_of(kind);
    check_defined(name, x, weight);
    check(weight.dim() == 2 && weight.size(0) == gates * weight.size(1),
          "{}: expected recurrent weights [{} H, H], got {}", name, gates, weight.shape());
    check(x.dim() == 3 && x.size(2) == weight.size(0),
          "{}: expected projected inputs [B, T, {}], got {}", name, weight.size(0), x.shape());
    if (bias.defined())
        check(bias.shape() == Shape{weight.size(0)}, "{}: expected a bias [{}], got {}", name,
              weight.size(0), bias.shape());
    check(x.size(1) > 0, "{}: the sequence has no steps, shape {}", name, x.shape());
    const Shape state{x.size(0), weight.size(1)};
    check(initial.hidden.defined() && initial.hidden.shape() == state,
          "{}: expected an initial hidden state {}, got {}", name, state, ShapeOf{initial.hidden});
    if (states_of(kind) == 2)
        check(initial.cell.defined() && initial.cell.shape() == state,
              "{}: expected an initial cell state {}, got {}", name, state, ShapeOf{initial.cell});
    check_same_dtype(x, weight, name);
    check_same_dtype(initial.hidden, weight, name);
    if (!options.lengths) return;
    check(options.lengths->count() == x.size(0), "{}: expected {} lengths, got {}", name, x.size(0),
          options.lengths->count());
    for (int length : *options.lengths)
        check(length >= 0 && length <= x.size(1), "{}: length {} is outside 0 .. {}", name, length,
              x.size(1));
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
    std::array<Tensor, Cell::saved> saved;
    States<Cell> next = Cell::forward(gates(x), gates(h), state, saved);
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
RecurrentState step(const Tensor& given_x, const Tensor& given_h, const States<Cell>& given_state,
                    const ActiveRows& active) {
    constexpr int states = Cell::states, inputs = 2 + states;
    const Tensor x = with_contiguous_rows(given_x), h = with_contiguous_rows(given_h);
    States<Cell> state;
    for (int k = 0; k < states; ++k) state[k] = with_contiguous_rows(given_state[k]);

    const int64_t batch = state[0].size(0), hidden = state[0].size(1);
    bool recorded = needs_record(x) || needs_record(h);
    for (const Tensor& s : state) recorded |= needs_record(s);

    Tensor value =
        empty(states == 1 ? Shape{batch, hidden} : Shape{states, batch, hidden}, x.dtype());
    Tensor saved = empty({recorded ? batch : 0, Cell::saved * hidden}, x.dtype());
    with_dtype(x.dtype(), [&]<class T>(T) {
        StepForward<Cell, T> job{rows_of<T>(x), rows_of<T>(h), {}, {}, {}};
        for (int k = 0; k < states; ++k) job.state[k] = rows_of<T>(state[k]);
        for (int k = 0; k < states; ++k) job.next[k] = writable_rows<T>(value, k);
        if (recorded) job.saved = writable_rows<T>(saved);
        parallel_for(batch, rows_per_chunk(hidden), [&](int64_t begin, int64_t end) {
            forward_rows(job, begin, end, hidden, active);
        });
    });

    if (recorded) {
        std::array<Tensor, inputs> xs{x, h};
        for (int k = 0; k < states; ++k) xs[2 + k] = state[k];
        const auto plain = [active](const Tensor& px, const Tensor& ph, const auto&... ps) {
            return join<Cell>(step_definition<Cell>(px, ph, {ps...}, active));
        };
        const auto backward = [xs, saved, active](const Tensor& given_g, const Tensor& y) {
            const Tensor g = with_contiguous_rows(given_g);
            const int64_t rows = xs[2].size(0), units = xs[2].size(1);
            std::array<Tensor, inputs> d;
            for (int i = 0; i < inputs; ++i) d[i] = empty(xs[i].shape(), g.dtype());
            with_dtype(g.dtype(), [&]<class T>(T) {
                StepBackward<Cell, T> job{};
                for (int k = 0; k < states; ++k) {
                    job.g[k] = state_rows<T>(g, k);
                    job.state[k] = rows_of<T>(xs[2 + k]);
                    job.next[k] = state_rows<T>(y, k);
                    job.dstate[k] = writable_rows<T>(d[2 + k]);
                }
                job.saved = rows_of<T>(saved);
                job.dx = writable_rows<T>(d[0]);
                job.dh = writable_rows<T>(d[1]);
                parallel_for(rows, rows_per_chunk(units), [&](int64_t begin, int64_t end) {
                    backward_rows(job, begin, end, units, active);
                });
            });
            return d;
        };
        value = record_fused(Cell::name, value, xs, plain, backward);
    }
    if constexpr (states == 1) return {value, {}};
    return {select(value, 0, 0), select(value, 0, 1)};
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
Tensor all_steps(CellKind kind, const Tensor& given_x, const States<Cell>& given,
                 const Tensor& weight, const Tensor& bias, const SequenceOptions& options) {
    constexpr int states = Cell::states, inputs = 3 + states;
    const Tensor x = given_x.strides()[2] == 1 ? given_x : contiguous(given_x);
    std::array<Tensor, inputs> xs{x, contiguous(weight), bias.defined() ? contiguous(bias) : bias};
    bool recorded = needs_record(x) || needs_record(weight) || needs_record(bias);
    States<Cell> initial;
    for (int k = 0; k < states; ++k) {
        xs[3 + k] = initial[k] = contiguous(given[k]);
        recorded |= needs_record(initial[k]);
    }

    const int64_t batch = x.size(0), steps = x.size(1), hidden = weight.size(1);
    const Sequence<Cell> sequence{batch, hidden, {steps, options.reverse}, options.lengths};
    Tensor all = empty({states, steps + 1, batch, hidden}, x.dtype());
    Tensor saved = empty({recorded ? steps : 0, batch, Cell::saved * hidden}, x.dtype());
    {
        const InnerOperations inner;
        with_dtype(x.dtype(), [&]<class T>(T) {
            sequence.template forward<T>(x, initial, xs[1], xs[2], all, saved);
        });
    }
    if (!recorded) return all;

    const auto plain = [=](const Tensor& px, const Tensor& pw, const Tensor& pb,
                           const auto&... state) {
        return recurrent_sequence_definition(kind, px, to_state(state...), pw, pb, options);
    };
    const auto backward = [=](const Tensor& g, const Tensor& y) {
        std::array<Tensor, inputs> d;
        d[0] = empty(xs[0].shape(), g.dtype());
        Tensor dh = empty({steps, batch, Cell::gates * hidden}, g.dtype());
        States<Cell> dinitial;
        for (Tensor& s : dinitial) s = empty({batch, hidden}, g.dtype());
        with_dtype(g.dtype(), [&]<class T>(T) {
            sequence.template backward<T>(contiguous(g), y, saved, xs[1], d[0], dh, dinitial);
        });
        // dL/dW_hh = Σ over steps and rows of dh hiddenᵀ, with the hidden state before the step
        const Tensor flat = flatten(dh, 0, 1);  // [B T, gates H]
        Tensor before =
            slice(select(y, 0, 0), 0, options.reverse ? 1 : 0, options.reverse ? steps + 1 : steps);
        // In the padding dh is 0, but a state that overflowed before it is not: 0 times ∞ is NaN.
        if (options.lengths)
            before = where(unsqueeze(transpose(length_mask(*options.lengths, steps, g.dtype())), 2),
                           before, 0.0);
        d[1] = matmul(transpose(flat), flatten(before, 0, 1));
        if (xs[2].defined()) d[2] = sum(flat, 0);
        for (int k = 0; k < states; ++k) d[3 + k] = dinitial[k];
        return d;
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
