#include "lessons/26_graphs/experiment.h"

#include <algorithm>

#include "lessons/material/training/next_checkpoint.h"
#include "nn/nn.h"

namespace heed::lesson26 {

EdgeWeights edge_weights(const NodeClassifier& model, const course::CommunityGraph& data,
                         int layer) {
    const NoGrad no_grad;
    const SparseGraph graph = edges_of(data);
    std::vector<Tensor> by_head;
    model(data.features, graph, Mode::evaluation(), &by_head);
    const std::vector<double> weights = mean(by_head.at(layer), 1).to_vector();

    EdgeWeights result;
    double lower = 0, pairs = 0;
    for (int node = 0; node < data.nodes(); ++node) {
        const int64_t begin = graph.into().begin(node), end = graph.into().end(node);
        std::vector<double> within, noise;
        for (int64_t e = begin; e < end; ++e) {
            const int source = graph.source()[e];
            if (source == node) continue;
            const double multiple = weights[e] * static_cast<double>(end - begin);
            (data.is_noise(source, node) ? noise : within).push_back(multiple);
        }
        for (double w : within)
            for (double n : noise) lower += n < w ? 1 : n == w ? 0.5 : 0;
        pairs += static_cast<double>(within.size() * noise.size());
        result.within.insert(result.within.end(), within.begin(), within.end());
        result.noise.insert(result.noise.end(), noise.begin(), noise.end());
    }
    if (pairs > 0) result.noise_ranked_lower = lower / pairs;
    return result;
}

std::map<Kind, std::vector<Outcome>> compare_kinds(const std::vector<Kind>& kinds,
                                                   const course::CommunityOptions& options,
                                                   const Training& how, int seeds,
                                                   uint64_t first_seed) {
    std::map<Kind, std::vector<Outcome>> outcomes;
    for (int seed = 0; seed < seeds; ++seed) {
        Rng rng(first_seed + seed);
        const course::CommunityGraph data = course::community_graph(options, rng);
        for (Kind kind : kinds) {
            Rng own(first_seed + seed);
            const NodeClassifier model(kind, data.features.size(1), 16, options.communities, 0.5,
                                       own);
            train_on(model, data, how, own);
            Outcome outcome;
            outcome.test = accuracy_on(model, data.features, model.seen(edges_of(data)),
                                       data.labels, data.test);
            if (kind == Kind::gat || kind == Kind::gatv2)
                for (int layer : {0, 1}) outcome.weights[layer] = edge_weights(model, data, layer);
            outcomes[kind].push_back(std::move(outcome));
        }
    }
    return outcomes;
}

// --- depth --------------------------------------------------------------------------------------

DeepConvolution::DeepConvolution(int64_t features, int64_t width, int64_t classes, int depth,
                                 bool with_residual, Rng& rng)
    : input(features, width, rng), output(width, classes, rng), residual(with_residual) {
    for (int i = 0; i < depth; ++i) layers.emplace_back(width, width, rng);
}

Tensor DeepConvolution::operator()(const Tensor& x, const SparseGraph& graph) const {
    Tensor h = relu(input(x));
    for (const GraphConvolution& layer : layers) {
        const Tensor y = relu(layer(h, graph));
        h = residual ? h + y : y;
    }
    return output(h);
}

double accuracy_at_depth(const course::CommunityGraph& data, int depth, bool residual,
                         const Training& how, Rng& rng) {
    const SparseGraph graph = edges_of(data);
    const int64_t classes = 1 + *std::max_element(data.labels.begin(), data.labels.end());
    const DeepConvolution model(data.features.size(1), 16, classes, depth, residual, rng);
    const Indices known(data.train), labels = labels_of(data.labels, data.train);
    Adam optimiser(parameters(model), {.lr = how.lr, .weight_decay = how.weight_decay});
    Checkpoint checkpoint(course::next_checkpoint({optimiser}));
    for ([[maybe_unused]] int64_t epoch : checkpoint.steps(how.epochs)) {
        optimiser.zero_grad();
        backward(cross_entropy(index_select(model(data.features, graph), 0, known), labels));
        optimiser.step();
    }
    const NoGrad no_grad;
    const Tensor logits = model(data.features, graph);
    return metrics::accuracy(index_select(logits, 0, data.test), labels_of(data.labels, data.test));
}

std::vector<double> remaining_differences(const SparseGraph& graph, int steps, Rng& rng) {
    constexpr Dtype f64 = Dtype::float64;
    const Tensor degree = sum(dense_mask(graph, f64), 1), c = convolution_weights(graph, f64);
    const Tensor joined = to_dtype(degree > 1.0, f64);  // 0 for a node without neighbours
    const Tensor root = joined * sqrt(degree);
    const Tensor limit = root / norm(root);  // what repeated convolution leaves
    Tensor x = joined * normal({graph.targets()}, 0, 1, rng, f64);
    x = x - limit * sum(x * limit);
    const double before = norm(x).item();
    std::vector<double> remaining;
    for (int step = 0; step < steps; ++step) {
        x = segment_sum(c * index_select(x, 0, graph.source()), graph.into());
        remaining.push_back(norm(x).item() / before);
    }
    return remaining;
}

}  // namespace heed::lesson26
