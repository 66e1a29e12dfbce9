#include "lessons/16_self_attention/news.h"

namespace heed::lesson16 {

using course::Graph;

// ------------------------------------------------------------------------------

News draw_news(int64_t count, Rng& rng) {
    constexpr int width = colours + 1;
    std::vector<Graph> graphs;
    std::vector<double> tokens(count * places * width);
    std::vector<int> asked, all_hops;
    for (int64_t b = 0; b < count; ++b) {
        graphs.push_back(course::random_graph(places, 2, rng));
        const int from = static_cast<int>(rng.below(places)),
                  colour = static_cast<int>(rng.below(colours));
        double* token = &tokens[(b * places + from) * width];
        token[0] = token[1 + colour] = 1;
        const std::vector<int> hops = course::distances(graphs.back(), from);
        all_hops.insert(all_hops.end(), hops.begin(), hops.end());
        asked.insert(asked.end(), places, colour);
    }
    return {tensor(tokens, {count, places, width}), course::neighbour_mask(graphs),
            Indices(asked, {count, places}), all_hops};
}

constexpr int64_t width = 32;  // of the tokens within both models

Town::Town(int count, Rng& rng)
    : input(colours + 1, width, rng), output(width, colours, rng), rounds(count, width, rng) {}

Tensor Town::operator()(const Tensor& tokens, const Tensor& mask) const {
    return output(rounds(input(tokens), mask));
}

std::vector<double> learn_news(Town& town, int steps, int most_hops, int64_t test_graphs, Rng rng) {
    Adam adam(parameters(town), {.lr = 0.005});
    train(adam, {.steps = steps, .clip_norm = 1}, [&](int64_t) {
        const News news = draw_news(32, rng);
        return StepResult{cross_entropy(town(news.tokens, news.mask), news.colour)};
    });
    const NoGrad no_grad;
    const News news = draw_news(test_graphs, rng);
    const Indices said = argmax(town(news.tokens, news.mask));
    std::vector<double> right(most_hops + 1), all(most_hops + 1);
    for (int64_t i = 0; i < said.count(); ++i) {
        if (news.hops[i] > most_hops) continue;
        right[news.hops[i]] += said[i] == news.colour[i];
        all[news.hops[i]] += 1;
    }
    for (int h = 0; h <= most_hops; ++h) right[h] /= all[h];
    return right;
}

int wrongly_reached(int count, const Graph& graph, Rng& rng) {
    Rounds rounds(count, 8, rng);
    to_dtype(rounds, Dtype::float64);
    const Tensor mask = course::neighbour_mask({graph}, Dtype::float64);
    int wrong = 0;
    for (int i = 0; i < graph.size(); ++i) {
        Tensor x = normal({1, graph.size(), 8}, 0, 1, rng, Dtype::float64);
        x.set_requires_grad();
        const Tensor g = grad(select(rounds(x, mask), 1, i), {x}, false,
                              normal({1, 8}, 0, 1, rng, Dtype::float64))[0];
        const std::vector<int> hops = course::distances(graph, i);
        for (int j = 0; j < graph.size(); ++j)
            wrong += (max(abs(select(g, 1, j))).item() > 0) != (hops[j] <= count);
    }
    return wrong;
}

}  // namespace heed::lesson16
