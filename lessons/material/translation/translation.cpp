#include "lessons/material/translation/translation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "attention/decoding/beam.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/layers/losses.h"
#include "nn/optim/optimisers.h"

namespace heed::course {
namespace {

constexpr int evaluation_batch = 100;

// All indices of the set, in batches of similar source length.
std::vector<std::vector<int>> batches_in_order(const TextSet& set) {
    std::vector<int> order(set.size());
    for (int i = 0; i < set.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return set.source[a].size() < set.source[b].size(); });
    std::vector<std::vector<int>> batches;
    for (std::size_t first = 0; first < order.size(); first += evaluation_batch) {
        const std::size_t end = std::min(order.size(), first + evaluation_batch);
        batches.emplace_back(order.begin() + first, order.begin() + end);
    }
    return batches;
}

DecodeOptions decode_options(const PaddedBatch& source) {
    const auto length = static_cast<int>(source.ids.size(1));
    return {.start = Vocabulary::bos, .end = Vocabulary::eos, .max_length = 2 * length + 20};
}

std::vector<int> source_lengths(const TextSet& set) {
    std::vector<int> lengths;
    for (const auto& ids : set.source) lengths.push_back(static_cast<int>(ids.size()));
    return lengths;
}

// Gradients are clipped. The learning rate rises in the first steps and then falls to a tenth.
TrainOptions training_options(const TrainingBudget& budget, std::int64_t steps,
                              const std::function<void(const heed::TrainProgress&)>& on_step) {
    const auto rise = std::max<std::int64_t>(
        static_cast<std::int64_t>(static_cast<double>(steps) * budget.warm_up + 1e-9), 1);
    return {.steps = steps,
            .clip_norm = budget.clip_norm,
            .schedule = schedules::warm_up_cosine(rise, steps, 0.1),
            .on_step = on_step};
}

}  // namespace

TranslationBatch translation_batch(const TextSet& set, const std::vector<int>& indices) {
    std::vector<std::vector<int>> in, out = pick(set.target, indices);
    for (const std::vector<int>& ids : out) {
        in.push_back({Vocabulary::bos});
        in.back().insert(in.back().end(), ids.begin(), ids.end() - 1);
    }
    const PaddedBatch target = pad_sequences(out);
    return {pad_sequences(pick(set.source, indices)), pad_sequences(in).ids, target.ids,
            target.tokens()};
}

Translator translator(const EncoderDecoder& model) {
    return {
        [model](const PaddedBatch& source, const Indices& target_in, Mode mode) {
            return model(source.ids, source.lengths, target_in, {.mode = mode});
        },
        [model](const PaddedBatch& source) { return model.decodable(source.ids, source.lengths); },
        parameters(model)};
}

TrainReport train_translator(const Translator& model, const ParallelText& text,
                             const TrainingBudget& budget,
                             const std::function<void(const heed::TrainProgress&)>& on_step) {
    Rng rng(budget.seed);
    Rng noise = rng.split();  // for models that hide numbers at random (dropout)
    const std::vector<int> lengths = source_lengths(text.train);
    BatchStream<std::vector<int>> batches(  // of sentences of similar length
        [&] { return bucket_batches(lengths, {.batch_size = budget.batch_size}, rng); });
    Adam optimiser(model.parameters, {.lr = budget.lr});
    TrainOptions options = training_options(
        budget, budget.steps > 0 ? budget.steps : budget.epochs * batches.epoch_steps(), on_step);
    options.checkpoint = next_checkpoint({rng, noise, batches});
    return train(optimiser, options, [&](std::int64_t) {
        const TranslationBatch batch = translation_batch(text.train, batches.next());
        const Seq2SeqOutput result =
            model.forward(batch.source, batch.target_in, Mode::training(noise));
        return StepResult{sequence_cross_entropy(result.logits, batch.target_out, Vocabulary::pad),
                          batch.tokens};
    });
}

double loss_of(const Translator& model, const TextSet& set) {
    NoGrad no_grad;
    double total = 0;
    std::int64_t tokens = 0;
    for (const std::vector<int>& indices : batches_in_order(set)) {
        const TranslationBatch batch = translation_batch(set, indices);
        const Seq2SeqOutput result =
            model.forward(batch.source, batch.target_in, Mode::evaluation());
        total += sequence_cross_entropy(result.logits, batch.target_out, Vocabulary::pad).item() *
                 static_cast<double>(batch.tokens);
        tokens += batch.tokens;
    }
    return total / static_cast<double>(tokens);
}

std::vector<std::vector<int>> predicted_tokens(const Translator& model, const TextSet& set) {
    NoGrad no_grad;
    std::vector<std::vector<int>> predicted(set.size());
    for (const std::vector<int>& indices : batches_in_order(set)) {
        const TranslationBatch batch = translation_batch(set, indices);
        const Indices best = argmax(
            model.forward(batch.source, batch.target_in, Mode::evaluation()).logits, -1);  // [B, T]
        for (std::size_t i = 0; i < indices.size(); ++i)
            for (std::size_t t = 0; t < set.target[indices[i]].size(); ++t)
                predicted[indices[i]].push_back(
                    best.at({static_cast<std::int64_t>(i), static_cast<std::int64_t>(t)}));
    }
    return predicted;
}

double Evaluation::exact() const {
    return static_cast<double>(std::count(right.begin(), right.end(), true)) /
           static_cast<double>(right.size());
}

std::vector<double> Evaluation::exact_by_length(const TextSet& set) const {
    std::vector<double> found(length_bands.size()), all(length_bands.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
        const int band = length_band(static_cast<int>(set.pairs[i].source.size()));
        found[band] += right[i];
        all[band] += 1;
    }
    for (std::size_t band = 0; band < all.size(); ++band)
        found[band] = all[band] > 0 ? found[band] / all[band] : NAN;
    return found;
}

Evaluation evaluate(const Translator& model, const ParallelText& text, const TextSet& set,
                    int beam) {
    NoGrad no_grad;
    Evaluation result;
    result.outputs.resize(set.size());
    result.right.resize(set.size());
    for (const std::vector<int>& indices : batches_in_order(set)) {
        const PaddedBatch source = pad_sequences(pick(set.source, indices));
        const Decodable decodable = model.decodable(source);
        std::vector<Hypothesis> best;
        best = beam == 1 ? greedy_decode(decodable, decode_options(source))
                         : beam_search(decodable, {.beam = beam, .length_penalty = 0.6},
                                       decode_options(source));
        for (std::size_t i = 0; i < indices.size(); ++i)
            result.outputs[indices[i]] = text.target.decode_tokens(best[i].tokens);
    }
    for (int i = 0; i < set.size(); ++i) {
        result.right[i] = result.outputs[i] == set.pairs[i].target;
        result.bleu.add(result.outputs[i], set.pairs[i].target);
    }
    return result;
}

Shown show_translation(const Translator& model, const ParallelText& text,
                       const std::vector<std::string>& source) {
    NoGrad no_grad;
    std::vector<int> ids;
    for (const std::string& token : source) ids.push_back(text.source.id(token));
    const PaddedBatch batch = pad_sequences({ids});
    const Hypothesis best = greedy_decode(model.decodable(batch), decode_options(batch)).at(0);
    Shown shown{source, {}, {}, ids, best.tokens};
    for (int id : best.tokens) shown.output.push_back(text.target.token(id));  // padding tokens too
    if (best.finished) {
        shown.output.push_back("(end)");
        shown.output_ids.push_back(Vocabulary::eos);
    }
    if (best.weights.defined()) shown.weights = best.weights.to_vector();
    return shown;
}

std::vector<double> scores_of(const EncoderDecoder& model, const std::vector<int>& source,
                              const std::vector<int>& output) {
    NoGrad no_grad;
    const RecurrentDecoder& decoder = model.decoder;
    const PreparedSource ready =
        decoder.prepare(model.encoder(pad_sequences({source}).ids, {}, Mode::evaluation()));
    RecurrentDecoderState state = decoder.start(ready);
    std::vector<double> scores;
    int last = Vocabulary::bos;
    for (const int token : output) {
        // Bahdanau's query is the state before the step, Luong's the one after it.
        Tensor query = state.recurrent.hidden;  // [1, H]
        decoder.step(model.embedding(std::vector<int>{last}), ready, state);
        if (decoder.kind == DecoderKind::luong) query = state.recurrent.hidden;
        const Tensor row = decoder.attention->score(unsqueeze(query, 1), ready.keys.key);
        for (const double score : row.to_vector()) scores.push_back(score);
        last = token;
    }
    return scores;
}

AlignmentError align(const Translator& model, const TextSet& set) {
    NoGrad no_grad;
    AlignmentError error;
    for (const std::vector<int>& indices : batches_in_order(set)) {
        const TranslationBatch batch = translation_batch(set, indices);
        const Seq2SeqOutput result =
            model.forward(batch.source, batch.target_in, Mode::evaluation());
        const Indices most = argmax(result.weights, -1);  // [B, T]
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const SentencePair& pair = set.pairs[indices[i]];
            Alignment links;
            for (std::size_t t = 0; t < pair.target.size(); ++t)
                links.emplace_back(
                    most.at({static_cast<std::int64_t>(i), static_cast<std::int64_t>(t)}),
                    static_cast<int>(t));
            std::sort(links.begin(), links.end());
            error.add(links, pair.alignment, pair.possible);
        }
    }
    return error;
}

double weight_on_aligned(const Translator& model, const TextSet& set) {
    NoGrad no_grad;
    double weight = 0;
    int words = 0;
    for (const std::vector<int>& indices : batches_in_order(set)) {
        const TranslationBatch batch = translation_batch(set, indices);
        const Seq2SeqOutput result =
            model.forward(batch.source, batch.target_in, Mode::evaluation());
        const std::vector<double> weights = result.weights.to_vector();  // [B, T, K]
        const auto T = static_cast<std::size_t>(result.weights.size(1)),
                   K = static_cast<std::size_t>(result.weights.size(2));
        for (std::size_t i = 0; i < indices.size(); ++i) {
            std::set<int> linked;
            for (const auto& [source, target] : set.pairs[indices[i]].alignment) {
                weight += weights[(i * T + static_cast<std::size_t>(target)) * K +
                                  static_cast<std::size_t>(source)];
                linked.insert(target);
            }
            words += static_cast<int>(linked.size());
        }
    }
    return weight / words;
}

}  // namespace heed::course
