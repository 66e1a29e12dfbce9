#include "lessons/18_positions/reader.h"

#include <cmath>

namespace heed::lesson18 {

Reader::Reader(PositionKind kind, bool is_causal, Rng& rng) : causal(is_causal) {
    constexpr int64_t width = 32, heads = 4;
    const PositionOptions where{
        .kind = kind, .width = width, .heads = heads, .max_positions = longest, .max_distance = 8};
    embedding = Embedding(tokens, width, rng);
    positions = AbsolutePositions(where, rng);
    for (int i = 0; i < 2; ++i) rounds.emplace_back(MultiHeadOptions{width, heads}, where, rng);
    output = Linear(width, tokens, rng);
}

Tensor Reader::operator()(const Indices& token) const {
    Tensor x = positions(embedding(token));
    for (const SelfAttention& round : rounds) x = x + round(x, {.causal = causal}).context;
    return output(x);
}

void learn(Reader& reader, int steps, Rng rng, const std::function<Sequences(Rng&)>& draw) {
    Adam adam(parameters(reader), {.lr = 0.005});
    train(adam, {.steps = steps, .clip_norm = 1}, [&](int64_t) {
        const Sequences batch = draw(rng);
        return StepResult{cross_entropy(reader(batch.token), batch.answer)};
    });
}

std::vector<double> accuracy_by_place(const Reader& reader, const Sequences& sequences) {
    const NoGrad no_grad;
    const Indices said = argmax(reader(sequences.token));
    const int64_t length = sequences.token.size(1);
    std::vector<double> right(length), all(length);
    for (int64_t i = 0; i < said.count(); ++i) {
        if (sequences.answer[i] == no_answer) continue;
        right[i % length] += said[i] == sequences.answer[i];
        all[i % length] += 1;
    }
    for (int64_t t = 0; t < length; ++t) right[t] /= all[t];
    return right;
}

double mean_over(const std::vector<double>& by_place, const Stretch& stretch) {
    double total = 0;
    for (int t = stretch.from; t < stretch.to; ++t) total += by_place[t];
    return total / (stretch.to - stretch.from);
}

std::vector<std::vector<double>> study(PositionKind kind, Task task, int steps, int seeds,
                                       uint64_t seed) {
    std::vector<std::vector<double>> all;
    for (int i = 0; i < seeds; ++i) {
        Rng rng(seed + i);
        Reader reader(kind, true, rng);
        learn(reader, steps, rng.split(),
              [&](Rng& mine) { return draw_sequences(task, 32, trained_length, mine); });
        all.push_back(accuracy_by_place(reader, draw_sequences(task, 64, longest, rng)));
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
    constexpr int64_t width = 16, places = 32;
    const PositionOptions where{.kind = kind, .width = width, .max_positions = places, .max_distance = 8};
    SelfAttention attention({.width = width}, where, rng);
    AbsolutePositions absolute(where, rng);
    to_dtype(attention, Dtype::float64);
    const Tensor token = normal({1, 1, width}, 0, 1, rng, Dtype::float64);
    const Tensor x = absolute(expand(token, {1, places, width}));
    const MultiHead& heads = attention.multi_head;
    const Tensor q = attention.positions.rotate(heads.split_heads(heads.query(x)), 0);
    const Tensor k = attention.positions.rotate(heads.split_heads(heads.key(x)), 0);
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(double(width));
    const Tensor bias = attention.positions.bias(q, places);
    return reshape(bias.defined() ? scores + bias : scores, {places, places});
}

}  // namespace heed::lesson18
