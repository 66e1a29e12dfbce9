// One tensor under two names: all that takes a list of parameters sees it once.
#include <cstdio>

#include "attention/transformer/bert.h"
#include "attention/transformer/stacks.h"
#include "nn/nn.h"
#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

using Catch::Matchers::ContainsSubstring;
using List = std::vector<Parameter>;

// A pair of parameters with their gradients, and what is left of them after something was done to the
// list that names them: each once, or the first one a second and a third time.
struct Pair {
    Tensor p = parameter(tensor({3, 4, 5, 6}, {2, 2}));
    Tensor q = parameter(tensor({-1, 2}, {2}));
    explicit Pair(bool with_gradients = true) {
        if (with_gradients) backward(sum(p * p) + sum(q * 3.0));
    }
    List once() const { return {{"p.weight", p}, {"q.bias", q}}; }
    List repeated() const {
        return {{"p.weight", p}, {"q.bias", q}, {"again.weight", p}, {"p.weight", p}};
    }
};

using Numbers = std::vector<double>;
Numbers numbers_of(const Pair& pair) {
    Numbers all;
    for (const Tensor& x : {pair.p, pair.q, pair.p.grad(), pair.q.grad()})
        if (x.defined())
            for (double v : x.to_vector()) all.push_back(v);
    return all;
}

// Everything that takes a list, and what it gives for one. It also changes the pair.
using Taker = std::function<Numbers(const List&)>;

template <class Rule, class Options>
Taker optimiser(Options options) {
    return [=](const List& list) {
        Rule rule(list, options);
        rule.step();
        rule.step_clipped(0.5);
        const int scaled = rule.scale_lr([](const Parameter&) { return true; }, 2),
                  decayed = rule.set_weight_decay(has_two_axes, 0.1);
        rule.step();
        rule.save("tied_names.safetensors");
        Rule other(list, options);
        other.load("tied_names.safetensors");
        other.step();
        std::remove("tied_names.safetensors");
        return Numbers{double(rule.parameters().size()), double(scaled), double(decayed),
                       double(other.steps())};
    };
}

struct Law {
    const char* name;
    Taker taker;
};
const std::vector<Law> takers{
    {"Sgd", optimiser<Sgd>(SgdOptions{.lr = 0.1})},
    {"Sgd with momentum", optimiser<Sgd>(SgdOptions{.lr = 0.1, .momentum = 0.9})},
    {"Adam", optimiser<Adam>(AdamOptions{.lr = 0.1})},
    {"AdamW", optimiser<AdamW>(AdamWOptions{.lr = 0.1, .weight_decay = 0.1})},
    {"RmsProp", optimiser<RmsProp>(RmsPropOptions{.lr = 0.1, .momentum = 0.5})},
    {"grad_norm", [](const List& list) { return Numbers{grad_norm(list)}; }},
    {"clip_grad_norm", [](const List& list) { return Numbers{clip_grad_norm(list, 0.1)}; }},
    {"clip_grad_value",
     [](const List& list) {
         clip_grad_value(list, 7);
         return Numbers{};
     }},
    {"AverageOfWeights",
     [](const List& list) {
         AverageOfWeights average(list);
         average.update();
         Tensor first = list[0].tensor, second = list[1].tensor;
         first.assign(first * 5.0), second.assign(second * 5.0);
         average.update();
         Numbers in_use;
         {
             const auto use = average.use();
             in_use = first.to_vector();
         }
         in_use.push_back(double(average.averages().size()));
         return in_use;
     }},
    {"EarlyStopping",
     [](const List& list) {
         EarlyStopping stopping(list, {});
         stopping.add(1, 0.5);
         Tensor first = list[0].tensor;
         first.assign(first * 5.0);
         stopping.restore_best();
         return Numbers{double(collect({stopping}).tensors.size())};
     }},
    {"restored of train",
     [](const List& list) {
         Sgd rule(list, {.lr = 0.1});
         double value = 0;
         train(rule,
               {.steps = 3,
                .validate = [&] { return ++value; },
                .validate_every = 1,
                .restored = list},
               [&](int64_t) { return StepResult{sum(square(list[0].tensor))}; });
         return Numbers{};
     }},
    {"sum_gradients",
     [](const List& list) {
         SingleRank alone;
         sum_gradients(list, alone, 0.5);
         return Numbers{};
     }},
    {"average_gradients",
     [](const List& list) {
         SingleRank alone;
         average_gradients(list, alone, 3);
         return Numbers{};
     }},
    {"two ranks",
     [](const List& list) {
         const int64_t bytes = run_ranks(2, [&](Ranks& ranks) {
             broadcast(list, ranks);
             average_gradients(list, ranks, 1 + ranks.rank());
         });
         CHECK(bytes > 0);
         return Numbers{};
     }},
    {"initialise_vaswani",
     [](const List& list) {
         Rng rng(1);
         initialise_vaswani(list, rng);
         return Numbers{rng.uniform()};
     }},
    {"initialise_gpt2",
     [](const List& list) {
         Rng rng(1);
         initialise_gpt2(list, 2, rng);
         return Numbers{rng.uniform()};
     }},
    {"initialise_bert",
     [](const List& list) {
         Rng rng(1);
         initialise_bert(list, rng);
         return Numbers{rng.uniform()};
     }},
};

TEST_CASE("all that takes a list of parameters sees each tensor once") {
    for (const Law& law : takers) {
        INFO(law.name);
        Pair single, several;
        const Numbers expected = law.taker(single.once()), found = law.taker(several.repeated());
        CHECK(found == expected);
        CHECK(numbers_of(several) == numbers_of(single));
    }
}

TEST_CASE("a parameter under two names is updated once, and its norm counts once") {
    Tensor p = parameter(tensor({1, 1}));
    Sgd sgd({{"a", p}, {"b", p}}, {.lr = 0.1});
    backward(sum(p * 3.0));
    CHECK(sgd.parameters().size() == 1);
    CHECK(sgd.parameters()[0].name == "a");
    CHECK(grad_norm({{"a", p}, {"b", p}}) == Approx(std::sqrt(18.0)));
    sgd.step();
    CHECK(p.at({0}) == Approx(0.7));
    AverageOfWeights average({{"a", p}, {"b", p}});
    average.update();
    p.assign(zeros({2}));
    { const auto in_use = average.use(); }
    CHECK(p.to_vector() == Numbers{0, 0});
}

TEST_CASE("two tensors with the same numbers are no list of parameters", "[errors]") {
    Tensor p = parameter(ones({2}));
    const Tensor twin = detach(p).set_requires_grad();
    for (const Law& law : takers) {
        INFO(law.name);
        CHECK_THAT(
            error_of([&] {
                law.taker({{"a.bias", p}, {"b.bias", twin}});
            }),
            ContainsSubstring("'a.bias' and 'b.bias' are two tensors with the same numbers"));
    }
    // Parts of one block of numbers that do not begin together are different.
    Tensor block = zeros({4});
    const Tensor left = slice(block, 0, 0, 2).set_requires_grad(),
                 right = slice(block, 0, 2, 4).set_requires_grad();
    CHECK(ParameterList({{"left", left}, {"right", right}}).size() == 2);
}

struct Tied {
    Linear one, two;
    template <class F>
    void visit(F&& f) {
        f("one", one), f("two", two);
    }
};

TEST_CASE("functions of a model see a tied tensor once") {
    Rng rng(1);
    Tied model{Linear(3, 3, rng), Linear(3, 3, rng)};
    model.two.weight = model.one.weight;
    CHECK(parameters(model).size() == 3);
    CHECK(saved_tensors(model).size() == 3);
    CHECK(parameter_count(model) == 9 + 3 + 3);
    const auto call = [](const Tied& m, const std::vector<Tensor>& in) {
        return tanh(m.two(tanh(m.one(in[0]))));
    };
    const ModelFunction function = as_function(model, {numbers({2, 3})}, call);
    CHECK(function.names == std::vector<std::string>{"x0", "one.weight", "one.bias", "two.bias"});
    CHECK(gradcheck_model(model, {numbers({2, 3})}, call, {.order = 2}).pass);
    CHECK_THAT(error_of([&] {
                   function.f({numbers({2, 3})});
               }),
               ContainsSubstring("expected 1 inputs and 3 parameters, got 1 tensors"));

    // A list of tensors to differentiate by may repeat one: each gets the whole gradient.
    const Tensor x = numbers({3}).set_requires_grad();
    const auto both = grad(sum(square(x)), {x, x});
    CHECK(largest_difference(both[0], x * 2.0) == 0);
    CHECK(largest_difference(both[1], x * 2.0) == 0);
}

TEST_CASE("a padding row gets no gradient from its table, and one from a head tied to it") {
    Rng rng(1);
    const Embedding table(4, 2, rng, 0);
    const auto rows = [&] { return table(Indices{0, 1, 2}); };
    backward(weighed(rows()));
    CHECK(slice(table.weight.grad(), 0, 0, 1).to_vector() == Numbers{0, 0});
    Tensor weight = table.weight;
    weight.clear_grad();
    backward(cross_entropy(linear(rows(), table.weight, Tensor()), Indices{1, 2, 3}));
    CHECK(slice(table.weight.grad(), 0, 0, 1).at({0, 0}) != 0);
}

}  // namespace
}  // namespace heed
