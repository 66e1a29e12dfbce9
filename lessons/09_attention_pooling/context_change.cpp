#include "lessons/09_attention_pooling/context_change.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "autograd/autograd.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

std::vector<int> ids_of(const Experiment& experiment, const std::vector<std::string>& words) {
    std::vector<int> ids;
    for (const std::string& word : words) ids.push_back(experiment.vocabulary.id(word));
    return ids;
}

double length(const Tensor& x) { return std::sqrt(sum(square(x)).item()); }

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
        change += length(model.read(pad_sequences({ids}), Mode::evaluation()).z - before) /
                  length(before);
    }
    return change / count;
}

Appended append_words(Lesson& lesson, const Classifier& attention, const Classifier& mean_pool,
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
    lesson.table(table,
                 fmt::format("{} test documents of 40 to 100 words, each with one telling word, "
                             "and irrelevant words appended. The columns attention and mean: the "
                             "accuracies of the two classifiers.",
                             count));
    lesson.show(
        "appended", plot,
        "Every irrelevant word has a small positive weight, and the sum of these weights grows.");
    return all;
}
