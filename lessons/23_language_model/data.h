// A text as ids of characters: the training and validation data of a character-level language
// model.
//
//     const Characters text = characters_of("to be or not to be", 0.9);
//     text.size()              // 7 different characters: space b e n o r t
//     text.train, text.valid   // the first nine tenths of the text as ids, and the rest
//
// A character is a code point of UTF-8. The different characters of the whole text, sorted by their
// bytes, get the ids 0, 1, 2, ..., so every character of the validation text has an id.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/utf8.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "lessons/material/corpora/corpus.h"
#include "lessons/material/read/text_data.h"

namespace heed::lesson23 {

struct Characters {
    std::vector<std::string> names;  // by id
    std::map<std::string, int> ids;
    std::vector<int> train, valid;

    int size() const { return static_cast<int>(names.size()); }
    std::string text(const std::vector<int>& some) const {
        std::string all;
        for (int id : some) all += names.at(id);
        return all;
    }
    // The ids of a text. Throws for a character that does not occur in the whole text.
    std::vector<int> read(const std::string& some) const {
        std::vector<int> all;
        for (const std::string& name : utf8_characters(some)) {
            const auto found = ids.find(name);
            check(found != ids.end(), "the character '{}' does not occur in the text", name);
            all.push_back(found->second);
        }
        return all;
    }
};

// Calls use(code point) for every character of a text that is valid UTF-8.
template <class Use>
void for_each_character(std::string_view text, const Use& use) {
    while (!text.empty()) {
        const Utf8Point point = utf8_first(text);
        check(point.bytes > 0, "the text is not valid UTF-8");
        use(point.value);
        text.remove_prefix(static_cast<std::size_t>(point.bytes));
    }
}

// Beside the text itself this takes four bytes for each character, and nothing else that grows with
// the text.
inline Characters characters_of(const std::string& text, double training_share) {
    constexpr std::size_t code_points = 0x110000;
    std::vector<int> id_of(code_points, -1);
    std::size_t count = 0;
    for_each_character(text, [&](char32_t point) { id_of[point] = 0, ++count; });
    Characters all;
    for (std::size_t point = 0; point < code_points; ++point) {
        if (id_of[point] < 0) continue;
        id_of[point] = all.size();
        all.names.push_back(utf8_encode(static_cast<char32_t>(point)));
        all.ids[all.names.back()] = id_of[point];
    }
    const auto border = static_cast<std::size_t>(training_share * static_cast<double>(count));
    all.train.reserve(border);
    all.valid.reserve(count - border);
    for_each_character(text, [&](char32_t point) {
        (all.train.size() < border ? all.train : all.valid).push_back(id_of[point]);
    });
    return all;
}

// The English sentences of the course's corpus, one in each line: 24,000 different sentences with a
// vocabulary of 179 words, about 1.1 million characters. So no line of the validation text occurs
// in the training text, except for parts of the line where the text is split.
inline std::string english_lines(std::uint64_t seed, int sentences = 24000) {
    course::CorpusOptions options;
    options.pairs = sentences;
    options.valid = options.test = sentences / 20;
    const course::Corpus corpus = course::korean_english(seed, options);
    std::string text;
    for (const auto* part : {&corpus.train, &corpus.valid, &corpus.test})
        for (const course::SentencePair& pair : *part) {
            for (std::size_t i = 0; i < pair.target.size(); ++i)
                text += (i ? " " : "") + pair.target[i];
            text += '\n';
        }
    return text;
}

// A character more is a row more in the model's embedding and a column more in its output.
inline constexpr std::size_t most_characters = 20'000;

// The text of a file. Throws course::InputError, with file and line, if it is not UTF-8, has fewer
// than `least` characters, or more than most_characters different ones.
inline std::string text_of_file(const std::string& path, std::size_t least) {
    std::string text = course::read_text(path);
    std::size_t found = 0, different = 0;
    std::vector<bool> seen(0x110000);
    for_each_character(text, [&](char32_t point) {
        ++found;
        different += !seen[point];
        seen[point] = true;
    });
    if (found < least)
        throw course::InputError(fmt::format(
            "{}: expected a text of at least {} characters, found {}", path, least, found));
    if (different > most_characters)
        throw course::InputError(
            fmt::format("{}: expected at most {} different characters, found {}", path,
                        most_characters, different));
    return text;
}

// `rows` random pieces of a text [rows, T] as inputs, and as targets the same pieces shifted by one
// character.
struct Piece {
    Indices in, out;
};
inline Piece random_pieces(const std::vector<int>& text, int64_t rows, int64_t length, Rng& rng) {
    std::vector<int> in, out;
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t first = rng.below(static_cast<int64_t>(text.size()) - length);
        in.insert(in.end(), text.begin() + first, text.begin() + first + length);
        out.insert(out.end(), text.begin() + first + 1, text.begin() + first + length + 1);
    }
    return {Indices(std::move(in), {rows, length}), Indices(std::move(out), {rows, length})};
}
// The text is divided into consecutive pieces; these are the pieces first .. first + rows - 1.
inline Piece pieces_in_order(const std::vector<int>& text, int64_t first, int64_t rows,
                             int64_t length) {
    const auto begin = text.begin() + first * length, end = begin + rows * length;
    return {Indices({begin, end}, {rows, length}), Indices({begin + 1, end + 1}, {rows, length})};
}
inline int64_t pieces_in(const std::vector<int>& text, int64_t length) {
    return (static_cast<int64_t>(text.size()) - 1) / length;
}

// Six letters, consonants and vowels in turn: a name that nobody has read before.
inline std::string new_name(Rng& rng) {
    constexpr std::string_view consonants = "bdfghjklmnprstv", vowels = "aeiou";
    std::string name;
    for (int i = 0; i < 6; ++i) {
        const std::string_view letters = i % 2 ? vowels : consonants;
        name += letters[static_cast<std::size_t>(rng.below(std::ssize(letters)))];
    }
    return name;
}

}  // namespace heed::lesson23
