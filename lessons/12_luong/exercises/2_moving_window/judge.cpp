#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

std::string words(const Window& window) {
    return fmt::format("{} to {}", window.begin, window.end);
}

// Counted word by word.
int counted(int K, int t, int R) {
    int count = 0;
    for (int j = 0; j < K; ++j) count += j >= t - R && j <= t + R;
    return count;
}
int counted_all(int K, int T, int R) {
    int count = 0;
    for (int t = 0; t < T; ++t) count += counted(K, t, R);
    return count;
}

void judge(course::Judge& judge) {
    judge.own({"AttentionSpan", "sliding_window_mask"});
    const auto window = [](int t, int K, int R) {
        return [=] { return words(my_window(t, K, R)); };
    };
    judge.equal(
        "the window of five words for t = 1 and R = 2", window(1, 5, 2), "0 to 4",
        {{"the last word of the window is left out", "0 to 3"},
         {"the window is cut off at index 0, not moved", "0 to 5"},
         {"a source has no negative indices", "-1 to 4"},
         {"a source has no negative indices, and end is one more than the last index", "-1 to 3"},
         {"the indices begin at 0", "1 to 5"}});
    judge.equal("for t = 2, in the middle", window(2, 5, 2), "0 to 5",
                {{"the last word of the window is left out", "0 to 4"},
                 {"R words to each side, not R in all", "1 to 4"}});
    judge.equal("for t = 4, at the end", window(4, 5, 2), "2 to 5",
                {{"the source has no words after its last one", "2 to 7"},
                 {"the window is cut off at the end, not moved", "0 to 5"}});
    judge.equal("a narrow window, t = 6 of 10 words with R = 1", window(6, 10, 1), "5 to 8");
    judge.holds(
        "windows that have left the sentence are empty: t = 7, 8 and 20, K = 5 and R = 2",
        [] {
            for (int t : {7, 8, 20}) {
                const Window w = my_window(t, 5, 2);
                if (w.begin != w.end) return false;
            }
            return true;
        },
        "Such a window has to have begin equal to end. Is begin kept inside the sentence, too?");
    judge.holds(
        "for all t to 14, K to 7 and R to 4, against counting word by word",
        [] {
            for (int t = 0; t < 15; ++t)
                for (int K = 1; K < 8; ++K)
                    for (int R = 1; R < 5; ++R) {
                        const Window w = my_window(t, K, R);
                        check(w.end - w.begin == counted(K, t, R),
                              "for t = {}, K = {} and R = {} the window has {} words, expected are "
                              "{}",
                              t, K, R, w.end - w.begin, counted(K, t, R));
                        if (w.begin < w.end)
                            check(w.begin == std::max(0, t - R),
                                  "for t = {}, K = {} and R = {} it begins at {}, expected is {}",
                                  t, K, R, w.begin, std::max(0, t - R));
                    }
            return true;
        },
        "");
    const auto scores = [](int K, int T, int R) {
        return [=] { return std::to_string(my_scores(K, T, R)); };
    };
    judge.equal("the scores of five source words and four output words, R = 2", scores(5, 4, 2),
                "16",
                {{"this is all words, or a full window, for each output word; the windows at the "
                  "edges are shorter than 2 R + 1",
                  "20"},
                 {"all five windows are counted, but the output has four words", "19"},
                 {"a window has up to 2 R + 1 words", "12"}});
    judge.equal("an output of 30 words for a source of 6, R = 2", scores(6, 30, 2),
                std::to_string(counted_all(6, 30, 2)));
    judge.equal("a page of 600 words, R = 10", scores(600, 600, 10),
                std::to_string(counted_all(600, 600, 10)));
    judge.equal("an empty output", scores(6, 0, 2), "0");
}
