#include "lessons/12_luong/models.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "autograd/autograd.h"

namespace heed::lesson12 {

Trained train(const Variant& variant, const Budget& budget, const course::ParallelText& text,
              std::uint64_t seed) {
    Rng rng(seed);
    Trained trained;
    trained.model = EncoderDecoder({.source_vocabulary = text.source.size(),
                                    .target_vocabulary = text.target.size(),
                                    .embedding = budget.hidden / 2,
                                    .hidden = budget.hidden,
                                    .decoder = DecoderKind::luong,
                                    .input_feeding = variant.feeding,
                                    .score = variant.score,
                                    .span = variant.span,
                                    .half_window = budget.reach},
                                   rng);
    const course::Translator translator = course::translator(trained.model);
    const TrainReport report = course::train_translator(
        translator, text, {.steps = budget.steps, .lr = budget.lr, .seed = seed});
    trained.seconds = report.last.seconds;
    trained.exact = course::evaluate(translator, text, text.test).exact();
    trained.alignment_error = course::align(translator, text.test).rate();
    return trained;
}

double WindowStep::distance_to_gold(double guess) const {
    double nearest = INFINITY;
    for (int j : gold) nearest = std::min(nearest, std::abs(guess - j));
    return nearest;
}

std::vector<WindowStep> window_steps(const EncoderDecoder& model, const course::TextSet& part) {
    const RecurrentDecoder& decoder = model.decoder;
    check(decoder.attention && decoder.attention->span.kind != SpanKind::global,
          "window_steps: expected a model with local attention");
    const AttentionSpan& span = decoder.attention->span;
    NoGrad no_grad;
    std::vector<WindowStep> steps;
    for (int n = 0; n < part.size(); ++n) {
        const PaddedBatch batch = pad_sequences({part.source[n]});
        const EncoderOutput encoded = model.encoder(batch.ids, batch.lengths, Mode::evaluation());
        const PreparedSource source = decoder.prepare(encoded);
        RecurrentDecoderState state = decoder.start(source);
        int before = Vocabulary::bos;
        for (int t = 0; t < static_cast<int>(part.pairs[n].target.size()); ++t) {
            decoder.step(model.embedding(Indices({before})), source, state);
            before = part.target[n][t];
            WindowStep step{
                .pair = &part.pairs[n], .index = t, .gold = {}, .state = {}, .annotations = {}};
            for (const auto& [j, of] : step.pair->alignment)
                if (of == t) step.gold.push_back(j);
            step.state = select(state.recurrent.hidden, 0, 0);
            step.annotations = select(encoded.states, 0, 0);
            const Tensor query = unsqueeze(state.recurrent.hidden, 1);  // [1, 1, H]
            step.centre = span.kind == SpanKind::local_m
                              ? t
                              : span.centre(query, source.keys.mask, step.keys()).item();
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

std::vector<double> weights_of(const EncoderDecoder& model, const course::TextSet& part,
                               int number) {
    NoGrad no_grad;
    std::vector<int> target_in{Vocabulary::bos};
    target_in.insert(target_in.end(), part.target[number].begin(), part.target[number].end() - 1);
    const PaddedBatch source = pad_sequences({part.source[number]});
    return model(source.ids, source.lengths, pad_sequences({target_in}).ids,
                 {.mode = Mode::evaluation()})
        .weights.to_vector();
}

double difference_at_third_word(const EncoderDecoder& model, const course::TextSet& part) {
    double difference = 0;
    int count = 0;
    std::map<std::size_t, std::vector<double>> last;  // weights of the sentence before, by length
    for (int n = 0; n < part.size(); ++n) {
        const std::size_t keys = part.pairs[n].source.size();
        if (part.pairs[n].target.size() < 3) continue;
        const std::vector<double> all = weights_of(model, part, n);
        std::vector<double> row(all.begin() + 2 * keys, all.begin() + 3 * keys);
        if (!last[keys].empty()) {
            for (std::size_t j = 0; j < keys; ++j)
                difference += std::abs(row[j] - last[keys][j]) / 2;
            ++count;
        }
        last[keys] = std::move(row);
    }
    check(count > 0, "difference_at_third_word: no two sentences of one length");
    return difference / count;
}

}  // namespace heed::lesson12
