// What the lesson measures with its readers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons/24_masked_language_model/model.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/course/lesson/progress.h"
#include "lessons/material/corpora/short_texts.h"
#include "lessons/material/read/labelled_sets.h"

namespace heed::lesson24 {

// The generated texts as ids. `mixed` are texts without labels in which the words of the topics are
// mixed (short_texts.h).
struct Data {
    course::ShortTexts texts;
    Vocabulary words;
    Texts unlabelled, mixed, train, valid, test;
    int64_t longest = 0;  // in tokens

    // There are 64 training texts for each of `seeds` seeds.
    Data(int unlabelled_count, int seeds, std::uint64_t seed);
    Texts labelled(int count, int seed) const { return train.range(64 * seed, count); }
    MaskingOptions masking() const;
    Size size() const;
};

// What a reader was trained on before it saw the first label.
enum class Kind { scratch, copying, mixed, masked, only_masks, causal };
const char* name_of(Kind kind);

// A reader of that kind, pre-trained. All kinds of one seed begin with the same numbers.
Reader make_reader(Kind kind, const Data& data, int steps, std::uint64_t seed,
                   std::vector<double>* losses = nullptr);

// One reader of each kind, and accuracies by kind: for each number of labelled texts one of each seed.
using Readers = std::map<Kind, Reader>;
using Accuracies = std::map<Kind, std::vector<std::vector<double>>>;
struct TrainedReaders {
    std::vector<Readers> runs;  // by seed
    Accuracies reached;         // on the test texts
};
// Pre-trains and fine-tunes all kinds with `seeds` seeds; copying gets a quarter of the steps.
TrainedReaders train_readers(const Data& data, const std::vector<Kind>& kinds,
                             const std::vector<int>& labelled, int steps, int seeds,
                             std::uint64_t first_seed, course::ProgressLine&& progress);

// --- without a network --------------------------------------------------------------------------

// Naive Bayes: counts the words of the labelled texts of each class, with 1 added to every count, and
// gives a text to the class under which its words are most probable. Accuracy on `test`.
double accuracy_by_counting(const Texts& train, const Texts& test, int classes, int vocabulary);

// The share of the topic words in the test texts that occur in none of the first `labelled` training
// texts.
double share_never_seen(const course::ShortTexts& texts, int labelled);

// --- gaps ---------------------------------------------------------------------------------------

// The probabilities [V] of the word in the gap: the text has one [MASK].
Tensor fill(const Reader& reader, const std::vector<std::string>& words,
            const Vocabulary& vocabulary);

// One text for each topic: `before`, a gap, and words of the topic. The probabilities of every person in
// the gap, of the topics in order and then the neutral ones: [4, persons].
struct Fills {
    std::vector<std::string> texts, persons;
    std::vector<double> probabilities;
    // The probability of the persons of the text's own topic, and of those of other topics, a mean.
    double own = 0, others = 0;
};
Fills fill_persons(const Reader& reader, const Data& data);

// -ln p of each word of the texts, by its number in the text: word 1 to `positions`. A bidirectional reader
// sees the whole text with this one word hidden, a causal one the words to the left.
std::vector<double> loss_by_position(const Reader& reader, const Texts& texts, int positions,
                                     int mask_id);

// --- words that are not hidden ------------------------------------------------------------------

struct Noticed {
    double named = 0;  // share of untouched tokens for which the head names the word itself
    double ranked_lower =
        0;  // share of pairs (wrong word, right word of the same text) in which the wrong
            // one has the lower probability
};
// In each text one word is exchanged for a random one, and none is hidden.
Noticed notice_wrong_words(const Reader& reader, const Data& data, int texts, Rng& rng);

// The probability of each word of a text, none hidden.
std::vector<double> probability_of_each(const Reader& reader, const std::vector<std::string>& words,
                                        const Vocabulary& vocabulary);

// --- texts of the reader ------------------------------------------------------------------------

// The lesson on the reader's own labelled texts, such as the TREC questions.
//
// Pre-trains on all training texts without their labels, and fine-tunes with the labels of some of them.
// --data is what lessons/material/read/labelled_sets.h reads.
void run_on_own_texts(course::AtCall lesson, const course::LabelledSets& sets, int steps,
                      int seeds);

}  // namespace heed::lesson24
