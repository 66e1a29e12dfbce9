#include <cstdio>
#include <limits>
#include <memory>
#include <type_traits>

#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

// Two parameters with gradients that change from step to step; all in double.
struct Problem {
    Tensor w = tensor({1, -2, 3, 0.5, -0.25, 4}, {2, 3}, Dtype::float64).set_requires_grad();
    Tensor b = tensor({0.3, -0.7}, Dtype::float64).set_requires_grad();
    std::vector<Parameter> parameters() const { return {{"w", w}, {"b", b}}; }
    void set_gradients(int step) {
        w.clear_grad();
        b.clear_grad();
        backward(sum(w * w * w) * 0.1 + sum(sin(b)) * double(step));
    }
};

// The same updates written out element by element: rule(p, g, state, t) is the new p at step t.
template <class Rule>
std::vector<double> by_hand(const Tensor& start, bool is_w, Rule rule, int steps) {
    std::vector<double> p = start.to_vector();
    std::vector<std::array<double, 2>> state(p.size(), {0, 0});
    for (int t = 1; t <= steps; ++t)
        for (std::size_t i = 0; i < p.size(); ++i) {
            const double g = is_w ? 0.3 * p[i] * p[i] : std::cos(p[i]) * t;
            p[i] = rule(p[i], g, state[i], t);
        }
    return p;
}

template <class Rule>
void check_optimiser(Optimiser& optimiser, Problem& problem, Rule rule) {
    const std::vector<double> w = by_hand(problem.w, true, rule, 4);
    const std::vector<double> b = by_hand(problem.b, false, rule, 4);
    for (int t = 1; t <= 4; ++t) {
        problem.set_gradients(t);
        optimiser.step();
    }
    const std::vector<double> found_w = problem.w.to_vector(), found_b = problem.b.to_vector();
    for (std::size_t i = 0; i < w.size(); ++i) CHECK(found_w[i] == Approx(w[i]).epsilon(1e-13));
    for (std::size_t i = 0; i < b.size(); ++i) CHECK(found_b[i] == Approx(b[i]).epsilon(1e-13));
}

using Moments = std::array<double, 2>;

}  // namespace

TEST_CASE("Sgd: plain, with momentum, with Nesterov momentum") {
    Problem a, b, c;
    Sgd plain(a.parameters(), {.lr = 0.1, .weight_decay = 0.01});
    check_optimiser(plain, a,
                    [](double p, double g, Moments&, int) { return p - 0.1 * (g + 0.01 * p); });
    Sgd momentum(b.parameters(), {.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01});
    check_optimiser(momentum, b, [](double p, double g, Moments& m, int) {
        m[0] = 0.9 * m[0] + g + 0.01 * p;
        return p - 0.1 * m[0];
    });
    Sgd nesterov(c.parameters(), {.lr = 0.1, .momentum = 0.9, .nesterov = true});
    check_optimiser(nesterov, c, [](double p, double g, Moments& m, int) {
        m[0] = 0.9 * m[0] + g;
        return p - 0.1 * (g + 0.9 * m[0]);
    });
}

TEST_CASE("Adam adds weight decay to the gradient, AdamW applies it separately") {
    Problem a, b;
    const auto adam = [](double g, Moments& m, int t) {
        m[0] = 0.9 * m[0] + 0.1 * g;
        m[1] = 0.99 * m[1] + 0.01 * g * g;
        const double mean = m[0] / (1 - std::pow(0.9, t)), square = m[1] / (1 - std::pow(0.99, t));
        return 0.05 * mean / (std::sqrt(square) + 1e-6);
    };
    Adam adam_l2(a.parameters(), {.lr = 0.05, .beta2 = 0.99, .eps = 1e-6, .weight_decay = 0.1});
    check_optimiser(adam_l2, a, [&](double p, double g, Moments& m, int t) {
        return p - adam(g + 0.1 * p, m, t);
    });
    AdamW adamw(b.parameters(), {.lr = 0.05, .beta2 = 0.99, .eps = 1e-6, .weight_decay = 0.1});
    check_optimiser(adamw, b, [&](double p, double g, Moments& m, int t) {
        return p - 0.05 * 0.1 * p - adam(g, m, t);
    });
}

TEST_CASE("RmsProp divides by the running root mean square") {
    for (double momentum : {0.0, 0.5}) {
        Problem problem;
        RmsProp optimiser(problem.parameters(), {.lr = 0.01, .alpha = 0.9, .momentum = momentum});
        check_optimiser(optimiser, problem, [=](double p, double g, Moments& m, int) {
            m[0] = 0.9 * m[0] + 0.1 * g * g;
            m[1] = momentum * m[1] + g / (std::sqrt(m[0]) + 1e-8);
            return p - 0.01 * m[1];
        });
    }
}

TEST_CASE("long parameters are updated to their last element, with one thread and with two") {
    const int before = threads();
    std::vector<double> results[2];
    for (int count : {1, 2}) {
        set_threads(count);
        Tensor x = ones({100003}).set_requires_grad();
        AdamW optimiser({{"x", x}}, {.lr = 0.5, .weight_decay = 0});
        backward(sum(x * 2.0));
        clip_grad_norm(optimiser.parameters(), 1);
        optimiser.step();
        results[count - 1] = x.to_vector();
    }
    set_threads(before);
    CHECK(results[0] == results[1]);
    for (double value : {results[0].front(), results[0].back()}) CHECK(value == Approx(0.5));
}

TEST_CASE("chosen parameters have another learning rate or another weight decay") {
    Problem problem;
    Sgd optimiser(problem.parameters(), {.lr = 1, .weight_decay = 0.5});
    CHECK(optimiser.scale_lr([](const Parameter& p) { return p.name == "b"; }, 0) == 1);
    CHECK(optimiser.set_weight_decay(has_two_axes, 0) == 1);
    const std::vector<double> w = problem.w.to_vector(), b = problem.b.to_vector();
    problem.set_gradients(1);
    optimiser.step();
    CHECK(problem.b.to_vector() == b);
    CHECK(problem.w.to_vector()[2] == Approx(w[2] - 0.3 * w[2] * w[2]));

    Problem other;
    AdamW adamw(other.parameters(), {.lr = 0.1, .weight_decay = 1, .decays = has_two_axes});
    other.w.clear_grad();
    backward(sum(other.w) * 0.0 + sum(other.b) * 0.0);
    adamw.step();  // the gradient is zero: only the decay acts
    CHECK(other.b.to_vector() == std::vector<double>{0.3, -0.7});
    CHECK(other.w.to_vector()[5] == Approx(0.9 * 4));
}

TEST_CASE("a parameter that is frozen or has no gradient is not changed") {
    Problem problem;
    Adam optimiser(problem.parameters(), {.lr = 0.1, .weight_decay = 0.1});
    problem.b.set_requires_grad(false);
    problem.set_gradients(1);
    optimiser.step();
    CHECK(problem.b.to_vector() == std::vector<double>{0.3, -0.7});
    optimiser.zero_grad();
    const std::vector<double> w = problem.w.to_vector();
    optimiser.step();
    CHECK(problem.w.to_vector() == w);
}

TEST_CASE("training continued from a saved state gives the same numbers as without a pause") {
    const std::string path = "nn_test_optimiser.safetensors";
    Problem whole, first;
    Adam straight(whole.parameters()), paused(first.parameters());
    for (int t = 1; t <= 4; ++t) {
        whole.set_gradients(t);
        straight.step();
        if (t > 2) continue;
        first.set_gradients(t);
        paused.step();
    }
    paused.save(path);
    Adam resumed(first.parameters());
    resumed.load(path);
    CHECK(resumed.steps() == 2);
    for (int t = 3; t <= 4; ++t) {
        first.set_gradients(t);
        resumed.step();
    }
    CHECK(first.w.to_vector() == whole.w.to_vector());
    CHECK(first.b.to_vector() == whole.b.to_vector());

    Sgd other(first.parameters());
    CHECK_THROWS_WITH(other.load(path), path + ": this is the state of adam, expected that of sgd");
    Adam fewer({{"w", first.w}});
    CHECK_THROWS_WITH(fewer.load(path), ContainsSubstring("which the model does not"));
    std::remove(path.c_str());
}

TEST_CASE("clipping scales all gradients together and returns their norm") {
    Tensor a = zeros({2}).set_requires_grad(), b = zeros({1}).set_requires_grad();
    const Tensor unused = zeros({3}).set_requires_grad();
    const std::vector<Parameter> all{{"a", a}, {"b", b}, {"unused", unused}};
    backward(sum(a * tensor({2, 3})) + sum(b * 6.0));
    CHECK(clip_grad_norm(all, 10) == Approx(7));
    CHECK(a.grad().to_vector() == std::vector<double>{2, 3});
    CHECK(clip_grad_norm(all, 0.7) == Approx(7));
    CHECK(a.grad().at({1}) == Approx(0.3));
    CHECK(b.grad().item() == Approx(0.6));
    CHECK(clip_grad_norm(all, 1) == Approx(0.7));
    CHECK_THROWS_WITH(clip_grad_norm(all, 0),
                      "clip_grad_norm: max_norm is 0; expected a positive number");
}

TEST_CASE("the norm of gradients neither overflows nor vanishes before they do") {
    for (double size : {1e-40, 1e-30, 1e-20, 1.0, 1e20, 1e30, 3e38}) {
        INFO("gradients of " << size);
        Tensor p = parameter(zeros({100000}));
        backward(sum(p * full({100000}, size)));
        const double expected = static_cast<double>(static_cast<float>(size)) * std::sqrt(1e5);
        CHECK(std::abs(grad_norm({{"p", p}}) / expected - 1) < 1e-6);
        CHECK(clip_grad_norm({{"p", p}}, size) == Approx(expected));
        // The norm is `size` now, as far as so small numbers can be told apart.
        if (size > 1e-38) CHECK(std::abs(grad_norm({{"p", p}}) / size - 1) < 0.02);
    }
}

TEST_CASE("step_clipped() is clip_grad_norm() and step()") {
    for (double max_norm : {0.5, 100.0}) {
        Problem first, second;
        AdamW before(first.parameters(), {.lr = 0.1}), within(second.parameters(), {.lr = 0.1});
        for (int i = 0; i < 3; ++i) {
            first.set_gradients(i), second.set_gradients(i);
            const std::vector<double> gradient = second.w.grad().to_vector();
            const double norm = clip_grad_norm(first.parameters(), max_norm);
            before.step();
            CHECK(within.step_clipped(max_norm) == norm);
            CHECK(second.w.grad().to_vector() == gradient);
            for (auto [x, y] : {std::pair(first.w, second.w), std::pair(first.b, second.b)})
                CHECK(max(abs(x - y)).item() < 1e-14);
        }
    }
    Problem broken;
    Sgd optimiser(broken.parameters(), {.lr = 1});
    const std::vector<double> w = broken.w.to_vector();
    broken.set_gradients(1);
    broken.w.grad().edit<double>()[0] = std::numeric_limits<double>::infinity();
    CHECK_FALSE(std::isfinite(optimiser.step_clipped(1)));
    CHECK(broken.w.to_vector() == w);
    CHECK_THROWS_WITH(optimiser.step_clipped(0),
                      "step_clipped: max_norm is 0; expected a positive number");
}

TEST_CASE("a saved optimiser goes on with its learning rates, weight decays and schedule") {
    const std::string file = "nn_test_rates.safetensors";
    const auto is_w = [](const Parameter& p) { return p.name == "w"; };
    const Schedule schedule = schedules::cosine(10, 0.1);
    const auto step = [&](Optimiser& optimiser, Problem& p, double lr) {
        p.set_gradients(static_cast<int>(optimiser.steps()) + 1);
        optimiser.lr = lr * schedule(optimiser.steps() + 1);
        optimiser.step();
        optimiser.lr = lr;
    };
    using Maker = std::function<std::unique_ptr<Optimiser>(const Problem&)>;
    const auto maker = [](auto rule, auto options) -> Maker {
        return [=](const Problem& p) {
            return std::make_unique<typename decltype(rule)::type>(p.parameters(), options);
        };
    };
    const std::vector<std::pair<const char*, Maker>> makers{
        {"sgd", maker(std::type_identity<Sgd>(), SgdOptions{.momentum = 0.9})},
        {"plain sgd", maker(std::type_identity<Sgd>(), SgdOptions{})},
        {"adam", maker(std::type_identity<Adam>(), AdamOptions{})},
        {"adamw", maker(std::type_identity<AdamW>(), AdamWOptions{})},
        {"rmsprop", maker(std::type_identity<RmsProp>(), RmsPropOptions{.momentum = 0.5})},
    };
    for (const auto& [name, make] : makers) {
        INFO(name);
        Problem straight, paused;
        const auto whole = make(straight), before = make(paused);
        for (const auto& optimiser : {whole.get(), before.get()}) {
            optimiser->lr = 0.07;
            optimiser->scale_lr(is_w, 0.25);
            optimiser->set_weight_decay(is_w, 0.3);
        }
        for (int i = 0; i < 3; ++i)
            step(*whole, straight, whole->lr), step(*before, paused, before->lr);
        before->save(file);
        const auto after = make(paused);  // with the rates that it was made with
        CHECK(after->lr != 0.07);
        after->load(file);
        CHECK(after->lr == 0.07);
        CHECK(after->steps() == 3);
        for (int i = 0; i < 3; ++i)
            step(*whole, straight, whole->lr), step(*after, paused, after->lr);
        CHECK(paused.w.to_vector() == straight.w.to_vector());
        CHECK(paused.b.to_vector() == straight.b.to_vector());
    }
    Problem p;
    CHECK_THROWS_WITH(Adam(p.parameters(), {.beta1 = 0.5}).load(file),
                      ContainsSubstring("expected that of"));
    std::remove(file.c_str());
}

TEST_CASE("clipping by value limits every element") {
    Tensor a = zeros({4}).set_requires_grad();
    backward(sum(a * tensor({2, -3, 0.25, nan_value})));
    clip_grad_value({{"a", a}}, 0.5);
    const std::vector<double> g = a.grad().to_vector();
    CHECK(std::vector<double>(g.begin(), g.begin() + 3) == std::vector<double>{0.5, -0.5, 0.25});
    CHECK(std::isnan(g[3]));
    CHECK_THROWS_WITH(clip_grad_value({{"a", a}}, 0),
                      "clip_grad_value: max_value is 0; expected a positive number");
}

namespace {

struct Positions {  // a layer of a user's own that looks rows up
    static constexpr bool is_embedding = true;
    Tensor table = ones({5, 2});
    template <class F>
    void visit(F&& f) {
        f("table", table);
    }
};

struct Small {
    Embedding words, tied;
    Positions positions;
    std::vector<Linear> blocks;
    std::optional<Linear> extra;
    LayerNorm norm;
    Linear output;
    explicit Small(Rng& rng) : words(6, 2, rng), tied(4, 2, rng), norm(2), output(2, 4, rng) {
        blocks.emplace_back(2, 2, rng);
        extra.emplace(2, 3, rng);
        output.weight = tied.weight;
    }
    template <class F>
    void visit(F&& f) {
        f("words", words);
        f("tied", tied);
        f("positions", positions);
        f("blocks", blocks);
        f("extra", extra);
        f("norm", norm);
        f("output", output);
    }
};

}  // namespace

TEST_CASE("product_weights leaves out embeddings, tied weights, norms and biases") {
    Rng rng(2);
    const Small model(rng);
    const ParameterPredicate decays = product_weights(model);
    std::vector<std::string> chosen, matrices;
    for (const Parameter& p : parameters(model)) {
        if (decays(p)) chosen.push_back(p.name);
        if (has_two_axes(p)) matrices.push_back(p.name);
    }
    CHECK(chosen == std::vector<std::string>{"blocks.0.weight", "extra.weight"});
    CHECK(matrices == std::vector<std::string>{"words.weight", "tied.weight", "positions.table",
                                               "blocks.0.weight", "extra.weight"});
}

TEST_CASE("optimisers refuse impossible options", "[errors]") {
    Problem p;
    CHECK_THROWS_WITH(Sgd(p.parameters(), {.lr = -1}),
                      "sgd: the learning rate is -1; expected 0 or more, finite");
    CHECK_THROWS_WITH(Sgd(p.parameters(), {.nesterov = true}),
                      "sgd: nesterov needs a momentum above 0");
    CHECK_THROWS_WITH(Adam(p.parameters(), {.beta1 = 1}),
                      "adam: beta1 is 1; expected at least 0 and less than 1");
    CHECK_THROWS_WITH(AdamW({}), "adamw: there are no parameters");
}

TEST_CASE("schedules take the values of their formulas") {
    CHECK(schedules::constant(0.5)(99) == 0.5);
    CHECK(schedules::warm_up(10)(1) == Approx(0.1));
    CHECK(schedules::warm_up(10)(10) == 1);
    CHECK(schedules::warm_up(10)(11) == 1);
    CHECK(schedules::cosine(100)(1) == 1);
    CHECK(schedules::cosine(100)(51) == Approx(0.5));
    CHECK(schedules::cosine(100, 0.2)(26) == Approx(0.2 + 0.8 * (1 + std::sqrt(0.5)) / 2));
    CHECK(schedules::cosine(100, 0.2)(1000) == Approx(0.2));
    CHECK(schedules::linear_decay(4)(3) == Approx(0.5));
    CHECK(schedules::inverse_square_root(100)(25) == Approx(0.25));
    CHECK(schedules::inverse_square_root(100)(400) == Approx(0.5));
    for (int64_t step : {1, 4000, 30000})
        CHECK(schedules::noam(512, 4000)(step) ==
              Approx(std::pow(512, -0.5) *
                     std::min(std::pow(step, -0.5), step * std::pow(4000, -1.5))));
    const Schedule both = schedules::sequential(schedules::warm_up(4), 4, schedules::cosine(8));
    CHECK(both(4) == 1);
    CHECK(both(5) == 1);
    CHECK(both(9) == Approx(0.5));
    const Schedule usual = schedules::warm_up_cosine(4, 12, 0.1);
    CHECK(usual(2) == 0.5);
    CHECK(usual(5) == 1);
    CHECK(usual(9) == Approx(0.55));
    CHECK(usual(13) == Approx(0.1));
    CHECK(schedules::warm_up_cosine(4, 4)(4) == 1);  // a training that ends with the rise
    CHECK(schedules::multiplied(schedules::constant(2), schedules::warm_up(4))(2) == 1);
    CHECK(schedules::step_decay(10)(10) == 1);
    CHECK(schedules::step_decay(10)(11) == Approx(0.1));
    CHECK(schedules::step_decay(1, 0.5)(4) == Approx(0.125));
    const Schedule cycle = schedules::one_cycle(101, {.pct_start = 0.2});
    CHECK(cycle(1) == Approx(0.04));
    CHECK(cycle(20) < 1);  // the peak lies between the updates 20 and 21, as in PyTorch
    CHECK(cycle(20) > 0.99);
    CHECK(cycle(101) == Approx(0.04e-4));
    CHECK(cycle(1000) == Approx(0.04e-4));
    CHECK_THROWS_WITH(schedules::one_cycle(3), ContainsSubstring("too few"));
    CHECK_THROWS_WITH(schedules::warm_up(0), "warm_up: steps is 0; expected a positive number");
}
