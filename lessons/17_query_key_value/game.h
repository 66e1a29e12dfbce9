// Three tokens that play rock, paper, scissors. Scores are trained so that each token attends to
// the one it beats: rock to scissors, scissors to paper, paper to rock.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/17_query_key_value/tables.h"
#include "nn/nn.h"

namespace heed::lesson17 {

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
