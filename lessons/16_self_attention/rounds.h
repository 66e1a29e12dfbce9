// Tokens that read each other in rounds: in each, every token adds to what it knows what it finds
// by one attention of one head.
#pragma once

#include <vector>

#include "attention/heads/multi_head.h"

namespace heed::lesson16 {

struct Rounds {
    std::vector<MultiHead> attentions;  // one a round

    Rounds() = default;
    Rounds(int rounds, int64_t width, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("attentions", attentions);
    }
    // x [B, T, D] -> the same; the weights [B, T, T] of each round, if wanted.
    Tensor operator()(Tensor x, const Tensor& mask, std::vector<Tensor>* weights = nullptr) const;
};

}  // namespace heed::lesson16
