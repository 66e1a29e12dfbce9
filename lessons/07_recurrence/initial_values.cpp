#include "lessons/07_recurrence/initial_values.h"

#include "autograd/autograd.h"

using namespace heed;

void make_orthogonal(RecurrentCell& cell, Rng& rng, double scale) {
    const int64_t width = cell.hidden_size();
    std::vector<Tensor> matrices;
    for (int gate = 0; gate < gates_of(cell.kind); ++gate)
        matrices.push_back(orthogonal({width, width}, rng, scale));
    cell.weight_hh.assign(concat(matrices, 0));
}

void raise_keep_bias(RecurrentCell& cell, double by) {
    const int64_t width = cell.hidden_size(), gates = gates_of(cell.kind);
    Tensor kept = zeros({gates, width}, cell.bias_hh.dtype());  // the second gate of both kinds
    kept = reshape(pad(full({1, width}, by, kept.dtype()), 0, 1, gates - 2), {-1});
    cell.bias_hh.assign(cell.bias_hh + kept);
}
