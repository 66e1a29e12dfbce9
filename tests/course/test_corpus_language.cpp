// The language of the Korean-English corpus, checked without its grammar: words by a separate
// dictionary, particles by the code points of Hangul, agreement and articles word by word.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "autograd/base/utf8.h"
#include "lessons/material/corpora/corpus.h"
#include "tests/catch.h"
#include "tests/course/dictionary.h"

using namespace heed::course;

namespace {

using Words = std::set<std::string>;

Words words(const std::string& text) {
    std::istringstream stream(text);
    Words result;
    for (std::string word; stream >> word;) result.insert(word);
    return result;
}

std::vector<std::string> lines(std::string_view text) {
    std::istringstream stream{std::string(text)};
    std::vector<std::string> result;
    for (std::string line; std::getline(stream, line);)
        if (!line.empty()) result.push_back(line);
    return result;
}

struct Language {
    std::map<std::string, Words> english_of;  // by Korean word
    Words base, third, past, nouns, plurals, verbs_korean;

    Language() {
        for (const std::string& line : lines(dictionary_verbs)) {
            std::istringstream stream(line);
            std::string a, b, c;
            stream >> a >> b >> c;
            base.insert(a), third.insert(b), past.insert(c);
            for (const std::string& word : enter(line)) verbs_korean.insert(word);
        }
        for (const std::string& line : lines(dictionary_nouns)) {
            enter(line);
            std::istringstream stream(line);
            std::string one, many;
            stream >> one >> many;
            nouns.insert(one);
            if (many != "=" && many != "home") plurals.insert(many);
        }
        for (const std::string& line : lines(dictionary_others)) enter(line);
        // Endings that are separate words in English: -고 and, -으면 if, -어서 because.
        for (auto& [korean, english] : english_of) {
            if (korean == "고") continue;
            if (korean.ends_with("고") || korean == "과" || korean == "와") english.insert("and");
            if (korean.ends_with("면")) english.insert("if");
            if (korean.ends_with("서") && korean != "에서") english.insert("because");
        }
    }

    Words enter(const std::string& line) {
        const auto middle = line.find('=');
        const Words english = words(line.substr(0, middle)),
                    korean = words(line.substr(middle + 1));
        for (const std::string& word : korean)
            english_of[word].insert(english.begin(), english.end());
        return korean;
    }
};

const Language& language() {
    static const Language all;
    return all;
}

const std::vector<SentencePair>& sentences() {
    static const std::vector<SentencePair> all = korean_english(11).train;
    return all;
}

std::string shown(const SentencePair& pair) {
    return fmt::format("{} | {}", fmt::join(pair.source, " "), fmt::join(pair.target, " "));
}

// The last consonant of a syllable, counted from the end of the word: 0 none, 4 ㄴ, 8 ㄹ, 20 ㅆ.
int batchim(const std::string& word, std::size_t from_end = 1) {
    const std::u32string syllables = heed::utf8_decode(word);
    if (syllables.size() < from_end) return 0;
    return static_cast<int>((syllables[syllables.size() - from_end] - 0xAC00) % 28);
}

// A statement in the past: ㅆ before 다, as in 읽었다. The exceptions are 있다 and 없다, "is (not)
// there".
bool is_past(const std::string& word) {
    return word.ends_with("다") && batchim(word, 2) == 20 && word != "있다" && word != "없다";
}

}  // namespace

TEST_CASE("every link is in the dictionary, and every content word is linked", "[data][lesson]") {
    const Words free_korean = words("은 는 이 가 을 를 들 이다 이라 와 과 에");
    const Words free_english = words("a an the it there who that will");
    Words known_korean, known_english;
    for (const SentencePair& pair : sentences()) {
        INFO(shown(pair));
        std::vector<bool> source(pair.source.size()), target(pair.target.size());
        std::set<std::pair<int, int>> links;
        for (const auto& [i, j] : pair.alignment) {
            REQUIRE(links.emplace(i, j).second);
            const auto entry = language().english_of.find(pair.source.at(i));
            INFO(pair.source[i] << " - " << pair.target.at(j));
            REQUIRE(entry != language().english_of.end());
            REQUIRE(entry->second.count(pair.target[j]) == 1);
            source[i] = target[j] = true;
        }
        for (const auto& [i, j] : pair.possible) {
            REQUIRE(i < static_cast<int>(pair.source.size()));
            REQUIRE(j < static_cast<int>(pair.target.size()));
            REQUIRE(links.emplace(i, j).second);  // sure or possible, not both
        }
        for (std::size_t i = 0; i < source.size(); ++i) {
            INFO(pair.source[i]);
            REQUIRE((source[i] || free_korean.count(pair.source[i])));
            // 이다 has no link to "am" only in the future, 에 has none to "to" only in 집 에, home.
            if (!source[i] && batchim(pair.source[i]) == 0 && pair.source[i].starts_with("이") &&
                pair.source[i] != "이")
                REQUIRE(pair.source[i - 1] == "것");
            if (!source[i] && pair.source[i] == "에") REQUIRE(pair.source[i - 1] == "집");
        }
        for (std::size_t j = 0; j < target.size(); ++j) {
            INFO(pair.target[j]);
            REQUIRE((target[j] || free_english.count(pair.target[j])));
            if (!target[j] && pair.target[j] == "the") REQUIRE(pair.target[j + 1] == "morning");
        }
    }
}

TEST_CASE("particles agree with the syllable before them", "[data][lesson]") {
    const Words after_consonant = words("은 이 을 과 이었다 이라"),
                after_vowel = words("는 가 를 와 였다 라");
    int seen = 0;
    for (const SentencePair& pair : sentences())
        for (std::size_t i = 0; i < pair.source.size(); ++i) {
            const bool consonant = after_consonant.count(pair.source[i]) == 1;
            if (!consonant && !after_vowel.count(pair.source[i])) continue;
            INFO(shown(pair));
            REQUIRE(i > 0);
            REQUIRE((batchim(pair.source[i - 1]) != 0) == consonant);
            ++seen;
        }
    CHECK(seen > 20000);
}

TEST_CASE("the ending of a Korean verb determines the tense of the English verb",
          "[data][lesson]") {
    const Words present = words("do does am is are"), gone = words("did was were");
    for (const SentencePair& pair : sentences()) {
        INFO(shown(pair));
        // A Korean sentence ends with a verb in -다; ㅆ before it means the past.
        REQUIRE(pair.source.back().ends_with("다"));
        for (const auto& [i, j] : pair.alignment) {
            const std::string &korean = pair.source[i], &english = pair.target[j];
            const bool auxiliary = present.count(english) || gone.count(english);
            const bool verb = language().verbs_korean.count(korean) && english != "it";
            if (!korean.ends_with("다") || korean == "이다" || (!auxiliary && !verb)) continue;
            const bool past = is_past(korean);
            if (past) REQUIRE((language().past.count(english) || gone.count(english)));
            if (!past)
                REQUIRE((language().base.count(english) || language().third.count(english) ||
                         present.count(english)));
        }
        // If the sentence is in the past, all its clauses are.
        if (is_past(pair.source.back()))
            for (const std::string& word : pair.target)
                REQUIRE_FALSE(
                    (language().third.count(word) || present.count(word) || word == "will"));
    }
}

TEST_CASE("English verbs agree with their subjects, articles with their nouns", "[data][lesson]") {
    const Words singular = words("he she it"), plural = words("I you we they");
    const Words adverbs = words("often always"), to_be = words("am is are was were");
    const Language& l = language();
    for (const SentencePair& pair : sentences()) {
        INFO(shown(pair));
        // With a relative clause or "that", the word before a verb need not be its subject.
        const auto& target = pair.target;
        const bool simple = std::none_of(target.begin(), target.end(), [](const std::string& word) {
            return word == "who" || word == "that";
        });
        for (std::size_t j = 0; j + 1 < pair.target.size(); ++j) {
            const std::string& word = pair.target[j];
            std::string next = pair.target[j + 1];
            const bool vowel = std::string("aeiou").find(next[0]) != std::string::npos;
            if (word == "a") REQUIRE_FALSE(vowel);
            if (word == "an") REQUIRE(vowel);
            if (word == "a" || word == "an") REQUIRE_FALSE(l.plurals.count(next));
            if (!simple) continue;
            if (adverbs.count(next) && j + 2 < pair.target.size()) next = pair.target[j + 2];
            const bool base_only = l.base.count(next) && !l.past.count(next);
            if (singular.count(word) || l.nouns.count(word))
                REQUIRE_FALSE((base_only || next == "do"));
            if (plural.count(word) || l.plurals.count(word))
                REQUIRE_FALSE((l.third.count(next) || next == "does" || next == "is"));
            if (to_be.count(next) && (word == "I" || singular.count(word)))
                REQUIRE((next == (word == "I" ? "am" : "is") || next == "was"));
            if (to_be.count(next) && (word == "you" || word == "we" || word == "they"))
                REQUIRE((next == "are" || next == "were"));
        }
    }
}

TEST_CASE("Korean and English differ in word order", "[data][lesson]") {
    // Crossing links: i is before k in Korean, but after it in English.
    int crossed = 0;
    for (const SentencePair& pair : sentences()) {
        bool crosses = false;
        for (const auto& [i, j] : pair.alignment)
            for (const auto& [k, m] : pair.alignment) crosses |= i < k && j > m;
        crossed += crosses;
    }
    CHECK(crossed > 0.9 * static_cast<double>(sentences().size()));
}
