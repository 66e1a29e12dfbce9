#include "lessons/08_bottleneck/data.h"

#include <algorithm>
#include <unordered_set>

#include "autograd/base/error.h"
#include "lessons/course/terminal/text.h"
#include "lessons/material/corpora/grammar.h"

namespace heed::lesson08 {

using namespace course;

Corpus chains(std::uint64_t seed, const ChainOptions& options) {
    constexpr int richness = 10;  // few adjectives, places and times
    grammar::Grammar grammar{Dice{seed}};
    std::unordered_set<std::string> sources, targets;
    const auto next = [&](int clauses) {
        for (int tries = 0; tries < 20000; ++tries) {
            const grammar::Phrase phrase = grammar.chain({clauses, richness}, grammar::Tense::past);
            if (phrase.empty()) continue;
            SentencePair pair;
            pair.source.assign(phrase.source.begin(), phrase.source.end());
            pair.target.assign(phrase.target.begin(), phrase.target.end());
            const std::string source = joined(pair.source), target = joined(pair.target);
            if (clauses_of(pair) != clauses || sources.count(source) || targets.count(target))
                continue;
            sources.insert(source);
            targets.insert(target);
            return pair;
        }
        fail("chains: no more sentences of {} clauses found", clauses);
    };
    Corpus corpus;
    for (int clauses = 1; clauses <= options.most; ++clauses) {
        for (int i = 0; i < options.test; ++i) corpus.test.push_back(next(clauses));
        for (int i = 0; i < options.valid; ++i) corpus.valid.push_back(next(clauses));
        for (int i = 0; i < options.train; ++i) corpus.train.push_back(next(clauses));
    }
    return corpus;
}

int clauses_of(const SentencePair& pair) {
    return 1 + static_cast<int>(std::count(pair.target.begin(), pair.target.end(), "and"));
}

int clause_of_word(const SentencePair& pair, int t) {
    const auto end = pair.target.begin() + std::min(t, static_cast<int>(pair.target.size()));
    return static_cast<int>(std::count(pair.target.begin(), end, "and"));
}

}  // namespace heed::lesson08
