#include "lessons/06_embeddings/experiment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lessons/course/lesson/memory.h"

namespace heed::lesson06 {

using namespace course;

// --- settings and languages ---------------------------------------------------------------------

void complete_settings(Settings& settings, const Lesson& lesson) {
    if (settings.steps == 0) settings.steps = lesson.quick() ? 400 : 2000;
    if (settings.seeds == 0) settings.seeds = lesson.quick() ? 1 : 3;
    if (settings.merges == 0) settings.merges = lesson.quick() ? 200 : 500;
    check(settings.merges >= 20, "--merges: expected at least 20, got {}", settings.merges);
    check(settings.width >= 2, "--width: expected at least 2, got {}", settings.width);
    check_memory("--width", 16.0 * settings.width * (2.0 * largest_vocabulary + 4 * 256));
}

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

KnownWords known_words(const Vocabulary& vocabulary, bool from_lexicon) {
    KnownWords known;
    if (from_lexicon) {
        for (const auto& [word, one] : classes_of_words()) {
            if (!vocabulary.contains(word)) continue;
            known.ids.push_back(vocabulary.id(word));
            known.classes.push_back(one);
        }
        return known;
    }
    for (int id = Vocabulary::specials;
         id < std::min(vocabulary.size(), 150 + Vocabulary::specials); ++id) {
        known.ids.push_back(id);
        known.classes.push_back(0);
    }
    return known;
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

// --- gaps ---------------------------------------------------------------------------------------

Indices Gaps::neighbours_of(const std::vector<int>& rows) const {
    std::vector<int> ids;
    ids.reserve(rows.size() * static_cast<std::size_t>(width));
    for (const int row : rows) {
        const auto from = neighbours.begin() + row * width;
        ids.insert(ids.end(), from, from + width);
    }
    return Indices(std::move(ids), {static_cast<int64_t>(rows.size()), width});
}

Indices Gaps::words_of(const std::vector<int>& rows) const { return Indices(pick(words, rows)); }

Gaps gaps_in(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary, int left,
             int right) {
    Gaps gaps{.width = left + right, .neighbours = {}, .words = {}};
    for (const Sentence& sentence : sentences) {
        std::vector<int> ids;
        for (const std::string& word : sentence) ids.push_back(vocabulary.id(word));
        const int length = static_cast<int>(ids.size());
        for (int at = 0; at < length; ++at) {
            for (int other = at - left; other <= at + right; ++other) {
                if (other == at) continue;
                gaps.neighbours.push_back(other < 0         ? Vocabulary::bos
                                          : other >= length ? Vocabulary::eos
                                                            : ids[static_cast<std::size_t>(other)]);
            }
            gaps.words.push_back(ids[static_cast<std::size_t>(at)]);
        }
    }
    return gaps;
}

CountedLosses counted_losses(const Gaps& train, const Gaps& test, int vocabulary, int64_t most) {
    constexpr double added = 0.1;
    const auto size = static_cast<std::size_t>(vocabulary);
    std::vector<double> words(size, added), before(size, added * vocabulary);
    std::map<std::pair<int, int>, double> pairs;
    const auto last = [](const Gaps& gaps, int64_t i) {
        return gaps.neighbours[static_cast<std::size_t>((i + 1) * gaps.width - 1)];
    };
    for (int64_t i = 0; i < train.size(); ++i) {
        const int word = train.words[static_cast<std::size_t>(i)];
        ++words[static_cast<std::size_t>(word)];
        ++before[static_cast<std::size_t>(last(train, i))];
        ++pairs[{last(train, i), word}];
    }
    const double all = std::accumulate(words.begin(), words.end(), 0.0);
    CountedLosses losses;
    const int64_t count = std::min(test.size(), most);
    for (int64_t i = 0; i < count; ++i) {
        const int word = test.words[static_cast<std::size_t>(i)], neighbour = last(test, i);
        const auto found = pairs.find({neighbour, word});
        losses.words -= std::log(words[static_cast<std::size_t>(word)] / all);
        losses.pairs -= std::log((added + (found == pairs.end() ? 0 : found->second)) /
                                 before[static_cast<std::size_t>(neighbour)]);
    }
    return {losses.words / static_cast<double>(count), losses.pairs / static_cast<double>(count)};
}

Tensor cosines(const Tensor& vectors) {
    const Tensor unit = vectors / sqrt(sum(square(vectors), 1, true));
    return matmul(unit, transpose(unit));
}

std::vector<std::vector<int>> nearest(const Tensor& vectors, int count) {
    const std::vector<double> all = cosines(vectors).to_vector();
    const auto n = static_cast<std::size_t>(vectors.size(0));
    std::vector<std::vector<int>> found;
    for (std::size_t row = 0; row < n; ++row) {
        std::vector<int> others;
        for (std::size_t i = 0; i < n; ++i)
            if (i != row) others.push_back(static_cast<int>(i));
        const auto closer = [&](int a, int b) {
            return all[row * n + static_cast<std::size_t>(a)] >
                   all[row * n + static_cast<std::size_t>(b)];
        };
        const auto end = others.begin() + std::min<std::ptrdiff_t>(count, std::ssize(others));
        std::partial_sort(others.begin(), end, others.end(), closer);
        found.emplace_back(others.begin(), end);
    }
    return found;
}

double agreement(const Tensor& vectors, const std::vector<int>& classes) {
    const std::vector<std::vector<int>> found = nearest(vectors, 1);
    double same = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        same += classes[i] == classes[static_cast<std::size_t>(found[i].at(0))];
    return same / static_cast<double>(found.size());
}

double chance_agreement(const std::vector<int>& classes) {
    std::map<int, double> size;
    for (const int one : classes) ++size[one];
    const auto n = static_cast<double>(classes.size());
    double same = 0;
    for (const auto& [one, count] : size) same += count * (count - 1);
    return same / (n * (n - 1));
}

}  // namespace heed::lesson06
