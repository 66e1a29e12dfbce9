// What whole layers and models offer besides a call: their methods, step by step; the definitions beside
// the fused kernels; operators with numbers; and overloads that the other files leave out.
#include "attention/attention.h"
#include "tests/gradcheck/modules.h"
#include "tests/gradcheck/transformer_shapes.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

Tensor joined(const Xs& parts) {
    Xs flat;
    for (const Tensor& x : parts)
        if (x.defined()) flat.push_back(reshape(x, {-1}));
    return concat(flat, 0);
}

std::vector<Case> overloads() {
    const Tensor x = sample({2, 3}, 0.5, 1.5), other = sample({2, 3}, 0.5, 1.5, 2);
    return {
        {"add, operators with numbers on either side",
         [](const Xs& in) {
             const Tensor& a = in[0];
             return joined({a + 2, 2 + a, a - 2, 2 - a, a * 3, 3 * a, a / 4, 4 / a, -a});
         },
         {x}},
        {"add, operators with assignment",
         [](const Xs& in) {
             Tensor y = in[0];
             y += in[1], y *= in[0], y -= in[1], y /= in[1];
             Tensor z = in[0];
             z += 2, z *= in[0], z -= 3, z /= 4, z *= 5;
             return joined({y, z});
         },
         {x, other}},
        {"where, a number on either side",
         [](const Xs& in) {
             const Tensor mask = detach(in[0]) > 1.0;
             return joined({where(mask, in[0], 0.5) * in[0], where(mask, 0.5, in[0]) * in[0],
                            where(mask, in[0], in[1])});
         },
         {x, other}},
        {"at_index of a number, a slice and indices",
         [](const Xs& in) {
             return joined({at_index(in[0], 1), at_index(in[0], Slice{0, 1}),
                            at_index(in[0], Indices({1, 0, 1}, {3})) * 2});
         },
         {x}},
        {"hvp of a loss, by two tensors",
         [](const Xs& in) {
             const bool recorded = in[0].requires_grad();
             Xs xs = in;
             if (!recorded)
                 for (Tensor& one : xs) one = detach(one).set_requires_grad();
             const Tensor loss = sum(exp(xs[0]) * square(xs[1]));
             const Xs directions{like(xs[0], sample({2, 3})), like(xs[0], sample({2, 3}, 1, 2))};
             return joined(hvp(loss, xs, directions, recorded));
         },
         {x, other}},
    };
}

std::vector<Case> definitions() {
    const Tensor x = sample({3, 4}, -2, 2);
    const Indices labels{1, 3, 0};
    return {
        {"softmax_definition", [](const Xs& in) { return softmax_definition(in[0], 0); }, {x}},
        {"log_softmax_definition", [](const Xs& in) { return log_softmax_definition(in[0]); }, {x}},
        {"masked_softmax_definition",
         [](const Xs& in) {
             return masked_softmax_definition(in[0], like(in[0], sample({3, 4}) > -0.5));
         },
         {x}},
        {"cross_entropy_definition",
         [=](const Xs& in) { return cross_entropy_definition(in[0], labels, {.smoothing = 0.1}); },
         {x}},
        {"rms_norm_definition",
         [](const Xs& in) { return rms_norm_definition(in[0], in[1]); },
         {x, sample({4}, 0.5, 1.5, 2)}},
        {"sigmoid_slope", [](const Xs& in) { return sigmoid_slope(in[0]); }, {x}},
        {"sigmoid_both",
         [](const Xs& in) {
             const auto [s, not_s] = sigmoid_both(in[0]);
             return s * s * not_s;
         },
         {x}},
        {"layer_norm_definition",
         [](const Xs& in) { return layer_norm_definition(in[0], in[1], in[2]); },
         {x, sample({4}, 0.5, 1.5), sample({4})}},
        {"batch_norm_definition",
         [](const Xs& in) { return batch_norm_definition(in[0], in[1], in[2]); },
         {x, sample({4}, 0.5, 1.5), sample({4})}},
        {"linear_definition",
         [](const Xs& in) { return linear_definition(in[0], in[1], in[2]); },
         {x, sample({2, 4}), sample({2})}},
        {"einsum_definition",
         [](const Xs& in) { return einsum_definition("ij,kj->ik", in); },
         {x, sample({2, 4})}},
        {"additive_scores_definition",
         [](const Xs& in) { return additive_scores_definition(in[0], in[1], in[2]); },
         {sample({2, 2, 3}), sample({2, 4, 3}), sample({3})}},
    };
}

std::vector<Case> recurrent_methods() {
    Rng rng(3);
    std::vector<Case> cases;
    for (CellKind kind : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm})
        cases.push_back(with_parameters(
            fmt::format("RecurrentCell::project and ::step, {}", name_of(kind)),
            scattered(RecurrentCell(kind, 3, 2, rng)), {sample({2, 3})},
            [](const RecurrentCell& cell, const Xs& x) {
                const Tensor projected = cell.project(x[0]);
                const RecurrentState first = cell.step(projected, cell.zero_state(2));
                const RecurrentState second = cell.step(projected, first);
                return joined({second.hidden, second.cell});
            }));
    const Indices ids({1, 3, 2, 4, 1, 0}, {2, 3});
    cases.push_back(with_parameters(
        "RecurrentEncoder, padding",
        scattered(RecurrentEncoder(5, 3, CellKind::gru, 3, {.bidirectional = true}, rng)), {},
        [=](const RecurrentEncoder& encoder, const Xs&) {
            const EncoderOutput y = encoder(ids, {3, 2});
            return joined({y.states, y.summary});
        }));
    for (DecoderKind kind : {DecoderKind::bahdanau, DecoderKind::luong}) {
        const RecurrentDecoder decoder(
            kind, CellKind::gru, {.embedding = 2, .hidden = 3, .context = 3},
            Attention{AttentionScore(ScoreKind::general, {.query = 3, .key = 3}, rng), {}},
            kind == DecoderKind::luong, rng);
        cases.push_back(with_parameters(
            fmt::format("RecurrentDecoder::prepare, ::start, ::step and ::run, {}", name_of(kind)),
            scattered(decoder), {sample({2, 4, 3}), sample({2, 3}), sample({2, 3, 2})},
            [](const RecurrentDecoder& d, const Xs& x) {
                const PreparedSource source = d.prepare({x[0], x[1], {}});
                RecurrentDecoderState state = d.start(source);
                const DecoderOutput first = d.step(select(x[2], 1, 0), source, state);
                const DecoderOutput second = d.step(select(x[2], 1, 1), source, state);
                const DecoderOutput all = d.run(x[2], source);
                return joined({first.features, second.features, second.weights, all.features});
            }));
    }
    return cases;
}

std::vector<Case> attention_methods() {
    Rng rng(5);
    std::vector<Case> cases;
    const Xs three{sample({2, 3, 4}, -1, 1, 1), sample({2, 5, 4}, -1, 1, 2),
                   sample({2, 5, 3}, -1, 1, 3)};
    const auto padding = [](const Tensor& x) { return padding_mask({5, 3}, 5, x.dtype()); };
    const Attention local{AttentionScore(ScoreKind::general, {.query = 4, .key = 4}, rng),
                          AttentionSpan(SpanKind::local_p, {.half_window = 2, .query = 4}, rng)};
    cases.push_back(with_parameters("Attention::weights, padding", local, {three[0], three[1]},
                                    [=](const Attention& a, const Xs& x) {
                                        const Tensor value = like(x[0], sample({2, 5, 3}));
                                        return a.weights(x[0],
                                                         a.prepare(x[1], value, padding(x[0])));
                                    }));
    cases.push_back(with_parameters(
        "AttentionSpan::weights and ::centre", local.span, {sample({2, 3, 5}), three[0]},
        [=](const AttentionSpan& span, const Xs& x) {
            const Tensor mask = padding(x[0]);
            return joined({span.weights(x[0], x[1], mask), span.centre(x[1], mask, 5)});
        }));
    cases.push_back(with_parameters(
        "AttentionPooling::scores",
        AttentionPooling({.width = 3, .hidden = 2, .queries = 2, .context = 2}, rng),
        {sample({2, 4, 3}), sample({2, 2}, -1, 1, 2)},
        [](const AttentionPooling& p, const Xs& x) { return p.scores(x[0], x[1]); }));
    cases.push_back(
        with_parameters(
            "MultiHead::split_heads, ::split_groups, ::attend and ::join_heads",
            MultiHead({.width = 8, .heads = 4, .key_value_heads = 2}, rng),
            {sample({2, 3, 8}), sample({2, 5, 4}, -1, 1, 2), sample({2, 5, 4}, -1, 1, 3)},
            [=](const MultiHead& layer, const Xs& x) {
                const Tensor q = layer.split_heads(x[0]), k = layer.split_groups(x[1]),
                             v = layer.split_groups(x[2]);
                return joined(
                    {layer.attend(q, k, v, {.mask = padding(x[0])}), layer.join_heads(q * q)});
            })
            .zero_gradient("key.weight", "the keys are given")
            .zero_gradient("key.bias", "the keys are given")
            .zero_gradient("query.weight", "the queries are given")
            .zero_gradient("query.bias", "the queries are given")
            .zero_gradient("value.weight", "the values are given")
            .zero_gradient("value.bias", "the values are given"));
    cases.push_back(with_parameters("keys_and_values", MultiHead({.width = 4, .heads = 2}, rng),
                                    {sample({2, 3, 4})},
                                    [](const MultiHead& layer, const Xs& x) {
                                        const KeyValue kv = keys_and_values(layer, x[0]);
                                        return joined({kv.key, kv.value});
                                    })
                        .zero_gradient("query.weight", "not used")
                        .zero_gradient("query.bias", "not used")
                        .zero_gradient("output.weight", "not used")
                        .zero_gradient("output.bias", "not used"));
    const PositionOptions positions{.width = 4, .heads = 2, .max_distance = 1};
    for (PositionKind kind : {PositionKind::relative, PositionKind::rotary}) {
        PositionOptions options = positions;
        options.kind = kind;
        cases.push_back(with_parameters(
            fmt::format("RelativePositions::rotate, ::bias and ::context, {}", name_of(kind)),
            RelativePositions(options, rng), {sample({1, 2, 3, 2}), sample({1, 2, 3, 3}, 0, 1, 2)},
            [](const RelativePositions& p, const Xs& x) {
                return joined({p.rotate(x[0], 1), p.rotate(x[0], Indices({2, 0, 1})),
                               p.bias(x[0], 3), p.context(x[1]), x[1]});
            }));
    }
    cases.push_back(with_parameters(
        "LearnedBaseline::loss", LearnedBaseline(3, rng), {},
        [](const LearnedBaseline& b, const Xs&) {
            const Tensor weight = parameters(b)[0].tensor;
            return b.loss(b(like(weight, sample({2, 3}))), like(weight, sample({2}, 1, 2)));
        }));
    return cases;
}

std::vector<Case> model_methods() {
    std::vector<Case> cases;
    const Indices source({3, 4, 1, 2, 2, 4}, {2, 3}), target({1, 3, 1, 4}, {2, 2});
    cases.push_back(with_parameters("Transformer::encode and ::decode",
                                    transformer_shapes()[2].model(), {},
                                    [=](const Transformer& model, const Xs&) {
                                        const Tensor memory = model.encode(source);
                                        return joined({memory, model.decode(target, memory)});
                                    })
                        .zero_gradient("key.bias", softmax_cancels)
                        .zero_gradient("head.weight", "not used"));
    Rng rng(7);
    TransformerOptions stack = gpt({.width = 4, .heads = 2, .layers = 1, .max_positions = 3});
    stack.hidden = 3;
    cases.push_back(
        with_parameters("LanguageModel::run",
                        scattered(LanguageModel({.vocabulary = 5, .stack = stack}, rng)), {},
                        [=](const LanguageModel& model, const Xs&) { return model.run(source); })
            .zero_gradient("key.bias", softmax_cancels));
    return cases;
}

const bool added_method = add_cases(overloads) && add_cases(definitions) &&
                          add_cases(recurrent_methods) && add_cases(attention_methods) &&
                          add_cases(model_methods);

}  // namespace
}  // namespace heed
