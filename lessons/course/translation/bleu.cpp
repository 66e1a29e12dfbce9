#include "lessons/course/translation/bleu.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace heed::course {
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

}  // namespace heed::course
