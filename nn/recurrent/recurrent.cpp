#include "nn/recurrent/recurrent.h"

#include <algorithm>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/data/batches.h"
#include "nn/layers/init.h"
#include "nn/layers/layers.h"
#include "nn/module/hooks.h"
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
    check_positive(name_of(kind), {{"input", input.value}, {"hidden", hidden.value}});
    const int64_t wide = gates_of(kind) * hidden;
    weight_ih = parameter(uniform_fan({wide, input}, hidden, rng));
    weight_hh = parameter(uniform_fan({wide, hidden}, hidden, rng));
    if (!with_bias) return;
    bias_ih = parameter(uniform_fan({wide}, hidden, rng));
    bias_hh = parameter(uniform_fan({wide}, hidden, rng));
}

int64_t RecurrentCell::input_size() const {
    check_made(*this);
    return weight_ih.size(1);
}
int64_t RecurrentCell::hidden_size() const {
    check_made(*this);
    return weight_hh.size(1);
}

RecurrentState RecurrentCell::zero_state(Integer batch) const {
    const UserCall named(name_of(kind));
    const int64_t H = hidden_size();
    const Tensor zero = zeros({batch, H}, weight_hh.dtype());
    return {zero, states_of(kind) == 2 ? zero : Tensor()};
}

Tensor RecurrentCell::project(const Tensor& x) const {
    const Shapes in(name_of(kind), {{"x", x, "... I"}}, {{"I", input_size()}},
                    "the cell was made for this width");
    return linear(x, weight_ih, bias_ih);
}

RecurrentState RecurrentCell::step(const Tensor& projected, const RecurrentState& state,
                                   const ActiveRows& active) const {
    const Shapes in(name_of(kind), {{"hidden", state.hidden, "B H"}}, {{"H", hidden_size()}});
    return recurrent_step(kind, projected, linear(state.hidden, weight_hh, bias_hh), state, active);
}

RecurrentState RecurrentCell::operator()(const Tensor& x, const RecurrentState& state) const {
    const Shapes in(name_of(kind), {{"x", x, "B I"}}, {{"I", input_size()}},
                    "the cell was made for this width");
    return step(project(x), state.hidden.defined() ? state : zero_state(in["B"]));
}

Recurrent::Recurrent(CellKind kind, Integer input, Integer hidden, const RecurrentOptions& options,
                     Rng& rng)
    : bidirectional(options.bidirectional) {
    const UserCall named(name_of(kind));
    dropout = Dropout(options.dropout).p;
    check_positive(name_of(kind), {{"layers", options.layers}});
    for (int64_t layer = 0; layer < options.layers; ++layer)
        for (int64_t direction = 0; direction < directions(); ++direction)
            cells.emplace_back(kind, layer == 0 ? input.value : directions() * hidden, hidden, rng,
                               options.bias);
}

const RecurrentCell& Recurrent::first_cell() const {
    check(!cells.empty(), "Recurrent: this layer has no cells; construct it with its sizes");
    return cells[0];
}

namespace {

// What one cell reads and returns: the outputs of all steps, [B, T, H], and the final state.
struct CellOutput {
    Tensor output;
    RecurrentState end;
};
CellOutput read_sequence(const RecurrentCell& cell, const Tensor& x, const RecurrentState& start,
                         const SequenceOptions& options) {
    const Shapes in(name_of(cell.kind), {{"initial hidden", start.hidden, "B H"}},
                    {{"B", x.size(0)}, {"H", cell.hidden_size()}});
    const int64_t steps = x.size(1);
    const Tensor all = recurrent_sequence(cell.kind, cell.project(x), start, cell.weight_hh,
                                          cell.bias_hh, options);  // [states, T + 1, B, H]
    const Tensor hidden = select(all, 0, 0);
    const int64_t first = options.reverse ? 0 : 1, last = options.reverse ? 0 : steps;
    RecurrentState end{select(hidden, 0, last), {}};
    if (states_of(cell.kind) == 2) end.cell = select(select(all, 0, 1), 0, last);
    return {transpose(slice(hidden, 0, first, first + steps), 0, 1), end};
}

}  // namespace

RecurrentOutput Recurrent::operator()(const Tensor& x, const Indices& lengths,
                                      const std::vector<RecurrentState>& initial, Mode mode) const {
    const char* name = name_of(kind());
    const Shapes in(name, {{"x", x, "B T I"}}, {{"I", cells[0].input_size()}});
    check(initial.empty() || initial.size() == cells.size(),
          "{}: {} initial states for {} cells; expected one for each layer and direction", name,
          initial.size(), cells.size());
    check(lengths.count() == 0 || lengths.shape() == Shape{in["B"]},
          "{}: lengths are {}; expected [{}], one for each row of x {}", name, lengths.shape(),
          in["B"], x.shape());

    // A mask is needed only if some row is shorter than T.
    const bool ragged =
        std::any_of(lengths.begin(), lengths.end(), [&](int length) { return length != in["T"]; });
    SequenceOptions options;
    Tensor mask;  // [B, T, 1]
    if (ragged) options.lengths = lengths;
    if (ragged) mask = unsqueeze(length_mask(lengths, in["T"], x.dtype()), 2);

    // What stands in the padding, perhaps NaN, is replaced by 0: in the gradient of the weights it would
    // be multiplied by 0, which does not remove a NaN.
    RecurrentOutput out{mask.defined() ? where(mask, x, 0.0) : x, {}};
    for (std::size_t i = 0; i < cells.size();) {
        if (i > 0) out.output = Dropout(dropout)(out.output, mode);
        std::vector<Tensor> outputs;  // of each direction
        for (int64_t direction = 0; direction < directions(); ++direction, ++i) {
            options.reverse = direction == 1;
            const RecurrentState start =
                initial.empty() ? cells[i].zero_state(in["B"]) : initial[i];
            const auto [output, end] = read_sequence(cells[i], out.output, start, options);
            outputs.push_back(output);
            out.states.push_back(end);
        }
        out.output = outputs.size() == 1 ? outputs[0] : concat(outputs, 2);
        if (mask.defined()) out.output = where(mask, out.output, 0.0);
    }
    out.output = hook(*this, "states", out.output);
    return out;
}

}  // namespace heed
