#include "lessons/24_masked_language_model/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson24 {

Texts Texts::range(int begin, int count) const {
    return {{ids.begin() + begin, ids.begin() + begin + count},
            {labels.begin() + begin, labels.begin() + begin + count}};
}

Vocabulary vocabulary_of(std::vector<std::string> texts, int min_frequency) {
    for (int i = 0; i < min_frequency; ++i) texts.push_back(mask_word);
    return Vocabulary::build(texts, {.min_frequency = min_frequency});
}

std::vector<int> ids_of(const std::vector<std::string>& words, const Vocabulary& vocabulary) {
    std::vector<int> ids{Vocabulary::bos};
    for (const std::string& word : words) ids.push_back(vocabulary.id(word));
    ids.push_back(Vocabulary::eos);
    return ids;
}

std::string name_of_id(int id, const Vocabulary& vocabulary) {
    return id == Vocabulary::bos ? "[CLS]" : id == Vocabulary::eos ? "[SEP]" : vocabulary.token(id);
}

// --- the model ----------------------------------------------------------------------------------

namespace {

BertPretrainingOptions options_of(const Size& size) {
    BertOptions bert{.vocabulary = size.vocabulary,
                     .segments = 1,
                     .max_positions = size.longest,
                     .pooler = false};
    bert.stack.width = size.width;
    bert.stack.heads = size.heads;
    bert.stack.layers = size.layers;
    bert.stack.dropout = size.dropout;
    return {.bert = bert, .next_sentence = false};
}

PaddedBatch batch_of(const Texts& texts, const std::vector<int>& which) {
    return pad_sequences(pick(texts.ids, which), Vocabulary::pad);
}

// 1 for the tokens of the texts, 0 for padding: [B, T, 1].
Tensor present(const PaddedBatch& batch) {
    return unsqueeze(length_mask(batch.lengths, batch.ids.size(1)), 2);
}

// The token after each token; none after the last and after padding.
Indices next_tokens(const PaddedBatch& batch) {
    const int64_t length = batch.ids.size(1);
    std::vector<int> next(batch.ids.count(), MaskedTokens::not_asked);
    for (int64_t b = 0; b < batch.ids.size(0); ++b)
        for (int64_t t = 0; t + 1 < batch.lengths[b]; ++t)
            next[b * length + t] = batch.ids[b * length + t + 1];
    return Indices(std::move(next), batch.ids.shape());
}

Schedule rise_and_fall(int steps) {
    const int rise = std::max(1, steps / 10);
    return schedules::sequential(schedules::warm_up(rise), rise,
                                 schedules::linear_decay(std::max(1, steps - rise), 0.02));
}

}  // namespace

Reader::Reader(const Size& sizes, Direction which, Rng& rng)
    : model(options_of(sizes), rng), direction(which), size(sizes) {
    // BERT's matrices begin with a deviation of 0.02, which suits a width of 768. Here it is 1 / √D.
    const double scale = 50 / std::sqrt(static_cast<double>(size.width));
    for (const Parameter& p : parameters(model))
        if (p.tensor.dim() >= 2) Tensor(p.tensor).assign(scale * detach(p.tensor));
}

BertCall Reader::call(const PaddedBatch& batch, Mode mode) const {
    const int64_t length = batch.ids.size(1);
    Tensor mask = padding_mask(batch.lengths, length);
    if (direction == Direction::left) mask = combine({mask, causal_mask(length)});
    return {.mask = mask, .mode = mode};
}

Tensor Reader::vectors(const PaddedBatch& batch, Mode mode) const {
    return model.bert(batch.ids, call(batch, mode)).output;
}

Tensor Reader::logits(const PaddedBatch& batch, Mode mode) const {
    return model(batch.ids, call(batch, mode)).tokens;
}

// --- training without labels --------------------------------------------------------------------

std::vector<double> pretrain(const Reader& reader, const Texts& texts, const Pretraining& how,
                             Rng& rng) {
    Adam adam(parameters(reader), {.lr = how.lr});
    std::vector<int> lengths;
    for (const auto& ids : texts.ids) lengths.push_back(static_cast<int>(ids.size()));
    BatchStream<std::vector<int>> batches(
        [&] { return bucket_batches(lengths, {.batch_size = how.batch}, rng); });
    const TrainOptions options{.steps = how.steps,
                               .clip_norm = 1,
                               .schedule = rise_and_fall(how.steps),
                               .on_step = how.on_step,
                               .checkpoint = course::next_checkpoint({rng, batches})};
    return train(adam, options,
                 [&](int64_t) {
                     PaddedBatch batch = batch_of(texts, batches.next());
                     Indices labels = next_tokens(batch);
                     if (reader.direction == Direction::both) {
                         MaskedTokens hidden = mask_tokens(batch.ids, how.masking, rng);
                         batch.ids = hidden.ids, labels = hidden.labels;
                     }
                     const Tensor logits = reader.logits(batch, Mode::training(rng));
                     constexpr int ignored = MaskedTokens::not_asked;
                     return StepResult{
                         cross_entropy(logits, labels, {.ignored_index = ignored}),
                         labels.count() - std::count(labels.begin(), labels.end(), ignored)};
                 })
        .losses;
}

// --- training with labels -----------------------------------------------------------------------

Classifier::Classifier(const Reader& from, int classes, double dropout, Rng& rng)
    : head(from.size.width, classes, rng) {
    Size size = from.size;
    size.dropout = dropout;
    reader = Reader(size, from.direction, rng);
    const std::vector<Parameter> mine = parameters(reader), theirs = parameters(from);
    for (std::size_t i = 0; i < mine.size(); ++i) Tensor(mine[i].tensor).assign(theirs[i].tensor);
}

Tensor Classifier::logits(const PaddedBatch& batch, Mode mode) const {
    const Tensor there = present(batch);
    const Tensor y = reader.vectors(batch, mode);  // [B, T, D]
    return head(sum(y * there, 1) / sum(there, 1));
}

FineTuned fine_tune(const Reader& reader, const Texts& texts, const Texts& valid,
                    const FineTuning& how, std::uint64_t seed) {
    FineTuned best{{}, 0, -1};
    for (const double rate : how.rates) {
        Rng rng(seed);
        const Classifier classifier(reader, how.classes, how.dropout, rng);
        Adam adam(parameters(classifier), {.lr = rate});
        const std::vector<int> lengths(texts.ids.size(), 1);  // not sorted by length
        BatchStream<std::vector<int>> batches(
            [&] { return bucket_batches(lengths, {.batch_size = how.batch, .pool = 0}, rng); });
        train(adam,
              {.steps = how.steps,
               .clip_norm = 1,
               .schedule = rise_and_fall(how.steps),
               .checkpoint = course::next_checkpoint({rng, batches})},
              [&](int64_t) {
                  const std::vector<int>& which = batches.next();
                  const PaddedBatch batch = batch_of(texts, which);
                  const Tensor logits = classifier.logits(batch, Mode::training(rng));
                  return StepResult{cross_entropy(logits, pick(texts.labels, which)),
                                    batch.ids.size(0)};
              });
        const double reached = accuracy(classifier, valid);
        if (reached > best.valid) best = {classifier, rate, reached};
    }
    return best;
}

double accuracy(const Classifier& classifier, const Texts& texts) {
    const NoGrad no_grad;
    constexpr int at_once = 100;
    int right = 0;
    for (int from = 0; from < texts.size(); from += at_once) {
        std::vector<int> which(std::min(at_once, texts.size() - from));
        std::iota(which.begin(), which.end(), from);
        const Indices given =
            argmax(classifier.logits(batch_of(texts, which), Mode::evaluation()), -1);
        for (std::size_t i = 0; i < which.size(); ++i) right += given[i] == texts.labels[from + i];
    }
    return static_cast<double>(right) / texts.size();
}

}  // namespace heed::lesson24
