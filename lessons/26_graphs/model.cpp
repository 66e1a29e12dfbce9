#include "lessons/26_graphs/model.h"

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson26 {

const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::alone:
            return "each alone";
        case Kind::gcn:
            return "GCN";
        case Kind::gat:
            return "GAT";
        case Kind::gatv2:
            return "GATv2";
        case Kind::full:
            return "full attention";
    }
    return "?";
}

NodeClassifier::NodeClassifier(Kind k, int64_t features, int64_t width, int64_t classes,
                               double rate, Rng& rng)
    : kind(k), dropout(rate) {
    own.emplace_back(features, width, rng, false);
    own.emplace_back(width, classes, rng, false);
    if (kind == Kind::alone || kind == Kind::gcn) {
        convolutions.emplace_back(features, width, rng);
        convolutions.emplace_back(width, classes, rng);
        return;
    }
    const GraphAttentionOptions first{
        .width = features, .head_width = width / 4, .heads = 4, .weight_dropout = rate};
    const GraphAttentionOptions second{
        .width = width, .head_width = classes, .heads = 1, .concat = false, .weight_dropout = rate};
    if (kind == Kind::gat) {
        attentions.emplace_back(first, rng);
        attentions.emplace_back(second, rng);
    } else {
        dynamic.emplace_back(first, rng);
        dynamic.emplace_back(second, rng);
    }
}

SparseGraph NodeClassifier::seen(const SparseGraph& graph) const {
    if (kind == Kind::alone) return SparseGraph(graph.targets(), {}, {}, {.self_loops = true});
    if (kind == Kind::full) return graph_of_mask(ones({graph.targets(), graph.sources()}));
    return graph;
}

Tensor NodeClassifier::operator()(const Tensor& x, const SparseGraph& graph, Mode mode,
                                  std::vector<Tensor>* weights) const {
    const Tensor words = dropout(x, mode);
    const auto layer = [&](int i, const Tensor& h) {
        if (!convolutions.empty()) return convolutions[i](h, graph) + own[i](h);
        const AttentionOutput y =
            attentions.empty() ? dynamic[i](h, graph, mode) : attentions[i](h, graph, mode);
        if (weights) weights->push_back(y.weights);
        return y.context + own[i](h);
    };
    return layer(1, dropout(elu(layer(0, words)), mode));  // [N, F] -> [N, width] -> [N, C]
}

void train_on(const NodeClassifier& model, const course::CommunityGraph& data, const Training& how,
              Rng& rng) {
    const SparseGraph graph = model.seen(edges_of(data));
    const Indices known(data.train), labels = labels_of(data.labels, data.train);
    Adam optimiser(parameters(model), {.lr = how.lr, .weight_decay = how.weight_decay});
    Checkpoint checkpoint(course::next_checkpoint({optimiser, rng}));
    for ([[maybe_unused]] int64_t epoch : checkpoint.steps(how.epochs)) {
        optimiser.zero_grad();
        const Tensor logits = model(data.features, graph, Mode::training(rng));
        backward(cross_entropy(index_select(logits, 0, known), labels));
        optimiser.step();
    }
}

double accuracy_on(const NodeClassifier& model, const Tensor& x, const SparseGraph& graph,
                   const std::vector<int>& labels, const std::vector<int>& nodes) {
    const NoGrad no_grad;
    const Tensor logits = model(x, graph, Mode::evaluation());
    return metrics::accuracy(index_select(logits, 0, nodes), labels_of(labels, nodes));
}

Indices labels_of(const std::vector<int>& labels, const std::vector<int>& nodes) {
    std::vector<int> chosen;
    for (int node : nodes) chosen.push_back(labels[node]);
    return chosen;
}

}  // namespace heed::lesson26
