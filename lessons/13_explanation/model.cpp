#include "lessons/13_explanation/model.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/read/marked_text.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson13 {

using namespace course;

namespace {

constexpr int width = 32, batch_size = 32;

}  // namespace

const char* name_of(Encoder encoder) {
    return encoder == Encoder::recurrent ? "recurrent" : "context-free";
}

Classifier::Classifier(Encoder which, int vocabulary, int classes, Rng& rng)
    : kind(which),
      embedding(vocabulary, width, rng, Vocabulary::pad),
      pool({.width = width}, rng),
      output(width, classes, rng) {
    embedding.weight.assign(0.3 * detach(embedding.weight));
    if (kind == Encoder::recurrent)
        recurrent = Gru(width, width / 2, {.bidirectional = true}, rng);
    else
        context_free = Linear(width, width, rng);
}

Tensor Classifier::encode(const Tensor& words, const Indices& lengths) const {
    return kind == Encoder::recurrent ? recurrent(words, lengths).output
                                      : tanh(context_free(words));
}

Classifier::Read Classifier::read(const Tensor& words, const Indices& lengths) const {
    const Tensor states = encode(words, lengths);
    const Tensor mask = unsqueeze(length_mask(lengths, words.size(1), words.dtype()), 1);
    const AttentionOutput pooled = pool(states, {}, mask);
    return {states, select(pooled.weights, 1, 0), output(select(pooled.context, 1, 0))};
}

Tensor Classifier::logits_of(const Tensor& states, const Tensor& weights) const {
    return output(matmul(weights, select(states, 0, 0)));
}

Data::Data(std::uint64_t seed) : documents(telling_documents(seed, {.telling = 3})) {
    std::vector<std::string> words = all_everyday_words();
    for (int topic = 0; topic < 4; ++topic)
        for (const std::string& word : words_of_topic(topic)) words.push_back(word);
    vocabulary = Vocabulary::build(words);
}

Data::Data(const std::string& folder) {
    const MarkedSets sets = read_marked_sets(folder);
    documents.topics = sets.labels;
    const auto take = [&](const std::vector<MarkedText>& texts) {
        std::vector<Document> all;
        for (const MarkedText& text : texts) {
            const auto label = std::find(sets.labels.begin(), sets.labels.end(), text.label);
            all.push_back({text.words, text.marked, static_cast<int>(label - sets.labels.begin())});
            for (std::string& word : all.back().words) word = printable(word);
        }
        return all;
    };
    documents.train = take(sets.train);
    documents.valid = take(sets.valid);
    documents.test = take(sets.test);
    std::vector<std::string> words;
    for (const Document& document : documents.train)
        words.insert(words.end(), document.words.begin(), document.words.end());
    vocabulary = Vocabulary::build(words, {.min_frequency = 3});
}

std::vector<int> Data::ids(const Document& document) const {
    std::vector<int> all;
    for (const std::string& word : document.words) all.push_back(vocabulary.id(word));
    return all;
}

Classifier train(Encoder kind, const Data& data, int steps, std::uint64_t seed) {
    Rng rng(seed);
    const Classifier model(kind, data.vocabulary.size(),
                           static_cast<int>(data.documents.topics.size()), rng);
    Adam adam(parameters(model), {.lr = 0.005});
    const std::vector<Document>& train = data.documents.train;
    Checkpoint checkpoint(course::next_checkpoint({adam, rng}));
    for ([[maybe_unused]] int64_t n : checkpoint.steps(steps)) {
        std::vector<std::vector<int>> ids;
        std::vector<int> labels;
        for (int i = 0; i < batch_size; ++i) {
            const Document& document = train[rng.below(static_cast<int64_t>(train.size()))];
            ids.push_back(data.ids(document));
            labels.push_back(document.topic);
        }
        const PaddedBatch batch = pad_sequences(ids);
        backward(
            cross_entropy(model.read(model.embedding(batch.ids), batch.lengths).logits, labels));
        adam.step_clipped(1);
        adam.zero_grad();
    }
    return model;
}

double accuracy(const Classifier& model, const Data& data) {
    const NoGrad no_grad;
    int right = 0;
    const std::vector<Document>& test = data.documents.test;
    for (std::size_t first = 0; first < test.size(); first += 50) {
        std::vector<std::vector<int>> ids;
        const std::size_t last = std::min(first + 50, test.size());
        for (std::size_t i = first; i < last; ++i) ids.push_back(data.ids(test[i]));
        const PaddedBatch batch = pad_sequences(ids);
        const Indices best =
            argmax(model.read(model.embedding(batch.ids), batch.lengths).logits, 1);
        for (std::size_t i = first; i < last; ++i)
            right += best[static_cast<int64_t>(i - first)] == test[i].topic;
    }
    return static_cast<double>(right) / static_cast<double>(test.size());
}

Tensor row(const std::vector<double>& values) {
    return tensor(values, {1, static_cast<int64_t>(values.size())});
}

}  // namespace heed::lesson13
