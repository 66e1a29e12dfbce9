#include "lessons/09_attention_pooling/own_texts.h"

#include <algorithm>
#include <map>

#include "autograd/autograd.h"
#include "lessons/09_attention_pooling/classifier.h"
#include "lessons/course/course.h"
#include "lessons/material/read/labelled_sets.h"

using namespace heed;
using namespace heed::course;

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
    std::map<int, int> count;
    for (int label : labels) ++count[label];
    int most = 0;
    for (const auto& [label, n] : count) most = std::max(most, n);
    return static_cast<double>(most) / static_cast<double>(labels.size());
}

}  // namespace

void run_on_own_texts(Lesson& lesson, int steps) {
    const LabelledSets files = read_labelled_sets(lesson.options().data, lesson.seed());
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
    lesson.say(
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
        for (int i = 0; i < (lesson.quick() ? 1 : 5); ++i) {
            const Classifier model =
                train_classifier(how, options, train, valid, 100 * lesson.seed() + i);
            on_train.push_back(accuracy(model, train));
            on_test.push_back(accuracy(model, test));
            if (how == Pooling::attention) attention = model;
        }
        table.row(name_of(how), mean_and_spread(on_train), mean_and_spread(on_test));
        worst = std::min(worst, summarise(on_test).mean);
    }
    lesson.table(table, lesson.quick() ? "Accuracy of one run each."
                                       : "Accuracy, mean and standard deviation of five runs.");

    std::vector<HeatMap> maps;
    const auto weights = weights_of(attention, test);
    for (int i = 0; i < std::min(8, test.size()); ++i) {
        std::vector<std::string> shown;
        for (const std::string& word : files.test[i].words) shown.push_back(printable(word));
        maps.push_back(attention_map({files.test[i].label}, shown, weights[i]));
    }
    for (std::size_t i = 0; i < maps.size(); ++i)
        lesson.show(
            fmt::format("question_{}", i + 1), maps[i],
            i == 0 ? "The first texts of the test set, and the weights of their words." : "");
    lesson.claim("accuracy of the worst pooling", worst,
                 more_than(share_of_commonest(test.labels)));
}
