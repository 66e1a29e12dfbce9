#include "lessons/06_embeddings/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "autograd/base/utf8.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/corpora/lexicon.h"
#include "lessons/material/read/text_data.h"
#include "nn/data/vocabulary.h"

namespace heed::lesson06 {

// --- words --------------------------------------------------------------------------------------

namespace {

template <class Side>
Texts side_of(const course::Corpus& corpus, Side side) {
    Texts texts;
    for (const course::SentencePair& pair : corpus.train) texts.train.push_back(pair.*side);
    for (const course::SentencePair& pair : corpus.test) texts.test.push_back(pair.*side);
    return texts;
}

}  // namespace

Texts english_of(const course::Corpus& corpus) {
    return side_of(corpus, &course::SentencePair::target);
}

Texts korean_of(const course::Corpus& corpus) {
    return side_of(corpus, &course::SentencePair::source);
}

Texts texts_of_file(const std::string& path) {
    constexpr std::size_t least_lines = 200, least_words = 2000;
    Texts texts;
    const Vocabulary splitter;
    std::size_t lines = 0, words = 0;
    for (const std::string& line : course::read_lines(path)) {
        Sentence sentence = splitter.tokenize(line);
        if (sentence.empty()) continue;
        words += sentence.size();
        (++lines % 10 == 0 ? texts.test : texts.train).push_back(std::move(sentence));
    }
    if (lines < least_lines || words < least_words)
        throw course::InputError(
            fmt::format("{}: expected at least {} lines with {} words in all, found {} with {}",
                        path, least_lines, least_words, lines, words));
    return texts;
}

std::vector<std::string> lines_of(const std::vector<Sentence>& sentences) {
    std::vector<std::string> lines;
    lines.reserve(sentences.size());
    for (const Sentence& sentence : sentences) lines.push_back(course::joined(sentence));
    return lines;
}

std::map<std::string, int> classes_of_words() {
    namespace grammar = course::grammar;
    std::map<std::string, std::set<int>> found;
    const auto add = [&](std::string_view word, std::string_view name) {
        const auto is = [&](const WordClass& one) { return one.name == name; };
        const auto* const at = std::find_if(word_classes.begin(), word_classes.end(), is);
        if (!word.empty() && word.find(' ') == word.npos)
            found[std::string(word)].insert(static_cast<int>(at - word_classes.begin()));
    };
    for (const grammar::Noun& noun : grammar::nouns) {
        const bool person = noun.traits & grammar::person;
        const grammar::Traits food = grammar::eaten | grammar::drunk | grammar::brewed;
        add(noun.english, person                          ? "person"
                          : noun.traits & grammar::animal ? "animal"
                          : noun.traits & grammar::place  ? "place"
                          : noun.traits & food            ? "food or drink"
                                                          : "thing");
        add(noun.plural, "people");
    }
    constexpr std::string_view verb_forms[] = {"verb", "verb with -s", "verb in the past"};
    constexpr std::string_view pronoun_forms[] = {"subject pronoun", "object pronoun",
                                                  "possessive pronoun"};
    for (int form = 0; form < 3; ++form) {
        for (const grammar::Verb& verb : grammar::verbs)
            add(grammar::word_at(verb.english, form), verb_forms[form]);
        for (const grammar::Opinion& verb : grammar::opinions)
            add(grammar::word_at(verb.english, form), verb_forms[form]);
        for (const grammar::Pronoun& pronoun : grammar::pronouns)
            add(grammar::word_at(pronoun.english, form), pronoun_forms[form]);
    }
    for (const grammar::Adjective& adjective : grammar::adjectives)
        add(adjective.english, "adjective");
    for (const grammar::Manner& manner : grammar::manners) add(manner.english, "adverb");

    std::map<std::string, int> classes;
    for (const auto& [word, all] : found)
        if (all.size() == 1) classes[word] = *all.begin();
    return classes;
}

// --- pieces -------------------------------------------------------------------------------------

std::map<std::string, int64_t> word_counts(const std::vector<Sentence>& sentences,
                                           std::size_t most) {
    std::map<std::string, int64_t> counts;
    for (const Sentence& sentence : sentences)
        for (const std::string& word : sentence) ++counts[' ' + word];
    if (most == 0 || counts.size() <= most) return counts;
    std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return {sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(most)};
}

Pieces bytes_of(const std::string& word) {
    Pieces bytes;
    for (const char byte : word) bytes.emplace_back(1, byte);
    return bytes;
}

std::string shown(const Pieces& pieces) {
    std::string text;
    for (const std::string& piece : pieces) {
        if (!text.empty()) text += ' ';
        for (std::size_t at = 0; at < piece.size();) {
            const Utf8Point point = utf8_first(std::string_view(piece).substr(at));
            const auto size = static_cast<std::size_t>(std::max(point.bytes, 1));
            if (point.bytes == 0)
                text += fmt::format("<{:02X}>", static_cast<unsigned char>(piece[at]));
            else
                text += piece[at] == ' ' ? "_" : course::printable(piece.substr(at, size));
            at += size;
        }
    }
    return text;
}

TokenCounts token_counts(const std::vector<Sentence>& sentences) {
    TokenCounts counts;
    for (const Sentence& sentence : sentences) {
        counts.words += static_cast<double>(sentence.size());
        for (const std::string& word : sentence) {
            counts.bytes += static_cast<double>(word.size() + 1);
            counts.characters += static_cast<double>(utf8_decode(word).size() + 1);
        }
    }
    const auto n = static_cast<double>(sentences.size());
    return {counts.words / n, counts.characters / n, counts.bytes / n};
}

Unknown unknown_share(const std::vector<Sentence>& known, const std::vector<Sentence>& sentences) {
    std::set<std::string> words, characters;
    for (const Sentence& sentence : known)
        for (const std::string& word : sentence) {
            words.insert(word);
            for (std::string& character : utf8_characters(word))
                characters.insert(std::move(character));
        }
    double all_words = 0, all_characters = 0;
    Unknown unknown;
    for (const Sentence& sentence : sentences)
        for (const std::string& word : sentence) {
            ++all_words;
            unknown.words += !words.contains(word);
            for (const std::string& character : utf8_characters(word)) {
                ++all_characters;
                unknown.characters += !characters.contains(character);
            }
        }
    return {unknown.words / all_words, unknown.characters / all_characters,
            static_cast<int>(words.size()), static_cast<int>(characters.size())};
}

Unknown mean_unknown_share(const std::vector<Sentence>& known,
                           const std::vector<Sentence>& sentences, std::size_t size) {
    const std::size_t sets = std::clamp<std::size_t>(known.size() / size, 1, 10);
    Unknown mean;
    for (std::size_t i = 0; i < sets; ++i) {
        const auto from = known.begin() + static_cast<std::ptrdiff_t>(i * size);
        const auto end =
            from + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(size), known.end() - from);
        const Unknown one = unknown_share({from, end}, sentences);
        mean.words += one.words / static_cast<double>(sets);
        mean.characters += one.characters / static_cast<double>(sets);
        mean.word_kinds = one.word_kinds;
        mean.character_kinds = one.character_kinds;
    }
    return mean;
}

}  // namespace heed::lesson06
