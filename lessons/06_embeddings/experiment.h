// The settings of a run, its text and the words that are compared; training examples of the form "guess the
// word from the words beside it", and the training itself; and what is measured of vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "lessons/06_embeddings/data.h"
#include "lessons/course/lesson/lesson.h"
#include "lessons/material/corpora/texts.h"
#include "lessons/material/training/next_checkpoint.h"
#include "nn/data/vocabulary.h"
#include "nn/nn.h"

namespace heed::lesson06 {

using course::Sentence;
using course::Texts;

// --- settings and words -------------------------------------------------------------------------

// Of the reader's file only the most frequent words get a row.
inline constexpr int largest_vocabulary = 2000;

struct Settings {
    int width = 16, steps = 0, seeds = 0;  // 0: complete_settings() chooses
};
// Throws Error, naming the option, for widths that cannot be drawn.
void complete_settings(Settings& settings, const course::Lesson& lesson);

// The English sentences of the corpus, or the reader's file.
Texts text_of(const course::Lesson& lesson);

// The words whose vectors are compared: those of the lexicon with their classes, or the 150 most
// frequent ones of the vocabulary, without classes.
struct KnownWords {
    std::vector<int> ids, classes;
};
KnownWords known_words(const Vocabulary& vocabulary, bool from_lexicon);

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

// The losses of three kinds of input on test sentences, and of counting.
struct InputLosses {
    CountedLosses counted;
    double line = 0, hidden = 0, one_hot = 0;

    // From 0, the loss of counting single words, to 1, that of counting pairs.
    double share_of_way(double loss) const {
        return (counted.words - loss) / (counted.words - counted.pairs);
    }
};
InputLosses losses_of_inputs(const course::Lesson& lesson, const Texts& texts,
                             const Vocabulary& vocabulary);

// --- the lookup ---------------------------------------------------------------------------------

// A text of random words, the table of their vectors, and a random gradient of the vectors looked up.
struct RandomText {
    Indices ids;             // [64]
    Tensor table, covector;  // [500, 16], [64, 16], float64
};
RandomText random_text(std::uint64_t seed);

// The largest entry in the rows of a table of gradients whose words are not among the ids.
double largest_in_other_rows(const Tensor& gradients, const Indices& ids);

// --- masks --------------------------------------------------------------------------------------

// Means of 32 sentences in one batch, and the gradient of the table: the length of the difference from
// each sentence alone over the length of the right result. And the largest gradient of the padding row.
// The rows of these words.
Tensor vectors_of(const Embedding& table, const std::vector<int>& words);

struct MaskError {
    double means = 0, gradient = 0, padding_row = 0;
};
struct MaskErrors {
    MaskError without, with;
};
MaskErrors mask_errors(
    const std::vector<Sentence>& sentences, const Vocabulary& vocabulary, const Tensor& table,
    std::uint64_t seed,
    const std::function<Tensor(const Tensor& vectors, const Tensor& mask)>& masked_mean);

// --- vectors ------------------------------------------------------------------------------------

// The cosine of the angle between each two rows, [n, D] -> [n, n].
Tensor cosines(const Tensor& vectors);

// For each row the other rows, the one with the largest cosine first.
std::vector<std::vector<int>> nearest(const Tensor& vectors, int count);

// Principal component analysis (Pearson 1901). Let X have the vectors, minus their mean, as its n rows. A
// direction is a vector v of length 1, and the numbers X v say how far each point lies in it. Their variance is
//
//     |X v|² / (n - 1) = vᵀ C v        C = Xᵀ X / (n - 1), the covariance matrix
//
// The v with the largest one is the eigenvector of C with the largest eigenvalue: the direction that C only
// stretches, C v = λ v, and stretches most. To find it, start with any v, and again and again multiply it by C
// and shorten it to length 1: what is stretched most wins in the end. The last factor, λ, is the variance. For
// the next direction, subtract λ v vᵀ from C, which flattens this one, and repeat.
struct Components {
    std::vector<Tensor> directions;  // [D] each
    std::vector<double> variances;
    double total = 0;  // the variance in all D directions together
};
Components principal_components(const Tensor& x, int count,
                                Rng& rng);  // x centred, [n, D], float64

// The share of rows whose nearest row has the same class, and what random vectors reach on average.
double agreement(const Tensor& vectors, const std::vector<int>& classes);
double chance_agreement(const std::vector<int>& classes);

}  // namespace heed::lesson06
