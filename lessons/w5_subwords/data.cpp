#include "lessons/w5_subwords/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "autograd/base/utf8.h"
#include "lessons/course/terminal/text.h"

namespace heed::workshop5 {

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

}  // namespace heed::workshop5
