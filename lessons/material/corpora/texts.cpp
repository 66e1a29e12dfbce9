#include "lessons/material/corpora/texts.h"

#include <fmt/format.h>

#include "lessons/course/terminal/text.h"
#include "lessons/material/read/text_data.h"
#include "nn/data/vocabulary.h"

namespace heed::course {

namespace {

template <class Side>
Texts side_of(const Corpus& corpus, Side side) {
    Texts texts;
    for (const SentencePair& pair : corpus.train) texts.train.push_back(pair.*side);
    for (const SentencePair& pair : corpus.test) texts.test.push_back(pair.*side);
    return texts;
}

}  // namespace

Texts english_of(const Corpus& corpus) { return side_of(corpus, &SentencePair::target); }

Texts korean_of(const Corpus& corpus) { return side_of(corpus, &SentencePair::source); }

Texts texts_of_file(const std::string& path) {
    constexpr std::size_t least_lines = 200, least_words = 2000;
    Texts texts;
    const Vocabulary splitter;
    std::size_t lines = 0, words = 0;
    for (const std::string& line : read_lines(path)) {
        Sentence sentence = splitter.tokenize(line);
        if (sentence.empty()) continue;
        words += sentence.size();
        (++lines % 10 == 0 ? texts.test : texts.train).push_back(std::move(sentence));
    }
    if (lines < least_lines || words < least_words)
        throw InputError(
            fmt::format("{}: expected at least {} lines with {} words in all, found {} with {}",
                        path, least_lines, least_words, lines, words));
    return texts;
}

std::vector<std::string> lines_of(const std::vector<Sentence>& sentences) {
    std::vector<std::string> lines;
    lines.reserve(sentences.size());
    for (const Sentence& sentence : sentences) lines.push_back(joined(sentence));
    return lines;
}

}  // namespace heed::course
