#include "nn/data/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/base/utf8.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/shapes.h"

namespace heed::metrics {
namespace {

double ratio(int64_t part, int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole)
                     : std::numeric_limits<double>::quiet_NaN();
}

void check_labels(const char* who, const Indices& predicted, const Indices& labels) {
    check(predicted.shape() == labels.shape(),
          "{}: predictions are {} and labels {}; expected one shape", who, predicted.shape(),
          labels.shape());
}

}  // namespace

double accuracy(const Indices& predicted, const Indices& labels, Integer ignored) {
    const UserCall named("accuracy");
    check_labels("accuracy", predicted, labels);
    int64_t right = 0, all = 0;
    for (int64_t i = 0; i < labels.count(); ++i) {
        if (labels[i] == ignored) continue;
        right += predicted[i] == labels[i];
        ++all;
    }
    return ratio(right, all);
}

double accuracy(const Tensor& logits, const Indices& labels, Integer ignored) {
    const Shapes in("accuracy", {{"logits", logits, "... C"}});
    return accuracy(argmax(logits, -1), labels, ignored);
}

ConfusionMatrix::ConfusionMatrix(Integer classes)
    : counts(static_cast<std::size_t>(std::max(classes.value, int64_t{0})),
             std::vector<int64_t>(static_cast<std::size_t>(std::max(classes.value, int64_t{0})))) {
    check_positive("ConfusionMatrix", {{"classes", classes.value}});
}

void ConfusionMatrix::add(const Indices& predicted, const Indices& labels) {
    check_labels("ConfusionMatrix", predicted, labels);
    check_range(predicted, classes(), "ConfusionMatrix", "the classes");
    check_range(labels, classes(), "ConfusionMatrix", "the classes");
    for (int64_t i = 0; i < labels.count(); ++i) ++counts[labels[i]][predicted[i]];
}

double ConfusionMatrix::accuracy() const {
    int64_t right = 0, all = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        right += counts[k][k];
        for (int64_t count : counts[k]) all += count;
    }
    return ratio(right, all);
}

int64_t ConfusionMatrix::labelled(Integer k) const {
    check(k >= 0 && k < classes(), "ConfusionMatrix: class {} is not one of {}", k, classes());
    return std::accumulate(counts[k].begin(), counts[k].end(), int64_t{0});
}

int64_t ConfusionMatrix::predicted(Integer k) const {
    check(k >= 0 && k < classes(), "ConfusionMatrix: class {} is not one of {}", k, classes());
    int64_t all = 0;
    for (const std::vector<int64_t>& row : counts) all += row[k];
    return all;
}

double ConfusionMatrix::precision(Integer k) const {
    const int64_t all = predicted(k);
    return ratio(counts[k][k], all);
}

double ConfusionMatrix::recall(Integer k) const {
    const int64_t all = labelled(k);
    return ratio(counts[k][k], all);
}

// With TP right, FP falsely predicted and FN missed, f1 is 2 TP / (2 TP + FP + FN).
double ConfusionMatrix::f1(Integer k) const {
    const int64_t all = labelled(k) + predicted(k);
    return ratio(2 * counts[k][k], all);
}

double ConfusionMatrix::macro_f1() const {
    double sum = 0;
    int count = 0;
    for (int k = 0; k < classes(); ++k)
        if (const double one = f1(k); !std::isnan(one)) {
            sum += one;
            ++count;
        }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

std::string to_string(const ConfusionMatrix& matrix) {
    int64_t largest = matrix.classes() - 1;
    for (const std::vector<int64_t>& row : matrix.counts)
        largest = std::max(largest, *std::max_element(row.begin(), row.end()));
    const std::size_t width = std::to_string(largest).size() + 2;
    const std::size_t left = std::to_string(matrix.classes() - 1).size() + 6;
    std::string text = fmt::format("{:<{}}", "label", left);
    for (int k = 0; k < matrix.classes(); ++k) text += fmt::format("{:>{}}", k, width);
    text += "  predicted\n";
    for (int k = 0; k < matrix.classes(); ++k) {
        text += fmt::format("{:<{}}", k, left);
        for (int64_t count : matrix.counts[k]) text += fmt::format("{:>{}}", count, width);
        text += '\n';
    }
    return text;
}

// A byte that is not valid UTF-8 becomes a number that no character has.
std::u32string elements_of(std::string_view text) {
    std::u32string characters;
    for (std::size_t at = 0; at < text.size();) {
        const auto [value, bytes] = utf8_first(text.substr(at));
        characters += bytes > 0 ? value : char32_t{0x110000} + static_cast<unsigned char>(text[at]);
        at += static_cast<std::size_t>(std::max(bytes, 1));
    }
    return characters;
}

double word_error_rate(const std::string& output, const std::string& reference) {
    const auto words = [](const std::string& text) {
        std::istringstream stream(text);
        std::vector<std::string> result;
        for (std::string word; stream >> word;) result.push_back(word);
        return result;
    };
    ErrorRate rate;
    rate.add(words(output), words(reference));
    return rate.value();
}

namespace {

using Ngrams = std::map<std::vector<std::string>, long>;

Ngrams ngrams(const std::vector<std::string>& words, std::size_t n) {
    Ngrams counts;
    for (std::size_t i = 0; i + n <= words.size(); ++i)
        ++counts[std::vector<std::string>(words.begin() + i, words.begin() + i + n)];
    return counts;
}

}  // namespace

void Bleu::add(const std::vector<std::string>& output, const std::vector<std::string>& reference) {
    output_length += static_cast<long>(output.size());
    reference_length += static_cast<long>(reference.size());
    for (std::size_t n = 1; n <= 4; ++n) {
        const Ngrams expected = ngrams(reference, n);
        for (const auto& [ngram, count] : ngrams(output, n)) {
            total[n - 1] += count;
            const auto found = expected.find(ngram);
            if (found != expected.end()) matches[n - 1] += std::min(count, found->second);
        }
    }
}

double Bleu::brevity_penalty() const {
    if (output_length == 0) return 0;
    if (output_length >= reference_length) return 1;
    return std::exp(1 - static_cast<double>(reference_length) / static_cast<double>(output_length));
}

double Bleu::score() const {
    double log_precision = 0;
    for (std::size_t n = 0; n < 4; ++n) {
        if (matches[n] == 0) return 0;
        log_precision += std::log(static_cast<double>(matches[n]) / static_cast<double>(total[n]));
    }
    return brevity_penalty() * std::exp(log_precision / 4);
}

}  // namespace heed::metrics
