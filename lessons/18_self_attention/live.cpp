// Self-attention under a mask: which words each word may read, and what its softmax makes of that.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/grid.h"

namespace heed::lesson18 {

using namespace course;

namespace {

const std::vector<std::string> words{"the", "dog", "saw", "a", "cat", "(pad)"};
constexpr int T = 6, width = 8;

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    Rng rng(static_cast<std::uint64_t>(inputs.whole("seed")));
    const Tensor x = normal({1, T, width}, 0, 1, rng), q = normal({width, width}, 0, 0.5, rng),
                 k = normal({width, width}, 0, 0.5, rng);
    const Tensor scores = matmul(matmul(x, q), transpose(matmul(x, k))) / std::sqrt(double(width));
    const std::vector<bool>& on = inputs.on("cells");
    const Tensor cells = tensor(std::vector<double>(on.begin(), on.end()), {1, T, T});
    Tensor mask = cells;
    if (inputs.chosen("mask") == 1) mask = combine({cells, causal_mask(T)});
    if (inputs.chosen("mask") == 2) mask = combine({cells, padding_mask({T - 1}, T)});
    if (inputs.chosen("mask") == 3) mask = combine({cells, sliding_window_mask(T, T, 1, 1)});
    const AttentionOutput output = soft_attention(scores, x, mask);
    HeatMap map = attention_map(words, words, output.weights.to_vector());
    map.title = "Weights: each row is a softmax over what is left";
    const std::vector<double> allowed = (mask * ones({1, T, T})).to_vector();
    double left = 0, empty = 0;
    for (int row = 0; row < T; ++row) {
        double in_row = 0;
        for (int column = 0; column < T; ++column)
            in_row += allowed[static_cast<std::size_t>(row * T + column)];
        left += in_row;
        empty += in_row == 0;
    }
    const Grid grid{.title = "Your mask: click a cell to forbid it",
                    .control = "cells",
                    .rows = T,
                    .columns = T,
                    .on = on,
                    .row_labels = words,
                    .column_labels = words,
                    .cell = 40};
    return {.svgs = {to_svg(grid), to_svg(map, 300)},
            .numbers = {{"pairs that may attend, of 36", left},
                        {"rows without any: their weights are 0", empty},
                        {"sum of all weights", sum(output.weights).item()}}};
}

const Registered figure({.name = "masks",
                         .controls = {choice("mask", "Mask",
                                             {"none", "causal", "padding", "window of three"}),
                                      switches("cells", "Cells", std::vector<bool>(T* T, true)),
                                      slider("seed", "Other word vectors", {1, 20, 1, 1})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson18
