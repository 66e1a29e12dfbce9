#include "attention/recurrent/encoder_decoder.h"

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"

namespace heed {

EncoderDecoder::EncoderDecoder(const EncoderDecoderOptions& o, Rng& rng) {
    const UserCall named("EncoderDecoder");
    dropout = Dropout(o.dropout);
    check_positive("EncoderDecoder", {{"source_vocabulary", o.source_vocabulary},
                                      {"target_vocabulary", o.target_vocabulary}});
    check(!o.bidirectional || o.hidden % 2 == 0,
          "hidden is {}, but each of two directions takes half of it; make it even", o.hidden);
    encoder = RecurrentEncoder(
        o.source_vocabulary, o.embedding, o.cell, o.bidirectional ? o.hidden / 2 : o.hidden,
        {.layers = o.encoder_layers, .bidirectional = o.bidirectional, .dropout = o.dropout}, rng,
        o.dropout);
    embedding = Embedding(o.target_vocabulary, o.embedding, rng);

    std::optional<Attention> attention;
    if (o.decoder != DecoderKind::fixed)
        attention = Attention{
            AttentionScore(o.score,
                           {.query = o.hidden, .key = o.hidden, .max_keys = o.max_source_length},
                           rng),
            AttentionSpan(o.span, {.half_window = o.half_window, .query = o.hidden}, rng)};
    const DecoderSizes sizes{o.embedding, o.hidden, encoder.output_size()};
    decoder = RecurrentDecoder(o.decoder, o.cell, sizes, attention, o.input_feeding, rng);
    output = Linear(o.hidden, o.target_vocabulary, rng);
}

Seq2SeqOutput EncoderDecoder::operator()(const Indices& source_ids, const Indices& lengths,
                                         const Indices& target_in,
                                         const EncoderDecoderCall& options) const {
    const Shapes in("EncoderDecoder", {{"source", source_ids, "B K"},
                                       {"lengths", lengths, "? B"},
                                       {"target_in", target_in, "B T"}});
    const PreparedSource source = decoder.prepare(encoder(source_ids, lengths, options.mode));
    if (options.teacher_forcing < 1) return step_by_step(source, target_in, options);

    const Tensor embedded = dropout(embedding(target_in), options.mode);  // [B, T, E]
    const DecoderOutput decoded = decoder.run(embedded, source);
    return {output(dropout(decoded.features, options.mode)), decoded.weights};
}

Seq2SeqOutput EncoderDecoder::step_by_step(const PreparedSource& source, const Indices& target_in,
                                           const EncoderDecoderCall& options) const {
    Rng& coins = options.mode.rng("EncoderDecoder with teacher_forcing below 1");
    const int64_t batch = target_in.size(0), steps = target_in.size(1);
    RecurrentDecoderState state = decoder.start(source);
    std::vector<Tensor> logits, weights;
    for (int64_t t = 0; t < steps; ++t) {
        // The true token, or at random the most probable one of the step before.
        std::vector<int> tokens(batch);
        const Indices own = t > 0 ? argmax(logits.back()) : Indices();
        for (int64_t b = 0; b < batch; ++b)
            tokens[b] =
                t > 0 && !coins.chance(options.teacher_forcing) ? own[b] : target_in.at({b, t});

        const DecoderOutput decoded =
            decoder.step(dropout(embedding(tokens), options.mode), source, state);
        logits.push_back(output(dropout(decoded.features, options.mode)));
        if (decoded.weights.defined()) weights.push_back(decoded.weights);
    }
    return {stack(logits, 1), weights.empty() ? Tensor() : stack(weights, 1)};
}

// --- decoding -----------------------------------------------------------------------------------

namespace {

// Translations in progress.
struct Translations {
    EncoderDecoder model;
    PreparedSource source;
    RecurrentDecoderState state;
    decoding::SentenceOfRow sentences;

    DecodingStep step(const Indices& tokens) {
        const DecoderOutput decoded = model.decoder.step(model.embedding(tokens), source, state);
        return {log_softmax(model.output(decoded.features)), decoded.weights};
    }

    void select_rows(const std::vector<int>& rows) {
        for (Tensor* x : {&state.recurrent.hidden, &state.recurrent.cell, &state.fed})
            decoding::select_rows(*x, rows);
        if (!sentences.select_rows(rows)) return;
        for (Tensor* x : {&source.keys.key, &source.keys.value, &source.keys.mask, &source.summary,
                          &source.projected})
            decoding::select_rows(*x, rows);
    }
};

}  // namespace

Decodable EncoderDecoder::decodable(const Indices& source_ids, const Indices& lengths) const {
    const Shapes in("EncoderDecoder", {{"source", source_ids, "B K"}, {"lengths", lengths, "? B"}});
    const NoGrad no_grad;
    const PreparedSource source = decoder.prepare(encoder(source_ids, lengths, Mode::evaluation()));
    return {Translations{*this, source, decoder.start(source), decoding::SentenceOfRow(in["B"])},
            in["B"]};
}

}  // namespace heed
