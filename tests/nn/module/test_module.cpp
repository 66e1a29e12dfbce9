#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;

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

TEST_CASE("copy makes parameters of its own, a plain copy shares them") {
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
