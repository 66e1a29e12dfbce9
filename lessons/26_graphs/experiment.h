// What the lesson measures on graphs with known communities and noise.
#pragma once

#include <map>
#include <vector>

#include "lessons/26_graphs/model.h"

namespace heed::lesson26 {

// Attention weights of one layer, averaged over heads, as multiples of 1 / (edges that arrive):
// 1 is what the plain mean gives. Self-loops are left out.
struct EdgeWeights {
    std::vector<double> within, noise;

    // The share of nodes' pairs (an edge within the topic, a noise edge; both arrive at one node) in
    // which noise has less weight; ties count half. 0.5 is what the plain mean gives.
    double noise_ranked_lower = 0.5;
};
// Of the attention in `layer`, 0 or 1.
EdgeWeights edge_weights(const NodeClassifier& model, const course::CommunityGraph& data,
                         int layer);

struct Outcome {
    double test = 0;         // accuracy
    EdgeWeights weights[2];  // of the kinds with attention, by layer
};

// One graph and one training of each kind, for each of `seeds` seeds.
std::map<Kind, std::vector<Outcome>> compare_kinds(const std::vector<Kind>& kinds,
                                                   const course::CommunityOptions& options,
                                                   const Training& how, int seeds,
                                                   uint64_t first_seed);

// --- depth --------------------------------------------------------------------------------------

// Graph convolutions of one width, each followed by relu; with `residual` each adds to its input.
struct DeepConvolution {
    Linear input, output;
    std::vector<GraphConvolution> layers;
    bool residual = false;

    DeepConvolution() = default;
    DeepConvolution(int64_t features, int64_t width, int64_t classes, int depth, bool residual,
                    Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("input", input);
        f("output", output);
        f("layers", layers);
    }
    Tensor operator()(const Tensor& x, const SparseGraph& graph) const;
};

double accuracy_at_depth(const course::CommunityGraph& data, int depth, bool residual,
                         const Training& how, Rng& rng);

// What remains of the differences between nodes after each of `steps` convolutions with W = 1: the norm
// of x without its component along √d, against that before the first, x random. Nodes that have only
// their self-loop are left out. The other nodes should be connected.
std::vector<double> remaining_differences(const SparseGraph& graph, int steps, Rng& rng);

}  // namespace heed::lesson26
