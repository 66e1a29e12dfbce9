#include "lessons/26_graphs/cora.h"

#include <limits>

#include "lessons/26_graphs/model.h"
#include "nn/nn.h"

namespace heed::lesson26 {

CitationModel::CitationModel(int64_t features, int64_t classes, Rng& rng)
    : hidden({.width = features,
              .head_width = 8,
              .heads = 8,
              .dropout = 0.6,
              .value_dropout = 0.6,
              .weight_dropout = 0.6},
             rng),
      output({.width = 64,
              .head_width = classes,
              .heads = 1,
              .concat = false,
              .dropout = 0.6,
              .value_dropout = 0.6,
              .weight_dropout = 0.6},
             rng) {}

Tensor CitationModel::operator()(const Tensor& x, const SparseGraph& graph, Mode mode) const {
    return output(elu(hidden(x, graph, mode).context), graph, mode).context;
}

Tensor normalised_features(const course::LabelledGraph& data) {
    const Tensor x = course::dense_features(data);
    return x / maximum(sum(x, 1, true), 1.0);
}

SparseGraph edges_of(const course::LabelledGraph& data) {
    std::vector<int> source, target;
    for (const auto& [u, v] : data.edges) source.push_back(u), target.push_back(v);
    return SparseGraph(data.nodes(), source, target, {.both_directions = true, .self_loops = true});
}

namespace {

struct Score {
    double loss, accuracy;
};

Score score_on(const Tensor& logits, const course::LabelledGraph& data,
               const std::vector<int>& nodes) {
    const NoGrad no_grad;
    const Tensor some = index_select(logits, 0, nodes);
    const Indices labels = labels_of(data.labels, nodes);
    return {cross_entropy(some, labels).item(), metrics::accuracy(some, labels)};
}

}  // namespace

CitationRun run_recipe(const course::LabelledGraph& data, uint64_t seed, int most_epochs) {
    constexpr int patience = 100;
    Rng rng(seed);
    const Tensor x = normalised_features(data);
    const SparseGraph graph = edges_of(data);
    const Indices known(data.train), labels = labels_of(data.labels, data.train);
    const CitationModel model(x.size(1), static_cast<int64_t>(data.classes.size()), rng);
    Adam optimiser(parameters(model), {.lr = 5e-3, .weight_decay = 5e-4});

    CitationRun run;
    double lowest_loss = std::numeric_limits<double>::infinity(), best_accuracy = 0;
    int without = 0;  // epochs since one of the two was as good as ever
    for (run.epochs = 0; run.epochs < most_epochs && without < patience; ++run.epochs) {
        optimiser.zero_grad();
        const Tensor logits = model(x, graph, Mode::training(rng));
        backward(cross_entropy(index_select(logits, 0, known), labels));
        optimiser.step();

        const NoGrad no_grad;
        const Tensor now = model(x, graph, Mode::evaluation());
        const Score valid = score_on(now, data, data.valid);
        const bool accurate = valid.accuracy >= best_accuracy, sure = valid.loss <= lowest_loss;
        without = accurate || sure ? 0 : without + 1;
        if (accurate && sure) {
            run.valid = valid.accuracy;
            run.test = score_on(now, data, data.test).accuracy;
        }
        best_accuracy = std::max(best_accuracy, valid.accuracy);
        lowest_loss = std::min(lowest_loss, valid.loss);
    }
    return run;
}

}  // namespace heed::lesson26
