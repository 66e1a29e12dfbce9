// Models whose Linear layers have weights of 8 or 4 bits: what they compute, and what they refuse.
#include "attention/transformer/language_model.h"
#include "nn/layers/quantise.h"
#include "nn/optim/optimisers.h"
#include "nn/saved/safetensors.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;

LanguageModel small_model() {
    Rng rng(1);
    TransformerOptions stack = llama({.width = 64, .heads = 4, .layers = 2, .hidden = 96});
    return {{.vocabulary = 37, .stack = stack}, rng};
}

TEST_CASE("a quantised model computes with the rounded weights, and leaves its original alone") {
    const LanguageModel model = small_model();
    const Indices ids({1, 5, 9, 36, 2, 0, 7, 7, 20, 3}, {1, 10});
    const Tensor before = model(ids);
    double of_eight = 0;
    for (const QuantiseOptions& options :
         {QuantiseOptions{.bits = 8}, QuantiseOptions{.bits = 4, .minimum = true},
          QuantiseOptions{.bits = 4}}) {
        LanguageModel small = model;
        quantise(small, options);
        CHECK(largest_difference(model(ids), before) == 0);
        CHECK_FALSE(small.head.weight.defined());
        CHECK(small.embedding.weight.defined());

        // The same model with weights that were rounded and are floats.
        LanguageModel rounded = copy_model(model);
        rounded.head.weight = copy_of(rounded.head.weight);
        for_each_layer<Linear>(rounded, [&](const std::string&, Linear& layer) {
            layer.weight = dequantise(quantise(layer.weight, block_format(options)));
        });
        const Tensor y = small(ids);
        CHECK(largest_difference(y, rounded(ids)) < 1e-5);
        const double error = largest_difference(y, before);
        CHECK(error > 0);
        if (options.bits == 4) CHECK(error > 4 * of_eight);  // a step is about 16 times as large
        if (options.bits == 8) of_eight = error;
        CHECK(error < 0.5 * max(abs(before)).item());

        // One token at a time and all at once.
        Decodable decodable = small.decodable(Indices({1, 5, 9}, {1, 3}));
        const Tensor steps = decodable.steps(Indices({9, 36, 2}, {1, 3}));
        CHECK(largest_difference(steps, slice(log_softmax(y), 1, 2, 5)) < 1e-4);
    }
}

TEST_CASE("an embedding in blocks gives the rows of its table") {
    Rng rng(1);
    Embedding layer(5, 64, rng);
    const QuantisedMatrix w = quantise(layer.weight, BlockFormat::q4_1);
    const Indices ids({4, 0, 4, 2}, {2, 2});
    layer.quantised = w;
    layer.weight = Tensor();
    CHECK(layer(ids).to_vector() == embedding(w, ids).to_vector());
}

struct TwoLayers {
    Linear first, second;
    void visit(auto&& f) { f("first", first), f("second", second); }
};

TEST_CASE("a quantised layer says what it is") {
    Rng rng(2);
    TwoLayers net{Linear(64, 3, rng), Linear(32, 5, rng, false)};
    CHECK(bytes_of_linear_weights(net) == 4 * (64 * 3 + 32 * 5));
    quantise(net, {.bits = 8});
    CHECK(bytes_of_linear_weights(net) == 34 * (2 * 3 + 5));
    CHECK(net.first.in_features() == 64);
    CHECK(net.first.out_features() == 3);
    CHECK(net.first.dtype() == Dtype::float32);
    CHECK(net.second.defined());
    CHECK(net.first(zeros({1, 64})).to_vector() == net.first.bias.to_vector());

    CHECK_THROWS_WITH(parameters(net), ContainsSubstring("'first.weight' is quantised (q8_0)"));
    CHECK_THROWS_WITH(Adam(parameters(net), {}), ContainsSubstring("cannot be trained"));
    CHECK_THROWS_WITH(save_model(net, "never_written.safetensors"), ContainsSubstring("saved"));
    CHECK_THROWS_WITH(quantise(net, {.bits = 8}), ContainsSubstring("no Linear layer"));
    CHECK_THROWS_WITH(net.first(zeros({2, 32})), ContainsSubstring("made for this width"));

    TwoLayers odd{Linear(64, 3, rng), Linear(33, 5, rng)};
    CHECK_THROWS_WITH(quantise(odd), ContainsSubstring("'second'") && ContainsSubstring("33"));
    CHECK_THROWS_WITH(quantise(odd, {.bits = 5}), ContainsSubstring("expected 8 or 4"));
    CHECK_THROWS_WITH(quantise(odd, {.bits = 8, .minimum = true}), ContainsSubstring("4 bits"));
}

}  // namespace
}  // namespace heed
