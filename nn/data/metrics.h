// How good predictions are, in numbers that are reported and not differentiated.
//
//     metrics::accuracy(model(x), labels)                       // share of right classes
//     metrics::ConfusionMatrix matrix(3);
//     matrix.add(argmax(model(x)), labels);                     // batch after batch
//     fmt::print("{}recall of class 2: {}\n", matrix, matrix.recall(2));
//
// What is computed over several batches is a struct with add() and value(): it adds up counts and
// divides at the end, so batches of different sizes need no care.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/edit_distance.h"
#include "autograd/base/error.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed::metrics {

// --- classification ------------------------------------------------------------------------------

// The share of predictions equal to their labels; those whose label is `ignored` do not count. NaN
// if none counts. Logits (or probabilities) are [..., C], labels [...]. Throws when the shapes do
// not match.
double accuracy(const Indices& predicted, const Indices& labels, Integer ignored = -100);
double accuracy(const Tensor& logits, const Indices& labels, Integer ignored = -100);

// How often each class was taken for each class.
struct ConfusionMatrix {
    std::vector<std::vector<int64_t>> counts;  // [classes of the labels][predicted classes]

    explicit ConfusionMatrix(Integer classes);
    int classes() const { return static_cast<int>(counts.size()); }
    // Throws when the shapes differ or a class is outside [0, classes).
    void add(const Indices& predicted, const Indices& labels);

    // Each is NaN where nothing was counted. Throws unless k is one of the classes.
    double accuracy() const;
    double precision(Integer k) const;  // of all predictions of class k, the share that is right
    double recall(Integer k) const;     // of all labels of class k, the share that was found
    double f1(Integer k) const;         // 2 / (1 / precision + 1 / recall)
    double macro_f1() const;            // the mean of f1 over the classes that occur

  private:
    int64_t labelled(Integer k) const;   // how often; throws unless k is one of the classes
    int64_t predicted(Integer k) const;  // likewise
};

// A table: a row for each class of the labels, a column for each predicted class.
std::string to_string(const ConfusionMatrix& matrix);

// --- sequences -----------------------------------------------------------------------------------

// What is edited: the characters of a text (code points; a byte that is no part of valid UTF-8 counts
// as one), the elements of a vector.
std::u32string elements_of(std::string_view text);
template <class Sequence>
requires(!std::convertible_to<const Sequence&, std::string_view>) const Sequence& elements_of(
    const Sequence& sequence) {
    return sequence;
}

// The smallest number of insertions, deletions and substitutions that turn the first into the second
// (Levenshtein 1966): texts, or vectors of anything that can be compared.
template <class Sequence>
int64_t edit_distance(const Sequence& first, const Sequence& second) {
    return edits_between(elements_of(first), elements_of(second));
}

// Edits per element of the reference: the word error rate if the sequences are words, the character
// error rate if they are characters. It can exceed 1. If all references are empty it is the number of
// edits: no output is right, with rate 0, and each element that is there is an error.
struct ErrorRate {
    int64_t edits = 0, length = 0;  // length of all references

    template <class Sequence>
    void add(const Sequence& output, const Sequence& reference) {
        edits += edit_distance(output, reference);
        length += static_cast<int64_t>(elements_of(reference).size());
    }
    double value() const {
        return static_cast<double>(edits) / static_cast<double>(std::max<int64_t>(length, 1));
    }
};

// The word error rate of one text; words are separated by white space.
double word_error_rate(const std::string& output, const std::string& reference);

// BLEU, how close translations are to their references (Papineni et al. 2002, section 2):
//
//     BLEU = BP · exp(¼ Σₙ ln pₙ), n = 1..4        BP = min(1, e^(1 - r/c))
//
// pₙ is the share of the output's n-grams that occur in the reference, none counted more often than
// it occurs there; c and r are the lengths of all outputs and of all references. Counts are added
// up over the corpus before dividing. Nothing is smoothed: without a common 4-gram BLEU is 0.
struct Bleu {
    std::array<long, 4> matches{}, total{};  // n-grams of length 1 to 4
    long output_length = 0, reference_length = 0;

    void add(const std::vector<std::string>& output, const std::vector<std::string>& reference);
    double brevity_penalty() const;
    double score() const;  // 0 to 1; usually quoted times 100
};

// --- language models -----------------------------------------------------------------------------

// exp of the mean cross-entropy in nats per token: the number of equally likely tokens that would
// be as hard to predict.
inline double perplexity(double mean_cross_entropy) { return std::exp(mean_cross_entropy); }

// The same over batches with different numbers of tokens. NaN of no tokens.
struct Perplexity {
    double total = 0;  // cross-entropy, summed over tokens
    int64_t tokens = 0;

    void add(double mean_cross_entropy, Integer count) {
        total += mean_cross_entropy * static_cast<double>(count);
        tokens += count;
    }
    double value() const { return perplexity(total / static_cast<double>(tokens)); }
};

}  // namespace heed::metrics

template <>
struct fmt::formatter<heed::metrics::ConfusionMatrix> {
    constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
    auto format(const heed::metrics::ConfusionMatrix& matrix, fmt::format_context& context) const {
        const std::string text = heed::metrics::to_string(matrix);
        return std::copy(text.begin(), text.end(), context.out());
    }
};
