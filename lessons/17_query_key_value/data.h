// A lookup task. The input is a list of pairs of a name and a fact, and a question, which is the
// name of one pair. The answer is the fact of that pair.
//
//     name 3 fact 12 | name 9 fact 0 | ... | name 5 fact 7        question: name 9        answer: 0
//
// There are 16 names and 16 facts. The 8 names of a sequence differ, its facts need not. Every
// sequence is sampled anew from more than 10^17, so test sequences do not occur in training.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed::lesson17 {

inline constexpr int names = 16, facts = 16, pairs = 8;
inline constexpr int64_t token_width = names + facts;  // D: one element for each name and each fact

struct Lookups {
    Tensor question;  // [B, 1, D], one-hot: the name
    Tensor tokens;    // [B, K, D], 1 at the name and at the fact, else 0
    Indices pair;     // [B], the index of the pair that is asked for
    Indices answer;   // [B], the fact of that pair
};

inline Lookups draw_lookups(int64_t count, Rng& rng) {
    std::vector<double> question(count * token_width), tokens(count * pairs * token_width);
    std::vector<int> asked_pair, answer, order(names);
    std::iota(order.begin(), order.end(), 0);
    for (int64_t b = 0; b < count; ++b) {
        rng.shuffle(order);
        const int asked = static_cast<int>(rng.below(pairs));
        for (int k = 0; k < pairs; ++k) {
            const int fact = static_cast<int>(rng.below(facts));
            double* token = &tokens[(b * pairs + k) * token_width];
            token[order[k]] = token[names + fact] = 1;
            if (k == asked) answer.push_back(fact);
        }
        asked_pair.push_back(asked);
        question[b * token_width + order[asked]] = 1;
    }
    return {tensor(question, {count, 1, token_width}), tensor(tokens, {count, pairs, token_width}),
            Indices(asked_pair), Indices(answer)};
}

}  // namespace heed::lesson17
