// Looking something up: pairs of a name and a fact, and a question, the name of one of them.
//
//     name 3 fact 12 | name 9 fact 0 | ... | name 5 fact 7        question: name 9        answer: 0
//
// 16 names, 16 facts. The 8 names of a sequence differ, its facts need not. Every sequence is drawn
// afresh, out of more than 10^17: none of a test is one of training.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed::lesson15 {

inline constexpr int names = 16, facts = 16, pairs = 8;
inline constexpr int64_t token_width = names + facts;  // D: one place for each name and each fact

struct Lookups {
    Tensor question;  // [B, 1, D], 1 at the name asked for
    Tensor tokens;    // [B, K, D], 1 at the name and 1 at the fact
    Indices place;    // [B], which of the K pairs it is
    Indices answer;   // [B], its fact
};

inline Lookups draw_lookups(int64_t count, Rng& rng) {
    std::vector<double> question(count * token_width), tokens(count * pairs * token_width);
    std::vector<int> place, answer, order(names);
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
        place.push_back(asked);
        question[b * token_width + order[asked]] = 1;
    }
    return {tensor(question, {count, 1, token_width}), tensor(tokens, {count, pairs, token_width}),
            Indices(place), Indices(answer)};
}

}  // namespace heed::lesson15
