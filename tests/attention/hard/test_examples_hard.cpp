// The examples of the headers about hard attention; see test_examples.cpp.
#include "attention/hard/hard.h"
#include "attention/scores/mask.h"
#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "nn/layers/layers.h"
#include "tests/attention/random.h"
#include "tests/catch.h"

using namespace heed;

namespace {

Tensor leaf(const Shape& shape) { return random(shape).set_requires_grad(); }

bool has_gradient(const Tensor& x) { return max(abs(x.grad())).item() > 0; }

}  // namespace

TEST_CASE("the example of hard.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor scores = leaf({4, 6}), patches = random({4, 6, 8});
    const Linear classify(8, 3, rng);
    const Indices labels{0, 2, 1, 1};
    MovingAverage average;
    const CategoricalSample sample = sample_categorical(scores, rng);
    const Tensor seen = values_at(patches, sample.indices);
    const Tensor loss = cross_entropy(classify(seen), labels, {.reduction = Reduction::none});
    backward(reinforce(loss, sample.log_prob, scalar(average.value)));
    average.update(loss);
    CHECK(has_gradient(scores));
    CHECK(has_gradient(classify.weight));
    CHECK(average.value == Approx(mean(loss).item()));
}

TEST_CASE("the example of hard_categorical.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor scores = leaf({2, 3, 5}), value = random({2, 5, 8});
    const Tensor mask = padding_mask({5, 3}, 5);
    const CategoricalSample sample = sample_categorical(scores, rng, mask);
    const Tensor context = values_at(value, sample.indices);
    CHECK(context.shape() == Shape{2, 3, 8});
    const Tensor loss = sum(context, -1);
    backward(reinforce(loss - 0.01 * categorical_entropy(scores), sample.log_prob));
    CHECK(has_gradient(scores));
}

TEST_CASE("the example of hard_location.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor state = random({4, 16}), image = random({4, 28, 28});
    const Linear where_to(16, 2, rng);
    const LocationSample look = sample_location(tanh(where_to(detach(state))), 0.17, rng);
    const Tensor seen = glimpse(image, look.location, {.size = 8});
    CHECK(look.location.shape() == Shape{4, 2});
    CHECK(seen.shape() == Shape{4, 1, 8, 8});
}

TEST_CASE("the example of reinforce.h", "[attention][hard]") {
    const Tensor loss = random({4}), log_prob = leaf({4, 3}), baseline = random({1, 3});
    backward(reinforce(loss, log_prob, baseline));
    CHECK(has_gradient(log_prob));
}

TEST_CASE("the example of baselines.h", "[attention][hard]") {
    const Tensor loss = square(random({4})), log_prob = leaf({4});
    MovingAverage average;
    backward(reinforce(loss, log_prob, scalar(average.value)));
    average.update(loss);
    CHECK(has_gradient(log_prob));
    CHECK(average.value > 0);
}

TEST_CASE("the example of variational.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor scores = leaf({3, 4, 6});  // three samples of four sentences
    const Tensor of_indices = log_softmax(random({6, 5}), -1);
    const Indices labels{0, 4, 2, 2};
    // ln p(y | s) of label y, given the index s.
    const auto log_likelihood = [&](const Indices& y, const Indices& indices) {
        const Tensor rows = embedding(of_indices, indices);  // [M, B, V]
        return sum(rows * unsqueeze(one_hot(y, 5), 0), -1);
    };
    const CategoricalSample sample = sample_categorical(scores, rng);
    const Tensor log_p = log_likelihood(labels, sample.indices);
    backward(several_sample_bound(log_p, sample.log_prob));
    CHECK(log_p.shape() == Shape{3, 4});
    CHECK(has_gradient(scores));
}

TEST_CASE("the example of marginal.h", "[attention][hard]") {
    const Tensor scores = leaf({4, 6}), log_likelihood = log_softmax(random({4, 6}), 0);
    backward(-mean(marginal_log_likelihood(scores, log_likelihood)));
    const Tensor alignment = posterior(scores, log_likelihood);
    CHECK(has_gradient(scores));
    CHECK(sum(alignment).item() == Approx(4));
}

TEST_CASE("the example of relaxed.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor scores = random({2, 3, 5}), value = random({2, 5, 8});
    const Tensor weights = gumbel_softmax(scores, 0.5, rng);
    const Tensor context = matmul(weights, value);
    CHECK(context.shape() == Shape{2, 3, 8});
    CHECK(sum(weights).item() == Approx(6));
}

TEST_CASE("the example of glimpse.h", "[attention][hard]") {
    const Tensor image = random({2, 28, 28}), location = zeros({2, 2});
    const Tensor seen = glimpse(image, location, {.size = 8, .scales = 3});
    CHECK(seen.shape() == Shape{2, 3, 8, 8});
}

TEST_CASE("the example of patches.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor images = random({2, 28, 28}), scores = random({2, 1, 16});
    const Tensor patch = patches(images, 7);
    const Tensor all = soft_attention(scores, patch).context;
    const HardAttentionOutput look = hard_attention(scores, patch, rng);
    CHECK(patch.shape() == Shape{2, 16, 49});
    CHECK(all.shape() == Shape{2, 1, 49});
    CHECK(look.context.shape() == Shape{2, 1, 49});
}

TEST_CASE("the example of preferences.h", "[attention][hard]") {
    Rng rng(1);
    const Tensor logits = leaf({4, 3, 6});
    const auto model = [&](const Indices&) { return logits; };
    const Indices ids({1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3}, {4, 3}),
        next_ids({-1, 3, 4, -1, 2, 5, -1, 3, 3, -1, 0, 1}, {4, 3});
    const Tensor reward = tensor({1, 0, 0, 1}, {4});
    const Tensor chosen = leaf({2}), rejected = leaf({2}), reference_chosen = random({2}),
                 reference_rejected = random({2});
    const Tensor log_prob = answer_log_prob(model(ids), next_ids);
    backward(reinforce(-group_advantage(reward), log_prob));
    backward(dpo_loss(chosen, rejected, reference_chosen, reference_rejected, {.beta = 0.1}));
    CHECK(has_gradient(logits));
    CHECK(has_gradient(chosen));
}
