// Attention by hand, row by row, and how far two results are apart. And three tokens that play
// rock, paper, scissors: scores are trained so that each token attends to the one it beats, rock to
// scissors, scissors to paper, paper to rock.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/tensor/tensor.h"
#include "nn/nn.h"

namespace heed::lesson17 {

// --- by hand ------------------------------------------------------------------------------------

using Row = std::vector<double>;

using Matrix = std::vector<Row>;

// What attention computes, row by row: [Q, K], [Q, K], [Q, width of the values].
struct ByHand {
    Row scores, weights, contexts;
};

Tensor as_tensor(const Matrix& rows);  // in float64

// The largest absolute difference of two elements; of two results: in weights and contexts.
double difference(const Row& a, const Row& b);

double difference(const ByHand& a, const ByHand& b);

// The largest difference between a square matrix (given row by row) and its transpose.
double asymmetry(const Row& matrix);

// --- the game -----------------------------------------------------------------------------------

inline const std::vector<std::string> players{"rock", "scissors", "paper"};

struct Game {
    ByHand attention;  // the scores and weights after training
    double loss = 0;   // the mean of -ln(weight of the token that is beaten)
};

// Trains the two layers (3 features to 3, without bias) that the scores [3, 3] are computed from,
// with Adam for 1,000 steps.
Game train_game(const std::function<Tensor(const Linear& a, const Linear& b)>& scores,
                std::uint64_t seed);

}  // namespace heed::lesson17
