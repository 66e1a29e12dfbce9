#include <cstdio>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Block {
    Linear inner;
    std::optional<LayerNorm> norm;
    template <class F>
    void visit(F&& f) {
        f("inner", inner);
        f("norm", norm);
    }
};

struct Model {
    Embedding source;
    std::vector<Block> layers;
    Tensor scale;
    Linear output;  // its weight is the embedding's

    explicit Model(Rng& rng) : source(5, 3, rng), output(3, 5, rng) {
        layers = {{Linear(3, 3, rng), LayerNorm(3)}, {Linear(3, 3, rng, false), std::nullopt}};
        scale = parameter(ones({1}));
        output.weight = source.weight;
    }
    template <class F>
    void visit(F&& f) {
        f("source", source);
        f("layers", layers);
        f("scale", scale);
        f("output", output);
    }
};

// A model whose author forgot the second layer in visit().
struct Forgetful {
    Linear first, second;
    explicit Forgetful(Rng& rng) : first(2, 3, rng), second(3, 1, rng, false) {}
    template <class F>
    void visit(F&& f) {
        f("first", first);
    }
    Tensor operator()(const Tensor& x) const { return second(tanh(first(x))); }
};

struct Nested {
    Linear inner;
    void visit(auto&& f) { f("inner", inner); }
    Tensor operator()(const Tensor& x) const { return inner(x); }
};

struct Whole {
    Model model;
    Sequential rest;
    Buffer mean;
    void visit(auto&& f) { f("model", model), f("rest", rest), f("mean", mean); }
};

std::vector<std::string> names(const Model& model) {
    std::vector<std::string> all;
    for (const Parameter& p : parameters(model)) all.push_back(p.name);
    return all;
}

}  // namespace

TEST_CASE("parameters have the names of the path to them, tied ones the first of theirs") {
    Rng rng(1);
    const Model model(rng);
    CHECK(names(model) == std::vector<std::string>{"source.weight", "layers.0.inner.weight",
                                                   "layers.0.inner.bias", "layers.0.norm.weight",
                                                   "layers.0.norm.bias", "layers.1.inner.weight",
                                                   "scale", "output.bias"});
    CHECK(parameter_count(model) == 15 + 9 + 3 + 3 + 3 + 9 + 1 + 5);
    int visited = 0;
    for_each_parameter(model, [&](const std::string&, const Tensor&) { ++visited; });
    CHECK(visited == 9);  // the tied one twice
}

TEST_CASE("for_each_layer finds every layer of a type by its path, in a Sequential too") {
    Rng rng(1);
    Whole whole{Model(rng), Sequential(Linear(2, 2, rng), Relu{}, Nested{Linear(2, 2, rng)}),
                ones({2})};

    std::vector<std::string> paths;
    for_each_layer<Linear>(whole, [&](const std::string& path, Linear& layer) {
        paths.push_back(path);
        layer.bias = Tensor();
    });
    CHECK(paths == std::vector<std::string>{"model.layers.0.inner", "model.layers.1.inner",
                                            "model.output", "rest.0", "rest.2.inner"});
    CHECK(!whole.model.layers[0].inner.bias.defined());
    CHECK(!whole.rest.layers[0].get<Linear>()->bias.defined());

    paths.clear();
    for_each_layer<Block>(whole, [&](const std::string& path, Block&) { paths.push_back(path); });
    CHECK(paths == std::vector<std::string>{"model.layers.0", "model.layers.1"});
}

TEST_CASE("freeze, unfreeze and zero_grad reach every parameter") {
    Rng rng(1);
    Model model(rng);
    const auto loss = [&] { return sum(model.output(model.source({1, 2})) * model.scale); };
    backward(loss());
    CHECK(model.scale.grad().defined());
    CHECK(model.source.weight.grad().defined());
    zero_grad(model);
    for (const Parameter& p : parameters(model)) CHECK(!p.tensor.grad().defined());
    freeze(model);
    CHECK(!loss().requires_grad());
    unfreeze(model);
    CHECK(loss().requires_grad());
}

TEST_CASE("to_dtype converts in place and keeps ties and frozen parameters") {
    Rng rng(1);
    Model model(rng);
    freeze(model.layers[0]);
    const std::vector<double> before = model.source.weight.to_vector();
    to_dtype(model, Dtype::float64);
    for (const Parameter& p : parameters(model)) CHECK(p.tensor.dtype() == Dtype::float64);
    CHECK(model.source.weight.to_vector() == before);
    CHECK(model.source.weight.body() == model.output.weight.body());
    CHECK(model.source.weight.requires_grad());
    CHECK(!model.layers[0].inner.weight.requires_grad());
}

TEST_CASE("copy_model makes parameters of its own, a plain copy shares them") {
    Rng rng(1);
    Model model(rng);
    Model shared = model, own = copy_model(model);
    model.scale.edit<float>()[0] = 7;
    CHECK(shared.scale.item() == 7);
    CHECK(own.scale.item() == 1);
    CHECK(own.source.weight.to_vector() == model.source.weight.to_vector());
    CHECK(own.source.weight.body() == own.output.weight.body());
    CHECK(names(own) == names(model));
}

TEST_CASE("a layer forgotten in visit() is found by the first step of an optimiser", "[errors]") {
    Rng rng(1);
    Forgetful model(rng);
    const auto loss = [&] { return sum(square(model(ones({4, 2})))); };
    Sgd optimiser(parameters(model), {.lr = 0.1});
    const std::vector<double> before = model.first.weight.to_vector();
    backward(loss());
    CHECK_THROWS_WITH(optimiser.step(),
                      "sgd: the loss depends on parameters that no optimiser holds, of shape [1, "
                      "3]; they would never be trained. Name them, or their layer, in the model's "
                      "visit(); or freeze() them; or give them to an optimiser");
    CHECK(model.first.weight.to_vector() == before);
    backward(loss());
    CHECK_THROWS_AS(optimiser.step_clipped(1), Error);
    backward(loss());
    TrainOptions options{.steps = 1};
    CHECK_THROWS_AS(train(optimiser, options, [&](int64_t) { return StepResult{loss()}; }), Error);

    // Frozen, it is an intention and no mistake.
    freeze(model.second);
    optimiser.zero_grad();
    backward(loss());
    CHECK_NOTHROW(optimiser.step());
    // And so is a second optimiser, even one that was made after backward().
    unfreeze(model.second);
    backward(loss());
    Adam other(parameters(model.second));
    CHECK_NOTHROW(optimiser.step());
    CHECK_NOTHROW(other.step());
}

TEST_CASE("gradients for other purposes than training raise no alarm") {
    Rng rng(1);
    const Forgetful studied(rng);  // never trained: its gradients are only looked at
    Linear trained(2, 1, rng);
    Sgd optimiser(parameters(trained), {.lr = 0.1});
    for (int i = 0; i < 2; ++i) {
        backward(sum(studied(ones({1, 2}))));
        backward(sum(trained(ones({1, 2}))));
        CHECK_NOTHROW(optimiser.step());
    }
    // Freezing and unfreezing keeps what an optimiser holds; conversion makes new parameters.
    freeze(trained);
    unfreeze(trained);
    backward(sum(trained(ones({1, 2}))));
    CHECK_NOTHROW(optimiser.step());
}

TEST_CASE("gradcheck_model finds a layer forgotten in visit() as well", "[errors]") {
    Rng rng(1);
    Forgetful model(rng);
    const auto call = [](const Forgetful& m, const std::vector<Tensor>& in) { return m(in[0]); };
    CHECK_THROWS_WITH(gradcheck_model(model, {numbers({2, 2})}, call),
                      ContainsSubstring("the float32 one comes from a parameter of shape [1, 3]") &&
                          ContainsSubstring("visit() does not name"));
    to_dtype(model.second, Dtype::float64);
    CHECK_THROWS_WITH(gradcheck_model(model, {numbers({2, 2})}, call),
                      "gradcheck_model: the model uses a parameter of shape [1, 3] that its "
                      "visit() does not name; name it there, or freeze() it");
    freeze(model.second);
    CHECK(gradcheck_model(model, {numbers({2, 2})}, call).pass);
}

TEST_CASE("an optimiser refuses a constant that was meant to be a parameter", "[errors]") {
    Rng rng(1);
    Model model(rng);
    model.scale = ones({1});
    CHECK_THROWS_WITH(Sgd(parameters(model)),
                      "sgd: 'scale' of shape [1] takes no gradient; make it with parameter(), or "
                      "declare it as a Buffer if it is not to be trained");
    model.scale = parameter(ones({1}));
    freeze(model.layers[0]);
    CHECK_NOTHROW(Sgd(parameters(model)));
    Model copy = copy_model(model);
    CHECK_NOTHROW(Sgd(parameters(copy)));
}

TEST_CASE("buffers are saved, converted and copied with a model, but not trained") {
    Rng rng(1);
    BatchNorm norm(2);
    norm(to_dtype(numbers({4, 2}), Dtype::float32), Mode::training());
    CHECK(parameter_count(norm) == 4);
    CHECK(parameters(norm).size() == 2);
    CHECK(buffers(norm).size() == 3);
    const std::string path = "nn_test_buffers.safetensors";
    save_model(norm, path);
    BatchNorm loaded(2);
    load_model(loaded, path);
    std::remove(path.c_str());
    CHECK(loaded.running_mean.to_vector() == norm.running_mean.to_vector());
    CHECK(loaded.num_batches_tracked.item() == 1);

    BatchNorm copy = copy_model(norm);
    to_dtype(copy, Dtype::float64);
    CHECK(copy.running_var.dtype() == Dtype::float64);
    unfreeze(copy);
    CHECK(!copy.running_mean.requires_grad());
    copy(numbers({4, 2}), Mode::training());
    CHECK(copy.num_batches_tracked.item() == 2);
    CHECK(norm.num_batches_tracked.item() == 1);
}
