#include "attention/recurrent/encoder_decoder.h"

#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/record/grad_mode.h"

namespace heed {

EncoderDecoder::EncoderDecoder(const EncoderDecoderOptions& o, Rng& rng) : dropout(o.dropout) {
    check(o.source_vocabulary > 0 && o.target_vocabulary > 0,
          "EncoderDecoder: vocabularies of {} and {} tokens; set source_vocabulary and "
          "target_vocabulary",
          o.source_vocabulary, o.target_vocabulary);
    check(!o.bidirectional || o.hidden % 2 == 0,
          "EncoderDecoder: hidden is {}, but two directions take half of it each; make it even",
          o.hidden);
    encoder = RecurrentEncoder(
        o.source_vocabulary, o.embedding, o.cell, o.bidirectional ? o.hidden / 2 : o.hidden,
        {.layers = o.encoder_layers, .bidirectional = o.bidirectional, .dropout = o.dropout}, rng,
        o.dropout);
    embedding = Embedding(o.target_vocabulary, o.embedding, rng);

    std::optional<Attention> attention;
    if (o.decoder != DecoderKind::fixed)
        attention = Attention{
            Score(o.score, {.query = o.hidden, .key = o.hidden, .max_keys = o.max_source_length}, rng),
            AttentionSpan(o.span, {.reach = o.reach, .query = o.hidden}, rng)};
    const DecoderSizes sizes{o.embedding, o.hidden, encoder.output_size()};
    decoder = RecurrentDecoder(o.decoder, o.cell, sizes, attention, o.input_feeding, rng);
    output = Linear(o.hidden, o.target_vocabulary, rng);
}

Translation EncoderDecoder::operator()(const Indices& source_ids, const Indices& lengths,
                                       const Indices& target_in,
                                       const TrainingOptions& options) const {
    check(target_in.shape().dim() == 2 && target_in.size(0) == source_ids.size(0),
          "EncoderDecoder: source {} and target {}; expected ids [B, K] and [B, T] with the same B",
          source_ids.shape(), target_in.shape());
    const PreparedSource source = decoder.prepare(encoder(source_ids, lengths, options.mode));
    if (options.teacher_forcing < 1) return step_by_step(source, target_in, options);

    const Tensor embedded = dropout(embedding(target_in), options.mode);  // [B, T, E]
    const Decoded decoded = decoder.run(embedded, source);
    return {output(dropout(decoded.features, options.mode)), decoded.weights};
}

Translation EncoderDecoder::step_by_step(const PreparedSource& source, const Indices& target_in,
                                         const TrainingOptions& options) const {
    const int64_t batch = target_in.size(0), steps = target_in.size(1);
    DecoderState state = decoder.start(source);
    Rng& coins = options.mode.rng("EncoderDecoder with a teacher forcing rate below 1");
    std::vector<Tensor> logits, weights;
    for (int64_t t = 0; t < steps; ++t) {
        // The true token, or where the coin says so the likeliest of the step before.
        std::vector<int> tokens(batch);
        const Indices own = t > 0 ? argmax(logits.back()) : Indices();
        for (int64_t b = 0; b < batch; ++b)
            tokens[b] = t > 0 && !coins.chance(options.teacher_forcing)
                            ? own[b]
                            : target_in.at({b, t});

        const Decoded decoded =
            decoder.step(dropout(embedding(tokens), options.mode), source, state);
        logits.push_back(output(dropout(decoded.features, options.mode)));
        if (decoded.weights.defined()) weights.push_back(decoded.weights);
    }
    return {stack(logits, 1), weights.empty() ? Tensor() : stack(weights, 1)};
}

// --- as a model to be decoded: source and state as lists of tensors -----------------------------

namespace {

// Visits the tensors that belong to the rows of a batch, in one order for packing and unpacking.
template <class F>
void visit_rows(PreparedSource& source, F&& f) {
    for (Tensor* x : {&source.memory.key, &source.memory.value, &source.memory.mask,
                      &source.summary, &source.projected})
        if (x->defined()) f(*x);
}
template <class F>
void visit_rows(DecoderState& state, F&& f) {
    for (Tensor* x : {&state.recurrent.hidden, &state.recurrent.cell, &state.fed})
        if (x->defined()) f(*x);
}

template <class Parts>
std::vector<Tensor> pack(Parts parts) {
    std::vector<Tensor> all;
    visit_rows(parts, [&](const Tensor& x) { all.push_back(x); });
    return all;
}
template <class Parts>
Parts unpack(Parts parts, const std::vector<Tensor>& all) {
    std::size_t i = 0;
    visit_rows(parts, [&](Tensor& x) { x = all.at(i++); });
    return parts;
}

}  // namespace

Decodable EncoderDecoder::decodable(const Indices& source_ids, const Indices& lengths) const {
    const NoGrad no_grad;
    const PreparedSource source = decoder.prepare(encoder(source_ids, lengths, Mode::evaluation()));
    const DecoderState start = decoder.start(source);
    const auto step = [model = *this, source, start](const DecodingState& now, const Indices& tokens) {
        DecoderState state = unpack(start, now.moving);
        state.place = now.place;
        const Decoded decoded =
            model.decoder.step(model.embedding(tokens), unpack(source, now.memory), state);
        return DecodingStep{log_softmax(model.output(decoded.features)),
                    {now.memory, pack(state), state.place},
                    decoded.weights};
    };
    return {{pack(source), pack(start), 0}, step, source_ids.size(0)};
}

}  // namespace heed
