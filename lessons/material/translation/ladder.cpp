#include "lessons/material/translation/ladder.h"

#include <utility>

#include "attention/heads/self_attention.h"
#include "attention/scores/mask.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed::course {

namespace {
constexpr int64_t default_heads = 4;  // of the models with several heads
}

const char* name_of(LadderModel kind) {
    switch (kind) {
        case LadderModel::fixed:
            return "fixed context";
        case LadderModel::additive:
            return "additive";
        case LadderModel::dot:
            return "dot";
        case LadderModel::multi_head:
            return "multi-head";
        case LadderModel::transformer:
            return "Transformer";
    }
    return "?";
}

double rate_of(LadderModel kind, bool real_pairs) {
    if (kind == LadderModel::transformer) return 4e-3;
    return kind == LadderModel::fixed && !real_pairs ? 16e-3 : 8e-3;
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
                                             const Indices& target_in, Mode mode) const {
    const EncoderOutput encoded = encoder(source, lengths, mode);
    const Tensor start = tanh(initial(encoded.summary));
    const Tensor embedded = dropout(embedding(target_in), mode);
    const Tensor states = cell(embedded, {}, {{start, {}}}).output;  // [B, T, H]
    const auto [context, weights] =
        with_weights(attention, states, encoded.states, encoded.states, {.mask = encoded.mask});
    return {output(dropout(features(states, context), mode)), mean(weights, 1)};
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
        std::vector<Tensor> weights;  // [N, H, 1, K]
        const Tensor context = model.attention.attend(query, source.key, source.value,
                                                      {.mask = mask, .weights = &weights});
        const Tensor logits = model.output(model.features(next.output, context));  // [N, 1, V]
        return {log_softmax(squeeze(logits, 1)), squeeze(mean(weights[0], 1), 1)};
    }
    void select_rows(const std::vector<int>& rows) {
        for (Tensor* x : {&source.key, &source.value, &mask, &state})
            decoding::select_rows(*x, rows);
    }
};

}  // namespace

Decodable RecurrentMultiHead::decodable(const Indices& source, const Indices& lengths) const {
    const NoGrad no_grad;
    const EncoderOutput encoded = encoder(source, lengths, Mode::evaluation());
    return {Translations{*this, keys_and_values(attention, encoded.states), encoded.mask,
                         tanh(initial(encoded.summary))},
            source.size(0)};
}

Transformer make_transformer(const ParallelText& text, const TranslatorSize& size,
                             const TransformerVariant& variant, Rng& rng) {
    return Transformer({.source_vocabulary = text.source.size(),
                        .target_vocabulary = text.target.size(),
                        .stack = {.width = size.width,
                                  .heads = default_heads,
                                  .layers = 2,
                                  .hidden = size.width * 3 / 2,
                                  .pre_norm = variant.pre_norm,
                                  .residual = variant.residual,
                                  .dropout = size.dropout}},
                       rng);
}

Translator translator_of(const Transformer& model) {
    return {[model](const PaddedBatch& source, const Indices& target_in, Mode mode) {
                return model(source.ids, source.lengths, target_in, mode, !grad_enabled());
            },
            [model](const PaddedBatch& source) {
                return model.decodable(source.ids, source.lengths, true);
            },
            parameters(model)};
}

namespace {

Translator recurrent(LadderModel kind, EncoderDecoderOptions sizes, int64_t hidden, Rng& rng) {
    sizes.hidden = hidden;
    if (kind == LadderModel::multi_head) {
        const RecurrentMultiHead model(sizes, default_heads, rng);
        return {[model](const PaddedBatch& source, const Indices& target_in, Mode mode) {
                    return model(source.ids, source.lengths, target_in, mode);
                },
                [model](const PaddedBatch& source) {
                    return model.decodable(source.ids, source.lengths);
                },
                parameters(model)};
    }
    sizes.decoder = kind == LadderModel::fixed      ? DecoderKind::fixed
                    : kind == LadderModel::additive ? DecoderKind::bahdanau
                                                    : DecoderKind::luong;
    sizes.score = kind == LadderModel::additive ? ScoreKind::additive : ScoreKind::dot;
    return translator(EncoderDecoder(sizes, rng));
}

// The width whose number of parameters is closest to `wanted`; a multiple of the number of heads,
// or of the two directions of the encoder.
int64_t width_for(LadderModel kind, const EncoderDecoderOptions& sizes, int64_t wanted) {
    const int64_t factor = kind == LadderModel::multi_head ? default_heads : 2;
    const auto count = [&](int64_t width) {
        Rng any(1);
        return parameters_of(recurrent(kind, sizes, width, any));
    };
    int64_t below = factor, above = 2 * factor;
    while (count(above) < wanted) below = std::exchange(above, 2 * above);
    while (above - below > factor) {
        const int64_t middle = (below + above) / 2 / factor * factor;
        (count(middle) < wanted ? below : above) = middle;
    }
    return wanted - count(below) < count(above) - wanted ? below : above;
}

}  // namespace

Translator build_translator(LadderModel kind, const ParallelText& text, const TranslatorSize& size,
                            std::uint64_t seed) {
    Rng rng(seed);
    const Translator transformer = translator_of(make_transformer(text, size, {}, rng));
    if (kind == LadderModel::transformer) return transformer;
    const EncoderDecoderOptions sizes{.source_vocabulary = text.source.size(),
                                      .target_vocabulary = text.target.size(),
                                      .embedding = size.width * 3 / 4,
                                      .dropout = size.dropout};
    rng = Rng(seed);
    return recurrent(kind, sizes, width_for(kind, sizes, parameters_of(transformer)), rng);
}

int64_t parameters_of(const Translator& model) {
    int64_t total = 0;
    for (const Parameter& p : model.parameters) total += p.tensor.numel();
    return total;
}

}  // namespace heed::course
