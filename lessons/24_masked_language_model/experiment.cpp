#include "lessons/24_masked_language_model/experiment.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "autograd/autograd.h"
#include "lessons/24_masked_language_model/pictures.h"
#include "lessons/course/course.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/read/labelled_sets.h"

namespace heed::lesson24 {

using namespace course;

namespace {

Texts encoded(const std::vector<course::ShortText>& texts, const Vocabulary& words) {
    Texts result;
    for (const course::ShortText& text : texts) {
        result.ids.push_back(ids_of(text.words, words));
        result.labels.push_back(text.topic);
    }
    return result;
}

// The probabilities of every token of every sequence [N, T, V], without recording.
Tensor probabilities(const Reader& reader, const std::vector<std::vector<int>>& sequences) {
    const NoGrad no_grad;
    return softmax(reader.logits(pad_sequences(sequences, Vocabulary::pad), Mode::evaluation()));
}

}  // namespace

Data::Data(int unlabelled_count, int seeds, std::uint64_t seed)
    : texts(course::short_texts(seed, {.unlabelled = unlabelled_count, .train = 64 * seeds})) {
    std::vector<std::string> all;
    for (int topic = -1; topic < 4; ++topic)
        for (int kind = 0; kind < 4; ++kind)
            for (const std::string& word :
                 course::short_text_words(topic, static_cast<course::WordKind>(kind)))
                all.push_back(word);
    for (const course::ShortText& text : texts.unlabelled)
        all.push_back(course::joined(text.words));
    words = vocabulary_of(all);
    unlabelled = encoded(texts.unlabelled, words);
    mixed = encoded(
        course::short_texts(seed, {.unlabelled = unlabelled_count, .mixed = true}).unlabelled,
        words);
    train = encoded(texts.train, words);
    valid = encoded(texts.valid, words);
    test = encoded(texts.test, words);
    for (const Texts* set : {&unlabelled, &mixed, &train, &valid, &test})
        for (const auto& ids : set->ids)
            longest = std::max(longest, static_cast<int64_t>(ids.size()));
}

MaskingOptions Data::masking() const {
    return {.vocabulary = words.size(),
            .mask_id = words.id(mask_word),
            .special = {Vocabulary::pad, Vocabulary::bos, Vocabulary::eos, Vocabulary::unk}};
}

Size Data::size() const { return {.vocabulary = words.size(), .longest = longest}; }

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::scratch:
            return "from scratch";
        case Kind::copying:
            return "nothing hidden";
        case Kind::mixed:
            return "topics mixed";
        case Kind::masked:
            return "pre-trained (BERT)";
        case Kind::only_masks:
            return "[MASK] only";
        case Kind::causal:
            return "causal";
    }
    return "";
}

Reader make_reader(Kind kind, const Data& data, int steps, std::uint64_t seed,
                   std::vector<double>* losses) {
    Rng rng(seed);
    const Reader reader(data.size(), kind == Kind::causal ? Direction::left : Direction::both, rng);
    if (kind == Kind::scratch) return reader;
    Pretraining how{.masking = data.masking(), .steps = steps};
    if (kind == Kind::copying) how.masking.masked = how.masking.random = 0;
    if (kind == Kind::only_masks) how.masking.masked = 1, how.masking.random = 0;
    const std::vector<double> each =
        pretrain(reader, kind == Kind::mixed ? data.mixed : data.unlabelled, how, rng);
    if (losses) *losses = each;
    return reader;
}

TrainedReaders train_readers(const Data& data, const std::vector<Kind>& kinds,
                             const std::vector<int>& labelled, int steps, int seeds,
                             std::uint64_t first_seed, course::ProgressLine&& progress) {
    TrainedReaders result;
    int done = 0;
    for (int i = 0; i < seeds; ++i) {
        const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
        Readers readers;
        for (Kind kind : kinds) {
            const Reader reader =
                make_reader(kind, data, kind == Kind::copying ? steps / 4 : steps, seed);
            auto& reached = result.reached[kind];
            reached.resize(labelled.size());
            for (std::size_t n = 0; n < labelled.size(); ++n) {
                const FineTuned tuned = fine_tune(reader, data.labelled(labelled[n], i), data.valid,
                                                  {.classes = 4}, seed);
                reached[n].push_back(accuracy(tuned.classifier, data.test));
            }
            readers[kind] = reader;
            progress.update(++done);
        }
        result.runs.push_back(readers);
    }
    return result;
}

// --- without a network --------------------------------------------------------------------------

double accuracy_by_counting(const Texts& train, const Texts& test, int classes, int vocabulary) {
    std::vector<std::vector<double>> counts(classes, std::vector<double>(vocabulary, 1));
    std::vector<double> words(classes, vocabulary), texts(classes, 0);
    for (int i = 0; i < train.size(); ++i) {
        ++texts[train.labels[i]];
        for (int id : train.ids[i]) ++counts[train.labels[i]][id], ++words[train.labels[i]];
    }
    int right = 0;
    for (int i = 0; i < test.size(); ++i) {
        std::vector<double> score(classes);
        for (int c = 0; c < classes; ++c) {
            score[c] = std::log((texts[c] + 1) / (train.size() + classes));
            for (int id : test.ids[i]) score[c] += std::log(counts[c][id] / words[c]);
        }
        right += std::max_element(score.begin(), score.end()) - score.begin() == test.labels[i];
    }
    return static_cast<double>(right) / test.size();
}

double share_never_seen(const course::ShortTexts& texts, int labelled) {
    std::set<std::string> seen;
    for (int i = 0; i < labelled; ++i)
        seen.insert(texts.train[i].words.begin(), texts.train[i].words.end());
    double unseen = 0, all = 0;
    for (const course::ShortText& text : texts.test)
        for (std::size_t i = 0; i < text.words.size(); ++i)
            if (text.telling[i]) ++all, unseen += !seen.count(text.words[i]);
    return unseen / all;
}

// --- gaps ---------------------------------------------------------------------------------------

Tensor fill(const Reader& reader, const std::vector<std::string>& words,
            const Vocabulary& vocabulary) {
    const std::vector<int> ids = ids_of(words, vocabulary);
    const auto gap = std::find(ids.begin(), ids.end(), vocabulary.id(mask_word)) - ids.begin();
    check(gap < static_cast<std::ptrdiff_t>(ids.size()), "fill: the text has no {}", mask_word);
    return select(select(probabilities(reader, {ids}), 0, 0), 0, gap);
}

Fills fill_persons(const Reader& reader, const Data& data) {
    using course::short_text_words;
    using course::WordKind;
    Fills fills;
    std::vector<int> topics;
    for (int topic : {0, 1, 2, 3, -1})
        for (const std::string& person : short_text_words(topic, WordKind::person)) {
            fills.persons.push_back(person);
            topics.push_back(topic);
        }
    for (int topic = 0; topic < 4; ++topic) {
        const std::string verb = short_text_words(topic, WordKind::verb)[0],
                          thing = short_text_words(topic, WordKind::thing)[1],
                          place = short_text_words(topic, WordKind::place)[1];
        const std::vector<std::string> text{mask_word, "bought", "letters", ".",   "women",
                                            verb,      thing,    "in",      place, "."};
        fills.texts.push_back(verb + " " + thing);  // what tells its topic
        const Tensor p = fill(reader, text, data.words);
        for (std::size_t i = 0; i < fills.persons.size(); ++i) {
            const double each = p.at({data.words.id(fills.persons[i])});
            fills.probabilities.push_back(each);
            if (topics[i] == topic) fills.own += each / 4;
            if (topics[i] >= 0 && topics[i] != topic) fills.others += each / 4;
        }
    }
    return fills;
}

std::vector<double> loss_by_position(const Reader& reader, const Texts& texts, int positions,
                                     int mask_id) {
    std::vector<double> losses(positions, 0), counts(positions, 0);
    for (const std::vector<int>& ids : texts.ids) {
        const int words = std::min(positions, static_cast<int>(ids.size()) - 2);
        std::vector<std::vector<int>> sequences;
        if (reader.direction == Direction::both)
            for (int t = 1; t <= words; ++t) {
                sequences.push_back(ids);
                sequences.back()[t] = mask_id;
            }
        else
            sequences.push_back(ids);
        const Tensor p = probabilities(reader, sequences);
        for (int t = 1; t <= words; ++t) {
            const double right = reader.direction == Direction::both ? p.at({t - 1, t, ids[t]})
                                                                     : p.at({0, t - 1, ids[t]});
            losses[t - 1] -= std::log(right), ++counts[t - 1];
        }
    }
    for (int t = 0; t < positions; ++t) losses[t] /= std::max(counts[t], 1.0);
    return losses;
}

// --- words that are not hidden ------------------------------------------------------------------

Noticed notice_wrong_words(const Reader& reader, const Data& data, int texts, Rng& rng) {
    Noticed result;
    double tokens = 0, pairs = 0;
    const MaskingOptions masking = data.masking();
    for (int i = 0; i < texts; ++i) {
        std::vector<int> ids = data.test.ids[i];
        const int64_t words = static_cast<int64_t>(ids.size()) - 2;
        const int64_t at = 1 + rng.below(words);
        const int right = ids[at];
        // The first ids are special, [MASK] may be anywhere among the others.
        do
            ids[at] = static_cast<int>(Vocabulary::specials +
                                       rng.below(masking.vocabulary - Vocabulary::specials));
        while (ids[at] == right || ids[at] == masking.mask_id);
        const Tensor p = select(probabilities(reader, {ids}), 0, 0);  // [T, V]
        const Indices named = argmax(p, -1);
        const double wrong = p.at({at, ids[at]});
        for (int64_t t = 1; t <= words; ++t) {
            if (t == at) continue;
            const double other = p.at({t, ids[t]});
            result.named += named[t] == ids[t];
            result.ranked_lower += wrong < other ? 1 : wrong == other ? 0.5 : 0;
            ++tokens, ++pairs;
        }
    }
    result.named /= tokens;
    result.ranked_lower /= pairs;
    return result;
}

std::vector<double> probability_of_each(const Reader& reader, const std::vector<std::string>& words,
                                        const Vocabulary& vocabulary) {
    const std::vector<int> ids = ids_of(words, vocabulary);
    const Tensor p = select(probabilities(reader, {ids}), 0, 0);
    std::vector<double> each;
    for (std::size_t t = 1; t + 1 < ids.size(); ++t)
        each.push_back(p.at({static_cast<int64_t>(t), ids[t]}));
    return each;
}

// --- texts of the reader ------------------------------------------------------------------------

namespace {

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
    const Indices count = bincount(texts.labels);
    return static_cast<double>(*std::max_element(count.begin(), count.end())) / texts.size();
}

// What the reader puts into the gap of the first test texts, whose middle word is hidden.
void show_gaps(AtCall lesson, const Reader& reader, const std::vector<LabelledText>& texts,
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
    lesson->table(table,
                  "The middle word of the first test texts, hidden, and the three words that the "
                  "pre-trained network finds most probable.");
}

}  // namespace

void run_on_own_texts(AtCall lesson, const LabelledSets& sets, int steps, int seeds) {
    lesson->heading("Labelled texts of your own");
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
    lesson->say(
        "{} training texts, {} validation texts, {} test texts; {} labels; {} words that occur at "
        "least twice in the training texts.",
        number(train.size()), valid.size(), test.size(), labels.size(),
        number(words.size() - Vocabulary::specials - 1));

    std::vector<int> labelled;
    for (int n : {25, 100, 400, 1600})
        if (n < train.size() && (!lesson->quick() || n <= 100)) labelled.push_back(n);
    labelled.push_back(lesson->quick() ? std::min(train.size(), 400) : train.size());
    const Size size{.vocabulary = words.size(), .longest = longest, .width = 64};
    Pretraining how{.masking = {.vocabulary = words.size(),
                                .mask_id = words.id(mask_word),
                                .special = {Vocabulary::pad, Vocabulary::bos, Vocabulary::eos,
                                            Vocabulary::unk}},
                    .steps = steps,
                    .lr = 3e-3};
    Accuracies reached;
    for (int seed = 0; seed < seeds; ++seed) {
        const std::uint64_t own = 100 * lesson->seed() + static_cast<std::uint64_t>(seed);
        Rng rng(own);
        // Which texts have labels: the first ones in an order that is drawn for each seed.
        const Indices order = randperm(train.size(), rng);
        const Texts shuffled{pick(train.ids, order.values()), pick(train.labels, order.values())};
        for (Kind kind : {Kind::scratch, Kind::masked}) {
            const Reader reader(size, Direction::both, rng);
            if (kind == Kind::masked) {
                ProgressLine progress = lesson->progress("pre-training", steps);
                how.on_step = [&](const TrainProgress& at) {
                    progress.update(at.step, at.mean_loss);
                };
                const std::vector<double> losses = pretrain(reader, train, how, rng);
                if (seed == 0) {
                    const std::size_t last = std::max<std::size_t>(1, losses.size() / 20);
                    double sum = 0;
                    for (std::size_t i = losses.size() - last; i < losses.size(); ++i)
                        sum += losses[i];
                    lesson->say("Pre-training: the loss falls from {:.2f} to {:.2f}.", losses[0],
                                sum / static_cast<double>(last));
                    show_gaps(lesson, reader, sets.test, words);
                }
            }
            auto& by_count = reached[kind];
            by_count.resize(labelled.size());
            for (std::size_t n = 0; n < labelled.size(); ++n) {
                const FineTuning fine{.steps = lesson->quick() ? 60 : 200 + labelled[n] / 8,
                                      .classes = static_cast<int>(labels.size())};
                const FineTuned tuned =
                    fine_tune(reader, shuffled.first(labelled[n]), valid, fine, own);
                by_count[n].push_back(accuracy(tuned.classifier, test));
            }
        }
    }
    lesson->table(
        table_of(reached, labelled),
        fmt::format("Accuracy on the test texts; {}. The most frequent label: {:.3f}.",
                    averaged_over(static_cast<std::size_t>(seeds)), share_of_commonest(test)));
    lesson->show("own_labels", plot_of(reached, labelled),
                 "Accuracy on test texts against the number of labelled texts.");
    lesson->claim("own-accuracy", "accuracy of BERT with the most labels",
                  summarise(reached[Kind::masked].back()).mean,
                  more_than(share_of_commonest(test)));
}

}  // namespace heed::lesson24
