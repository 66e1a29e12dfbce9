#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"graph_attention", "GraphAttention", "segment_softmax", "segment_softmax_definition",
               "dense_mask", "masked_softmax", "soft_attention"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    // The three papers of the lesson. The edges are sorted by target: 0, 1, 2 to 0; 0, 1 to 1; 0, 2
    // to 2.
    const SparseGraph three(3, {1, 2}, {0, 0}, {.both_directions = true, .self_loops = true});
    const Tensor x = f64({1, 4, 7}, {3, 1}), a_t = f64({-1}, {1}), a_s = f64({0.5}, {1});
    const Tensor e = f64({-0.1, 1, 2.5, -0.7, -0.4, -1.3, -0.7}, {7});
    judge.given({{"x", x}, {"a_t", a_t}, {"a_s", a_s}});
    judge.equal(
        "the scores of three papers: at paper 0 they are -0.1, 1 and 2.5",
        [&] { return my_scores(x, a_t, a_s, three); }, e,
        {.formula = "e_ij = LeakyReLU(a_t . x_i + a_s . x_j), i the target, j the source",
         .mistakes = {
             {"target and source are exchanged", f64({-0.1, -0.7, -1.3, 1, -0.4, 2.5, -0.7}, {7})},
             {"negative scores become 0: this is relu, not LeakyReLU",
              f64({0, 1, 2.5, 0, 0, 0, 0}, {7})},
             {"the LeakyReLU is missing", f64({-0.5, 1, 2.5, -3.5, -2, -6.5, -3.5}, {7})},
             {"the slope is 0.01, not 0.2",
              f64({-0.005, 1, 2.5, -0.035, -0.02, -0.065, -0.035}, {7})}}});
    const Tensor third = f64({0.0572, 0.1720, 0.7708}, {3});
    judge.given({{"scores", e}});
    judge.equal(
        "the weights of the three edges at paper 0: 0.0572, 0.1720, 0.7708",
        [&] {
            const Tensor all = my_weights(e, three);
            check(all.dim() == 1 && all.size(0) == 7, "the weights have the shape {}", all.shape());
            return slice(all, 0, 0, 3);
        },
        third,
        {.tolerance = 1e-4,
         .formula = "exp(e_ij) over the sum of exp(e_ik), k all sources of edges to i",
         .mistakes = {{"the softmax runs over all edges of the graph", slice(softmax(e), 0, 0, 3)},
                      {"the softmax runs over the edges that leave the same source",
                       exp(slice(e, 0, 0, 3)) /
                           f64({std::exp(-0.1) + std::exp(-0.7) + std::exp(-1.3),
                                std::exp(1.) + std::exp(-0.4), std::exp(2.5) + std::exp(-0.7)},
                               {3})}}});
    const Tensor huge = f64({1000, 999, 1000, -1000, -1000, 3, 3}, {7});
    const double u = 1 / (2 + std::exp(-1.));
    judge.equal("scores of 1,000 at one paper and of -1,000 at another",
                [&] { return my_weights(huge, three); },
                f64({u, std::exp(-1.) * u, u, 0.5, 0.5, 0.5, 0.5}, {7}),
                {.formula = "subtract from each score the largest one at the same target"});

    // Eight nodes, 15 random edges; no edge arrives at node 5.
    Rng rng(3);
    const Tensor mask = f64({1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0,  //
                             0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0,  //
                             0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                             0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0},
                            {8, 8});
    const SparseGraph graph = graph_of_mask(mask);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor nodes = random({8, 3}), t = random({3}), s = random({3});
    const auto dense = [&](const Tensor& y) {
        const Tensor scores = leaky_relu(unsqueeze(matmul(y, t), 1) + matmul(y, s), 0.2);
        return matmul(masked_softmax(scores, mask), y);
    };
    judge.given({{"x", nodes}, {"a_t", t}, {"a_s", s}});
    judge.equal("the contexts of eight nodes against attention with a mask",
                [&] { return my_attention(nodes, t, s, graph); }, dense(nodes),
                {.formula = "y_i = sum_j alpha_ij x_j; zeros where no edge arrives",
                 .mistakes = {{"each weight is multiplied with the target's row, not the source's",
                               clamp(sum(mask, 1, true), 0, 1) * nodes}}});
    judge.gradient("the gradients of nodes and vectors",
                   [&](const auto& in) { return my_attention(in[0], in[1], in[2], graph); },
                   {nodes, t, s});
    std::vector<int> from, to;
    for (int i = 0; i < 2000; ++i) from.push_back((7 * i) % 2000), to.push_back(i);
    const SparseGraph large(2000, Indices(from), Indices(to));
    const Tensor many = normal({2000, 3}, 0, 1, rng);
    judge.bytes(
        "2,000 nodes and 2,000 edges without a table of all pairs",
        [&] {
            const NoGrad no_grad;
            my_attention(many, to_dtype(t, Dtype::float32), to_dtype(s, Dtype::float32), large);
        },
        2e6, "A table of all pairs has 4 million entries.");
}
