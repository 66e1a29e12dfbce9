// Graph attention on citations read from files, by the published recipe (Veličković et al. 2018,
// section 3.3, and the authors' code): two layers, 8 heads of 8 units joined and 1 head; dropout 0.6 of
// inputs, weights and values; Adam with a learning rate of 0.005 and weight decay 0.0005; at most
// 100,000 epochs, stopped when for 100 of them neither loss nor accuracy on the validation set was as
// good as ever before. The weights kept are those of the last epoch at which both were.
#pragma once

#include "attention/graph/graph_attention.h"
#include "lessons/material/read/labelled_graph.h"

namespace heed::lesson26 {

// A table [N, F] that is nearly empty, as the entries that are not 0: entry e has the value value[e]
// in row row.ids()[e] and column column[e].
struct SparseTable {
    Segments row;         // E entries in N rows
    Indices column;       // [E], below `columns`
    int64_t columns = 0;  // F
    Tensor value;         // [E]
};
// The words of each paper, each row divided by its sum.
SparseTable words_of(const course::LabelledGraph& data);
Tensor dense(const SparseTable& x);  // [N, F]

// x Wᵀ, the same as linear(dense(x), weight), by E D multiply-adds instead of N F D: weight [D, F]
// -> [N, D].
Tensor sparse_linear(const SparseTable& x, const Tensor& weight);

struct CitationModel {
    GraphAttention hidden, output;

    CitationModel() = default;
    CitationModel(int64_t features, int64_t classes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    // The features of N nodes -> logits [N, C].
    Tensor operator()(const Tensor& x, const SparseGraph& graph, Mode mode) const;
    // The same from a sparse table. Dropout draws numbers for the entries only, because a dropped 0 is
    // a 0.
    Tensor operator()(const SparseTable& x, const SparseGraph& graph, Mode mode) const;
};

struct CitationRun {
    int epochs = 0;              // until it stopped
    double valid = 0, test = 0;  // accuracy of the weights kept
};

// Both directions of every edge, and self-loops.
SparseGraph edges_of(const course::LabelledGraph& data);

CitationRun run_recipe(const course::LabelledGraph& data, uint64_t seed, int most_epochs = 100'000);

}  // namespace heed::lesson26
