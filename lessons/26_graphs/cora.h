// Graph attention on citations read from files, by the published recipe (Velickovic et al. 2018,
// section 3.3, and the authors' code): two layers, 8 heads of 8 units joined and 1 head; dropout 0.6 of
// inputs, weights and values; Adam with a learning rate of 0.005 and weight decay 0.0005; at most
// 100,000 epochs, stopped when for 100 of them neither loss nor accuracy on the validation set was as
// good as ever before. The weights kept are those of the last epoch at which both were.
#pragma once

#include "attention/graph/graph_attention.h"
#include "lessons/course/read/labelled_graph.h"

namespace heed::lesson26 {

struct CitationModel {
    GraphAttention hidden, output;

    CitationModel() = default;
    CitationModel(int64_t features, int64_t classes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Tensor& x, const SparseGraph& graph, Mode mode) const;
};

struct CitationRun {
    int epochs = 0;              // until it stopped
    double valid = 0, test = 0;  // accuracy of the weights kept
};

// Each row divided by its sum.
Tensor normalised_features(const course::LabelledGraph& data);
// Both directions of every edge, and self-loops.
SparseGraph edges_of(const course::LabelledGraph& data);

CitationRun run_recipe(const course::LabelledGraph& data, uint64_t seed, int most_epochs = 100'000);

}  // namespace heed::lesson26
