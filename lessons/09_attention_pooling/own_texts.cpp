#include "lessons/09_attention_pooling/own_texts.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "autograd/autograd.h"
#include "lessons/09_attention_pooling/classifier.h"
#include "lessons/course/course.h"
#include "lessons/course/read/labelled_text.h"

using namespace heed;
using namespace heed::course;

namespace {

struct Files {
    std::string train_path, test_path;  // equal if there is one file only
    std::vector<LabelledText> train, valid, test;
};

// Moves the texts of labels that are not in the training set to it: a label that occurs once or twice
// would otherwise be asked for and never taught, or not, as the seed decides.
void keep_labels_in_training(Files& files) {
    std::set<std::string> taught;
    for (const LabelledText& text : files.train) taught.insert(text.label);
    for (std::vector<LabelledText>* set : {&files.valid, &files.test}) {
        if (set == &files.test && files.test_path != files.train_path) continue;
        const auto rare = std::stable_partition(
            set->begin(), set->end(), [&](const auto& text) { return taught.count(text.label); });
        for (auto text = rare; text != set->end(); ++text) taught.insert(text->label);
        files.train.insert(files.train.end(), rare, set->end());
        set->erase(rare, set->end());
    }
}

// The validation set is split off the training file, and so is the test set if it has no file of
// its own.
Files read_files(const std::string& path, std::uint64_t seed) {
    Files files{path, path, {}, {}, {}};
    const bool folder = std::filesystem::is_directory(path);
    if (folder) {
        files.train_path = path + "/train_5500.label";
        files.test_path = path + "/TREC_10.label";
        files.test = read_labelled(files.test_path);
    }
    const std::vector<LabelledText> all = read_labelled(files.train_path);
    std::map<std::string, int> labels;
    for (const LabelledText& text : all) ++labels[text.label];
    if (all.size() < 20)
        throw InputError(fmt::format("{}: expected at least 20 lines to learn from, found {}",
                                     files.train_path, all.size()));
    const auto often = std::count_if(labels.begin(), labels.end(),
                                     [](const auto& label) { return label.second >= 5; });
    if (often < 2)
        throw InputError(
            fmt::format("{}: expected at least two labels that occur five times or more, found {}",
                        files.train_path, often));
    for (std::size_t i = 0; i < files.test.size(); ++i)
        check_line(labels.count(files.test[i].label) > 0, files.test_path, i + 1,
                   "expected a label that occurs in {}, found '{}'", files.train_path,
                   excerpt(files.test[i].label));

    Rng rng(seed);
    const std::vector<double> shares =
        folder ? std::vector<double>{0.9, 0.1, 0} : std::vector<double>{0.8, 0.1, 0.1};
    const auto parts = random_split(static_cast<int>(all.size()), shares, rng);
    files.train = pick(all, parts[0]);
    files.valid = pick(all, parts[1]);
    if (!folder) files.test = pick(all, parts[2]);
    keep_labels_in_training(files);
    for (const auto* set : {&files.valid, &files.test})
        if (set->empty())
            throw InputError(fmt::format(
                "{}: expected labels that occur often enough for a validation and a test set, "
                "found {} labels in {} lines",
                files.train_path, labels.size(), all.size()));
    return files;
}

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
    const Files files = read_files(lesson.options().data, lesson.seed());
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
