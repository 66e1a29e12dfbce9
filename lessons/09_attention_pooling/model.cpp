#include "lessons/09_attention_pooling/model.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson09 {

namespace {

constexpr int batch_size = 32;

PaddedBatch batch_of(const Texts& texts, int first, int last) {
    return pad_sequences({texts.ids.begin() + first, texts.ids.begin() + last});
}

}  // namespace

const char* name_of(Pooling pooling) {
    return pooling == Pooling::mean      ? "mean"
           : pooling == Pooling::largest ? "largest"
                                         : "attention";
}

Classifier::Classifier(Pooling how, int vocabulary, int width, int classes, double drop, Rng& rng)
    : pooling(how),
      embedding(vocabulary, width, rng, Vocabulary::pad),
      hidden(width, width, rng),
      output(width, classes, rng),
      dropout(drop) {
    embedding.weight.assign(0.3 * detach(embedding.weight));
    if (how == Pooling::attention) pool = AttentionPooling({.width = width}, rng);
}

Classifier::Pooled Classifier::read(const PaddedBatch& words, Mode mode) const {
    const Tensor x = dropout(embedding(words.ids), mode);               // [B, K, D]
    const Tensor mask = length_mask(words.lengths, words.ids.size(1));  // [B, K]
    if (pooling == Pooling::attention) {
        const AttentionOutput pooled = pool(x, {}, unsqueeze(mask, 1));
        return {select(pooled.context, 1, 0), select(pooled.weights, 1, 0)};
    }
    if (pooling == Pooling::largest) return {max(where(unsqueeze(mask, 2), x, -1e9), 1), {}};
    return {sum(x * unsqueeze(mask, 2), 1) / sum(mask, 1, true), {}};
}

Tensor Classifier::classify(const Tensor& z, Mode mode) const {
    return output(tanh(hidden(dropout(z, mode))));
}

namespace {

struct Batch {
    PaddedBatch words;
    std::vector<int> labels;
};

Batch random_batch(const Texts& texts, Rng& rng) {
    std::vector<std::vector<int>> ids;
    std::vector<int> labels;
    for (int i = 0; i < batch_size; ++i) {
        const auto number = rng.below(texts.size());
        ids.push_back(texts.ids[number]);
        labels.push_back(texts.labels[number]);
    }
    return {pad_sequences(ids), labels};
}

Classifier train_at_rate(double rate, Pooling how, const TrainingOptions& s, const Texts& train,
                         std::uint64_t seed) {
    Rng rng(seed);
    const Mode training = Mode::training(rng);  // hides numbers of the vectors at random (dropout)
    const Classifier model(how, s.vocabulary, s.width, s.classes, s.dropout, rng);
    Adam adam(parameters(model), {.lr = rate});
    Checkpoint checkpoint(course::next_checkpoint({adam, rng}));
    for (int64_t n : checkpoint.steps(s.steps)) {
        const Batch batch = random_batch(train, rng);
        const Tensor z = model.read(batch.words, training).z;  // mean, largest or context
        backward(cross_entropy(model.classify(z, training), batch.labels));
        adam.lr = rate * (1 - 0.9 * (n - 1) / s.steps);
        adam.step();
        adam.zero_grad();
    }
    return model;
}

}  // namespace

Classifier train_classifier(Pooling how, const TrainingOptions& s, const Texts& train,
                            const Texts& valid, std::uint64_t seed) {
    Classifier best;
    double best_accuracy = -1;
    for (double rate : {0.003, 0.01}) {
        const Classifier model = train_at_rate(rate, how, s, train, seed);
        const double reached = accuracy(model, valid);
        if (reached > best_accuracy) {
            best = model;
            best_accuracy = reached;
        }
    }
    return best;
}

double accuracy(const Classifier& model, const Texts& texts) {
    const NoGrad no_grad;
    int right = 0;
    for (int first = 0; first < texts.size(); first += batch_size) {
        const int last = std::min(first + batch_size, texts.size());
        const auto mode = Mode::evaluation();
        const Tensor z = model.read(batch_of(texts, first, last), mode).z;
        const Indices best = argmax(model.classify(z, mode), 1);
        for (int i = first; i < last; ++i) right += best[i - first] == texts.labels[i];
    }
    return static_cast<double>(right) / texts.size();
}

std::vector<std::vector<double>> weights_of(const Classifier& model, const Texts& texts) {
    const NoGrad no_grad;
    std::vector<std::vector<double>> all;
    for (int i = 0; i < texts.size(); ++i)
        all.push_back(
            model.read(batch_of(texts, i, i + 1), Mode::evaluation()).weights.to_vector());
    return all;
}

}  // namespace heed::lesson09
