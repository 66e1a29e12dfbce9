#include "lessons/material/translation/parallel_text.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "autograd/base/rng.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/read/text_data.h"
#include "nn/text/learn.h"

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

// Whether words or characters suit one side of the pairs. Words that occur once would be unknown.
Unit unit_of(const std::vector<TextPair>& pairs, bool source) {
    std::vector<std::string> sides;
    for (const TextPair& pair : pairs)
        sides.push_back(split_punctuation(source ? pair.source : pair.target));
    const Vocabulary known = Vocabulary::build(sides, {.min_frequency = 2});
    std::size_t words = 0, unknown = 0;
    for (const std::string& side : sides)
        for (int id : known.encode(side)) {
            ++words;
            unknown += id == Vocabulary::unk;
        }
    return unknown * 10 > words ? Unit::character : Unit::word;
}

struct Units {
    Unit source, target;
};

// Splits punctuation off where tokens are words.
void tokenize(std::vector<TextPair>& pairs, const Units& units) {
    for (TextPair& pair : pairs) {
        if (units.source == Unit::word) pair.source = split_punctuation(pair.source);
        if (units.target == Unit::word) pair.target = split_punctuation(pair.target);
    }
}

// Learns the pieces of one side from the training pairs, and writes that side of all sets in them, with blanks
// between. A blank of the text itself is the character Ġ in a piece.
void write_in_pieces(const std::vector<std::vector<TextPair>*>& sets, std::string TextPair::*side,
                     int pieces) {
    std::vector<std::string> of_training;
    for (const TextPair& pair : *sets[0]) of_training.push_back(pair.*side);
    const LearnedTokenizer learned = learn_byte_pairs(of_training, {.size = std::max(pieces, 256)});
    const Tokenizer tokenizer(learned.parts, learned.special);
    for (std::vector<TextPair>* set : sets)
        for (TextPair& pair : *set) {
            std::vector<std::string> written;
            for (const int id : tokenizer.encode(pair.*side))
                written.emplace_back(tokenizer.token(id));
            pair.*side = joined(written);
        }
}

// Before they are written in pieces, texts are measured in characters.
TokenLevel level_of(Unit unit) {
    return unit == Unit::word ? TokenLevel::word : TokenLevel::character;
}

// The pairs of a file in the direction of translation.
std::vector<TextPair> read_set(const std::string& path, bool swap) {
    std::vector<TextPair> pairs = read_pairs(path);
    for (TextPair& pair : pairs)
        if (swap) std::swap(pair.source, pair.target);
    return pairs;
}

// Removes a random share of the source sentences, with all their translations, from `train`. At least
// `least_left` of them are kept; if there are more, at least one is taken.
std::vector<TextPair> split_off(std::vector<TextPair>& train, double share, std::size_t least_left,
                                Rng& rng) {
    std::unordered_map<std::string, bool> chosen;
    std::size_t count = 0;
    for (const TextPair& pair : train) {
        const auto [entry, is_new] = chosen.try_emplace(pair.source, false);
        if (is_new) entry->second = rng.chance(share);
        count += is_new && entry->second;
    }
    if (chosen.size() > least_left && count == 0) {
        chosen[train.back().source] = true;
        count = 1;
    }
    for (const TextPair& pair : train) {  // chance may have taken too many of a few
        bool& taken = chosen.at(pair.source);
        if (chosen.size() - count >= least_left || !taken) continue;
        taken = false;
        --count;
    }

    std::vector<TextPair> kept, taken;
    for (TextPair& pair : train) (chosen.at(pair.source) ? taken : kept).push_back(std::move(pair));
    train = std::move(kept);
    return taken;
}

std::size_t different_sources(const std::vector<TextPair>& pairs) {
    std::unordered_set<std::string_view> sources;
    for (const TextPair& pair : pairs) sources.insert(pair.source);
    return sources.size();
}

// The pairs of a file stand in its order, so pair i is line i + 1.
void check_lengths(const std::vector<TextPair>& pairs, const std::string& path,
                   const Vocabulary& source, const Vocabulary& target) {
    for (std::size_t i = 0; i < pairs.size(); ++i)
        for (const std::size_t tokens :
             {source.tokenize(pairs[i].source).size(), target.tokenize(pairs[i].target).size()})
            check_line(tokens <= longest_evaluated, path, i + 1,
                       "expected a sentence of at most {} tokens, found {}", longest_evaluated,
                       tokens);
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
    std::vector<TextPair> train = read_set(files.train, files.swap);
    const Units units{files.source_unit ? *files.source_unit : unit_of(train, true),
                      files.target_unit ? *files.target_unit : unit_of(train, false)};
    tokenize(train, units);
    const Vocabulary source_tokens(level_of(units.source)), target_tokens(level_of(units.target));
    // A split moves pairs out of `train`, in their order; lines are counted before that.
    if (files.test.empty() || files.valid.empty())
        check_lengths(train, files.train, source_tokens, target_tokens);
    const std::size_t sources = different_sources(train),
                      sets = 1u + files.test.empty() + files.valid.empty();
    if (sources < sets)
        throw InputError(fmt::format(
            "{}: expected at least {} different source sentences, because each belongs to one set "
            "only (training, validation or test), found {} in {} pairs",
            files.train, sets, sources, train.size()));

    // `least_left` sentences stay for the sets that are taken later.
    const auto held_out = [&](const std::string& path, std::size_t least_left) {
        if (path.empty()) return split_off(train, 0.1, least_left, rng);
        std::vector<TextPair> set = read_set(path, files.swap);
        tokenize(set, units);
        check_lengths(set, path, source_tokens, target_tokens);
        return set;
    };
    std::vector<TextPair> test = held_out(files.test, files.valid.empty() ? 2 : 1),
                          valid = held_out(files.valid, 1);
    const std::vector<std::vector<TextPair>*> all{&train, &valid, &test};
    if (units.source == Unit::piece) write_in_pieces(all, &TextPair::source, files.pieces);
    if (units.target == Unit::piece) write_in_pieces(all, &TextPair::target, files.pieces);
    const auto vocabulary = [&](Unit unit, bool source) {
        const TokenLevel level = unit == Unit::character ? TokenLevel::character : TokenLevel::word;
        return Vocabulary::build(texts(train, source),
                                 {.level = level, .min_frequency = files.min_frequency});
    };
    ParallelText text{vocabulary(units.source, true),
                      vocabulary(units.target, false),
                      {},
                      {},
                      {},
                      units.source,
                      units.target};
    text.train = encode(train, text.source, text.target, files.longest);
    text.valid = encode(valid, text.source, text.target, 0);
    text.test = encode(test, text.source, text.target, 0);
    if (text.train.size() == 0)
        throw InputError(fmt::format(
            "{}: expected pairs of at most {} tokens for training, found only longer ones",
            files.train, files.longest));
    if (text.valid.size() == 0 || text.test.size() == 0)
        throw InputError(fmt::format("{}: expected sentences, found only blanks", files.train));
    return text;
}

}  // namespace heed::course
