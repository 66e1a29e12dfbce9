#include "lessons/material/corpora/corpus.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>

#include "autograd/base/error.h"
#include "lessons/material/corpora/grammar.h"

namespace heed::course {
namespace {

using grammar::Grammar;
using grammar::Phrase;

constexpr int longest_target = 26;  // unless longer sentences are wanted

// For each band of length: the sizes to ask the grammar for, and the weight of the band in the
// corpus. The first five are length_bands; the others are used only if they are asked for.
struct Recipe {
    int from, to, weight;
    std::vector<grammar::Size> sizes;
};
const std::array<Recipe, 9> recipes{{
    {2, 5, 14, {{1, 10}, {1, 30}}},
    {6, 10, 27, {{1, 40}, {1, 80}, {2, 10}}},
    {11, 15, 25, {{1, 100}, {2, 30}, {2, 60}}},
    {16, 20, 20, {{2, 70}, {2, 100}, {3, 30}}},
    {21, 26, 14, {{2, 130}, {3, 50}, {3, 80}}},
    {27, 35, 14, {{4, 60}, {5, 50}, {6, 30}}},
    {36, 43, 14, {{5, 80}, {6, 60}, {7, 40}}},
    {44, 51, 14, {{6, 80}, {7, 60}, {8, 50}}},
    {52, 60, 14, {{7, 80}, {8, 70}, {9, 50}}},
}};

std::size_t recipe_for(int length) {
    std::size_t band = 0;
    while (band + 1 < recipes.size() && length > recipes[band].to) ++band;
    return band;
}

// The FNV-1a hash of the words. If two sentences have the same hash, the second one is left out,
// which does no harm.
std::uint64_t fingerprint(const std::vector<std::string_view>& words) {
    std::uint64_t hash = 0xCBF29CE484222325;
    const auto add = [&](char byte) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    };
    for (const std::string_view word : words) {
        for (const char byte : word) add(byte);
        add(' ');
    }
    return hash;
}

SentencePair finished(const Phrase& phrase) {
    SentencePair pair;
    pair.source.assign(phrase.source.begin(), phrase.source.end());
    pair.target.assign(phrase.target.begin(), phrase.target.end());
    for (const grammar::PhraseLink& link : phrase.links)
        (link.sure ? pair.alignment : pair.possible).emplace_back(link.source, link.target);
    std::sort(pair.alignment.begin(), pair.alignment.end());
    std::sort(pair.possible.begin(), pair.possible.end());
    return pair;
}

// The sentence that the lesson on translation starts with.
Phrase first_sentence() {
    return {{"나는", "학생", "이다"},
            {"I", "am", "a", "student"},
            {{0, 0}, {1, 2, false}, {1, 3}, {2, 1}}};
}

// Distinct pairs: no sentence of either side occurs twice.
class Collection {
  public:
    std::vector<SentencePair> pairs;

    // Returns false if either side is already in the collection.
    bool add(const Phrase& phrase) {
        const auto source = fingerprint(phrase.source), target = fingerprint(phrase.target);
        if (sources_.count(source) || targets_.count(target)) return false;
        sources_.insert(source);
        targets_.insert(target);
        pairs.push_back(finished(phrase));
        return true;
    }

  private:
    std::unordered_set<std::uint64_t> sources_, targets_;
};

// The bands that overlap with these lengths, each as often as its weight.
std::vector<int> bands_between(int shortest, int longest) {
    std::vector<int> bands;
    for (std::size_t band = 0; band < recipes.size() && shortest <= longest; ++band)
        if (recipes[band].from <= longest && recipes[band].to >= shortest)
            bands.insert(bands.end(), recipes[band].weight, static_cast<int>(band));
    return bands;
}

}  // namespace

Corpus korean_english(std::uint64_t seed, const CorpusOptions& options) {
    check(options.valid >= 0 && options.test >= 0 && options.pairs > options.valid + options.test,
          "korean_english: {} pairs leave nothing to train on after {} for validation and {} for "
          "testing",
          options.pairs, options.valid, options.test);
    std::vector<int> bands = bands_between(options.shortest, options.longest);
    check(!bands.empty(), "korean_english: no sentence has at least {} and at most {} words",
          options.shortest, options.longest);

    Dice dice{seed};
    Grammar generator{Dice{dice.next()}};
    Collection collection;
    const bool has_first = options.shortest <= 3 && options.longest >= 3 && options.test > 0;
    if (has_first) collection.add(first_sentence());

    // The bands are filled in the proportions of the recipes. A sentence made for one band is put
    // into the band of its length if that is not full. If the grammar finds no new sentences for a
    // band, the number still wanted is added to another band.
    std::array<int, recipes.size()> wanted{}, misses{};
    int left = options.pairs - has_first;
    for (int i = 0; i < left; ++i) ++wanted[bands[dice.below(bands.size())]];
    while (left > 0) {
        check(!bands.empty(),
              "korean_english: {} pairs wanted, but only {} of {} to {} words were found",
              options.pairs, collection.pairs.size(), options.shortest, options.longest);
        const int chosen = bands[dice.below(bands.size())];
        if (wanted[chosen] == 0 || misses[chosen] > 5000) {
            std::erase(bands, chosen);
            if (bands.empty()) continue;
            wanted[bands[0]] += std::exchange(wanted[chosen], 0);
            continue;
        }
        const std::vector<grammar::Size>& sizes = recipes[chosen].sizes;
        const Phrase phrase = generator.sentence(sizes[dice.below(sizes.size())]);
        const int length = phrase.source_end();
        const std::size_t band = recipe_for(length);
        const bool fits = length >= options.shortest && length <= options.longest &&
                          phrase.target_end() <= std::max(options.longest, longest_target) &&
                          wanted[band] > 0;
        if (!fits || !collection.add(phrase)) {
            ++misses[chosen];
            continue;
        }
        misses[chosen] = 0;
        --wanted[band];
        --left;
    }

    // The first pair stays first; the others are shuffled. Then the sets are cut off.
    std::vector<SentencePair>& pairs = collection.pairs;
    for (std::size_t i = pairs.size(), first = has_first; i > first + 1; --i)
        std::swap(pairs[i - 1], pairs[first + dice.below(i - first)]);
    const auto begin = std::make_move_iterator(pairs.begin());
    const auto test_end = begin + options.test, valid_end = test_end + options.valid;
    const auto end = std::make_move_iterator(pairs.end());
    return {{valid_end, end}, {test_end, valid_end}, {begin, test_end}};
}

SentencePair swapped(const SentencePair& pair) {
    SentencePair result{pair.target, pair.source, {}, {}};
    for (const auto& [source, target] : pair.alignment)
        result.alignment.emplace_back(target, source);
    for (const auto& [source, target] : pair.possible) result.possible.emplace_back(target, source);
    std::sort(result.alignment.begin(), result.alignment.end());
    std::sort(result.possible.begin(), result.possible.end());
    return result;
}

Corpus swapped(const Corpus& corpus) {
    Corpus result;
    for (const SentencePair& pair : corpus.train) result.train.push_back(swapped(pair));
    for (const SentencePair& pair : corpus.valid) result.valid.push_back(swapped(pair));
    for (const SentencePair& pair : corpus.test) result.test.push_back(swapped(pair));
    return result;
}

int length_band(int length) {
    int band = 0;
    while (band + 1 < static_cast<int>(length_bands.size()) && length > length_bands[band].to)
        ++band;
    return band;
}

void AlignmentError::add(const Alignment& given, const Alignment& must, const Alignment& may) {
    const std::set<std::pair<int, int>> a(given.begin(), given.end()), s(must.begin(), must.end());
    const std::set<std::pair<int, int>> p(may.begin(), may.end());
    for (const auto& link : a) {
        found_sure += s.count(link);
        found_possible += s.count(link) || p.count(link);
    }
    links += static_cast<long>(a.size());
    sure += static_cast<long>(s.size());
}

double AlignmentError::rate() const {
    if (links + sure == 0) return 0;
    return 1 - static_cast<double>(found_sure + found_possible) / static_cast<double>(links + sure);
}

double alignment_error_rate(const Alignment& links, const Alignment& sure,
                            const Alignment& possible) {
    AlignmentError error;
    error.add(links, sure, possible);
    return error.rate();
}

}  // namespace heed::course
