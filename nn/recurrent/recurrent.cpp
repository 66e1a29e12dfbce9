#include "nn/recurrent/recurrent.h"

#include <algorithm>

#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape_ops.h"
#include "nn/data/batches.h"
#include "nn/layers/init.h"
#include "nn/layers/layers.h"
#include "nn/recurrent/recurrence.h"

namespace heed {

namespace {

void check_made(const RecurrentCell& cell) {
    check(cell.weight_ih.defined(), "{}: this cell has no weights; construct it with its sizes",
          name_of(cell.kind));
}

}  // namespace

RecurrentCell::RecurrentCell(CellKind which, Integer input, Integer hidden, Rng& rng,
                             Flag with_bias)
    : kind(which) {
    check(input > 0 && hidden > 0, "{}: expected positive sizes, got input {} and hidden {}",
          name_of(kind), input, hidden);
    const int64_t wide = gates_of(kind) * hidden;
    weight_ih = parameter(uniform_fan({wide, input}, hidden, rng));
    weight_hh = parameter(uniform_fan({wide, hidden}, hidden, rng));
    if (!with_bias) return;
    bias_ih = parameter(uniform_fan({wide}, hidden, rng));
    bias_hh = parameter(uniform_fan({wide}, hidden, rng));
}

RecurrentState RecurrentCell::zero_state(Integer batch) const {
    const UserCall named(name_of(kind));
    check_made(*this);
    const Tensor zero = zeros({batch, hidden_size()}, weight_hh.dtype());
    return {zero, states_of(kind) == 2 ? zero : Tensor()};
}

Tensor RecurrentCell::project(const Tensor& x) const {
    const UserCall named(name_of(kind));
    check_made(*this);
    check_defined(name_of(kind), x);
    check(x.dim() > 0 && x.size(-1) == input_size(),
          "{}: expected inputs [..., {}], the width this cell was made for, got {}", name_of(kind),
          input_size(), x.shape());
    return linear(x, weight_ih, bias_ih);
}

RecurrentState RecurrentCell::step(const Tensor& projected, const RecurrentState& state,
                                   const ActiveRows& active) const {
    const UserCall named(name_of(kind));
    check_made(*this);
    check_defined(name_of(kind), projected, state.hidden);
    return recurrent_step(kind, projected, linear(state.hidden, weight_hh, bias_hh), state, active);
}

RecurrentState RecurrentCell::operator()(const Tensor& x, const RecurrentState& state) const {
    const UserCall named(name_of(kind));
    const Tensor projected = project(x);
    return step(projected, state.hidden.defined() ? state : zero_state(x.size(0)));
}

Recurrent::Recurrent(CellKind kind, Integer input, Integer hidden, const RecurrentOptions& options,
                     Rng& rng)
    : bidirectional(options.bidirectional) {
    const UserCall named(name_of(kind));
    dropout = Dropout(options.dropout).p;
    check(options.layers > 0, "{}: expected at least one layer, got {}", name_of(kind),
          options.layers);
    for (int64_t layer = 0; layer < options.layers; ++layer)
        for (int64_t direction = 0; direction < directions(); ++direction)
            cells.emplace_back(kind, layer == 0 ? input.value : directions() * hidden, hidden, rng,
                               options.bias);
}

const RecurrentCell& Recurrent::first_cell() const {
    check(!cells.empty(), "Recurrent: this layer has no cells; construct it with its sizes");
    return cells[0];
}

RecurrentOutput Recurrent::operator()(const Tensor& x, const Indices& lengths,
                                      const std::vector<RecurrentState>& initial, Mode mode) const {
    const UserCall named(name_of(kind()));
    check_defined(name_of(kind()), x);
    check(x.dim() == 3, "{}: expected inputs [B, T, {}], got {}", name_of(kind()),
          cells[0].input_size(), x.shape());
    check(initial.empty() || initial.size() == cells.size(),
          "{}: expected {} initial states, one for each layer and direction, got {}",
          name_of(kind()), cells.size(), initial.size());
    const int64_t batch = x.size(0), steps = x.size(1);
    check(lengths.count() == 0 || lengths.shape() == Shape{batch},
          "{}: expected lengths [{}], one for each row of the inputs {}, got {}", name_of(kind()),
          batch, x.shape(), lengths.shape());
    for (int length : lengths)
        check(length >= 0 && length <= steps, "{}: a length is {}, but the inputs {} have {} steps",
              name_of(kind()), length, x.shape(), steps);

    // A mask is needed only if some row is shorter than T.
    SequenceOptions options;
    Tensor mask;  // [B, T, 1]
    if (lengths.count() > 0) {
        options.lengths = lengths;
        const bool ragged = std::any_of(lengths.begin(), lengths.end(),
                                        [&](int length) { return length != steps; });
        if (!ragged && lengths.count() == batch) options.lengths.reset();
        if (ragged) mask = unsqueeze(length_mask(lengths, steps, x.dtype()), 2);
    }

    // What stands in the padding, perhaps NaN, is replaced by 0: in the gradient of the weights it would
    // be multiplied by 0, which does not remove a NaN.
    RecurrentOutput out{mask.defined() ? where(mask, x, 0.0) : x, {}};
    for (std::size_t i = 0; i < cells.size();) {
        if (i > 0) out.output = Dropout(dropout)(out.output, mode);
        std::vector<Tensor> outputs;  // of each direction
        for (int64_t direction = 0; direction < directions(); ++direction, ++i) {
            const RecurrentCell& cell = cells[i];
            const RecurrentState start = initial.empty() ? cell.zero_state(batch) : initial[i];
            options.reverse = direction == 1;
            const Tensor all = recurrent_sequence(cell.kind, cell.project(out.output), start,
                                                  cell.weight_hh, cell.bias_hh, options);
            const Tensor hidden = select(all, 0, 0);  // [T + 1, B, H]
            const int64_t first = options.reverse ? 0 : 1, last = options.reverse ? 0 : steps;
            outputs.push_back(transpose(slice(hidden, 0, first, first + steps), 0, 1));
            RecurrentState end{select(hidden, 0, last), {}};
            if (states_of(cell.kind) == 2) end.cell = select(select(all, 0, 1), 0, last);
            out.states.push_back(end);
        }
        out.output = outputs.size() == 1 ? outputs[0] : concat(outputs, 2);
        if (mask.defined()) out.output = where(mask, out.output, 0.0);
    }
    return out;
}

}  // namespace heed
