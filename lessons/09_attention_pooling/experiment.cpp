#include "lessons/09_attention_pooling/experiment.h"

#include <algorithm>

using namespace heed;
using namespace heed::course;

namespace {

Vocabulary all_words() {
    std::vector<std::string> words = all_everyday_words();
    for (int topic = 0; topic < 4; ++topic)
        for (const std::string& word : words_of_topic(topic)) words.push_back(word);
    return Vocabulary::build(words);
}

Texts as_ids(const Vocabulary& vocabulary, const std::vector<Document>& documents) {
    Texts texts;
    for (const Document& d : documents) {
        texts.ids.emplace_back();
        for (const std::string& word : d.words) texts.ids.back().push_back(vocabulary.id(word));
        texts.labels.push_back(d.topic);
    }
    return texts;
}

// The indices of the words, sorted by falling weight.
std::vector<int> by_weight(const std::vector<double>& weights) {
    std::vector<int> order;
    for (std::size_t j = 0; j < weights.size(); ++j) order.push_back(static_cast<int>(j));
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return weights[a] > weights[b]; });
    return order;
}

}  // namespace

Experiment::Experiment(int telling, std::uint64_t seed)
    : vocabulary(all_words()),
      documents(telling_documents(seed, {.telling = telling})),
      train(as_ids(vocabulary, documents.train)),
      valid(as_ids(vocabulary, documents.valid)),
      test(as_ids(vocabulary, documents.test)) {}

Classifier Experiment::train_classifier(Pooling how, int steps, std::uint64_t seed) const {
    return ::train_classifier(how, {.vocabulary = vocabulary.size(), .steps = steps}, train, valid,
                              seed);
}

Texts Experiment::lengthened(int count, int extra, Rng& rng) const {
    Texts texts;
    for (int i = 0; i < count; ++i) {
        texts.ids.push_back(test.ids[i]);
        texts.labels.push_back(test.labels[i]);
        for (const std::string& word : everyday_words(extra, rng))
            texts.ids.back().push_back(vocabulary.id(word));
    }
    return texts;
}

double precision(const Classifier& model, const Experiment& experiment) {
    const std::vector<std::vector<double>> weights = weights_of(model, experiment.test);
    double found = 0, telling = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::vector<bool>& tells = experiment.documents.test[i].telling;
        const auto count = std::count(tells.begin(), tells.end(), true);
        const std::vector<int> order = by_weight(weights[i]);
        for (std::ptrdiff_t k = 0; k < count; ++k) found += tells[order[k]];
        telling += static_cast<double>(count);
    }
    return found / telling;
}

double weight_of_telling(const Classifier& model, const Experiment& experiment,
                         const Texts& texts) {
    const std::vector<std::vector<double>> weights = weights_of(model, texts);
    double sum = 0, telling = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::vector<bool>& tells = experiment.documents.test[i].telling;
        for (std::size_t j = 0; j < tells.size(); ++j) {
            sum += tells[j] * weights[i][j];
            telling += tells[j];
        }
    }
    return sum / telling;
}

BarChart largest_weights(const Classifier& model, const Experiment& experiment, int number) {
    const Document& document = experiment.documents.test[number];
    const Texts one{{experiment.test.ids[number]}, {experiment.test.labels[number]}};
    const std::vector<double> weights = weights_of(model, one)[0];
    BarChart chart{.value_label = "weight", .labels = {}, .sets = {{"weight", {}}}, .high = 1};
    for (int j : by_weight(weights)) {
        if (chart.labels.size() == 10) break;
        chart.labels.push_back(document.words[j] + (document.telling[j] ? " (telling)" : ""));
        chart.sets[0].values.push_back(weights[j]);
    }
    return chart;
}
