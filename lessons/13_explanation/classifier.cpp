#include "lessons/13_explanation/classifier.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/course/lesson/checkpoints.h"

using namespace heed;
using namespace heed::course;

namespace {

constexpr int width = 32, batch_size = 32;

std::vector<double> probabilities_of(const Tensor& logits) {
    return softmax(to_dtype(detach(logits), Dtype::float64)).to_vector();
}

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

std::vector<int> Data::ids(const Document& document) const {
    std::vector<int> all;
    for (const std::string& word : document.words) all.push_back(vocabulary.id(word));
    return all;
}

Classifier train(Encoder kind, const Data& data, int steps, std::uint64_t seed) {
    Rng rng(seed);
    const Classifier model(kind, data.vocabulary.size(), 4, rng);
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

Analysis analyse(const Classifier& model, const std::vector<int>& ids) {
    const auto count = static_cast<int>(ids.size());
    const Indices lengths{count};
    Tensor words = detach(model.embedding(Indices(ids, {1, count}))).set_requires_grad();
    const Classifier::Read read = model.read(words, lengths);
    const int best = argmax(read.logits, 1)[0];
    const Tensor gradient = grad(select(read.logits, 1, best), {words})[0];  // [1, K, D]
    const NoGrad no_grad;
    return {read.weights.to_vector(), abs(sum(words * gradient, -1)).to_vector(),
            probabilities_of(read.logits), detach(read.states)};
}

double kendall_tau(const std::vector<double>& a, const std::vector<double>& b) {
    double agree = 0, pairs = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double product = (a[i] - a[j]) * (b[i] - b[j]);
            agree += (product > 0) - (product < 0);
            ++pairs;
        }
    return agree / pairs;
}

double total_variation(const std::vector<double>& p, const std::vector<double>& q) {
    double total = 0;
    for (std::size_t i = 0; i < p.size(); ++i) total += std::abs(p[i] - q[i]);
    return total / 2;
}

double jensen_shannon(const std::vector<double>& p, const std::vector<double>& q) {
    double total = 0;
    const auto part = [](double x, double mean) { return x > 0 ? x * std::log(x / mean) : 0; };
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double mean = (p[i] + q[i]) / 2;
        total += part(p[i], mean) / 2 + part(q[i], mean) / 2;
    }
    return total;
}

std::vector<double> probabilities_with(const Classifier& model, const Analysis& analysis,
                                       const std::vector<double>& weights) {
    const NoGrad no_grad;
    return probabilities_of(model.logits_of(
        analysis.states, tensor(weights, {1, static_cast<int64_t>(weights.size())})));
}

std::vector<double> adversarial_weights(const Classifier& model, const Analysis& analysis,
                                        double slack, int steps) {
    const auto count = static_cast<int64_t>(analysis.weights.size());
    const Tensor own = tensor(analysis.weights, {1, count}) + 1e-9;
    const Tensor answer = tensor(analysis.probabilities, {1, 4});
    Tensor scores = zeros({1, count}).set_requires_grad();  // initially all weights are equal
    Adam adam({{"scores", scores}}, {.lr = 0.1});
    std::vector<double> best = analysis.weights;
    double farthest = 0;
    for (int n = 0; n < steps; ++n) {
        const Tensor weights = softmax(scores), middle = (weights + own) / 2.0;
        const Tensor divergence =
            sum(weights * (log(weights + 1e-9) - log(middle)) + own * (log(own) - log(middle))) /
            2.0;
        const Tensor change =
            sum(abs(softmax(model.logits_of(analysis.states, weights)) - answer)) / 2.0;
        if (change.item() <= slack && divergence.item() > farthest) {
            farthest = divergence.item();
            best = detach(weights).to_vector();
        }
        backward(relu(change - 0.5 * slack) * 50.0 - divergence);
        adam.step();
        adam.zero_grad();
    }
    return best;
}
