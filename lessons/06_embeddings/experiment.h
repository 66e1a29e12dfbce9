// The settings of a run and its languages; training examples of the form "guess the word from the
// words beside it", and the training itself; and what is measured of vectors and of batches.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "lessons/06_embeddings/data.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/data/vocabulary.h"
#include "nn/nn.h"

namespace heed::lesson06 {

// --- settings and languages ---------------------------------------------------------------------

// Of the reader's file only the most frequent words get a row.
inline constexpr int largest_vocabulary = 2000;

struct Settings {
    int width = 16, steps = 0, seeds = 0, merges = 0;  // 0: complete_settings() chooses
};
// Throws Error, naming the option, for fewer than 20 merges and for widths that cannot be drawn.
void complete_settings(Settings& settings, const course::Lesson& lesson);

// A text of one language, and its words with their counts (data.h).
struct Language {
    std::string name;
    Texts texts;
    std::map<std::string, int64_t> training_words, test_words;
};
// The corpus in English and Korean, or the reader's file.
std::vector<Language> languages_of(const course::Lesson& lesson);

// The training words of a text in which one sentence of the second language comes after `share`
// sentences of the first.
Language mixed(const Language& first, const Language& second, int share);

// The words whose vectors are compared: those of the lexicon with their classes, or the 150 most
// frequent ones of the vocabulary, without classes.
struct KnownWords {
    std::vector<int> ids, classes;
};
KnownWords known_words(const Vocabulary& vocabulary, bool from_lexicon);

// Entries of all batches of an epoch, with padding, and the words among them; and the same for pairs
// of positions.
struct BatchCost {
    double batches = 0, entries = 0, words = 0, pairs = 0, word_pairs = 0;
};
BatchCost cost_of(const std::vector<std::vector<int>>& batches, const std::vector<int>& lengths);

// --- gaps ---------------------------------------------------------------------------------------

// N words to be guessed, each with the words beside it. Beside the first word of a sentence stands the
// vocabulary's token for a beginning, beside the last one that for an end.
struct Gaps {
    int64_t width = 0;            // the number of neighbours
    std::vector<int> neighbours;  // [N, width]
    std::vector<int> words;       // [N]

    int64_t size() const { return static_cast<int64_t>(words.size()); }
    Indices neighbours_of(const std::vector<int>& rows) const;  // [rows, width]
    Indices words_of(const std::vector<int>& rows) const;       // [rows]
};

// `left` words before each word and `right` words after it.
Gaps gaps_in(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary, int left,
             int right);

struct Fitting {
    int64_t steps = 1000, batch = 256;
    double lr = 0.01;  // falls to 0 along a line
};

// Trains with Adam on random gaps. The model maps neighbours [B, width] to logits [B, V].
template <class Model>
void fit(Model& model, const Gaps& gaps, const Fitting& how, Rng& rng) {
    Adam adam(parameters(model), {.lr = how.lr});
    std::vector<int> rows(static_cast<std::size_t>(how.batch));
    Checkpoint checkpoint(course::next_checkpoint({adam, rng}));
    for (int64_t step : checkpoint.steps(how.steps)) {
        adam.lr = how.lr * (1 - static_cast<double>(step - 1) / static_cast<double>(how.steps));
        for (int& row : rows) row = static_cast<int>(rng.below(gaps.size()));
        adam.zero_grad();
        backward(cross_entropy(model(gaps.neighbours_of(rows)), gaps.words_of(rows)));
        adam.step();
    }
}

// The mean loss in nats of the words of the first `most` gaps.
template <class Model>
double loss_on(const Model& model, const Gaps& gaps, int64_t most = 20'000) {
    const NoGrad quiet;
    double sum = 0;
    const int64_t count = std::min(gaps.size(), most), batch = 1000;
    for (int64_t from = 0; from < count; from += batch) {
        std::vector<int> rows(static_cast<std::size_t>(std::min(batch, count - from)));
        for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(from + i);
        sum += cross_entropy(model(gaps.neighbours_of(rows)), gaps.words_of(rows),
                             {.reduction = Reduction::sum})
                   .item();
    }
    return sum / static_cast<double>(count);
}

// The same loss for two tables of counts made from the training gaps: how often each word occurs, and
// how often it occurs after each last neighbour. A tenth is added to each count, so that none is 0.
struct CountedLosses {
    double words = 0, pairs = 0;
};
CountedLosses counted_losses(const Gaps& train, const Gaps& test, int vocabulary,
                             int64_t most = 20'000);

// --- vectors ------------------------------------------------------------------------------------

// The cosine of the angle between each two rows, [n, D] -> [n, n].
Tensor cosines(const Tensor& vectors);

// For each row the other rows, the one with the largest cosine first.
std::vector<std::vector<int>> nearest(const Tensor& vectors, int count);

// The share of rows whose nearest row has the same class, and what random vectors reach on average.
double agreement(const Tensor& vectors, const std::vector<int>& classes);
double chance_agreement(const std::vector<int>& classes);

}  // namespace heed::lesson06
