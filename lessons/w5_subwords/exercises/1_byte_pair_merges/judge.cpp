#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

std::string joined(const Pieces& pieces) {
    std::string text;
    for (const std::string& piece : pieces) text += (text.empty() ? "" : " ") + piece;
    return text;
}
std::string joined(const std::vector<Pair>& merges) {
    std::string text;
    for (const auto& [a, b] : merges) text += (text.empty() ? "" : ", ") + a + " " + b;
    return text;
}
std::string joined(const Pair& pair) { return joined(std::vector<Pair>{pair}); }

Word letters(const std::string& word, int times) {
    Word result{{}, times};
    for (char letter : word) result.pieces.push_back(std::string(1, letter));
    return result;
}

void judge(course::Judge& judge) {
    const std::vector<Word> text{letters("see", 3), letters("sees", 2), letters("seen", 1),
                                 letters("tree", 2)};
    judge.equal("the most frequent pair of the example", [&] { return joined(my_best_pair(text)); },
                "e e", {{"s e occurs 6 times, e e occurs 8 times", "s e"}});
    judge.equal(
        "a word that occurs nine times beside two that occur once",
        [] {
            return joined(my_best_pair({letters("xy", 1), letters("xyz", 1), letters("no", 9)}));
        },
        "n o", {{"each word counts once, however often it occurs", "x y"}});
    judge.equal(
        "a pair that stands twice in a word, against one that stands once in two",
        [] {
            return joined(my_best_pair({letters("zazaza", 1), letters("bc", 2)}));
        },
        "z a",
        {{"a pair counts as often as it stands in the word", "b c"},
         {"a pair counts as often as it stands in the word: z a 3 times, a z 2 times", "a z"}});
    judge.equal(
        "r ee, see s and t r, all twice",
        [] {
            return joined(my_best_pair(
                {{{"see"}, 3}, {{"see", "s"}, 2}, {{"see", "n"}, 1}, {{"t", "r", "ee"}, 2}}));
        },
        "r ee",
        {{"of equally frequent pairs this is the last one in alphabetical order", "t r"},
         {"of equally frequent pairs this is the one that was found first", "see s"}});
    judge.equal("a z and aa b, both once: the first pieces are compared first",
                [] {
                    return joined(my_best_pair({{{"aa", "b"}, 1}, {{"a", "z"}, 1}}));
                },
                "a z", {{"the joined strings are compared, not the pairs", "aa b"}});

    const auto join = [](const Pieces& pieces, const Pair& pair) {
        return [=] { return joined(my_join(pieces, pair)); };
    };
    judge.equal("s e e s with the pair e e", join({"s", "e", "e", "s"}, {"e", "e"}), "s ee s");
    judge.equal("a a a with the pair a a", join({"a", "a", "a"}, {"a", "a"}), "aa a",
                {{"a piece is used in two joins", "aa aa"},
                 {"the pairs are joined from right to left", "a aa"},
                 {"the new piece is joined once more", "aaa"}});
    judge.equal("a a a a with the pair a a", join({"a", "a", "a", "a"}, {"a", "a"}), "aa aa",
                {{"only the first occurrence is joined", "aa a a"}});
    judge.equal("a b c with the pair b a, which does not occur in this order",
                join({"a", "b", "c"}, {"b", "a"}), "a b c");
    judge.equal("the pair at the end of a word", join({"x", "a", "b"}, {"a", "b"}), "x ab",
                {{"the last pair of a word is left out", "x a b"}});
    judge.equal("a word without pieces", join({}, {"a", "b"}), "");

    judge.equal("the first three merges of the example", [&] { return joined(my_merges(text, 3)); },
                "e e, s ee, r ee", {{"the words are not changed by the merges", "e e, e e, e e"}});
    judge.equal("more merges than there are: all words become whole",
                [] {
                    return joined(my_merges({letters("ab", 2), letters("abc", 1)}, 10));
                },
                "a b, ab c", {{"it has to stop when no word has two pieces", "a b, ab c,  "}});
    judge.equal(
        "no merges at all", [&] { return joined(my_merges(text, 0)); }, "");

    const std::vector<Pair> learned{{"e", "e"}, {"s", "ee"}, {"r", "ee"}};
    judge.equal("seed", [&] { return joined(my_spell("seed", learned)); }, "see d",
                {{"only the first merge is applied", "s ee d"}});
    judge.equal(
        "trees", [&] { return joined(my_spell("trees", learned)); }, "t ree s");
    judge.equal(
        "abc with the merges b c and a b, in this order",
        [] {
            return joined(my_spell("abc", {{"b", "c"}, {"a", "b"}}));
        },
        "a bc",
        {{"the order of the merges decides, not the first or longest piece first", "ab c"}});
    judge.equal(
        "a word that shares no pair", [&] { return joined(my_spell("dog", learned)); }, "d o g");
    // Words of the training text are spelled as they were when the merges were learned.
    judge.equal(
        "all words of the example after six merges",
        [&] {
            const std::vector<Pair> merges = my_merges(text, 6);
            std::string all = joined(merges);
            for (const char* word : {"see", "sees", "seen", "tree", "trees"})
                all += "; " + joined(my_spell(word, merges));
            return all;
        },
        "e e, s ee, r ee, see s, t ree, see n; see; sees; seen; tree; tree s");
}
