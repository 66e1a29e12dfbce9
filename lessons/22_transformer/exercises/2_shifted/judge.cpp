#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

std::string text_of(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) {
        if (&row != &rows.front()) text += " |";
        for (int id : row) text += (text.empty() ? "" : " ") + std::to_string(id);
    }
    return text;
}

void judge(course::Judge& judge) {
    const Rows two{{7, 8, 9}, {5}};
    judge.equal("the inputs of 7 8 9 and 5",
                [&] { return text_of(my_decoder_batch(two, 1, 2, 0).inputs); }, "1 7 8 9 | 1 5 0 0",
                {{"the start token is missing: row 1 must not see the word that it predicts",
                  "7 8 9 2 | 5 2 0 0"},
                 {"the start token is missing: row 1 must not see the word that it predicts",
                  "7 8 9 0 | 5 0 0 0"},
                 {"the end is predicted and never read", "1 7 8 9 2 | 1 5 2 0 0"},
                 {"padding stands behind the words, not in front", "1 7 8 9 | 0 0 1 5"}});
    judge.equal(
        "the labels of 7 8 9 and 5", [&] { return text_of(my_decoder_batch(two, 1, 2, 0).labels); },
        "7 8 9 2 | 5 2 -100 -100",
        {{"the labels are not shifted: the decoder would only copy what it reads",
          "1 7 8 9 | 1 5 -100 -100"},
         {"padding is asked for, too", "7 8 9 2 | 5 2 0 0"},
         {"the end is missing: the decoder would never stop", "7 8 9 -100 | 5 -100 -100 -100"},
         {"the end stands behind the padding, not behind the last word",
          "7 8 9 2 | 5 -100 -100 2"}});
    const Rows odd{{0, 0}, {}, {4, 2, 4, 0, 6}};
    const auto batch = [&] { return my_decoder_batch(odd, 31, 32, 0); };
    judge.equal(
        "words with the id of the padding, and a sentence without words",
        [&] { return text_of(batch().inputs); }, "31 0 0 0 0 0 | 31 0 0 0 0 0 | 31 4 2 4 0 6");
    judge.equal("their labels", [&] { return text_of(batch().labels); },
                "0 0 32 -100 -100 -100 | 32 -100 -100 -100 -100 -100 | 4 2 4 0 6 32",
                {{"words with the id of the padding are words, and asked for",
                  "-100 -100 32 -100 -100 -100 | 32 -100 -100 -100 -100 -100 | 4 2 4 -100 6 32"}});
    judge.equal(
        "one sentence of two words, with other special ids: no padding",
        [] {
            const DecoderBatch one = my_decoder_batch({{3, 3}}, 8, 9, 7);
            return text_of(one.inputs) + "; " + text_of(one.labels);
        },
        "8 3 3; 3 3 9");
    judge.equal(
        "padding with the id 7",
        [] {
            return text_of(my_decoder_batch({{3, 3}, {4}}, 8, 9, 7).inputs);
        },
        "8 3 3 | 8 4 7");
}
