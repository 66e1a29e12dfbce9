#include "lessons/course/translation/parallel_text.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "autograd/base/rng.h"
#include "lessons/course/read/text_data.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

// One side of all pairs, for building a vocabulary.
std::vector<std::string> texts(const std::vector<TextPair>& pairs, bool source) {
    std::vector<std::string> all;
    for (const TextPair& pair : pairs) all.push_back(source ? pair.source : pair.target);
    return all;
}

// The pairs as tokens and ids, without those of more than `longest` tokens (0: without a limit).
TextSet encode(const std::vector<TextPair>& pairs, const Vocabulary& source,
               const Vocabulary& target, int longest) {
    TextSet set;
    for (const TextPair& pair : pairs) {
        SentencePair tokens{source.tokenize(pair.source), target.tokenize(pair.target), {}, {}};
        const auto length = static_cast<int>(std::max(tokens.source.size(), tokens.target.size()));
        if (tokens.source.empty() || tokens.target.empty()) continue;  // only blanks
        if (longest > 0 && length > longest) continue;
        set.source.push_back(source.encode(pair.source));
        set.target.push_back(target.encode_sentence(pair.target));
        set.pairs.push_back(std::move(tokens));
    }
    return set;
}

// The pairs of a file in the direction of translation, with punctuation split off.
std::vector<TextPair> read_set(const std::string& path, const TextFiles& files) {
    std::vector<TextPair> pairs = read_pairs(path);
    for (TextPair& pair : pairs) {
        if (files.swap) std::swap(pair.source, pair.target);
        if (files.source_level == TokenLevel::word) pair.source = split_punctuation(pair.source);
        if (files.target_level == TokenLevel::word) pair.target = split_punctuation(pair.target);
    }
    return pairs;
}

// Removes a random share of the source sentences, with all their translations, from `train`.
std::vector<TextPair> split_off(std::vector<TextPair>& train, double share, Rng& rng) {
    std::unordered_map<std::string, bool> chosen;
    std::vector<TextPair> kept, taken;
    for (TextPair& pair : train) {
        const auto [entry, is_new] = chosen.try_emplace(pair.source, false);
        if (is_new) entry->second = rng.chance(share);
        (entry->second ? taken : kept).push_back(std::move(pair));
    }
    train = std::move(kept);
    return taken;
}

}  // namespace

std::string split_punctuation(const std::string& text) {
    constexpr std::string_view marks = ".,!?;:\"()";
    std::string apart;
    for (const std::string& word : Vocabulary(TokenLevel::word).tokenize(text)) {
        std::size_t begin = 0, end = word.size();
        while (begin < end && marks.find(word[begin]) != marks.npos) ++begin;
        while (end > begin && marks.find(word[end - 1]) != marks.npos) --end;
        for (std::size_t i = 0; i < begin; ++i) apart += {' ', word[i]};
        if (end > begin) apart += ' ' + word.substr(begin, end - begin);
        for (std::size_t i = end; i < word.size(); ++i) apart += {' ', word[i]};
    }
    return apart.empty() ? apart : apart.substr(1);
}

ParallelText from_corpus(const Corpus& corpus) {
    std::vector<std::string> source, target;
    for (const SentencePair& pair : corpus.train) {
        source.push_back(joined(pair.source));
        target.push_back(joined(pair.target));
    }
    ParallelText text{Vocabulary::build(source), Vocabulary::build(target), {}, {}, {}};
    const auto fill = [&](TextSet& set, const std::vector<SentencePair>& pairs) {
        for (const SentencePair& pair : pairs) {
            set.source.push_back(text.source.encode(joined(pair.source)));
            set.target.push_back(text.target.encode_sentence(joined(pair.target)));
        }
        set.pairs = pairs;
    };
    fill(text.train, corpus.train);
    fill(text.valid, corpus.valid);
    fill(text.test, corpus.test);
    return text;
}

ParallelText from_files(const TextFiles& files) {
    Rng rng(files.seed);
    std::vector<TextPair> train = read_set(files.train, files);
    const std::vector<TextPair> test =
        files.test.empty() ? split_off(train, 0.1, rng) : read_set(files.test, files);
    const std::vector<TextPair> valid =
        files.valid.empty() ? split_off(train, 0.1, rng) : read_set(files.valid, files);
    const auto vocabulary = [&](TokenLevel level, bool source) {
        return Vocabulary::build(texts(train, source),
                                 {.level = level, .min_frequency = files.min_frequency});
    };
    ParallelText text{
        vocabulary(files.source_level, true), vocabulary(files.target_level, false), {}, {}, {}};
    text.train = encode(train, text.source, text.target, files.longest);
    text.valid = encode(valid, text.source, text.target, 0);
    text.test = encode(test, text.source, text.target, 0);
    for (const auto& [set, name] :
         {std::pair(&text.train, "training"), std::pair(&text.valid, "validation"),
          std::pair(&text.test, "test")})
        if (set->size() == 0)
            throw InputError(fmt::format("{}: {} pairs are too few: the {} set would be empty",
                                         files.train, train.size() + valid.size() + test.size(),
                                         name));
    return text;
}

}  // namespace heed::course
