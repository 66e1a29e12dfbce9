#include "lessons/20_positions/model.h"

#include <cmath>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson20 {

PositionModel::PositionModel(PositionKind kind, bool is_causal, Rng& rng) : causal(is_causal) {
    constexpr int64_t width = 32, heads = 4;
    const PositionOptions options{
        .kind = kind, .width = width, .heads = heads, .max_positions = longest, .max_distance = 8};
    embedding = Embedding(tokens, width, rng);
    positions = AbsolutePositions(options, rng);
    for (int i = 0; i < 2; ++i) layers.emplace_back(MultiHeadOptions{width, heads}, options, rng);
    output = Linear(width, tokens, rng);
}

Tensor PositionModel::operator()(const Indices& token) const {
    Tensor x = positions(embedding(token));
    for (const SelfAttention& layer : layers) x = x + layer(x, {.causal = causal});
    return output(x);
}

void train_model(PositionModel& model, int steps, Rng rng,
                 const std::function<Sequences(Rng&)>& draw) {
    Adam adam(parameters(model), {.lr = 0.005});
    const CheckpointOptions checkpoint = course::next_checkpoint({rng});
    train(adam, {.steps = steps, .clip_norm = 1, .checkpoint = checkpoint}, [&](int64_t) {
        const Sequences batch = draw(rng);
        return StepResult{cross_entropy(model(batch.token), batch.answer)};
    });
}

std::vector<double> accuracy_by_position(const PositionModel& model, const Sequences& sequences) {
    const NoGrad no_grad;
    const Indices predicted = argmax(model(sequences.token));
    const int64_t length = sequences.token.size(1);
    std::vector<double> right(length), all(length);
    for (int64_t i = 0; i < predicted.count(); ++i) {
        if (sequences.answer[i] == no_answer) continue;
        right[i % length] += predicted[i] == sequences.answer[i];
        all[i % length] += 1;
    }
    for (int64_t t = 0; t < length; ++t) right[t] /= all[t];
    return right;
}

double mean_over(const std::vector<double>& by_position, const Range& range) {
    double total = 0;
    for (int t = range.from; t < range.to; ++t) total += by_position[t];
    return total / (range.to - range.from);
}

std::vector<std::vector<double>> accuracies_by_seed(PositionKind kind, Task task, int steps,
                                                    int seeds, uint64_t seed) {
    std::vector<std::vector<double>> all;
    for (int i = 0; i < seeds; ++i) {
        Rng rng(seed + i);
        PositionModel model(kind, true, rng);
        train_model(model, steps, rng.split(), [&](Rng& own_rng) {
            return draw_sequences(task, 32, trained_length, own_rng);
        });
        all.push_back(accuracy_by_position(model, draw_sequences(task, 64, longest, rng)));
    }
    return all;
}

course::Series line_of(const std::string& name, const std::vector<std::vector<double>>& runs) {
    const std::vector<int> edges{2, 4, 6, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128};
    std::vector<double> middles;
    std::vector<std::vector<double>> averaged(runs.size());
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        middles.push_back(0.5 * (edges[i] + edges[i + 1] - 1));
        for (std::size_t r = 0; r < runs.size(); ++r)
            averaged[r].push_back(mean_over(runs[r], {edges[i], edges[i + 1], ""}));
    }
    return course::over_seeds(name, middles, averaged);
}

Tensor scores_of(PositionKind kind, Rng& rng) {
    const NoGrad no_grad;
    constexpr int64_t width = 16, length = 32;
    const PositionOptions options{
        .kind = kind, .width = width, .max_positions = length, .max_distance = 8};
    SelfAttention attention({.width = width}, options, rng);
    AbsolutePositions absolute(options, rng);
    to_dtype(attention, Dtype::float64);
    const Tensor token = normal({1, 1, width}, 0, 1, rng, Dtype::float64);
    const Tensor x = absolute(expand(token, {1, length, width}));
    const MultiHead& heads = attention.multi_head;
    const Tensor q = attention.positions.rotate(heads.split_heads(heads.query(x)), 0);
    const Tensor k = attention.positions.rotate(heads.split_heads(heads.key(x)), 0);
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(double(width));
    const Tensor bias = attention.positions.bias(q, length);
    return reshape(bias.defined() ? scores + bias : scores, {length, length});
}

}  // namespace heed::lesson20
