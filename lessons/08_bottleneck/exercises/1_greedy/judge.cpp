#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

std::string joined(const std::vector<int>& words) {
    std::string text;
    for (int word : words) text += (text.empty() ? "" : " ") + std::to_string(word);
    return text;
}

// A decoder that writes a given word after each word: next[before].
Step after_each(const std::vector<int>& next, std::vector<int>& read) {
    return [next, &read](int before, const Tensor& state) {
        check(before >= 0 && before < static_cast<int>(next.size()),
              "the decoder was given the word {}; there are {} words", before, next.size());
        read.push_back(before);
        std::vector<double> logits(next.size(), -3);
        logits[next[before]] = -1;  // all negative
        return Said{tensor(logits), state + 1.};
    };
}

void judge(course::Judge& judge) {
    judge.own({"greedy", "greedy_decode", "decode", "translate", "beam_search"});
    // Words: 0 start, 1 end, 2 "I", 3 "read", 4 "a", 5 "book".
    const std::vector<int> sentence{2, 1, 3, 4, 5, 1};
    const Tensor zero = scalar(0);
    std::vector<int> read;
    const auto written = [&](const std::vector<int>& next, int longest) {
        return [&, next, longest] {
            read.clear();
            return joined(my_greedy(after_each(next, read), zero, 0, 1, longest));
        };
    };
    judge.equal("a decoder that writes I (2), read (3), a (4), book (5) and the end symbol (1)",
                written(sentence, 8), "2 3 4 5",
                {{"the end symbol is no word of the sentence", "2 3 4 5 1"},
                 {"the start symbol is no word of the sentence", "0 2 3 4 5"},
                 {"the start symbol is no word of the sentence, and the end symbol is none, either",
                  "0 2 3 4 5 1"},
                 {"each step reads the start symbol, and not the word before", "2 2 2 2 2 2 2 2"},
                 {"it has to stop at the end symbol", "2 3 4 5 1 1 1 1"}});
    judge.equal("the words that the decoder read: start (0), I, read, a, book",
                [&] {
                    written(sentence, 8)();
                    return joined(read);
                },
                "0 2 3 4 5",
                {{"no step is needed after the end symbol", "0 2 3 4 5 1"},
                 {"the decoder is called twice for each word", "0 0 2 2 3 3 4 4 5 5"}});
    judge.equal(
        "a decoder that never stops: at most five words", written({2, 1, 3, 2, 1, 1}, 5),
        "2 3 2 3 2",
        {{"this is one word too many", "2 3 2 3 2 3"}, {"this is one word too few", "2 3 2 3"}});
    judge.equal("its number of steps",
                [&] {
                    written({2, 1, 3, 2, 1, 1}, 5)();
                    return std::to_string(read.size());
                },
                "5", {{"there is a step more than there are words", "6"}});
    judge.equal("a decoder that begins with the end symbol: no word", written({1, 1, 1}, 5), "");
    judge.equal("at most 0 words", written(sentence, 0), "");
    judge.given({{"first_state", zero}});
    judge.equal("start and end symbol with other ids, 3 and 2",
                [&] {
                    read.clear();
                    return joined(my_greedy(after_each({1, 2, 2, 0}, read), zero, 3, 2, 9));
                },
                "0 1", {{"the ids of start and end symbol are arguments, not always 0 and 1", ""}});
    // The word depends on the state alone, which counts the steps.
    judge.equal("a decoder that counts its steps with its state",
                [&] {
                    const Step counts = [](int, const Tensor& state) {
                        std::vector<double> logits(9, 0);
                        const int at = static_cast<int>(state.item());
                        logits[at < 5 ? 8 - at : 1] = 2;
                        return Said{tensor(logits), state + 1.};
                    };
                    return joined(my_greedy(counts, scalar(1), 0, 1, 7));
                },
                "7 6 5 4",
                {{"the new state is not given to the next step", "7 7 7 7 7 7 7"},
                 {"the first state is not the one that was given", "8 7 6 5 4"}});
    // A recurrent decoder with random weights.
    Rng rng(2);
    const Tensor W = normal({6, 6}, 0, 1, rng), E = normal({11, 6}, 0, 1, rng),
                 O = normal({11, 6}, 0, 1, rng), begin = normal({6}, 0, 1, rng);
    const Step recurrent = [&](int before, const Tensor& state) {
        const Tensor next = tanh(matmul(W, state) + select(E, 0, before));
        return Said{matmul(O, next), next};
    };
    std::vector<int> expected;
    Tensor state = begin;
    for (int before = 0; expected.size() < 12; expected.push_back(before)) {
        const Said said = recurrent(before, state);
        before = argmax(said.logits)[0];
        state = said.state;
        if (before == 1) break;
    }
    judge.equal(
        "a recurrent decoder with random weights",
        [&] { return joined(my_greedy(recurrent, begin, 0, 1, 12)); }, joined(expected));
}
