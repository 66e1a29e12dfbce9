// Lesson 26: words as a sparse table, how often noise has less weight, and what averaging leaves.
#include "lessons/26_graphs/cora.h"
#include "lessons/26_graphs/experiment.h"
#include "lessons/26_graphs/model.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

namespace heed::lesson26 {
namespace {

// Five papers, six words; paper 3 has none.
course::LabelledGraph five_papers() {
    course::LabelledGraph data;
    data.classes = {"a", "b"};
    data.labels = {0, 0, 1, 1, 0};
    data.features = {{0, 2, 5}, {1}, {2, 3}, {}, {0, 1, 4, 5}};
    data.feature_count = 6;
    data.edges = {{0, 1}, {0, 4}, {2, 3}, {1, 3}};
    return data;
}

TEST_CASE("words: a sparse table is its dense one, also in a product and its gradient",
          "[lesson]") {
    const SparseTable words = words_of(five_papers());
    const Tensor table = dense(words);
    REQUIRE(table.shape() == Shape{5, 6});
    CHECK(table.at({0, 2}) == Approx(1.0 / 3));
    CHECK(table.at({4, 5}) == 0.25);
    CHECK(table.at({4, 2}) == 0);
    CHECK(sum(index_select(table, 0, Indices(std::vector<int>{3}))).item() == 0);

    Rng rng(1);
    Tensor w = normal({4, 6}, 0, 1, rng).set_requires_grad(),
           v = normal({4, 6}, 0, 1, rng).set_requires_grad();
    v.assign(w);
    const Tensor covector = normal({5, 4}, 0, 1, rng);
    const Tensor sparse = sparse_linear(words, w), full = linear(table, v);
    CHECK(largest_difference(sparse, full) < 1e-6);
    backward(sum(sparse * covector));
    backward(sum(full * covector));
    CHECK(largest_difference(w.grad(), v.grad()) < 1e-6);
}

TEST_CASE("citations: logits and gradients by the words present are those of the dense table",
          "[lesson]") {
    const course::LabelledGraph data = five_papers();
    const SparseTable words = words_of(data);
    const SparseGraph graph = lesson26::edges_of(data);
    Rng rng(2), same(2);
    const CitationModel sparse(6, 2, rng), full(6, 2, same);
    const Tensor covector = normal({5, 2}, 0, 1, rng);
    const Tensor a = sparse(words, graph, Mode::evaluation()),
                 b = full(dense(words), graph, Mode::evaluation());
    CHECK(largest_difference(a, b) < 1e-6);
    backward(sum(a * covector));
    backward(sum(b * covector));
    const std::vector<Parameter> p = parameters(sparse), q = parameters(full);
    REQUIRE(p.size() == q.size());
    for (std::size_t i = 0; i < p.size(); ++i)
        CHECK(largest_difference(p[i].tensor.grad(), q[i].tensor.grad()) < 1e-6);
}

TEST_CASE("noise ranked lower: one pair of edges, worked by hand", "[lesson]") {
    // Paper 0 has an edge to paper 1 of its own topic and one to paper 2 of another.
    course::CommunityGraph data;
    data.labels = {0, 0, 1};
    data.features = tensor({1, 0, 1, 0, 0, 1}, {3, 2});
    data.edges = {{0, 1}, {0, 2}};
    Rng rng(3);
    NodeClassifier model(Kind::gat, 2, 4, 2, 0.5, rng);
    GraphAttention& first = model.attentions[0];
    first.weight.assign(tensor({1, -1, 1, -1, 1, -1, 1, -1}, {4, 2}));
    first.target.assign(zeros({4, 1}));
    for (const double favour : {1.0, 0.0, -1.0}) {  // of papers of topic 0
        first.source.assign(full({4, 1}, favour));
        const EdgeWeights weights = edge_weights(model, data, 0);
        CHECK(weights.noise_ranked_lower == 0.5 + favour / 2);
        // Scores of paper 0: 1 for itself and paper 1, -0.2 for paper 2.
        if (favour == 1)
            CHECK(weights.noise[0] ==
                  Approx(3 * std::exp(-0.2) / (2 * std::exp(1.0) + std::exp(-0.2))));
    }
}

TEST_CASE("averaging: two joined nodes with self-loops are equal after one convolution",
          "[lesson]") {
    Rng rng(4);
    const SparseGraph pair(2, {0}, {1}, {.both_directions = true, .self_loops = true});
    CHECK(remaining_differences(pair, 1, rng)[0] < 1e-12);
    // A ring of four: what is left shrinks by the second eigenvalue, 1/3.
    // Node 4 has no neighbours and does not count.
    const SparseGraph ring(5, {0, 1, 2, 3}, {1, 2, 3, 0},
                           {.both_directions = true, .self_loops = true});
    const std::vector<double> left = remaining_differences(ring, 3, rng);
    CHECK(left[1] / left[0] == Approx(1.0 / 3));
    CHECK(left[2] / left[1] == Approx(1.0 / 3));
}

}  // namespace
}  // namespace heed::lesson26
