// Two tasks on sequences of letters, for attention over long sequences. At every position of the second
// half, the answer is
//
//     near   the token just before
//     far    which mark stood in the first quarter: one position there, drawn at random, holds one of
//            four marks instead of a letter
//
// There are 12 letters and 4 marks. Near needs one step back; far needs a look at a position that
// nothing but its token gives away, at least a quarter of the sequence back.
#pragma once

#include <vector>

#include "autograd/ops/cross_entropy.h"
#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"

namespace heed::lesson29 {

enum class Task { near, far };
inline const char* name_of(Task task) { return task == Task::near ? "near" : "far"; }

inline constexpr int letters = 12, marks = 4, tokens = letters + marks;
inline constexpr int no_answer = CrossEntropyOptions{}.ignored_index;

struct Sequences {
    Indices token;   // [B, T]
    Indices answer;  // [B, T], or no_answer
};

inline Sequences draw(Task task, int64_t count, int64_t length, Rng& rng) {
    std::vector<int> token, answer(count * length, no_answer);
    for (int64_t i = 0; i < count * length; ++i)
        token.push_back(static_cast<int>(rng.below(letters)));
    for (int64_t b = 0; b < count; ++b) {
        int* row = token.data() + b * length;
        const int mark = letters + static_cast<int>(rng.below(marks));
        row[rng.below(length / 4)] = mark;  // in both tasks, so that both have the same inputs
        for (int64_t t = length / 2; t < length; ++t)
            answer[b * length + t] = task == Task::near ? row[t - 1] : mark;
    }
    return {Indices(token, {count, length}), Indices(answer, {count, length})};
}

}  // namespace heed::lesson29
