#include "lessons/24_masked_language_model/own_texts.h"

#include <algorithm>
#include <map>

#include "autograd/autograd.h"
#include "lessons/24_masked_language_model/experiment.h"
#include "lessons/24_masked_language_model/plots.h"
#include "lessons/course/course.h"
#include "lessons/material/read/labelled_sets.h"

namespace heed::lesson24 {
namespace {

using namespace heed::course;

constexpr std::size_t most_words = 60;  // of a text; longer ones are cut

Texts as_ids(const std::vector<LabelledText>& all, const Vocabulary& words,
             const std::map<std::string, int>& labels) {
    Texts texts;
    for (const LabelledText& text : all) {
        std::vector<std::string> shown = text.words;
        if (shown.size() > most_words) shown.resize(most_words);
        texts.ids.push_back(ids_of(shown, words));
        texts.labels.push_back(labels.at(text.label));
    }
    return texts;
}

double share_of_commonest(const Texts& texts) {
    std::map<int, int> count;
    for (int label : texts.labels) ++count[label];
    int most = 0;
    for (const auto& [label, n] : count) most = std::max(most, n);
    return static_cast<double>(most) / texts.size();
}

// What the reader puts into the gap of the first test texts, whose middle word is hidden.
void show_gaps(Lesson& lesson, const Reader& reader, const std::vector<LabelledText>& texts,
               const Vocabulary& words) {
    Table table({"text", "hidden", "most probable"});
    for (std::size_t i = 0; i < std::min<std::size_t>(6, texts.size()); ++i) {
        std::vector<std::string> shown = texts[i].words;
        if (shown.size() > most_words) shown.resize(most_words);
        const std::size_t gap = shown.size() / 2;
        const std::string hidden = shown[gap];
        shown[gap] = mask_word;
        const ValuesAndIndices best = topk(fill(reader, shown, words), 3);
        std::string answers;
        for (int k = 0; k < 3; ++k)
            answers += fmt::format("{}{} {:.2f}", k ? ", " : "", name_of_id(best.indices[k], words),
                                   best.values.at({k}));
        table.add({printable(joined(shown)), printable(hidden), printable(answers)});
    }
    lesson.table(table,
                 "The middle word of the first test texts, hidden, and the three words that the "
                 "pre-trained network finds most probable.");
}

}  // namespace

void run_on_own_texts(Lesson& lesson, int steps, int seeds) {
    lesson.heading("Labelled texts of your own");
    const LabelledSets sets = read_labelled_sets(lesson.options().data, lesson.seed());
    std::map<std::string, int> labels;
    std::vector<std::string> texts;
    for (const LabelledText& text : sets.train) {
        labels.emplace(text.label, 0);
        texts.push_back(joined(text.words));
    }
    int next = 0;
    for (auto& [label, id] : labels) id = next++;
    const Vocabulary words = vocabulary_of(texts, 2);
    Texts train = as_ids(sets.train, words, labels);
    const Texts valid = as_ids(sets.valid, words, labels), test = as_ids(sets.test, words, labels);
    int64_t longest = 0;
    for (const Texts* set : {&std::as_const(train), &valid, &test})
        for (const auto& ids : set->ids)
            longest = std::max(longest, static_cast<int64_t>(ids.size()));
    lesson.say(
        "{} training texts, {} validation texts, {} test texts; {} labels; {} words that occur at "
        "least twice in the training texts.",
        number(train.size()), valid.size(), test.size(), labels.size(),
        number(words.size() - Vocabulary::specials - 1));

    std::vector<int> labelled;
    for (int n : {25, 100, 400, 1600})
        if (n < train.size() && (!lesson.quick() || n <= 100)) labelled.push_back(n);
    labelled.push_back(lesson.quick() ? std::min(train.size(), 400) : train.size());
    const Size size{.vocabulary = words.size(), .longest = longest, .width = 64};
    Pretraining how{.masking = {.vocabulary = words.size(),
                                .mask_id = words.id(mask_word),
                                .special = {Vocabulary::pad, Vocabulary::bos, Vocabulary::eos,
                                            Vocabulary::unk}},
                    .steps = steps,
                    .lr = 3e-3};
    Accuracies reached;
    for (int seed = 0; seed < seeds; ++seed) {
        const std::uint64_t own = 100 * lesson.seed() + static_cast<std::uint64_t>(seed);
        Rng rng(own);
        // Which texts have labels: the first ones in an order that is drawn for each seed.
        const Indices order = randperm(train.size(), rng);
        const Texts shuffled{pick(train.ids, order.values()), pick(train.labels, order.values())};
        for (Kind kind : {Kind::scratch, Kind::masked}) {
            const Reader reader(size, Direction::both, rng);
            if (kind == Kind::masked) {
                ProgressLine progress = lesson.progress("pre-training", steps);
                how.on_step = [&](const TrainProgress& at) {
                    progress.update(at.step, at.mean_loss);
                };
                const std::vector<double> losses = pretrain(reader, train, how, rng);
                if (seed == 0) {
                    const std::size_t last = std::max<std::size_t>(1, losses.size() / 20);
                    double sum = 0;
                    for (std::size_t i = losses.size() - last; i < losses.size(); ++i)
                        sum += losses[i];
                    lesson.say("Pre-training: the loss falls from {:.2f} to {:.2f}.", losses[0],
                               sum / static_cast<double>(last));
                    show_gaps(lesson, reader, sets.test, words);
                }
            }
            auto& by_count = reached[kind];
            by_count.resize(labelled.size());
            for (std::size_t n = 0; n < labelled.size(); ++n) {
                const FineTuning fine{.steps = lesson.quick() ? 60 : 200 + labelled[n] / 8,
                                      .classes = static_cast<int>(labels.size())};
                const FineTuned tuned =
                    fine_tune(reader, shuffled.first(labelled[n]), valid, fine, own);
                by_count[n].push_back(accuracy(tuned.classifier, test));
            }
        }
    }
    std::vector<std::string> header{"reader"};
    for (int n : labelled) header.push_back(fmt::format("{} labels", n));
    Table table(header);
    for (const auto& [kind, by_count] : reached) {
        std::vector<std::string> cells{name_of(kind)};
        for (const auto& runs : by_count) cells.push_back(mean_and_spread(runs));
        table.add(cells);
    }
    lesson.table(
        table,
        fmt::format("Accuracy on the test texts; {}. The most frequent label: {:.3f}.",
                    averaged_over(static_cast<std::size_t>(seeds)), share_of_commonest(test)));
    lesson.show("own_labels", plot_of(reached, labelled),
                "Accuracy on test texts against the number of labelled texts.");
    lesson.claim("accuracy of BERT with the most labels",
                 summarise(reached[Kind::masked].back()).mean, more_than(share_of_commonest(test)));
}

}  // namespace heed::lesson24
