#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lessons/course/exercise/write.h"

using Pieces = std::vector<std::string>;
using Pair = std::pair<std::string, std::string>;

struct Word {
    Pieces pieces;
    int times = 1;
};

// The map is sorted by its keys. So the first pair with the largest count is the first in
// alphabetical order, if a later one has to be strictly more frequent.
Pair my_best_pair(const std::vector<Word>& words) {
    std::map<Pair, int> counts;
    for (const Word& word : words)
        for (std::size_t i = 0; i + 1 < word.pieces.size(); ++i)
            counts[{word.pieces[i], word.pieces[i + 1]}] += word.times;
    Pair best;
    int most = 0;
    for (const auto& [pair, count] : counts)
        if (count > most) {
            most = count;
            best = pair;
        }
    return best;
}

// Two pieces that were joined are passed over, so that none of them is used again.
Pieces my_join(const Pieces& pieces, const Pair& pair) {
    Pieces result;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (i + 1 < pieces.size() && pieces[i] == pair.first && pieces[i + 1] == pair.second)
            result.push_back(pair.first + pieces[++i]);
        else
            result.push_back(pieces[i]);
    return result;
}

std::vector<Pair> my_merges(std::vector<Word> words, int count) {
    std::vector<Pair> merges;
    while (static_cast<int>(merges.size()) < count) {
        bool any = false;
        for (const Word& word : words) any |= word.pieces.size() > 1;
        if (!any) break;
        merges.push_back(my_best_pair(words));
        for (Word& word : words) word.pieces = my_join(word.pieces, merges.back());
    }
    return merges;
}

// An earlier merge goes first, everywhere in the word. So a word of the training text is spelled as
// it was when the merges were learned.
Pieces my_spell(const std::string& word, const std::vector<Pair>& merges) {
    Pieces pieces;
    for (char letter : word) pieces.push_back(std::string(1, letter));
    for (const Pair& merge : merges) pieces = my_join(pieces, merge);
    return pieces;
}
