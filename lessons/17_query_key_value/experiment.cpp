#include "lessons/17_query_key_value/experiment.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson17 {

// --- by hand ------------------------------------------------------------------------------------

Tensor as_tensor(const Matrix& rows) {
    Row all;
    for (const Row& row : rows) all.insert(all.end(), row.begin(), row.end());
    return tensor(all, {int64_t(rows.size()), int64_t(rows[0].size())}, Dtype::float64);
}

double difference(const Row& a, const Row& b) {
    double most = a.size() == b.size() ? 0 : NAN;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
    return most;
}

double difference(const ByHand& a, const ByHand& b) {
    return std::max(difference(a.weights, b.weights), difference(a.contexts, b.contexts));
}

double asymmetry(const Row& matrix) {
    const int64_t side = std::lround(std::sqrt(double(matrix.size())));
    return difference(transpose(tensor(matrix, {side, side}, Dtype::float64)).to_vector(), matrix);
}

// --- the game -----------------------------------------------------------------------------------

Game train_game(const std::function<Tensor(const Linear& a, const Linear& b)>& scores,
                std::uint64_t seed) {
    const Indices beaten{1, 2, 0};
    Rng rng(seed);
    const Linear a(3, 3, rng, false), b(3, 3, rng, false);
    Adam adam({{"a", a.weight}, {"b", b.weight}}, {.lr = 0.05});
    train(adam, {.steps = 1000, .checkpoint = course::next_checkpoint()},
          [&](int64_t) { return StepResult{cross_entropy(scores(a, b), beaten)}; });
    const Tensor trained = detach(scores(a, b));
    return {{trained.to_vector(), softmax(trained).to_vector(), {}},
            cross_entropy(trained, beaten).item()};
}

}  // namespace heed::lesson17
