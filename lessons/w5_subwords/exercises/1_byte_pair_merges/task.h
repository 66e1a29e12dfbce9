//! # Byte-pair merges
//!
//! Write the byte-pair encoding of workshop {subwords} in four functions. A word is a list of
//! pieces, and the number of times that it occurs. At first, each piece is one letter.
//!
//! 1. `my_best_pair(words)` returns the pair of neighbouring pieces that occurs most often in the
//!    text. A pair in a word counts as often as the word occurs, and as often as it stands in the
//!    word. If several pairs are equally frequent, it is the smallest by `<` of `std::pair`: the
//!    first in alphabetical order. There is at least one pair.
//! 2. `my_join(pieces, pair)` replaces each occurrence of the pair by one piece, from left to
//!    right. From *a a a* and the pair *a, a* it makes *aa a*.
//! 3. `my_merges(words, count)` finds the pairs, one after the other, and returns them in this
//!    order. It stops early if no word has two pieces any more.
//! 4. `my_spell(word, merges)` returns the pieces of a new word: single letters first, then each
//!    merge in the order in which it was learned.
//!
//! For *see* (3 times), *sees* (2), *seen* (1) and *tree* (2), the first three merges are *e e*, *s
//! ee* and *r ee*. With them, *seed* is spelled *see d*, and *trees* is *t ree s*.
//!
//! Level 3 of 3, about 30 minutes.
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

Pair my_best_pair(const std::vector<Word>& words) { not_written(); }

Pieces my_join(const Pieces& pieces, const Pair& pair) { not_written(); }

std::vector<Pair> my_merges(std::vector<Word> words, int count) { not_written(); }

Pieces my_spell(const std::string& word, const std::vector<Pair>& merges) { not_written(); }
