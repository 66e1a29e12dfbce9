// The examples of the headers of attention/states/; see ../test_examples.cpp.
#include "attention/attention.h"
#include "tests/attention/random.h"
#include "tests/autograd/compare.h"

using namespace heed;

TEST_CASE("the example of linear_attention.h", "[attention][states]") {
    const Tensor x = random({1, 2, 5, 4}), y = random({1, 2, 5, 4}, 2), v = random({1, 2, 5, 3}, 3),
                 q1 = elu_features(random({1, 2, 1, 4}, 4)),
                 k1 = elu_features(random({1, 2, 1, 4}, 5)), v1 = random({1, 2, 1, 3}, 6);
    Tensor state;
    const Tensor q = elu_features(x), k = elu_features(y);
    Tensor o = linear_attention(q, k, v, {.normalise = true, .state = &state});
    Tensor next = linear_attention(q1, k1, v1, {.normalise = true, .state = &state});
    const Tensor all = linear_attention_definition(concat({q, q1}, 2), concat({k, k1}, 2),
                                                   concat({v, v1}, 2), {.normalise = true});
    CHECK(largest_difference(concat({o, next}, 2), all) < 1e-5);
    CHECK(state.shape() == Shape{1, 2, 4, 4});
}

TEST_CASE("the example of selective_scan.h", "[attention][states]") {
    Rng rng(1);
    const Tensor x = random({1, 4, 8}), delta = softplus(random({1, 4, 8}, 2)),
                 a = full({8, 3}, -1), b = random({1, 4, 3}, 3), c = random({1, 4, 3}, 4),
                 tokens = random({1, 4, 64}, 5);
    const std::vector<Tensor> steps{slice(tokens, 1, 0, 1), slice(tokens, 1, 1, 2)};
    Tensor y = selective_scan(x, delta, a, b, c);
    SelectiveStateSpace layer({.width = 64}, rng);
    Tensor z = layer(tokens);
    Tensor state;
    for (const Tensor& token : steps) layer(token, &state);
    CHECK(y.shape() == x.shape());
    CHECK(z.shape() == tokens.shape());
    CHECK(state.shape() == Shape{1, 64, 16});
}

TEST_CASE("the example of sinks.h", "[attention][states]") {
    Rng rng(1);
    const SelfAttention model({.width = 8, .heads = 2}, {.kind = PositionKind::rotary}, rng);
    KeyValueCache cache;
    for (int t = 0; t < 300; ++t) {
        const Tensor token = random({1, 1, 8}, t);
        model(token, {.causal = true, .cache = &cache});
        keep_first_and_last(cache, 4, 252, model.positions);
    }
    CHECK(cache[0].key.size(2) == 256);
}
