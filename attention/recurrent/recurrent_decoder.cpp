#include "attention/recurrent/recurrent_decoder.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/module/hooks.h"
#include "nn/recurrent/recurrence.h"

namespace heed {

const char* name_of(DecoderKind kind) {
    switch (kind) {
        case DecoderKind::fixed:
            return "fixed";
        case DecoderKind::bahdanau:
            return "bahdanau";
        case DecoderKind::luong:
            return "luong";
    }
    return "?";
}

RecurrentDecoder::RecurrentDecoder(DecoderKind decoder_kind, CellKind cell_kind,
                                   const DecoderSizes& sizes, std::optional<Attention> mechanism,
                                   Flag feed_input, Rng& rng)
    : kind(decoder_kind), input_feeding(feed_input), attention(std::move(mechanism)) {
    const UserCall named("RecurrentDecoder");
    const auto& [embedding, hidden, context] = sizes;
    check(attention.has_value() == (kind != DecoderKind::fixed),
          "a {} decoder needs to be made {} attention", name_of(kind),
          attention ? "without" : "with");
    check(!input_feeding || kind == DecoderKind::luong,
          "input feeding is an option of the luong decoder, not of {}", name_of(kind));
    const bool luong = kind == DecoderKind::luong;
    initial = Linear(context, hidden, rng);
    cell = RecurrentCell(cell_kind,
                         embedding + (!luong          ? context
                                      : input_feeding ? hidden
                                                      : 0),
                         hidden, rng);
    readout = Linear(hidden + context + (luong ? 0 : embedding), hidden, rng);
}

PreparedSource RecurrentDecoder::prepare(const EncoderOutput& encoded) const {
    const Shapes in("RecurrentDecoder", {{"summary", encoded.summary, "B C"}},
                    {{"C", initial.in_features()}},
                    "the decoder was made for sources of this width");
    PreparedSource source{{}, encoded.summary, {}};
    if (attention) source.keys = attention->prepare(encoded.states, encoded.states, encoded.mask);
    if (kind == DecoderKind::luong) return source;

    // The columns of the cell's weights for the context come after those for the token.
    const int64_t context = in["C"], columns = cell.input_size();
    const Tensor weight = slice(cell.weight_ih, 1, columns - context, columns);
    source.projected = linear(attention ? source.keys.value : encoded.summary, weight);
    return source;
}

RecurrentDecoderState RecurrentDecoder::start(const PreparedSource& source) const {
    const Shapes in("RecurrentDecoder", {{"summary", source.summary, "B C"}});
    RecurrentDecoderState state;
    state.recurrent = cell.zero_state(in["B"]);
    state.recurrent.hidden = tanh(initial(source.summary));
    if (input_feeding) state.fed = zeros({in["B"], readout.out_features()}, source.summary.dtype());
    return state;
}

int64_t RecurrentDecoder::embedding_width() const {
    const int64_t beside = kind != DecoderKind::luong ? initial.in_features()   // the context
                           : input_feeding            ? readout.out_features()  // the features
                                                      : 0;
    return cell.input_size() - beside;
}

// The tokens' share of the cell's input: [..., E] -> [..., gates H].
Tensor RecurrentDecoder::input_of_tokens(const Tensor& embedded) const {
    return linear(embedded, slice(cell.weight_ih, 1, 0, embedded.size(-1)), cell.bias_ih);
}

// tanh(W [s; c; y]) over the last axis, for one step or all.
Tensor RecurrentDecoder::features(const Tensor& state, const Tensor& context,
                                  const Tensor& embedded) const {
    if (kind == DecoderKind::luong) return tanh(readout(concat({state, context}, -1)));
    return tanh(readout(concat({state, context, embedded}, -1)));
}

// query [B, Q, H], at positions from `first` on -> weights [B, Q, K].
Tensor RecurrentDecoder::weights_of(const Tensor& query, const PreparedSource& source,
                                    int64_t first) const {
    return hook(*this, "weights", attention->weights(query, source.keys, first));
}

// Bahdanau's step: from x [B, gates H], the tokens' share of the input, to the next state. Returns
// the attention weights [B, 1, K].
Tensor RecurrentDecoder::attend_then_step(const Tensor& x, const PreparedSource& source,
                                          RecurrentDecoderState& state) const {
    const Tensor query = unsqueeze(state.recurrent.hidden, 1);           // [B, 1, H]
    const Tensor weights = weights_of(query, source, state.position++);  // [B, 1, K]
    const Tensor context =
        squeeze(attention->context(weights, source.projected, source.keys), 1);  // [B, gates H]
    state.recurrent = cell.step(x + context, state.recurrent);
    return weights;
}

// Luong's step: to the next state. Returns the features [B, R] as context, and the weights
// [B, 1, K].
AttentionOutput RecurrentDecoder::step_then_attend(const Tensor& x, const PreparedSource& source,
                                                   RecurrentDecoderState& state) const {
    Tensor input = x;
    if (input_feeding) {
        const int64_t columns = cell.input_size(), fed = state.fed.size(1);
        input = x + linear(state.fed, slice(cell.weight_ih, 1, columns - fed, columns));
    }
    state.recurrent = cell.step(input, state.recurrent);
    const Tensor weights =
        weights_of(unsqueeze(state.recurrent.hidden, 1), source, state.position++);
    const Tensor context = attention->context(weights, source.keys.value, source.keys);
    Tensor read = features(state.recurrent.hidden, squeeze(context, 1), {});
    if (input_feeding) state.fed = read;
    return {read, weights};
}

// The states [B, T, H] after every step, if none of them depends on attention.
Tensor RecurrentDecoder::all_states(const Tensor& x, const PreparedSource& source) const {
    const Tensor all = recurrent_sequence(cell.kind, x, start(source).recurrent, cell.weight_hh,
                                          cell.bias_hh);  // [states, T + 1, B, H]
    return transpose(slice(select(all, 0, 0), 0, 1, x.size(1) + 1), 0, 1);
}

DecoderOutput RecurrentDecoder::run(const Tensor& embedded, const PreparedSource& source) const {
    const Shapes in("RecurrentDecoder",
                    {{"summary", source.summary, "B C"}, {"embedded", embedded, "B T E"}},
                    {{"E", embedding_width()}}, "the decoder was made for tokens of this width");
    check(in["T"] > 0, "embedded targets {} have no steps", embedded.shape());
    const Tensor x = input_of_tokens(embedded);  // [B, T, gates H]
    if (kind == DecoderKind::fixed) {
        const Tensor states = all_states(x + unsqueeze(source.projected, 1), source);
        const Tensor summary = expand(unsqueeze(source.summary, 1), {in["B"], in["T"], in["C"]});
        return {features(states, summary, embedded), {}};
    }
    if (kind == DecoderKind::luong && !input_feeding) {
        const Tensor states = all_states(x, source);
        const Tensor weights = weights_of(states, source, 0);
        const Tensor context = attention->context(weights, source.keys.value, source.keys);
        return {features(states, context, embedded), weights};
    }

    // Otherwise a state depends on attention, so the decoder goes step by step.
    RecurrentDecoderState state = start(source);
    std::vector<Tensor> hidden, reads, weights;
    for (const Tensor& now : unbind(x, 1)) {
        if (kind == DecoderKind::luong) {
            auto [read, of_step] = step_then_attend(now, source, state);
            reads.push_back(read);
            weights.push_back(of_step);
        } else {
            weights.push_back(attend_then_step(now, source, state));
            hidden.push_back(state.recurrent.hidden);
        }
    }
    const Tensor all_weights = concat(weights, 1);  // [B, T, K]
    if (kind == DecoderKind::luong) return {stack(reads, 1), all_weights};
    const Tensor context =
        attention->context(all_weights, source.keys.value, source.keys);  // [B, T, C]
    return {features(stack(hidden, 1), context, embedded), all_weights};
}

DecoderOutput RecurrentDecoder::step(const Tensor& embedded, const PreparedSource& source,
                                     RecurrentDecoderState& state) const {
    const Shapes in("RecurrentDecoder",
                    {{"summary", source.summary, "B C"}, {"embedded", embedded, "B E"}},
                    {{"E", embedding_width()}}, "the decoder was made for tokens of this width");
    const Tensor x = input_of_tokens(embedded);  // [B, gates H]
    if (kind == DecoderKind::luong) {
        auto [read, weights] = step_then_attend(x, source, state);
        return {read, squeeze(weights, 1)};
    }
    if (kind == DecoderKind::fixed) {
        ++state.position;
        state.recurrent = cell.step(x + source.projected, state.recurrent);
        return {features(state.recurrent.hidden, source.summary, embedded), {}};
    }
    const Tensor weights = attend_then_step(x, source, state);
    const Tensor context = squeeze(attention->context(weights, source.keys.value, source.keys), 1);
    return {features(state.recurrent.hidden, context, embedded), squeeze(weights, 1)};
}

}  // namespace heed
