// Four small tasks with one answer each: there are eight keys, each with a value, and a query that
// tells which of them is meant. How it tells differs.
//
//     symbols      twenty: the query names one, each key is one; both have learned vectors
//     same space   keys are random vectors, new each time; the query is one of them, with noise
//     other space  the same, but the query has been turned by a fixed random rotation
//     place        keys are random vectors, new each time; the query names a place, 1 to 8
//
// The answer is the value, one of ten, of the key that is meant. A guess is right in one case of
// ten; whoever looks at all eight values alike, in about three.
#pragma once

#include "attention/scores/score.h"
#include "nn/nn.h"

enum class Task { symbols, same_space, other_space, place };
const char* name_of(Task task);

inline constexpr int64_t width = 32, keys = 8, symbols = 20, values = 10;

struct Batch {
    heed::Tensor query;           // [B, 1, D], of the two spaces
    heed::Tensor key;             // [B, K, D], of all but symbols
    heed::Indices asked, named;   // [B, 1] and [B, K]: symbols; of place only what is asked
    heed::Indices value, answer;  // [B, K] and [B]
};

class Problem {
  public:
    Problem(Task task, heed::Rng& rng);
    Batch draw(int count, heed::Rng& rng) const;
    Task task() const { return task_; }

  private:
    Task task_;
    heed::Tensor turn_;  // [D, D], the rotation
};

// Looks up the answer by attention with the given score: the one thing in which readers differ.
struct Reader {
    heed::Embedding asked, named, valued;
    heed::AttentionScore score;
    heed::Linear output;

    Reader(heed::ScoreKind kind, heed::Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("asked", asked);
        f("named", named);
        f("valued", valued);
        f("score", score);
        f("output", output);
    }
    heed::Tensor operator()(const Batch& batch) const;  // logits [B, values]
};

// The accuracy on 1,000 new problems, after so many steps of Adam on batches of 32 at the given
// rate (falling linearly to a tenth).
double learned_accuracy(Task task, heed::ScoreKind kind, int steps, double rate,
                        std::uint64_t seed);

// The same for several readers with numbers of their own, at the best of the given rates, which one
// more reader has found. A single rate is taken as it is.
std::vector<double> learned_accuracies(Task task, heed::ScoreKind kind, int steps, int readers,
                                       const std::vector<double>& rates, std::uint64_t seed);
