// Two layers that classify the nodes of a graph. They differ only in who is averaged and how. Each
// layer adds a linear function of the node's own vector, so that no mean can hide it.
#pragma once

#include <vector>

#include "attention/graph/graph_attention.h"
#include "attention/graph/graph_convolution.h"
#include "lessons/material/corpora/communities.h"
#include "nn/nn.h"

namespace heed::lesson26 {

enum class Kind {
    alone,  // graph convolution on self-loops only: each node for itself
    gcn,    // graph convolution: fixed weights of the neighbours
    gat,    // graph attention
    gatv2,  // graph attention whose ranking of neighbours depends on the target
    full    // gatv2, but every node may attend to every node
};
const char* name_of(Kind kind);

struct NodeClassifier {
    Kind kind = Kind::gcn;
    std::vector<GraphConvolution> convolutions;
    std::vector<GraphAttention> attentions;
    std::vector<GraphAttentionV2> dynamic;
    std::vector<Linear> own;  // of each layer
    Dropout dropout;

    NodeClassifier() = default;
    // `width` hidden units: of one layer, or of four heads.
    NodeClassifier(Kind kind, int64_t features, int64_t width, int64_t classes, double dropout,
                   Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("convolutions", convolutions);
        f("attentions", attentions);
        f("dynamic", dynamic);
        f("own", own);
    }

    // The graph that a model of this kind sees.
    SparseGraph seen(const SparseGraph& graph) const;
    // x [N, F] on seen(graph) -> logits [N, C]. If `weights` is given, the attention weights
    // [E, H] of each layer are appended to it.
    Tensor operator()(const Tensor& x, const SparseGraph& graph, Mode mode,
                      std::vector<Tensor>* weights = nullptr) const;
};

struct Training {
    int epochs = 200;
    double lr = 0.01, weight_decay = 5e-4;
};

// Trains on the papers whose topic is known, all of them in each step.
void train_on(const NodeClassifier& model, const course::CommunityGraph& data, const Training& how,
              Rng& rng);

// The share of these nodes whose class is found.
double accuracy_on(const NodeClassifier& model, const Tensor& x, const SparseGraph& graph,
                   const std::vector<int>& labels, const std::vector<int>& nodes);

// The labels of these nodes.
Indices labels_of(const std::vector<int>& labels, const std::vector<int>& nodes);

}  // namespace heed::lesson26
