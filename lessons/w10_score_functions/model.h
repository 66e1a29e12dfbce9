// Four small tasks. There are eight keys, each with a value, and a query that selects one key. The
// tasks differ in how the query selects it:
//
//     symbols      each key is one of twenty symbols, the query names one; vectors are learned
//     same space   keys are random vectors, new each time; the query is one of them, with noise
//     other space  the same, with a fixed random rotation applied to the query
//     position     keys are random vectors, new each time; the query names a position, 1 to 8
//
// The answer is the value, one of ten, of the selected key. A random guess is right in one case of
// ten; the most frequent of the eight values is right in about three of ten.
#pragma once

#include "attention/scores/score.h"
#include "nn/nn.h"

namespace heed::workshop10 {

enum class Task { symbols, same_space, other_space, position };
const char* name_of(Task task);

inline constexpr int64_t width = 32, keys = 8, symbols = 20, values = 10;

struct Batch {
    Tensor query;           // [B, 1, D]; tasks same_space and other_space only
    Tensor key;             // [B, K, D]; not of task symbols
    Indices asked, named;   // [B, 1] and [B, K]: symbols; task position uses only `asked`
    Indices value, answer;  // [B, K] and [B]
};

class Problem {
  public:
    Problem(Task task, Rng& rng);
    Batch draw(int count, Rng& rng) const;
    Task task() const { return task_; }

  private:
    Task task_;
    Tensor rotation_;  // [D, D]
};

// A model that looks up the answer by attention with the given score.
struct LookupModel {
    Embedding asked, named, valued;
    AttentionScore score;
    Linear output;

    // The initial vectors of the symbols of queries are multiplied by `scale`, and so are the scores
    // of a dot product at the start.
    LookupModel(ScoreKind kind, Rng& rng, double scale = 1);
    template <class F>
    void visit(F&& f) {
        f("asked", asked);
        f("named", named);
        f("valued", valued);
        f("score", score);
        f("output", output);
    }
    Tensor operator()(const Batch& batch) const;  // logits [B, values]
};

// The accuracy on 1,000 new problems, after `steps` steps of Adam on batches of 32 at the given
// learning rate (falling linearly to a tenth).
double learned_accuracy(Task task, ScoreKind kind, int steps, double rate, std::uint64_t seed,
                        double scale = 1);

// The same for several models, each with a seed of its own, at the best of the given learning
// rates. If there are several rates, the best is chosen first, with one more seed.
std::vector<double> learned_accuracies(Task task, ScoreKind kind, int steps, int models,
                                       const std::vector<double>& rates, std::uint64_t seed,
                                       double scale = 1);

}  // namespace heed::workshop10
