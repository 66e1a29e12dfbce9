// What a forward pass changes besides its result, where functions are computed once more in backward:
// checkpoint() and reversible(). Buffers change once, whatever computes again and how often; and
// random numbers that differ are noticed even where the values agree.
#include "attention/efficient/reversible.h"
#include "attention/modalities/conformer.h"
#include "nn/nn.h"
#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using Function = std::function<Tensor(const Tensor&)>;

// A layer whose result depends on its buffer, which follows the input: x + mean.
struct Follower {
    Tensor weight = parameter(ones({3}, Dtype::float64));
    Buffer mean = zeros({3}, Dtype::float64);
    template <class F>
    void visit(F&& f) {
        f("weight", weight), f("mean", mean);
    }
    Tensor operator()(const Tensor& x) const {
        Tensor buffer = mean;
        buffer.assign(mean * 0.9 + detach(heed::mean(x, 0)) * 0.1);
        return tanh(x * weight + mean);
    }
};

Tensor checkpointed(const Function& f, const Tensor& x, int depth) {
    if (depth == 0) return f(x);
    return checkpoint(
        [=](const std::vector<Tensor>& in) { return checkpointed(f, in[0], depth - 1); }, {x});
}

// The ways to compute f(x) of a function that keeps the shape [..., D], with the same numbers.
struct Way {
    const char* name;
    std::function<Tensor(const Function&, const Tensor&)> plain, again;
};
const std::vector<Way> ways{
    {"checkpoint", [](const Function& f, const Tensor& x) { return f(x); },
     [](const Function& f, const Tensor& x) { return checkpointed(f, x, 1); }},
    {"three checkpoints, one in another", [](const Function& f, const Tensor& x) { return f(x); },
     [](const Function& f, const Tensor& x) { return checkpointed(f, x, 3); }},
    {"two checkpoints, one after another",
     [](const Function& f, const Tensor& x) { return f(f(x)); },
     [](const Function& f, const Tensor& x) { return checkpointed(f, checkpointed(f, x, 1), 1); }},
    {"reversible",
     [](const Function& f, const Tensor& x) {
         return reversible_definition({{f, f}, {f, f}}, concat({x, x * 0.5}, -1));
     },
     [](const Function& f, const Tensor& x) {
         return reversible({{f, f}, {f, f}}, concat({x, x * 0.5}, -1));
     }},
    {"checkpoints in a reversible block",
     [](const Function& f, const Tensor& x) {
         return reversible_definition({{f, f}}, concat({x, x * 0.5}, -1));
     },
     [](const Function& f, const Tensor& x) {
         const Function own = [f](const Tensor& y) { return checkpointed(f, y, 1); };
         return checkpoint(
             [own](const std::vector<Tensor>& in) {
                 return reversible({{own, own}}, in[0]);
             },
             {concat({x, x * 0.5}, -1)});
     }},
};

enum class Pass { backward, grad, twice };

// The buffers of a model after a forward and a backward pass, and the gradient of x.
template <class Model, class Call>
std::vector<Tensor> state_after(Model model, const Call& call, Tensor x, Pass pass,
                                const std::function<Tensor(const Function&, const Tensor&)>& way) {
    x = clone(x).set_requires_grad();
    const Tensor y = way([&](const Tensor& in) { return call(model, in); }, x);
    std::vector<Tensor> state;
    if (pass == Pass::backward) {
        backward(weighed(y));
        state.push_back(x.grad());
    } else {
        state = grad(weighed(y), {x}, pass == Pass::twice);
        if (pass == Pass::twice) state.push_back(grad(weighed(state[0]), {x})[0]);
    }
    for (const Parameter& p : buffers(model)) state.push_back(copy_of(p.tensor));
    return state;
}

template <class Model, class Call>
void check_all_ways(const char* what, const Model& model, const Call& call, const Tensor& x,
                    bool twice = true) {
    for (const Way& way : ways)
        for (Pass pass : {Pass::backward, Pass::grad, Pass::twice}) {
            if (pass == Pass::twice && !twice) continue;
            INFO(what << ", " << way.name << ", pass " << static_cast<int>(pass));
            const auto run = [&](const auto& how) {
                return state_after(copy_model(model), call, x, pass, how);
            };
            const std::vector<Tensor> found = run(way.again), right = run(way.plain);
            REQUIRE(found.size() == right.size());
            CHECK(right.size() > 1);
            for (std::size_t i = 0; i < right.size(); ++i)
                CHECK(largest_difference(found[i], right[i]) < 1e-10);
        }
}

TEST_CASE("a buffer changes once, however often the forward pass is computed") {
    Rng rng(1);
    const Tensor x = numbers({6, 3});
    BatchNorm norm(3);
    to_dtype(norm, Dtype::float64);
    check_all_ways(
        "BatchNorm", norm,
        [](const BatchNorm& layer, const Tensor& in) { return tanh(layer(in, Mode::training())); },
        x);
    Sequential net(Linear(3, 3, rng), BatchNorm1d(3), Tanh{}, BatchNorm1d(3));
    to_dtype(net, Dtype::float64);
    check_all_ways(
        "Sequential", net,
        [](const Sequential& layer, const Tensor& in) { return layer(in, Mode::training()); }, x);
    ConformerEncoder encoder({.width = 4, .heads = 2, .layers = 2, .kernel = 3}, rng);
    to_dtype(encoder, Dtype::float64);
    check_all_ways(
        "ConformerEncoder", encoder,
        [](const ConformerEncoder& layer, const Tensor& in) {
            return layer(in, {.mode = Mode::training()});
        },
        numbers({2, 5, 4}), false);
}

TEST_CASE("a layer that reads its buffer is computed again from what it read first") {
    // By a second derivative the graph of the second call would read numbers that are gone by then.
    check_all_ways(
        "Follower", Follower{}, [](const Follower& layer, const Tensor& in) { return layer(in); },
        numbers({6, 3}), false);
}

TEST_CASE("batch normalisation in checkpoints counts its batches as without") {
    for (int depth : {0, 1, 3}) {
        BatchNorm norm(2);
        Tensor x = to_dtype(numbers({4, 2}), Dtype::float32).set_requires_grad();
        for (int step = 0; step < 3; ++step) {
            backward(sum(checkpointed([&](const Tensor& in) { return norm(in, Mode::training()); },
                                      x, depth)));
            CHECK(norm.num_batches_tracked.item() == step + 1);
        }
    }
}

TEST_CASE("a function that replaces a buffer cannot be computed again", "[errors]") {
    Buffer mean = zeros({3}, Dtype::float64);
    const Tensor x = numbers({2, 3}).set_requires_grad();
    CHECK_THROWS_WITH(checkpoint(
                          [&](const std::vector<Tensor>& in) {
                              mean = mean * 0.9 + 1.0;
                              return in[0] * mean;
                          },
                          {x}),
                      ContainsSubstring("checkpoint: f replaces a buffer of shape [3]"));
}

// Values that are 0 wherever the masks differ: only the generators tell that the gradient is wrong.
TEST_CASE("other random numbers in backward are noticed although the value is the same",
          "[errors]") {
    const Tensor x = zeros({4, 2}).set_requires_grad();
    const Function same = [](const Tensor& in) { return tanh(in); };
    int noticed = 0;
    for (int seed = 0; seed < 200; ++seed) {
        Rng rng(seed);
        const Function f = [&](const Tensor& in) { return Dropout(0.5)(in, Mode::training(rng)); };
        const std::string message = error_of([&] {
            const Tensor y =
                seed % 2 ? checkpointed(f, x, 1) : reversible({{same, f}}, concat({x, x}, -1));
            backward(sum(y));
        });
        CHECK_THAT(message, ContainsSubstring("f drew other random numbers"));
        noticed += !message.empty();
    }
    CHECK(noticed == 200);
}

TEST_CASE("every draw from a generator outside is noticed, one from a copy is allowed") {
    Rng rng(1);
    const std::vector<std::function<void(Rng&)>> draws{
        [](Rng& r) { r.next(); },
        [](Rng& r) { r.uniform(); },
        [](Rng& r) { r.normal(), r.normal(), r.normal(); },
        [](Rng& r) { r.below(7); },
        [](Rng& r) { r.split(); },
        [](Rng& r) { r.chance(0.5); },
        [](Rng& r) { normal({3}, 0, 1, r); },
        [](Rng& r) { bernoulli({3}, 0.5, r); },
        [](Rng& r) { randperm(5, r); },
        [](Rng& r) {
            categorical(ones({2, 3}), r);
        },
        [](Rng& r) { Linear(2, 2, r); },
    };
    Tensor x = ones({2}).set_requires_grad();
    for (const auto& draw : draws) {
        const Tensor y =
            checkpoint([&](const std::vector<Tensor>& in) { return draw(rng), in[0] * 2.0; }, {x});
        CHECK_THAT(error_of([&] { backward(sum(y)); }),
                   ContainsSubstring("checkpoint: f drew other random numbers"));
        const Tensor z = checkpoint(
            [&draw, rng](const std::vector<Tensor>& in) {
                Rng own = rng;
                return draw(own), in[0] * 2.0;
            },
            {x});
        CHECK_NOTHROW(backward(sum(z)));
    }
}

}  // namespace
}  // namespace heed
