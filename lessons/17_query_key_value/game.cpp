#include "lessons/17_query_key_value/game.h"

#include "autograd/autograd.h"
#include "lessons/course/lesson/checkpoints.h"

namespace heed::lesson17 {

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
