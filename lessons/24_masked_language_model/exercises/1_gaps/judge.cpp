#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

std::string numbers_in(const std::vector<int>& list) {
    std::string text;
    for (int id : list) text += (text.empty() ? "" : " ") + std::to_string(id);
    return text;
}

// The result with these random numbers, and how many of them were drawn.
std::string gaps_with(const std::vector<int>& ids, int vocabulary, std::vector<double> numbers) {
    std::size_t drawn = 0;
    const Gaps gaps = my_gaps(ids, vocabulary, [&] {
        check(drawn < numbers.size(), "more than {} numbers were drawn", numbers.size());
        return numbers[drawn++];
    });
    return numbers_in(gaps.ids) + "; labels " + numbers_in(gaps.labels) +
           "; numbers drawn: " + std::to_string(drawn);
}

void judge(course::Judge& judge) {
    judge.own({"mask_tokens"});
    judge.equal(
        "the five words of the lesson",
        [] {
            return gaps_with({4, 5, 6, 7, 8}, 9, {0.61, 0.09, 0.41, 0.72, 0.33, 0.12, 0.93});
        },
        "4 3 6 7 8; labels -100 5 -100 -100 8; numbers drawn: 7",
        {{"a chosen word that stays is asked for, too",
          "4 3 6 7 8; labels -100 5 -100 -100 -100; numbers drawn: 7"},
         {"labels stand at chosen positions only", "4 3 6 7 8; labels 4 5 6 7 8; numbers drawn: 7"},
         {"the label is the original word, not what it became",
          "4 3 6 7 8; labels -100 3 -100 -100 8; numbers drawn: 7"},
         {"every chosen word becomes [MASK]; 20 of 100 do not",
          "4 3 6 7 3; labels -100 5 -100 -100 8; numbers drawn: 7"}});
    judge.equal(
        "one word of ten, chosen, with 0.85 and then 0.5: 4 + 0.5 * 6 = 7",
        [] {
            return gaps_with({5}, 10, {0, 0.85, 0.5});
        },
        "7; labels 5; numbers drawn: 3",
        {{"the random word is drawn from all ids, special ones too",
          "5; labels 5; numbers drawn: 3"},
         {"the label is the original word, not what it became", "7; labels 7; numbers drawn: 3"},
         {"from 0.8 to 0.9 the word becomes a random word", "5; labels 5; numbers drawn: 2"},
         {"from 0.8 to 0.9 the word becomes a random word", "3; labels 5; numbers drawn: 2"}});
    judge.equal("the last word of the vocabulary can be drawn, with 0.99",
                [] {
                    return gaps_with({5}, 10, {0.1, 0.8, 0.99});
                },
                "9; labels 5; numbers drawn: 3",
                {{"the random word is below the last one: the factor is V - 4",
                  "8; labels 5; numbers drawn: 3"}});
    judge.equal("[CLS] word [SEP] padding: only the word draws numbers",
                [] {
                    return gaps_with({1, 6, 2, 0, 3}, 9,
                                     {0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2});
                },
                "1 3 2 0 3; labels -100 6 -100 -100 -100; numbers drawn: 2",
                {{"special ids are never chosen, and they draw no number",
                  "3 3 3 3 3; labels 1 6 2 0 3; numbers drawn: 10"}});
    judge.equal(
        "the limits: 0.15 is not chosen, 0.9 stays",
        [] {
            return gaps_with({4, 5}, 9, {0.15, 0.14, 0.9});
        },
        "4 5; labels -100 5; numbers drawn: 3");
    judge.equal(
        "a text without words", [] { return gaps_with({}, 9, {}); }, "; labels ; numbers drawn: 0");
    judge.holds(
        "20,000 words: about 15 % are chosen; of these about 80 % are [MASK], 10 % another word",
        [] {
            Rng rng(1);
            const std::vector<int> ids(20000, 50);
            const Gaps gaps = my_gaps(ids, 1004, [&] { return rng.uniform(); });
            double chosen = 0, masks = 0, others = 0;
            for (std::size_t i = 0; i < ids.size(); ++i) {
                chosen += gaps.labels.at(i) == 50;
                masks += gaps.ids.at(i) == 3;
                others += gaps.ids.at(i) != 3 && gaps.ids.at(i) != 50;
            }
            return std::abs(chosen / 20000 - 0.15) < 0.015 &&
                   std::abs(masks / chosen - 0.8) < 0.04 && std::abs(others / chosen - 0.1) < 0.03;
        },
        "The shares are others. Is a number drawn anew for each question of the task?");
}
