#include "nn/text/learn.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <queue>
#include <unordered_map>

#include "autograd/base/error.h"
#include "autograd/base/whole_file.h"

namespace heed {
namespace {

struct Word {
    std::vector<int> ids;
    int64_t times = 0;
};

// The words of all texts, each once, as bytes. The same texts give the same order.
std::vector<Word> words_of(const std::vector<std::string>& texts, Splitting splitting,
                           const std::array<int, 256>& id_of_byte) {
    std::map<std::string_view, int64_t> times;
    for (const std::string& text : texts)
        for (const std::string_view word : split_text(text, splitting)) ++times[word];
    std::vector<Word> words;
    for (const auto& [word, count] : times) {
        Word& made = words.emplace_back();
        made.times = count;
        for (const char c : word) made.ids.push_back(id_of_byte[static_cast<unsigned char>(c)]);
    }
    return words;
}

// How often each pair of neighbours occurs, and in which words.
class Pairs {
  public:
    using Pair = std::pair<int, int>;

    explicit Pairs(const std::vector<Word>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) count(words[i], i, 1);
        offer_new();
    }

    // The most frequent pair, of several the one with the smaller ids; {-1, -1} if none occurs `least` times.
    Pair take_best(int64_t least) {
        while (!offers_.empty()) {
            const Offer best = offers_.top();
            offers_.pop();
            const int64_t now = all_[best.pair].times;
            if (now != best.times) {  // it has become rarer since
                if (now > 0) offers_.push({now, best.pair});
                continue;
            }
            if (now < least) break;
            return best.pair;
        }
        return {-1, -1};
    }

    // The words that have, or had, this pair.
    std::vector<std::size_t> words_with(Pair pair) { return std::move(all_[pair].in_words); }

    // Adds the pairs of a word, or with sign -1 takes them away.
    void count(const Word& word, std::size_t index, int sign) {
        for (std::size_t i = 0; i + 1 < word.ids.size(); ++i) {
            const Pair pair{word.ids[i], word.ids[i + 1]};
            Known& known = all_[pair];
            known.times += sign * word.times;
            if (sign < 0) continue;
            if (known.in_words.empty() || known.in_words.back() != index)
                known.in_words.push_back(index);
            fresh_.push_back(pair);
        }
    }
    // What was added becomes a candidate.
    void offer_new() {
        std::sort(fresh_.begin(), fresh_.end());
        fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
        for (const Pair& pair : fresh_) offers_.push({all_[pair].times, pair});
        fresh_.clear();
    }

  private:
    struct Known {
        int64_t times = 0;
        std::vector<std::size_t> in_words;
    };
    struct Offer {
        int64_t times;
        Pair pair;
        bool operator<(const Offer& other) const {
            return times != other.times ? times < other.times : pair > other.pair;
        }
    };
    struct Hash {
        std::size_t operator()(const Pair& pair) const {
            const auto key = std::uint64_t{static_cast<std::uint32_t>(pair.first)} << 32 |
                             static_cast<std::uint32_t>(pair.second);
            return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> 17);
        }
    };
    std::unordered_map<Pair, Known, Hash> all_;
    std::priority_queue<Offer> offers_;
    std::vector<Pair> fresh_;
};

// From left to right, each occurrence of the pair becomes one token.
void join(std::vector<int>& ids, std::pair<int, int> pair, int joined) {
    std::size_t to = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool here = i + 1 < ids.size() && ids[i] == pair.first && ids[i + 1] == pair.second;
        ids[to++] = here ? joined : ids[i];
        i += here;
    }
    ids.resize(to);
}

// The joined pair in all words that have it.
void join(std::vector<Word>& words, Pairs& pairs, std::pair<int, int> pair, int joined) {
    for (const std::size_t i : pairs.words_with(pair)) {
        Word word = words[i];
        join(word.ids, pair, joined);
        if (word.ids.size() == words[i].ids.size()) continue;  // it has lost the pair before
        pairs.count(words[i], i, -1);
        pairs.count(word, i, 1);
        words[i] = std::move(word);
    }
    pairs.offer_new();
}

// Adds a token for each byte, in the order of the characters that stand for them in files.
std::array<int, 256> add_bytes(std::vector<std::string>& tokens) {
    std::vector<std::pair<std::string, int>> bytes;
    for (int byte = 0; byte < 256; ++byte)
        bytes.emplace_back(bytes_as_characters(std::string(1, static_cast<char>(byte))), byte);
    std::sort(bytes.begin(), bytes.end());
    std::array<int, 256> id_of_byte{};
    for (const auto& [character, byte] : bytes) {
        id_of_byte[static_cast<std::size_t>(byte)] = static_cast<int>(tokens.size());
        tokens.push_back(character);
    }
    return id_of_byte;
}

}  // namespace

LearnedTokenizer learn_byte_pairs(const std::vector<std::string>& texts,
                                  const LearnOptions& options) {
    LearnedTokenizer learned;
    auto& tokens = learned.parts.tokens;
    learned.parts.splitting = options.splitting;
    tokens = options.specials;
    for (std::size_t i = 0; i < options.specials.size(); ++i)
        learned.special.special.push_back(static_cast<int>(i));
    const std::array<int, 256> id_of_byte = add_bytes(tokens);
    check(options.size >= std::ssize(tokens),
          "learn_byte_pairs: a size of {}; {} bytes and special tokens come first", options.size,
          tokens.size());
    check(options.least >= 1, "learn_byte_pairs: least is {}; expected a positive number",
          options.least);

    std::vector<Word> words = words_of(texts, options.splitting, id_of_byte);
    Pairs pairs(words);
    std::unordered_map<std::string, int> ids;
    for (std::size_t i = 0; i < tokens.size(); ++i) ids.emplace(tokens[i], static_cast<int>(i));
    while (std::ssize(tokens) < options.size) {
        const auto pair = pairs.take_best(options.least);
        if (pair.first < 0) break;
        const std::string left = tokens[static_cast<std::size_t>(pair.first)],
                          right = tokens[static_cast<std::size_t>(pair.second)];
        const auto [known, is_new] = ids.emplace(left + right, static_cast<int>(tokens.size()));
        if (is_new) tokens.push_back(left + right);
        learned.parts.pairs.emplace_back(left, right);
        join(words, pairs, pair, known->second);
    }
    return learned;
}

// --- tokenizer.json -------------------------------------------------------------------------------

namespace {

using InOrder = nlohmann::ordered_json;  // of writing

InOrder by_bytes(Splitting splitting) {
    const bool own_regex = splitting == Splitting::gpt2 || splitting == Splitting::smollm;
    return {{"type", "ByteLevel"},
            {"add_prefix_space", false},
            {"trim_offsets", true},
            {"use_regex", own_regex}};
}

InOrder pre_tokenizer(Splitting splitting) {
    if (splitting == Splitting::gpt2) return by_bytes(splitting);
    const InOrder digits = {{"type", "Digits"}, {"individual_digits", true}},
                  regex = {{"type", "Split"},
                           {"pattern", {{"Regex", std::string(regex_of(splitting))}}},
                           {"behavior", "Isolated"},
                           {"invert", false}};
    const InOrder& first = splitting == Splitting::smollm ? digits : regex;
    return {{"type", "Sequence"}, {"pretokenizers", InOrder::array({first, by_bytes(splitting)})}};
}

InOrder model_json(const BytePairParts& parts) {
    InOrder vocabulary = InOrder::object(), merges = InOrder::array();
    for (std::size_t i = 0; i < parts.tokens.size(); ++i) vocabulary[parts.tokens[i]] = i;
    for (const auto& [left, right] : parts.pairs) merges.push_back({left, right});
    return {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", false},
            {"vocab", vocabulary},
            {"merges", merges}};
}

}  // namespace

void save_tokenizer(const LearnedTokenizer& learned, const std::string& path) {
    const BytePairParts& parts = learned.parts;
    InOrder added = InOrder::array();
    for (const int id : learned.special.special)
        added.push_back({{"id", id},
                         {"content", parts.tokens[static_cast<std::size_t>(id)]},
                         {"single_word", false},
                         {"lstrip", false},
                         {"rstrip", false},
                         {"normalized", false},
                         {"special", true}});
    const InOrder file = {
        {"version", "1.0"},          {"truncation", nullptr},
        {"padding", nullptr},        {"added_tokens", added},
        {"normalizer", nullptr},     {"pre_tokenizer", pre_tokenizer(parts.splitting)},
        {"post_processor", nullptr}, {"decoder", by_bytes(parts.splitting)},
        {"model", model_json(parts)}};
    write_whole_file(path, file.dump() + "\n");
}

}  // namespace heed
