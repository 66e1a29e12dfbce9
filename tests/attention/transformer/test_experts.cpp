// Mixtures of experts: against a loop over tokens, their laws, wrong versions that the laws catch, and what
// is computed for whom.
#include <functional>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "nn/layers/losses.h"
#include "nn/module/hooks.h"
#include "nn/optim/optimisers.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;

namespace {

constexpr int64_t mixed_tokens = 7, mixed_width = 4;

FeedForward mixture_of(int64_t experts, int64_t k, bool renormalise = true) {
    Rng rng(3);
    FeedForward layer({.width = mixed_width,
                       .hidden = 6,
                       .activation = Activation::gelu,
                       .experts = experts,
                       .experts_for_each_token = k,
                       .renormalise_experts = renormalise},
                      rng);
    to_dtype(layer, f64);
    return layer;
}

// A mixture by any code: the result for tokens x [T, D].
using Mixture = std::function<Tensor(const FeedForward& layer, const Tensor& x)>;

Tensor library(const FeedForward& layer, const Tensor& x) { return layer(x); }

// Every token by itself, every expert computed: Σₑ wₑ fₑ(x).
Tensor loop(const FeedForward& layer, const Tensor& x) {
    std::vector<Tensor> rows;
    for (int64_t t = 0; t < x.size(0); ++t) {
        const Tensor token = slice(x, 0, t, t + 1);
        const Tensor s = layer.router(token);
        const auto [largest, chosen] = topk(s, layer.experts_for_each_token);
        const Tensor w =
            layer.renormalise_experts ? softmax(largest) : gather(softmax(s), 1, chosen);
        Tensor y = zeros({1, mixed_width}, f64);
        for (int64_t i = 0; i < chosen.count(); ++i)
            y = y + slice(w, 1, i, i + 1) * layer.experts[chosen[i]](token);
        rows.push_back(y);
    }
    return concat(rows, 0);
}

// --- laws ---------------------------------------------------------------------------------------

// One expert is the plain layer.
bool one_is_plain(const Mixture& f) {
    const FeedForward layer = mixture_of(1, 1);
    const Tensor x = numbers({mixed_tokens, mixed_width});
    return largest_difference(f(layer, x), layer.experts[0](x)) < 1e-12;
}

// With k = E, a weighted mean of all experts whose weights are the softmax of the scores.
bool all_are_a_mean(const Mixture& f) {
    const FeedForward layer = mixture_of(3, 3);
    const Tensor x = numbers({mixed_tokens, mixed_width}), w = softmax(layer.router(x));
    Tensor y = zeros({mixed_tokens, mixed_width}, f64);
    for (int64_t e = 0; e < 3; ++e) y = y + slice(w, 1, e, e + 1) * layer.experts[e](x);
    return largest_difference(f(layer, x), y) < 1e-12;
}

// Equal experts are one expert, whatever the router says: the weights sum to 1.
bool equal_experts_are_one(const Mixture& f) {
    FeedForward layer = mixture_of(4, 2);
    for (FeedForward& expert : layer.experts) expert = layer.experts[0];
    const Tensor x = numbers({mixed_tokens, mixed_width});
    return largest_difference(f(layer, x), layer.experts[0](x)) < 1e-12;
}

// The numbers of the experts mean nothing.
bool order_is_nothing(const Mixture& f) {
    const FeedForward layer = mixture_of(4, 2);
    FeedForward other = layer;
    const std::vector<int> order{2, 0, 3, 1};
    other.router.weight = index_select(layer.router.weight, 0, order);
    for (std::size_t e = 0; e < order.size(); ++e) other.experts[e] = layer.experts[order[e]];
    const Tensor x = numbers({mixed_tokens, mixed_width});
    return largest_difference(f(layer, x), f(other, x)) < 1e-12;
}

// A token does not depend on the others.
bool tokens_are_apart(const Mixture& f) {
    const FeedForward layer = mixture_of(4, 2);
    const Tensor x = numbers({mixed_tokens, mixed_width}), all = f(layer, x);
    for (int64_t t = 0; t < mixed_tokens; ++t)
        if (largest_difference(f(layer, slice(x, 0, t, t + 1)), slice(all, 0, t, t + 1)) > 1e-12)
            return false;
    return true;
}

// Each score of an expert that was chosen changes the result, also with k = 1.
bool router_learns(const Mixture& f) {
    for (const int64_t k : {1, 2}) {
        FeedForward layer = mixture_of(4, k, k > 1);
        const Tensor y = f(layer, numbers({mixed_tokens, mixed_width}));
        const Tensor g = grad(weighed(y), {layer.router.weight})[0];
        if (max(abs(g)).item() < 1e-9) return false;
    }
    return true;
}

struct Law {
    const char* name;
    bool (*holds)(const Mixture&);
};
const std::vector<Law>& laws_of_mixtures() {
    static const std::vector<Law> all{{"one is plain", one_is_plain},
                                      {"all are a mean", all_are_a_mean},
                                      {"equal experts are one", equal_experts_are_one},
                                      {"order is nothing", order_is_nothing},
                                      {"tokens are apart", tokens_are_apart},
                                      {"router learns", router_learns}};
    return all;
}
// The laws that f breaks.
std::vector<std::string> broken(const Mixture& f) {
    std::vector<std::string> names;
    for (const Law& law : laws_of_mixtures())
        if (!law.holds(f)) names.push_back(law.name);
    return names;
}

// A mixture with other weights, and otherwise as in the library.
Mixture with_weights_of(const std::function<Tensor(const Tensor& s, const Tensor& chosen)>& w) {
    return [=](const FeedForward& layer, const Tensor& x) {
        const Tensor s = layer.router(x), chosen = chosen_experts(s, layer.experts_for_each_token);
        return mix_experts(x, chosen, w(s, chosen), [&](int64_t e, const Tensor& tokens) {
            return layer.experts[e](tokens);
        });
    };
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a mixture of experts is the loop over its tokens, gradients too", "[attention]") {
    for (bool renormalise : {true, false})
        for (int64_t k : {1, 2, 4}) {
            if (k == 1 && renormalise) continue;
            FeedForward layer = mixture_of(4, k, renormalise);
            const Tensor x = numbers({mixed_tokens, mixed_width});
            INFO(k << " of 4, renormalised " << renormalise);
            CHECK(largest_difference(layer(x), loop(layer, x)) < 1e-12);
            std::vector<Tensor> tensors;
            for (const Parameter& p : parameters(layer)) tensors.push_back(p.tensor);
            Tensor zero = zeros({}, f64);  // so that an expert without tokens has a gradient
            for (const Tensor& p : tensors) zero = zero + sum(p) * 0.0;
            const auto of_mixture = grad(weighed(layer(x)) + zero, tensors),
                       of_loop = grad(weighed(loop(layer, x)) + zero, tensors);
            for (std::size_t i = 0; i < tensors.size(); ++i)
                CHECK(largest_difference(of_mixture[i], of_loop[i]) < 1e-12);
        }
}

TEST_CASE("mixtures of experts obey their laws; wrong ones are caught", "[laws][attention]") {
    CHECK(broken(library).empty());
    CHECK(broken(loop).empty());

    // The gate is not applied: the outputs are added as they are.
    CHECK(broken(with_weights_of([](const Tensor& s, const Tensor& chosen) {
              return chosen + 0.0 * s;
          })) == Names{"all are a mean", "equal experts are one", "router learns"});
    // Softmax over all experts before the choice, and not renormalised, where it should be.
    CHECK(broken(with_weights_of([](const Tensor& s, const Tensor& chosen) {
              return softmax(s) * chosen;
          })) == Names{"equal experts are one"});
    // Renormalised where a token has one expert only.
    CHECK(broken(with_weights_of([](const Tensor& s, const Tensor& chosen) {
              return masked_softmax(s, chosen);
          })) == Names{"router learns"});
    // The weights are constants.
    CHECK(broken(with_weights_of([](const Tensor& s, const Tensor& chosen) {
              return detach(masked_softmax(s, chosen)) + 0.0 * s;
          })) == Names{"router learns"});
    // The softmax runs over the tokens.
    CHECK_FALSE(broken(with_weights_of([](const Tensor& s, const Tensor& chosen) {
                    return softmax(s, 0) * chosen;
                })).empty());
    // The outputs stay in the order of the experts, and are not brought back to their tokens.
    CHECK(broken([](const FeedForward& layer, const Tensor& x) {
              const int64_t k = layer.experts_for_each_token;
              const Tensor s = layer.router(x), chosen = chosen_experts(s, k);
              std::vector<Tensor> outputs;
              mix_experts(x, chosen, expert_weights(s, chosen, layer.renormalise_experts),
                          [&](int64_t e, const Tensor& tokens) {
                              outputs.push_back(layer.experts[e](tokens));
                              return outputs.back();
                          });
              return mean(reshape(concat(outputs, 0), {k, x.size(0), mixed_width}), 0);
          }).size() > 2);
}

TEST_CASE("an expert computes the tokens that chose it and no others", "[attention]") {
    const FeedForward layer = mixture_of(4, 2);
    const Tensor x = numbers({2, 5, mixed_width});
    const Tensor s = layer.router(x), chosen = chosen_experts(s, 2);
    CHECK(sum(chosen).item() == 20);
    std::vector<double> tokens(4);
    const auto count = [&](const Tensor& units, const std::string& name) {
        tokens[name.at(name.find('.') + 1) - '0'] = static_cast<double>(units.size(0));
    };
    run_with(layer, x, {{"experts.*.units", count}});
    CHECK(tokens == sum(reshape(chosen, {-1, 4}), 0).to_vector());
    CHECK(largest_difference(expert_shares(s, 2), sum(reshape(chosen, {-1, 4}), 0) / 20.0) < 1e-15);

    // An expert that nobody chooses is not called: its NaN does not matter.
    FeedForward broken_one = mixture_of(4, 2);
    broken_one.experts[3].output.bias = full({mixed_width}, nan_value, f64);
    const auto without = [&](const Tensor& scores) {
        return scores + tensor({0, 0, 0, -100}, {4}, f64);
    };
    const Tensor y = run_with(broken_one, x, {{"router", without}});
    CHECK(max(abs(y)).item() < 100);
}

TEST_CASE("hooks read and replace what the router decides", "[attention]") {
    const FeedForward layer = mixture_of(3, 2);
    const Tensor x = numbers({mixed_tokens, mixed_width});
    const auto [y, values] = run_and_read(layer, x, {"router", "chosen", "expert_weights"});
    CHECK(values.at("router").shape() == Shape{mixed_tokens, 3});
    CHECK(largest_difference(sum(values.at("expert_weights"), -1), ones({mixed_tokens}, f64)) <
          1e-12);
    const auto first = [](const Tensor& chosen) {
        return one_hot(Indices(std::vector<int>(chosen.size(0))), 3, f64);
    };
    CHECK(largest_difference(run_with(layer, x, {{"chosen", first}}), layer.experts[0](x)) < 1e-12);
}

TEST_CASE("the balance loss is 1 for experts used alike, and E / k for a collapse", "[attention]") {
    // Four tokens, each with an expert of its own.
    CHECK(std::abs(balance_loss(eye(4, f64) * 50.0, 1).item() - 1) < 1e-12);
    // All choose the first, or the first two.
    const Tensor one = expand(tensor({50, 0, 0, 0}, {1, 4}, f64), {6, 4}),
                 two = expand(tensor({50, 50, 0, 0}, {1, 4}, f64), {6, 4});
    CHECK(std::abs(balance_loss(one, 1).item() - 4) < 1e-12);
    CHECK(std::abs(balance_loss(two, 2).item() - 2) < 1e-12);
    CHECK(std::abs(balance_loss({one, two}, 2).item() -
                   (balance_loss(one, 2) + balance_loss(two, 2)).item()) < 1e-12);

    // By hand: shares (2/3, 1/3), mean probabilities, and a step downhill moves tokens to the other.
    Tensor s = tensor({1, 0, 2, 0, 0, 1}, {3, 2}, f64).set_requires_grad();
    const double p =
        (1 / (1 + std::exp(-1.0)) + 1 / (1 + std::exp(-2.0)) + 1 / (1 + std::exp(1.0))) / 3;
    CHECK(std::abs(balance_loss(s, 1).item() - 2 * (2 / 3.0 * p + (1 - p) / 3)) < 1e-12);
    const Tensor g = grad(balance_loss(s, 1), {s})[0];
    for (int64_t t = 0; t < 3; ++t) CHECK(g.at({t, 0}) > 0);
}

TEST_CASE("stacks have experts, count their parameters, and hand out the router's scores",
          "[attention]") {
    Rng rng(1);
    for (bool gated : {false, true}) {
        const TransformerOptions o{
            .width = 8, .heads = 2, .layers = 2, .hidden = 5, .gated = gated, .experts = 4};
        const TransformerEncoder encoder(o, rng);
        CHECK(encoder_parameter_count(o) == parameter_count(encoder));
        CHECK(decoder_parameter_count(o) == parameter_count(TransformerDecoder(o, rng)));
        std::vector<Tensor> router;
        const Tensor x = to_dtype(numbers({2, 3, 8}), Dtype::float32);
        encoder(x, {.router = &router});
        REQUIRE(router.size() == 2);
        CHECK(router[1].shape() == Shape{2, 3, 4});
    }
    // A language model trains with both losses, and decodes with its cache as without.
    TransformerOptions stack = gpt({.width = 8, .heads = 2, .layers = 2, .max_positions = 6});
    stack.experts = 4;
    LanguageModel model({.vocabulary = 5, .stack = stack}, rng);
    const Indices ids({1, 2, 3, 4, 0, 1}, {1, 6});
    Adam optimiser(parameters(model), {.lr = 1e-2});
    std::vector<double> losses;
    for (int step = 0; step < 30; ++step) {
        std::vector<Tensor> router;
        const Tensor y = model.head(model.run(ids, {.router = &router}));
        const Tensor loss = sequence_cross_entropy(y, Indices({2, 3, 4, 0, 1, 2}, {1, 6}), -1) +
                            0.01 * balance_loss(router, 2);
        optimiser.zero_grad();
        backward(loss);
        optimiser.step();
        losses.push_back(loss.item());
    }
    CHECK(losses.back() < losses.front() / 2);
    KeyValueCache cache;
    const Tensor all = model.run(ids);
    std::vector<Tensor> steps;
    for (int t = 0; t < 6; ++t)
        steps.push_back(model.stack(model.positions(model.embedding(Indices({ids[t]}, {1, 1})), t),
                                    {.causal = true, .cache = &cache}));
    CHECK(largest_difference(concat(steps, 1), all) < 1e-4);
}

TEST_CASE("the last matrix of every expert begins small, as that of a plain layer", "[attention]") {
    Rng rng(1);
    TransformerOptions stack = gpt({.width = 32, .heads = 2, .layers = 8});
    stack.experts = 2;
    const LanguageModel model({.vocabulary = 5, .stack = stack}, rng);
    const FeedForward& expert = model.stack.layers[0].feed_forward.experts[1];
    CHECK(std::abs(stddev(expert.output.weight).item() - 0.02 / 4) < 0.0005);
    CHECK(std::abs(stddev(expert.hidden.weight).item() - 0.02) < 0.002);
}
