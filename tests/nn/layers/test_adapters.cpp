// Low-rank adapters: what they compute, what they leave alone, and what they refuse.
#include <filesystem>

#include "nn/nn.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"
#include "tests/error_of.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Pair {
    Linear query, value;
    void visit(auto&& f) { f("query", query), f("value", value); }
    Tensor operator()(const Tensor& x) const { return query(x) * value(x); }
};
struct Small {
    std::vector<Pair> layers;
    Linear gate;  // has no weight, as a gate that a model does without
    Linear head;
    void visit(auto&& f) { f("layers", layers), f("gate", gate), f("head", head); }
    Tensor operator()(const Tensor& x) const { return head(layers[1](layers[0](x))); }
};

Small small(Rng& rng) {
    const auto pair = [&] { return Pair{Linear(4, 4, rng), Linear(4, 4, rng)}; };
    Small model{{pair(), pair()}, {}, Linear(4, 3, rng)};
    to_dtype(model, Dtype::float64);
    return model;
}

void randomise(Small& model, Rng& rng) {
    for_each_layer<LowRankAdapter>(model, [&](const std::string&, LowRankAdapter& adapter) {
        adapter.up.assign(normal(adapter.up.shape(), 0, 1, rng, Dtype::float64));
    });
}

}  // namespace

TEST_CASE("the example of adapters.h", "[nn]") {
    Rng rng(1);
    Small model = small(rng);
    add_adapters(model, {.rank = 2, .only = {"query", "value"}}, rng);
    Adam adam(parameters(model), {.lr = 1e-3});
    backward(mean(square(model(normal({5, 4}, 0, 1, rng, Dtype::float64)))));
    adam.step();
    const std::string path =
        (std::filesystem::temp_directory_path() / "heed_test_adapters.safetensors").string();
    save_adapters(model, path);
    CHECK(load_safetensors(path).tensors.size() == 8);
    merge_adapters(model);
    CHECK(parameters(model).size() == 10);
    std::filesystem::remove(path);
}

TEST_CASE("an adapter is scale times B A, added to the weight", "[nn]") {
    Rng rng(2);
    Linear layer(3, 2, rng);
    const Tensor x = normal({5, 3}, 0, 1, rng), down = normal({1, 3}, 0, 1, rng),
                 up = normal({2, 1}, 0, 1, rng);
    const Tensor expected = linear(x, layer.weight + matmul(up, down) * 0.5, layer.bias);
    layer.adapter = LowRankAdapter{down, up, 0.5};
    CHECK(largest_difference(layer(x), expected) < 1e-5);
}

TEST_CASE("adapters change nothing at first, and only they are trained", "[nn]") {
    Rng rng(3);
    Small model = small(rng);
    const Small before = copy_model(model);
    const Tensor x = normal({6, 4}, 0, 1, rng, Dtype::float64);
    const Tensor y = model(x);
    add_adapters(model, {.rank = 2, .alpha = 6, .only = {"value"}}, rng);
    CHECK(largest_difference(model(x), y) == 0);

    std::vector<std::string> trained;
    for (const Parameter& p : parameters(model))
        if (p.tensor.requires_grad()) trained.push_back(p.name);
    CHECK(trained ==
          std::vector<std::string>{"layers.0.value.adapter.down", "layers.0.value.adapter.up",
                                   "layers.1.value.adapter.down", "layers.1.value.adapter.up"});
    CHECK(model.layers[0].value.adapter->scale == 3);
    CHECK(parameter_count(model) == parameter_count(before) + 2 * 2 * (4 + 4));

    Sgd sgd(parameters(model), {.lr = 0.1});
    for (int step = 0; step < 3; ++step) {
        sgd.zero_grad();
        backward(mean(square(model(x) - 1.0)));
        sgd.step();
    }
    CHECK(largest_difference(model(x), y) > 1e-4);
    CHECK(largest_difference(model.layers[0].value.weight, before.layers[0].value.weight) == 0);
    CHECK(largest_difference(model.head.weight, before.head.weight) == 0);
    remove_adapters(model);
    CHECK(largest_difference(model(x), y) == 0);
}

TEST_CASE("merged adapters compute what they computed beside the weight, to 1e-12", "[nn]") {
    Rng rng(4);
    Small model = small(rng);
    add_adapters(model, {.rank = 3, .alpha = 1}, rng);
    randomise(model, rng);
    const Tensor x = normal({6, 4}, 0, 1, rng, Dtype::float64);
    const Tensor y = model(x);
    const Small copy = copy_model(model);  // has adapters of its own
    merge_adapters(model);
    CHECK(!model.layers[0].query.adapter);
    CHECK(largest_difference(model(x), y) < 1e-12 * max(abs(y)).item());
    CHECK(largest_difference(copy(x), y) == 0);
    CHECK(parameter_count(model) == parameter_count(copy) - 4 * 3 * 8 - 3 * 7);
}

TEST_CASE("adapters go to a file by their names, and into another model", "[nn]") {
    Rng rng(5);
    Small model = small(rng), other = copy_model(model);
    add_adapters(model, {.rank = 2}, rng);
    add_adapters(other, {.rank = 2}, rng);
    randomise(model, rng);
    const Tensor x = normal({6, 4}, 0, 1, rng, Dtype::float64);
    const std::string path =
        (std::filesystem::temp_directory_path() / "heed_test_adapters2.safetensors").string();
    save_adapters(model, path);
    CHECK(largest_difference(other(x), model(x)) > 1e-3);
    load_adapters(other, path);
    CHECK(largest_difference(other(x), model(x)) == 0);
    save_model(model, path);  // the whole model holds them, too
    Small third = small(rng);
    add_adapters(third, {.rank = 2}, rng);
    load_model(third, path);
    CHECK(largest_difference(third(x), model(x)) == 0);
    std::filesystem::remove(path);
}

TEST_CASE("adapters in a Sequential, and what a hook sees", "[nn]") {
    Rng rng(6);
    Sequential net(Linear(3, 4, rng), Relu{}, Linear(4, 2, rng));
    add_adapters(net, {.rank = 2, .only = {"2"}}, rng);
    CHECK(parameters(net).back().name == "2.adapter.up");
    Linear& last = *net.layers[2].get<Linear>();
    last.adapter->up.assign(normal({2, 2}, 0, 1, rng));
    const Tensor x = normal({5, 3}, 0, 1, rng);
    const Tensor y = net(x);
    merge_adapters(net);
    CHECK(largest_difference(net(x), y) < 1e-5);
}

TEST_CASE("what adapters refuse, changing nothing", "[nn][errors]") {
    Rng rng(7);
    Small model = small(rng);
    CHECK_THAT(error_of([&] { add_adapters(model, {.only = {"key"}}, rng); }),
               ContainsSubstring("layers.0.query, layers.0.value"));
    CHECK_THAT(error_of([&] { add_adapters(model, {.rank = 4}, rng); }),
               ContainsSubstring("rank 4 is larger than a width of 'head'"));
    CHECK(parameters(model).size() == 10);
    CHECK_THAT(error_of([&] { merge_adapters(model); }), ContainsSubstring("no layer"));
    CHECK_THAT(error_of([&] { remove_adapters(model); }), ContainsSubstring("no layer"));
    add_adapters(model, {.rank = 2, .only = {"head"}}, rng);
    CHECK_THAT(error_of([&] { add_adapters(model, {.rank = 2}, rng); }),
               ContainsSubstring("'head' has an adapter already"));

    Small tied = small(rng);
    tied.layers[1].query.weight = tied.layers[0].query.weight;
    add_adapters(tied, {.rank = 2, .only = {"query"}}, rng);
    CHECK_THAT(error_of([&] { merge_adapters(tied); }), ContainsSubstring("would change with it"));
}
