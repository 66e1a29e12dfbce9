#include "lessons/w5_subwords/experiment.h"

#include <algorithm>

namespace heed::workshop5 {

using namespace course;

std::vector<Language> languages_of(const Lesson& lesson) {
    std::vector<Language> languages;
    const auto add = [&](const std::string& name, Texts texts, std::size_t most) {
        Language language{name, std::move(texts), {}, {}};
        language.training_words = word_counts(language.texts.train, most);
        language.test_words = word_counts(language.texts.test);
        languages.push_back(std::move(language));
    };
    if (!lesson.options().data.empty()) {
        add("text", texts_of_file(lesson.options().data), 5000);
        return languages;
    }
    const Corpus corpus = korean_english(
        lesson.seed(),
        lesson.quick() ? CorpusOptions{.pairs = 4000, .valid = 100, .test = 400} : CorpusOptions{});
    add("English", english_of(corpus), 0);
    add("Korean", korean_of(corpus), 0);
    return languages;
}

Language mixed(const Language& first, const Language& second, int share) {
    Language both{.name = first.name + " and " + second.name,
                  .texts = {},
                  .training_words = first.training_words,
                  .test_words = {}};
    for (const auto& [word, times] : second.training_words)
        if (times >= share) both.training_words[word] += times / share;
    return both;
}

BatchCost cost_of(const std::vector<std::vector<int>>& batches, const std::vector<int>& lengths) {
    BatchCost cost;
    for (const std::vector<int>& batch : batches) {
        double longest = 0;
        for (const int sentence : batch) {
            const double length = lengths[static_cast<std::size_t>(sentence)];
            longest = std::max(longest, length);
            cost.words += length;
            cost.word_pairs += length * length;
        }
        const auto size = static_cast<double>(batch.size());
        ++cost.batches;
        cost.entries += size * longest;
        cost.pairs += size * longest * longest;
    }
    return cost;
}

}  // namespace heed::workshop5
