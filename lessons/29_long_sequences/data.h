// Two tasks on sequences of letters, for attention over long sequences. A sequence contains four facts
// and four questions; a question asks what the fact of its topic says. In
//
//     near   each fact stands 1 to 4 steps before its question
//     far    all facts stand in the first quarter, all questions in the second half
//
// The questions stand at the same positions in both tasks. There are four topics, each with one fact
// and one question in a sequence, and four things that a fact can say, so guessing gives 1/4. A fact is
// a single token, one of 4 x 4; so is a question, one of 4. All other tokens are letters.
#pragma once

#include <numeric>
#include <vector>

#include "autograd/ops/fused/cross_entropy.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/random.h"

namespace heed::lesson29 {

enum class Task { near, far };
inline const char* name_of(Task task) { return task == Task::near ? "near" : "far"; }

inline constexpr int letters = 12, topics = 4, things = 4;
inline constexpr int fact(int topic, int thing) { return letters + things * topic + thing; }
inline constexpr int question(int topic) { return letters + topics * things + topic; }
inline constexpr int tokens = letters + topics * things + topics;
inline constexpr int no_answer = CrossEntropyOptions{}.ignored_index;

struct Sequences {
    Indices token;   // [B, T]
    Indices answer;  // [B, T]: at a question the thing, 0 to 3; elsewhere no_answer
};

// The length is a multiple of 16, at least 64.
inline Sequences draw(Task task, int64_t count, int64_t length, Rng& rng) {
    std::vector<int> token, answer(count * length, no_answer);
    for (int64_t i = 0; i < count * length; ++i)
        token.push_back(static_cast<int>(rng.below(letters)));
    std::vector<int> asked(topics), told(topics);  // the topics in the order of questions, of facts
    std::iota(asked.begin(), asked.end(), 0), std::iota(told.begin(), told.end(), 0);
    const int64_t early = length / 4 / topics,
                  late = length / 2 / topics;  // positions for each topic
    for (int64_t b = 0; b < count; ++b) {
        int *row = token.data() + b * length, thing[topics];
        int64_t fact_at[topics];
        rng.shuffle(asked), rng.shuffle(told);
        for (int i = 0; i < topics; ++i) {
            fact_at[told[i]] = i * early + rng.below(early);
            thing[i] = static_cast<int>(rng.below(things));
        }
        for (int i = 0; i < topics; ++i) {
            const int topic = asked[i];
            const int64_t at = length / 2 + i * late + 4 + rng.below(late - 4);
            if (task == Task::near) fact_at[topic] = at - 1 - rng.below(4);
            row[fact_at[topic]] = fact(topic, thing[topic]);
            row[at] = question(topic);
            answer[b * length + at] = thing[topic];
        }
    }
    return {Indices(token, {count, length}), Indices(answer, {count, length})};
}

}  // namespace heed::lesson29
