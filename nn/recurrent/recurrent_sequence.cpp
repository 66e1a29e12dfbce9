#include "nn/recurrent/recurrent_sequence.h"

#include "autograd/backward/backward.h"
#include "autograd/base/parallel.h"
#include "autograd/kernels/gemm.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/record/record.h"
#include "nn/recurrent/gate_loops.h"

namespace heed {
namespace {

// Time runs either way: step i of the loop is time step(i), from state before(t) to state after(t).
struct Timeline {
    int64_t length;
    bool reverse;
    int64_t step(int64_t i) const { return reverse ? length - 1 - i : i; }
    int64_t before(int64_t t) const { return reverse ? t + 1 : t; }
    int64_t after(int64_t t) const { return reverse ? t : t + 1; }
    int64_t first() const { return reverse ? length : 0; }  // the initial state
    int64_t last() const { return reverse ? 0 : length; }   // the final one
};

// The sizes and the memory of one run. Everything but x lies time-major, [T, B, ...], so that what
// a step touches is one block, and all steps together are one matrix.
template <class Gates>
struct Sequence {
    static constexpr int gates = Gates::gates, states = Gates::states;
    int64_t batch, hidden;
    Timeline time;
    std::optional<Indices> lengths;

    // Sixteen rows fill the registers of the matrix kernel; fewer would only stream the weights
    // more often. Small problems stay in one piece.
    int64_t rows_per_thread() const {
        const int64_t cost = time.length * gates * hidden * (hidden + 40) + 1;  // of a row
        return std::max<int64_t>(16, 8 * parallel_grain / cost);
    }
    ActiveRows active(int64_t t) const { return {lengths, t}; }

    template <class T>
    T* state(T* all, int k, int64_t index) const {
        return all + (k * (time.length + 1) + index) * batch * hidden;
    }
    // The rows of x, or of its gradient, that step t reads: x is [B, T, gates H].
    template <class T>
    static MatrixRows<T> x_rows(T* x, const Strides& strides, int64_t t) {
        return {x + t * strides[1], strides[0]};
    }

    template <class T>
    void forward(const Tensor& x, const std::array<Tensor, states>& initial, const Tensor& weight,
                 const Tensor& bias, Tensor& all, Tensor& saved) const;
    template <class T>
    void backward(const Tensor& g, const Tensor& all, const Tensor& saved, const Tensor& weight,
                  Tensor& dx, Tensor& dh, std::array<Tensor, states>& dinitial) const;
};

template <class Gates>
template <class T>
void Sequence<Gates>::forward(const Tensor& x, const std::array<Tensor, states>& initial,
                              const Tensor& weight, const Tensor& bias, Tensor& all,
                              Tensor& saved) const {
    const int64_t H = hidden, G = gates * hidden, S = Gates::saved * hidden;
    const Tensor w = contiguous(transpose(weight));  // [H, gates H]
    Tensor product = empty({batch, G}, x.dtype());   // W_hh hidden + b_hh of the current step
    T* const states_data = all.edit<T>();
    T* const product_data = product.edit<T>();
    T* const saved_data = saved.numel() > 0 ? saved.edit<T>() : nullptr;
    const T* const bias_data = bias.defined() ? bias.data<T>() : nullptr;

    parallel_for(batch, rows_per_thread(), [&](int64_t begin, int64_t end) {
        for (int k = 0; k < states; ++k)
            std::copy_n(initial[k].template data<T>() + begin * H, (end - begin) * H,
                        state(states_data, k, time.first()) + begin * H);
        for (int64_t i = 0; i < time.length; ++i) {
            const int64_t t = time.step(i);
            const T* h = state(states_data, 0, time.before(t));
            gemm<T>({h + begin * H, end - begin, H, H, 1}, {w.data<T>(), H, G, G, 1},
                    {product_data + begin * G, end - begin, G, G, 1}, false, bias_data);
            StepForward<Gates, T> step{
                x_rows(x.data<T>(), x.strides(), t), {product_data, G}, {}, {}, {}};
            for (int k = 0; k < states; ++k) {
                step.state[k] = {state(states_data, k, time.before(t)), H};
                step.next[k] = {state(states_data, k, time.after(t)), H};
            }
            if (saved_data) step.saved = {saved_data + t * batch * S, S};
            forward_rows(step, begin, end, H, active(t));
        }
    });
}

// g is the gradient with respect to all states. Running back through time, dinitial holds the
// gradient with respect to the state the loop has come to; dx is [B, T, gates H], dh [T, B, gates
// H].
template <class Gates>
template <class T>
void Sequence<Gates>::backward(const Tensor& g, const Tensor& all, const Tensor& saved,
                               const Tensor& weight, Tensor& dx, Tensor& dh,
                               std::array<Tensor, states>& dinitial) const {
    const int64_t H = hidden, G = gates * hidden, S = Gates::saved * hidden;
    const T* const g_data = g.data<T>();
    const T* const states_data = all.data<T>();
    const T* const saved_data = saved.data<T>();
    T* const dx_data = dx.edit<T>();
    T* const dh_data = dh.edit<T>();
    std::array<T*, states> running;
    for (int k = 0; k < states; ++k) running[k] = dinitial[k].template edit<T>();

    parallel_for(batch, rows_per_thread(), [&](int64_t begin, int64_t end) {
        for (int k = 0; k < states; ++k)
            std::fill_n(running[k] + begin * H, (end - begin) * H, T(0));
        for (int64_t i = time.length - 1; i >= 0; --i) {
            const int64_t t = time.step(i);
            StepBackward<Gates, T> step{};
            for (int k = 0; k < states; ++k) {
                step.g[k] = {running[k], H};
                step.more[k] = {state(g_data, k, time.after(t)), H};
                step.state[k] = {state(states_data, k, time.before(t)), H};
                step.next[k] = {state(states_data, k, time.after(t)), H};
                step.dstate[k] = {running[k], H};
            }
            step.saved = {saved_data + t * batch * S, S};
            step.dx = x_rows(dx_data, dx.strides(), t);
            step.dh = {dh_data + t * batch * G, G};
            backward_rows(step, begin, end, H, active(t));
            gemm<T>({dh_data + (t * batch + begin) * G, end - begin, G, G, 1},
                    {weight.data<T>(), G, H, H, 1}, {running[0] + begin * H, end - begin, H, H, 1},
                    true);
        }
        for (int k = 0; k < states; ++k) {
            const T* from = state(g_data, k, time.first());
            for (int64_t j = begin * H; j < end * H; ++j) running[k][j] += from[j];
        }
    });
}

// --- recording --------------------------------------------------------------------------------

template <class... Tensors>
RecurrentState to_state(const Tensor& hidden, const Tensors&... cell) {
    return {hidden, cell...};
}

template <class Gates>
Tensor run(CellKind kind, const Tensor& given_x, const std::array<Tensor, Gates::states>& given,
           const Tensor& weight, const Tensor& bias, const SequenceOptions& options) {
    constexpr int states = Gates::states, inputs = 3 + states;
    const Tensor x = given_x.strides()[2] == 1 ? given_x : contiguous(given_x);
    std::array<Tensor, inputs> xs{x, contiguous(weight), bias.defined() ? contiguous(bias) : bias};
    bool recorded = needs_record(x) || needs_record(weight) || needs_record(bias);
    std::array<Tensor, states> initial;
    for (int k = 0; k < states; ++k) {
        xs[3 + k] = initial[k] = contiguous(given[k]);
        recorded |= needs_record(initial[k]);
    }

    const int64_t batch = x.size(0), steps = x.size(1), hidden = weight.size(1);
    const Sequence<Gates> sequence{batch, hidden, {steps, options.reverse}, options.lengths};
    Tensor all = empty({states, steps + 1, batch, hidden}, x.dtype());
    Tensor saved = empty({recorded ? steps : 0, batch, Gates::saved * hidden}, x.dtype());
    {
        NoGrad no_grad;
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
        Tensor dh = empty({steps, batch, Gates::gates * hidden}, g.dtype());
        std::array<Tensor, states> dinitial;
        for (Tensor& s : dinitial) s = empty({batch, hidden}, g.dtype());
        with_dtype(g.dtype(), [&]<class T>(T) {
            sequence.template backward<T>(contiguous(g), y, saved, xs[1], d[0], dh, dinitial);
        });
        // dL/dW_hh = Σ over steps and rows of dh hiddenᵀ, with the hidden state before the step
        const Tensor flat = reshape(dh, {-1, Gates::gates * hidden});
        const Tensor before =
            slice(select(y, 0, 0), 0, options.reverse ? 1 : 0, options.reverse ? steps + 1 : steps);
        d[1] = matmul(transpose(flat), reshape(before, {-1, hidden}));
        if (xs[2].defined()) d[2] = sum(flat, 0);
        for (int k = 0; k < states; ++k) d[3 + k] = dinitial[k];
        return d;
    };
    return record_fused(name_of(kind), all, xs, plain, backward);
}

void check_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                    const Tensor& weight, const Tensor& bias, const SequenceOptions& options) {
    const char* name = name_of(kind);
    const int64_t gates = gates_of(kind);
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
          "{}: expected an initial hidden state {}, got {}", name, state,
          initial.hidden.defined() ? to_string(initial.hidden.shape()) : "none");
    if (states_of(kind) == 2)
        check(initial.cell.defined() && initial.cell.shape() == state,
              "{}: expected an initial cell state {}, got {}", name, state,
              initial.cell.defined() ? to_string(initial.cell.shape()) : "none");
    check_same_dtype(x, weight, name);
    check_same_dtype(initial.hidden, weight, name);
    if (!options.lengths) return;
    check(options.lengths->count() == x.size(0), "{}: expected {} lengths, got {}", name, x.size(0),
          options.lengths->count());
    for (int length : *options.lengths)
        check(length >= 0 && length <= x.size(1), "{}: length {} is outside 0 .. {}", name, length,
              x.size(1));
}

}  // namespace

Tensor recurrent_sequence(CellKind kind, const Tensor& x, const RecurrentState& initial,
                          const Tensor& weight, const Tensor& bias,
                          const SequenceOptions& options) {
    check_sequence(kind, x, initial, weight, bias, options);
    return with_gates(kind, [&]<class Gates>(Gates) {
        if constexpr (Gates::states == 1)
            return run<Gates>(kind, x, {initial.hidden}, weight, bias, options);
        else
            return run<Gates>(kind, x, {initial.hidden, initial.cell}, weight, bias, options);
    });
}

Tensor recurrent_sequence_definition(CellKind kind, const Tensor& x, const RecurrentState& initial,
                                     const Tensor& weight, const Tensor& bias,
                                     const SequenceOptions& options) {
    check_sequence(kind, x, initial, weight, bias, options);
    const Timeline time{x.size(1), options.reverse};
    std::vector<Tensor> hidden(time.length + 1), cell(time.length + 1);
    RecurrentState state = initial;
    hidden[time.first()] = state.hidden;
    cell[time.first()] = state.cell;
    for (int64_t i = 0; i < time.length; ++i) {
        const int64_t t = time.step(i);
        const Tensor h = linear_definition(state.hidden, weight, bias);
        state = recurrent_step_definition(kind, select(x, 1, t), h, state, {options.lengths, t});
        hidden[time.after(t)] = state.hidden;
        cell[time.after(t)] = state.cell;
    }
    return states_of(kind) == 1 ? unsqueeze(stack(hidden), 0) : stack({stack(hidden), stack(cell)});
}

}  // namespace heed
