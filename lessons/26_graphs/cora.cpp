#include "lessons/26_graphs/cora.h"

#include <algorithm>
#include <limits>

#include "lessons/26_graphs/model.h"
#include "lessons/material/training/next_checkpoint.h"
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

// --- words ---------------------------------------------------------------------------------------

SparseTable words_of(const course::LabelledGraph& data) {
    std::vector<int> row, column;
    std::vector<double> value;
    for (int node = 0; node < data.nodes(); ++node)
        for (int word : data.features[node]) {
            row.push_back(node);
            column.push_back(word);
            value.push_back(1.0 / static_cast<double>(data.features[node].size()));
        }
    const auto entries = static_cast<int64_t>(value.size());
    return {Segments(row, data.nodes()), column, data.feature_count, tensor(value, {entries})};
}

Tensor dense(const SparseTable& x) {
    const int64_t rows = x.row.count();
    const std::vector<double> value = x.value.to_vector();
    std::vector<double> table(rows * x.columns, 0);
    for (int64_t e = 0; e < x.row.rows(); ++e)
        table[x.row.ids()[e] * x.columns + x.column[e]] = value[e];
    return tensor(table, {rows, x.columns}, x.value.dtype());
}

Tensor sparse_linear(const SparseTable& x, const Tensor& weight) {
    const Tensor of_entries = index_select(transpose(weight), 0, x.column);  // [E, D]
    return segment_sum(unsqueeze(x.value, 1) * of_entries, x.row);
}

// --- the model -----------------------------------------------------------------------------------

Tensor CitationModel::operator()(const Tensor& x, const SparseGraph& graph, Mode mode) const {
    return output(elu(hidden(x, graph, mode).context), graph, mode).context;
}

Tensor CitationModel::operator()(const SparseTable& x, const SparseGraph& graph, Mode mode) const {
    const GraphAttention& h = hidden;
    SparseTable words = x;
    words.value = h.dropout(x.value, mode);
    const Tensor value = reshape(sparse_linear(words, h.weight), {graph.targets(), h.heads, -1});
    const Tensor of_target = sum(value * h.target, -1), of_source = sum(value * h.source, -1);
    const Tensor scores = leaky_relu(
        index_select(of_target, 0, graph.target()) + index_select(of_source, 0, graph.source()),
        h.slope);  // [E, H]
    const Tensor weights = h.weight_dropout(segment_softmax(scores, graph.into()), mode);
    const Tensor sent = index_select(h.value_dropout(value, mode), 0, graph.source());  // [E, H, F]
    const Tensor context = segment_sum(unsqueeze(weights, -1) * sent, graph.into());
    return output(elu(reshape(context, {graph.targets(), -1}) + h.bias), graph, mode).context;
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
    const SparseTable x = words_of(data);
    const SparseGraph graph = edges_of(data);
    const Indices known(data.train), labels = labels_of(data.labels, data.train);
    const CitationModel model(x.columns, static_cast<int64_t>(data.classes.size()), rng);
    Adam optimiser(parameters(model), {.lr = 5e-3, .weight_decay = 5e-4});

    CitationRun run;
    double lowest_loss = std::numeric_limits<double>::infinity(), best_accuracy = 0;
    int without = 0;  // epochs since one of the two was as good as ever
    Checkpoint checkpoint(course::next_checkpoint(
        {optimiser, rng, run.valid, run.test, lowest_loss, best_accuracy, without}));
    run.epochs = static_cast<int>(checkpoint.resume());
    while (run.epochs < most_epochs && without < patience) {
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
        checkpoint.after(++run.epochs);
    }
    checkpoint.finish(run.epochs);
    return run;
}

}  // namespace heed::lesson26
