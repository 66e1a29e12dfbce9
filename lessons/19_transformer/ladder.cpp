#include "lessons/19_transformer/ladder.h"

#include <utility>

#include "attention/heads/self_attention.h"
#include "attention/scores/mask.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/unary.h"
#include "autograd/record/grad_mode.h"

namespace heed::lesson19 {

using course::ParallelText;
using course::Translator;

namespace {
constexpr int64_t heads = 4;  // of whoever has several
}

const char* name_of(Rung rung) {
    switch (rung) {
        case Rung::fixed:
            return "fixed context";
        case Rung::additive:
            return "additive";
        case Rung::dot:
            return "dot";
        case Rung::multi_head:
            return "multi-head";
        case Rung::transformer:
            return "Transformer";
    }
    return "?";
}

double rate_of(Rung rung, bool real_pairs) {
    if (rung == Rung::transformer) return 4e-3;
    return rung == Rung::fixed && !real_pairs ? 16e-3 : 8e-3;
}

RecurrentMultiHead::RecurrentMultiHead(const EncoderDecoderOptions& o, int64_t heads, Rng& rng)
    : encoder(o.source_vocabulary, o.embedding, CellKind::gru, o.hidden / 2,
              {.bidirectional = true, .dropout = o.dropout}, rng, o.dropout),
      embedding(o.target_vocabulary, o.embedding, rng),
      initial(o.hidden, o.hidden, rng),
      cell(o.embedding, o.hidden, {}, rng),
      attention({.width = o.hidden, .heads = heads}, rng),
      readout(2 * o.hidden, o.hidden, rng),
      output(o.hidden, o.target_vocabulary, rng),
      dropout(o.dropout) {}

Tensor RecurrentMultiHead::features(const Tensor& states, const Tensor& context) const {
    return tanh(readout(concat({states, context}, -1)));
}

Seq2SeqOutput RecurrentMultiHead::operator()(const Indices& source, const Indices& lengths,
                                             const Indices& target_in, Rng* training) const {
    const EncoderOutput encoded = encoder(source, lengths, training);
    const Tensor begin = tanh(initial(encoded.summary));
    const Tensor embedded = dropout(embedding(target_in), training);
    const Tensor states = cell(embedded, {}, {{begin, {}}}).output;  // [B, T, H]
    const auto [context, weights] = attention(states, encoded.states, encoded.states,
                                              {.mask = encoded.mask, .need_weights = true});
    return {output(dropout(features(states, context), training)), mean(weights, 1)};
}

namespace {

// Translations in progress.
struct Translations {
    RecurrentMultiHead model;
    KeyValue source;
    Tensor mask;   // [N, 1, K]
    Tensor state;  // [N, H], of the decoder

    DecodingStep step(const Indices& tokens) {
        const Indices ids = tokens.reshaped({tokens.count(), 1});
        const RecurrentOutput next = model.cell(model.embedding(ids), {}, {{state, {}}});
        state = next.states[0].hidden;
        const Tensor query = model.attention.split_heads(model.attention.query(next.output));
        const auto [context, weights] = model.attention.attend(
            query, source.key, source.value, {.mask = mask, .need_weights = true});
        const Tensor logits = model.output(model.features(next.output, context));  // [N, 1, V]
        return {log_softmax(squeeze(logits, 1)), squeeze(mean(weights, 1), 1)};
    }
    void select_rows(const std::vector<int>& rows) {
        for (Tensor* x : {&source.key, &source.value, &mask, &state})
            decoding::select_rows(*x, rows);
    }
};

}  // namespace

Decodable RecurrentMultiHead::decodable(const Indices& source, const Indices& lengths) const {
    const NoGrad no_grad;
    const EncoderOutput encoded = encoder(source, lengths);
    return {Translations{*this, keys_and_values(attention, encoded.states), encoded.mask,
                         tanh(initial(encoded.summary))},
            source.size(0)};
}

Transformer make_transformer(const ParallelText& text, const Size& size, const Change& change,
                             Rng& rng) {
    return Transformer({.source_vocabulary = text.source.size(),
                        .target_vocabulary = text.target.size(),
                        .stack = {.width = size.width,
                                  .heads = heads,
                                  .layers = 2,
                                  .hidden = size.width * 3 / 2,
                                  .pre_norm = change.pre_norm,
                                  .residual = change.residual,
                                  .dropout = size.dropout}},
                       rng);
}

Translator translator_of(const Transformer& model) {
    return {[model](const PaddedBatch& source, const Indices& target_in, Rng* rng) {
                return model(source.ids, source.lengths, target_in, rng, !grad_enabled());
            },
            [model](const PaddedBatch& source) {
                return model.decodable(source.ids, source.lengths, true);
            },
            parameters(model)};
}

namespace {

Translator recurrent(Rung rung, EncoderDecoderOptions sizes, int64_t hidden, Rng& rng) {
    sizes.hidden = hidden;
    if (rung == Rung::multi_head) {
        const RecurrentMultiHead model(sizes, heads, rng);
        return {[model](const PaddedBatch& source, const Indices& target_in, Rng* training) {
                    return model(source.ids, source.lengths, target_in, training);
                },
                [model](const PaddedBatch& source) {
                    return model.decodable(source.ids, source.lengths);
                },
                parameters(model)};
    }
    sizes.decoder = rung == Rung::fixed      ? DecoderKind::fixed
                    : rung == Rung::additive ? DecoderKind::bahdanau
                                             : DecoderKind::luong;
    sizes.score = rung == Rung::additive ? ScoreKind::additive : ScoreKind::dot;
    return course::translator(EncoderDecoder(sizes, rng));
}

// The width that comes closest to so many parameters; heads, or two directions, divide it.
int64_t width_for(Rung rung, const EncoderDecoderOptions& sizes, int64_t wanted) {
    const int64_t parts = rung == Rung::multi_head ? heads : 2;
    const auto count = [&](int64_t width) {
        Rng any(1);
        return parameters_of(recurrent(rung, sizes, width, any));
    };
    int64_t below = parts, above = 2 * parts;
    while (count(above) < wanted) below = std::exchange(above, 2 * above);
    while (above - below > parts) {
        const int64_t middle = (below + above) / 2 / parts * parts;
        (count(middle) < wanted ? below : above) = middle;
    }
    return wanted - count(below) < count(above) - wanted ? below : above;
}

}  // namespace

Translator build(Rung rung, const ParallelText& text, const Size& size, std::uint64_t seed) {
    Rng rng(seed);
    const Translator transformer = translator_of(make_transformer(text, size, {}, rng));
    if (rung == Rung::transformer) return transformer;
    const EncoderDecoderOptions sizes{.source_vocabulary = text.source.size(),
                                      .target_vocabulary = text.target.size(),
                                      .embedding = size.width * 3 / 4,
                                      .dropout = size.dropout};
    rng = Rng(seed);
    return recurrent(rung, sizes, width_for(rung, sizes, parameters_of(transformer)), rng);
}

int64_t parameters_of(const Translator& model) {
    int64_t total = 0;
    for (const Parameter& p : model.parameters) total += p.tensor.numel();
    return total;
}

}  // namespace heed::lesson19
