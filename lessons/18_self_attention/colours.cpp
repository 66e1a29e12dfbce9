#include "lessons/18_self_attention/colours.h"

#include "lessons/course/lesson/checkpoints.h"

namespace heed::lesson18 {

using course::Graph;

ColourData draw_colours(int64_t count, Rng& rng) {
    constexpr int width = colours + 1;
    std::vector<Graph> graphs;
    std::vector<double> tokens(count * nodes * width);
    std::vector<int> asked, all_hops;
    for (int64_t b = 0; b < count; ++b) {
        graphs.push_back(course::random_graph(nodes, 2, rng));
        const int from = static_cast<int>(rng.below(nodes)),
                  colour = static_cast<int>(rng.below(colours));
        double* token = &tokens[(b * nodes + from) * width];
        token[0] = token[1 + colour] = 1;
        const std::vector<int> hops = course::distances(graphs.back(), from);
        all_hops.insert(all_hops.end(), hops.begin(), hops.end());
        asked.insert(asked.end(), nodes, colour);
    }
    return {tensor(tokens, {count, nodes, width}), course::neighbour_mask(graphs),
            Indices(asked, {count, nodes}), all_hops};
}

constexpr int64_t width = 32;  // of the tokens inside the model

GraphModel::GraphModel(int count, ReadoutKind readout, Rng& rng)
    : input(colours + 1, width, rng),
      layers(count, width, rng),
      output(readout, width, colours, rng) {}

Tensor GraphModel::operator()(const Tensor& tokens, const Tensor& mask) const {
    return output(layers(input(tokens), mask));
}

std::vector<double> train_colours(GraphModel& model, int steps, int most_hops, int64_t test_graphs,
                                  Rng rng) {
    Adam adam(parameters(model), {.lr = 0.003});
    // The rate rises over the first twentieth of the steps and then falls along a cosine.
    const Schedule schedule =
        schedules::multiplied(schedules::warm_up(steps / 20), schedules::cosine(steps, 0.02));
    const TrainOptions options{.steps = steps,
                               .clip_norm = 1,
                               .schedule = schedule,
                               .checkpoint = course::next_checkpoint({rng})};
    train(adam, options, [&](int64_t) {
        const ColourData data = draw_colours(32, rng);
        return StepResult{cross_entropy(model(data.tokens, data.mask), data.colour)};
    });
    const NoGrad no_grad;
    const ColourData data = draw_colours(test_graphs, rng);
    const Indices predicted = argmax(model(data.tokens, data.mask));
    std::vector<double> right(most_hops + 1), all(most_hops + 1);
    for (int64_t i = 0; i < predicted.count(); ++i) {
        if (data.hops[i] > most_hops) continue;
        right[data.hops[i]] += predicted[i] == data.colour[i];
        all[data.hops[i]] += 1;
    }
    for (int h = 0; h <= most_hops; ++h) right[h] /= all[h];
    return right;
}

int count_wrong_gradients(int count, const Graph& graph, Rng& rng) {
    SelfAttentionLayers layers(count, 8, rng);
    to_dtype(layers, Dtype::float64);
    const Tensor mask = course::neighbour_mask({graph}, Dtype::float64);
    int wrong = 0;
    for (int i = 0; i < graph.size(); ++i) {
        Tensor x = normal({1, graph.size(), 8}, 0, 1, rng, Dtype::float64);
        x.set_requires_grad();
        const Tensor g = grad(select(layers(x, mask), 1, i), {x}, false,
                              normal({1, 8}, 0, 1, rng, Dtype::float64))[0];
        const std::vector<int> hops = course::distances(graph, i);
        for (int j = 0; j < graph.size(); ++j)
            wrong += (max(abs(select(g, 1, j))).item() > 0) != (hops[j] <= count);
    }
    return wrong;
}

}  // namespace heed::lesson18
