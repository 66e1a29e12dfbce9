#include "lessons/09_attention_pooling/experiment.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "lessons/course/course.h"
#include "lessons/material/read/labelled_sets.h"

namespace heed::lesson09 {

using namespace course;

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
    return lesson09::train_classifier(how, {.vocabulary = vocabulary.size(), .steps = steps}, train,
                                      valid, seed);
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

PoolingResults show_poolings(AtCall lesson, int steps) {
    const bool quick = lesson->quick();
    const std::vector<double> counts =
        quick ? std::vector<double>{1, 4} : std::vector<double>{1, 2, 4, 8};
    Table table({"pooling", "telling words", "training", "test", "precision"});
    LinePlot plot{.x_label = "telling words in a document",
                  .y_label = "accuracy",
                  .log_x = true,
                  .y_range = {0.2, 1}};
    std::vector<double> first, precise;  // accuracy with one telling word, by pooling; precision
    for (Pooling how : {Pooling::mean, Pooling::largest, Pooling::attention}) {
        std::vector<std::vector<double>> runs(quick ? 1 : 5);
        for (double telling : counts) {
            std::vector<double> on_train, on_test, found;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const std::uint64_t seed = 100 * lesson->seed() + i;
                const Experiment experiment(static_cast<int>(telling), seed);
                const Classifier model = experiment.train_classifier(how, steps, seed);
                on_train.push_back(accuracy(model, experiment.train));
                on_test.push_back(accuracy(model, experiment.test));
                runs[i].push_back(on_test.back());
                if (how == Pooling::attention) found.push_back(precision(model, experiment));
            }
            if (telling == 1) first.push_back(summarise(on_test).mean);
            if (!found.empty()) precise.push_back(summarise(found).mean);
            table.row(name_of(how), telling, mean_and_spread(on_train), mean_and_spread(on_test),
                      found.empty() ? "" : mean_and_spread(found));
        }
        plot.series.push_back(over_seeds(name_of(how), counts, runs));
    }
    lesson->table(
        table,
        "Accuracy on training and test documents. Precision: if n words are telling, the share of "
        "them among the n words of largest weight. By chance it is 1/70 for one telling word.");
    lesson->show("poolings", plot,
                 "Accuracy on test documents. There are four topics, so guessing gives 0.25.");
    return {first[0], first[2], precise[0], *std::min_element(precise.begin(), precise.end())};
}

// --- a context that changes ---------------------------------------------------------------------

namespace {

std::vector<int> ids_of(const Experiment& experiment, const std::vector<std::string>& words) {
    std::vector<int> ids;
    for (const std::string& word : words) ids.push_back(experiment.vocabulary.id(word));
    return ids;
}

double length_of(const Tensor& x) { return std::sqrt(sum(square(x)).item()); }

}  // namespace

double padding_gap(const Classifier& model, const Experiment& experiment,
                   const std::vector<int>& sizes, Rng& rng) {
    const NoGrad no_grad;
    std::vector<std::vector<int>> sets;
    for (int size : sizes) sets.push_back(ids_of(experiment, everyday_words(size, rng)));
    const Tensor together = model.read(pad_sequences(sets), Mode::evaluation()).z;  // [sizes, D]
    double gap = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const Tensor alone = model.read(pad_sequences({sets[i]}), Mode::evaluation()).z;
        gap = std::max(gap, max(abs(select(together, 0, i) - select(alone, 0, 0))).item());
    }
    return gap;
}

double change_by_one_word(const Classifier& model, const Experiment& experiment, bool telling,
                          Rng& rng) {
    const NoGrad no_grad;
    constexpr int count = 200;
    double change = 0;
    for (int i = 0; i < count; ++i) {
        std::vector<int> ids = experiment.test.ids[i];
        const Tensor before = model.read(pad_sequences({ids}), Mode::evaluation()).z;
        const std::vector<std::string>& other = words_of_topic((experiment.test.labels[i] + 1) % 4);
        const std::vector<std::string> word =
            telling ? std::vector{other[rng.below(other.size())]} : everyday_words(1, rng);
        ids.push_back(experiment.vocabulary.id(word.front()));
        change += length_of(model.read(pad_sequences({ids}), Mode::evaluation()).z - before) /
                  length_of(before);
    }
    return change / count;
}

Appended append_words(AtCall lesson, const Classifier& attention, const Classifier& mean_pool,
                      const Experiment& experiment, int count, const std::vector<int>& numbers,
                      Rng& rng) {
    Appended all;
    std::vector<double> appended;
    Table table({"irrelevant words", "weight of the telling word", "attention", "mean"});
    for (int extra : numbers) {
        const Texts texts = experiment.lengthened(count, extra, rng);
        appended.push_back(extra + 1);
        all.weight.push_back(weight_of_telling(attention, experiment, texts));
        all.attention.push_back(accuracy(attention, texts));
        all.mean.push_back(accuracy(mean_pool, texts));
        table.row(extra, all.weight.back(), all.attention.back(), all.mean.back());
    }
    const LinePlot plot{.x_label = "irrelevant words appended, plus 1",
                        .y_label = "weight, accuracy",
                        .series = {{"weight of the telling word", appended, all.weight},
                                   {"accuracy, attention", appended, all.attention},
                                   {"accuracy, mean", appended, all.mean}},
                        .log_x = true,
                        .y_range = {0, 1}};
    lesson->table(table,
                  fmt::format("{} test documents of 40 to 100 words, each with one telling word, "
                              "and irrelevant words appended. The columns attention and mean: the "
                              "accuracies of the two classifiers.",
                              count));
    lesson->show(
        "appended", plot,
        "Every irrelevant word has a small positive weight, and the sum of these weights grows.");
    return all;
}

// --- texts of the reader ------------------------------------------------------------------------

namespace {

// Every label is in `labels`.
Texts as_ids(const std::vector<LabelledText>& all, const Vocabulary& words,
             const std::map<std::string, int>& labels) {
    Texts texts;
    for (const LabelledText& text : all) {
        texts.labels.push_back(labels.at(text.label));
        texts.ids.emplace_back();
        for (const std::string& word : text.words) texts.ids.back().push_back(words.id(word));
    }
    return texts;
}

double share_of_commonest(const std::vector<int>& labels) {
    const Indices count = bincount(labels);
    return *std::max_element(count.begin(), count.end()) / static_cast<double>(labels.size());
}

}  // namespace

void run_on_own_texts(AtCall lesson, const LabelledSets& files, int steps) {
    std::map<std::string, int> labels;
    std::vector<std::string> texts;
    const auto collect = [&](const std::vector<LabelledText>& part) {
        for (const LabelledText& text : part) {
            labels.emplace(text.label, 0);
            for (const std::string& word : text.words) texts.push_back(word);
        }
    };
    collect(files.train);
    collect(files.valid);  // words of the validation set are in the vocabulary too
    int next = 0;
    for (auto& [label, id] : labels) id = next++;
    const Vocabulary words = Vocabulary::build(texts, {.min_frequency = 2});
    const Texts train = as_ids(files.train, words, labels),
                valid = as_ids(files.valid, words, labels),
                test = as_ids(files.test, words, labels);
    lesson->say(
        "{} training texts, {} validation texts to choose the learning rate, {} test texts; {} "
        "labels, {} words that occur at least twice.",
        train.size(), valid.size(), test.size(), labels.size(),
        words.size() - Vocabulary::specials);

    const TrainingOptions options{.width = 64,
                                  .classes = static_cast<int>(labels.size()),
                                  .vocabulary = words.size(),
                                  .steps = steps,
                                  .dropout = 0.4};
    Table table({"pooling", "training", "test"});
    Classifier attention;
    double worst = 1;
    for (Pooling how : {Pooling::mean, Pooling::largest, Pooling::attention}) {
        std::vector<double> on_train, on_test;
        for (int i = 0; i < (lesson->quick() ? 1 : 5); ++i) {
            const Classifier model =
                train_classifier(how, options, train, valid, 100 * lesson->seed() + i);
            on_train.push_back(accuracy(model, train));
            on_test.push_back(accuracy(model, test));
            if (how == Pooling::attention) attention = model;
        }
        table.row(name_of(how), mean_and_spread(on_train), mean_and_spread(on_test));
        worst = std::min(worst, summarise(on_test).mean);
    }
    lesson->table(table, lesson->quick() ? "Accuracy of one run each."
                                         : "Accuracy, mean and standard deviation of five runs.");

    std::vector<HeatMap> maps;
    const auto weights = weights_of(attention, test);
    for (int i = 0; i < std::min(8, test.size()); ++i) {
        std::vector<std::string> shown;
        for (const std::string& word : files.test[i].words) shown.push_back(printable(word));
        maps.push_back(attention_map({files.test[i].label}, shown, weights[i]));
    }
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson->show(
            fmt::format("question_{}", i + 1), maps[i],
            i == 0 ? "The first texts of the test set, and the weights of their words." : "");
    lesson->claim("worst-pooling", "accuracy of the worst pooling", worst,
                  more_than(share_of_commonest(test.labels)));
}

}  // namespace heed::lesson09
