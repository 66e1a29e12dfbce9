#include "attention/attention.h"
#include "autograd/autograd.h"
#include "nn/module/hooks.h"
#include "nn/nn.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr Dtype f64 = Dtype::float64;

double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

LanguageModel small_gpt() {
    Rng rng(1);
    LanguageModel model({.vocabulary = 7, .stack = gpt({.width = 8, .heads = 2, .layers = 2})},
                        rng);
    // Larger weights, so that the layers do something.
    for_each_parameter(
        model, [&](const std::string&, Tensor& x) { x.assign(normal(x.shape(), 0, 0.4, rng)); });
    to_dtype(model, f64);
    return model;
}

struct Twice {
    Linear first, second;
    Tensor operator()(const Tensor& x) const { return second(first(x)); }
    void visit(auto&& f) { f("first", first), f("second", second); }
};

const Indices ids({1, 2, 3, 4, 2, 3}, {1, 6});

}  // namespace

TEST_CASE("values of a model are read by name", "[nn]") {
    const LanguageModel model = small_gpt();
    const auto [logits, values] =
        run_and_read(model, ids, {"decoder.layers.*.attention.weights", "head.output"});
    CHECK(difference(logits, model(ids)) < 1e-12);
    REQUIRE(values.size() == 3);
    std::vector<Tensor> weights;
    model.run(ids, {.weights = &weights});
    CHECK(difference(values.at("decoder.layers.0.attention.weights"), weights[0]) < 1e-12);
    CHECK(difference(values.at("decoder.layers.1.attention.weights"), weights[1]) < 1e-12);
    CHECK(difference(values.at("head.output"), logits) == 0);
}

TEST_CASE("the values of a stack can be put together again", "[nn]") {
    const LanguageModel model = small_gpt();
    const auto [logits, v] = run_and_read(model, ids, {"**"});
    const auto at = [&, &all = v](const std::string& name) { return all.at("decoder." + name); };
    const std::string layer = "layers.1.";
    // The residual stream: each sum is the one before and what was added.
    CHECK(difference(at("layers.0.attention_norm.sum"),
                     at("input") + at("layers.0.attention_norm.added")) == 0);
    CHECK(difference(at(layer + "feed_forward_norm.sum"),
                     at(layer + "attention_norm.sum") + at(layer + "feed_forward_norm.added")) ==
          0);
    // The context of each head is its weights times its values.
    const std::string a = layer + "attention.";
    CHECK(difference(at(a + "heads"), matmul(at(a + "kept"), at(a + "v"))) < 1e-12);
    CHECK(difference(at(a + "kept"), at(a + "weights")) == 0);
    CHECK(difference(at(a + "scores"), matmul(at(a + "q"), transpose(at(a + "k"))) * 0.5) < 1e-12);
    // Every name is one that value_names() lists, and the other way round.
    std::vector<std::string> names;
    for (const auto& [name, x] : v) names.push_back(name);
    std::vector<std::string> listed = value_names(model, [&] { model(ids); });
    std::sort(listed.begin(), listed.end());
    CHECK(names == listed);
}

TEST_CASE("values of a model are replaced by name", "[nn]") {
    const LanguageModel model = small_gpt();
    // Without its attention a layer adds the output's bias and nothing else.
    const auto nothing = [](const Tensor& x) { return x * 0.0; };
    const auto [logits, values] = run_and_read(model, ids, {"decoder.layers.0.attention_norm.sum"});
    const Tensor without =
        run_with(model, ids,
                 {{"decoder.layers.0.attention.heads", nothing},
                  {"decoder.layers.0.attention_norm.added", [&](const Tensor& x) {
                       const Tensor bias = model.stack.layers[0].attention.multi_head.output.bias;
                       CHECK(difference(x, expand(bias, x.shape())) < 1e-12);
                   }}});
    CHECK(difference(without, logits) > 1e-3);
    // Patching: the whole residual stream of one run in another makes it the first run.
    const Indices other({1, 2, 3, 6, 5, 3}, {1, 6});
    const Tensor stream = values.at("decoder.layers.0.attention_norm.sum");
    const Tensor patched =
        run_with(model, other,
                 {{"decoder.layers.0.attention_norm.sum", [&](const Tensor&) { return stream; }}});
    CHECK(difference(patched, logits) < 1e-12);
    // Weights that look at the first token only.
    const Tensor first =
        run_with(model, ids, {{"decoder.layers.*.attention.weights", [](const Tensor& x) {
                                   return pad(ones({1, 2, 6, 1}, x.dtype()), 3, 0, 5);
                               }}});
    CHECK(difference(first, logits) > 1e-3);
    CHECK(difference(model(ids), logits) == 0);  // the model is as before
}

TEST_CASE("gradients flow through hooks, to first and second order", "[nn][grad]") {
    Rng rng(3);
    TransformerEncoderLayer layer({.width = 4, .heads = 2, .pre_norm = true}, rng);
    to_dtype(layer, f64);
    const Tensor x = normal({1, 3, 4}, 0, 1, rng, f64),
                 scale = uniform({2, 3, 2}, 0.5, 1.5, rng, f64);
    const auto f = [&](const std::vector<Tensor>& in) {
        return run_with(layer, in[0],
                        {{"attention.heads", [&](const Tensor& heads) { return heads * in[1]; }},
                         {"attention.scores", [&](const Tensor& s) { return s + square(s); }}});
    };
    CHECK(gradcheck(f, {x, scale}, {.order = 2}).pass);
}

TEST_CASE("hooks hold in what is computed again, in copies and in Sequential", "[nn]") {
    Rng rng(4);
    Sequential net(Linear(3, 4, rng), Relu{},
                   TransformerEncoderLayer({.width = 4, .heads = 2, .pre_norm = true}, rng));
    Tensor x = normal({1, 5, 3}, 0, 1, rng);
    x.set_requires_grad();
    const std::vector<Hook> hooks{{"0.output", [](const Tensor& y) { return y * 2.0; }},
                                  {"2.attention.heads", [](const Tensor& y) { return y * 3.0; }}};
    const auto gradient = [&](auto f) {
        const Tensor y = with_hooks(net, hooks, f);
        return grad(sum(square(y)), {x})[0];
    };
    const Tensor plain = gradient([&] { return net(x); });
    CHECK(difference(plain, grad(sum(square(net(x))), {x})[0]) > 1e-3);
    const Tensor again = gradient(
        [&] { return checkpoint([&](const std::vector<Tensor>& in) { return net(in[0]); }, {x}); });
    CHECK(difference(plain, again) == 0);
    const Sequential copy = net;
    CHECK(difference(plain, gradient([&] { return copy(x); })) == 0);
}

TEST_CASE("a recurrent translator's weights are read and replaced", "[nn]") {
    Rng rng(5);
    for (DecoderKind kind : {DecoderKind::bahdanau, DecoderKind::luong}) {
        const EncoderDecoder model({.source_vocabulary = 6,
                                    .target_vocabulary = 6,
                                    .embedding = 4,
                                    .hidden = 4,
                                    .decoder = kind},
                                   rng);
        const Indices source({1, 2, 3, 4}, {1, 4}), target({1, 5, 2}, {1, 3});
        const Tensor logits = model(source, {}, target).logits;
        std::vector<Tensor> seen;
        const auto look_first = [&](const Tensor& x) {
            seen.push_back(x);
            return pad(ones({1, x.size(1), 1}), 2, 0, 3);
        };
        const Seq2SeqOutput looking = with_hooks(model, {{"decoder.weights", look_first}},
                                                 [&] { return model(source, {}, target); });
        CHECK(difference(looking.logits, logits) > 1e-5);
        CHECK(difference(select(looking.weights, 2, 0), ones({1, 3})) == 0);
        // Bahdanau's later states have read other contexts; Luong's know nothing of attention.
        const Tensor before = model(source, {}, target).weights;
        CHECK((difference(concat(seen, 1), before) > 0) == (kind == DecoderKind::bahdanau));
    }
}

TEST_CASE("layers with tied parameters answer to the names of each", "[nn]") {
    Rng rng(6);
    const Linear once(3, 3, rng);
    const Twice twice{once, once};
    const Tensor x = normal({2, 3}, 0, 1, rng);
    int calls = 0;
    run_with(twice, x, {{"first.output", [&](const Tensor&) { ++calls; }}});
    CHECK(calls == 2);
}

TEST_CASE("hooks that are wrong say so", "[nn][errors]") {
    const LanguageModel model = small_gpt();
    const auto with = [&](const std::string& name, auto f) { run_with(model, ids, {{name, f}}); };
    const auto keep = [](const Tensor& x) { return x; };
    CHECK_THROWS_WITH(with("decoder.layers.5.attention.weights", keep),
                      ContainsSubstring("reached no value 'decoder.layers.5.attention.weights'") &&
                          ContainsSubstring("decoder.layers.1.attention.heads"));
    CHECK_THROWS_WITH(with("head.output", [](const Tensor& x) { return sum(x); }),
                      ContainsSubstring("the hook of 'head.output' returned [] of float64, but the "
                                        "value is [1, 6, 7] of float64"));
    CHECK_THROWS_WITH(with("head.output", [](const Tensor&) { return Tensor(); }),
                      ContainsSubstring("not defined"));
    // Nothing is left in force behind an error.
    CHECK_NOTHROW(model(ids));
    CHECK_FALSE(Surroundings::now());
}
