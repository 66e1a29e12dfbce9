// Tasks that depend on the order of the tokens. At every position of a sequence, the answer is
//
//     before   the token just before:            c a f 2 b  ->  . c a f 2
//     latest   the latest digit up to here:      c 1 f 2 b  ->  . 1 1 2 2
//
// There are 16 tokens, 12 letters and 4 digits, sampled with equal probabilities. (Distinct
// sequences contain each token once: they are permutations, so that only the order differs.)
// Positions without an answer (a dot above) do not count.
#pragma once

#include <numeric>
#include <vector>

#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"

namespace heed::lesson20 {

enum class Task { before, latest };

inline constexpr int tokens = 16, digits = 4;  // tokens 12 to 15 are the digits
inline constexpr int no_answer = CrossEntropyOptions{}.ignored_index;

struct Sequences {
    Indices token;   // [B, T]
    Indices answer;  // [B, T], or no_answer
};

inline Indices answers(Task task, const Indices& token) {
    const int64_t count = token.size(0), length = token.size(1);
    std::vector<int> answer;
    for (int64_t b = 0; b < count; ++b) {
        int latest = no_answer;
        for (int64_t t = 0; t < length; ++t) {
            const int current = token[b * length + t];
            if (current >= tokens - digits) latest = current;
            answer.push_back(task == Task::latest ? latest
                             : t > 0              ? token[b * length + t - 1]
                                                  : no_answer);
        }
    }
    return Indices(std::move(answer), {count, length});
}

inline Sequences draw_sequences(Task task, int64_t count, int64_t length, Rng& rng) {
    std::vector<int> token;
    for (int64_t i = 0; i < count * length; ++i)
        token.push_back(static_cast<int>(rng.below(tokens)));
    const Indices all(std::move(token), {count, length});
    return {all, answers(task, all)};
}

inline Sequences draw_distinct(Task task, int64_t count, Rng& rng) {  // of length `tokens`
    std::vector<int> token, order(tokens);
    std::iota(order.begin(), order.end(), 0);
    for (int64_t b = 0; b < count; ++b) {
        rng.shuffle(order);
        token.insert(token.end(), order.begin(), order.end());
    }
    const Indices all(std::move(token), {count, tokens});
    return {all, answers(task, all)};
}

}  // namespace heed::lesson20
