// The Conformer: its convolution module against plain loops, its block against the paper's
// equations, and padding, which must change nothing.
#include <cmath>

#include "attention/modalities/conformer.h"
#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

const ConformerOptions options{.width = 4,
                               .heads = 2,
                               .layers = 2,
                               .hidden = 6,
                               .kernel = 5,
                               .positions = {.max_distance = 3}};

// In float64, with running averages and norms that are not 0 and 1.
template <class M>
M make(const ConformerOptions& o = options) {
    Rng rng(1);
    M model(o, rng);
    to_dtype(model, f64);
    for (const Parameter& p : saved_tensors(model)) {
        Tensor x = p.tensor;
        x.assign(x + 0.3 * uniform(x.shape(), 0, 1, rng, f64));
    }
    return model;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

TEST_CASE("the convolution module of the Conformer is its formula, by plain loops", "[attention]") {
    const auto module = make<ConformerConvolution>();
    const int64_t frames = 6, d = 4, reach = 2;
    const Tensor x = numbers({2, frames, d});
    const Tensor y = module(x, {}, Mode::evaluation());
    for (int64_t b = 0; b < 2; ++b) {
        double gated[6][4], units[6][4];
        for (int64_t t = 0; t < frames; ++t)
            for (int64_t c = 0; c < d; ++c) {
                double p = module.expand.bias.at({c}), q = module.expand.bias.at({c + d});
                for (int64_t i = 0; i < d; ++i) {
                    p += module.expand.weight.at({c, i}) * x.at({b, t, i});
                    q += module.expand.weight.at({c + d, i}) * x.at({b, t, i});
                }
                gated[t][c] = p * logistic(q);
            }
        for (int64_t t = 0; t < frames; ++t)
            for (int64_t c = 0; c < d; ++c) {
                double sum = module.depthwise.bias.at({c});
                for (int64_t k = 0; k < 5; ++k)
                    if (t + k - reach >= 0 && t + k - reach < frames)
                        sum += module.depthwise.weight.at({c, 0, k}) * gated[t + k - reach][c];
                const BatchNorm1d& norm = module.norm;
                const double normal = (sum - norm.running_mean.at({c})) /
                                          std::sqrt(norm.running_var.at({c}) + norm.eps) *
                                          norm.weight.at({c}) +
                                      norm.bias.at({c});
                units[t][c] = normal * logistic(normal);
            }
        for (int64_t t = 0; t < frames; ++t)
            for (int64_t c = 0; c < d; ++c) {
                double sum = module.project.bias.at({c});
                for (int64_t i = 0; i < d; ++i)
                    sum += module.project.weight.at({c, i}) * units[t][i];
                CHECK(y.at({b, t, c}) == Approx(sum));
            }
    }
}

TEST_CASE("a Conformer block is the equations of its paper", "[attention]") {
    const auto block = make<ConformerBlock>();
    const Tensor x = numbers({2, 5, 4});
    const Mode mode = Mode::evaluation();
    const auto feed_forward = [](const FeedForward& f, const ResidualConnection& r,
                                 const Tensor& z) { return f.output(silu(f.hidden(r.norm(z)))); };
    const Tensor first =
        x + 0.5 * feed_forward(block.first_feed_forward, block.first_feed_forward_residual, x);
    const Tensor second = first + block.attention(block.attention_residual.norm(first));
    const Tensor third =
        second + block.convolution(block.convolution_residual.norm(second), {}, mode);
    const Tensor fourth = third + 0.5 * feed_forward(block.second_feed_forward,
                                                     block.second_feed_forward_residual, third);
    const AttentionOutput y = with_weights(block, x, {.mode = mode});
    CHECK(largest_difference(y.context, block.norm(fourth)) < 1e-12);
    CHECK((y.weights.shape() == Shape{2, 2, 5, 5}));
}

TEST_CASE("padding changes no frame, no gradient and no running average of a Conformer",
          "[attention]") {
    const Tensor mask = padding_mask({6, 3}, 6, f64), frames = transpose(mask);
    const Tensor x = numbers({2, 6, 4}), other = where(frames == 0.0, 1e3, x);
    for (const bool training : {false, true}) {
        const Mode mode = training ? Mode::training() : Mode::evaluation();
        const auto run = [&](const Tensor& input) {
            const auto encoder = make<ConformerEncoder>();
            const Tensor y = encoder(input, {.mask = mask, .mode = mode}) * frames;
            backward(weighed(y));
            std::vector<Tensor> all{detach(y)};
            for (const Parameter& p : parameters(encoder)) all.push_back(p.tensor.grad());
            for (const Parameter& p : buffers(encoder)) all.push_back(p.tensor);
            return all;
        };
        const std::vector<Tensor> one = run(x), two = run(other);
        REQUIRE(one.size() > 50);
        for (std::size_t i = 0; i < one.size(); ++i)
            CHECK(largest_difference(one[i], two[i]) < 1e-9);
    }
    // A sequence with padding gives the same as without it.
    const auto encoder = make<ConformerEncoder>();
    const Tensor padded = encoder(x, {.mask = mask, .mode = Mode::evaluation()});
    const Tensor alone = encoder(slice(slice(x, 0, 1, 2), 1, 0, 3), {.mode = Mode::evaluation()});
    CHECK(largest_difference(slice(slice(padded, 0, 1, 2), 1, 0, 3), alone) < 1e-12);
    // More padding changes nothing, in training too: it is no part of the batch's statistics.
    const Tensor longer = padding_mask({6, 3}, 10, f64);
    const auto trained = [&](const Tensor& input, const Tensor& its_mask) {
        return make<ConformerEncoder>()(input, {.mask = its_mask, .mode = Mode::training()});
    };
    CHECK(largest_difference(slice(trained(pad(x, 1, 0, 4), longer), 1, 0, 6) * frames,
                             trained(x, mask) * frames) < 1e-10);
    // A mask of ones is no mask, in training too.
    const Tensor all = ones({2, 1, 6}, f64);
    CHECK(largest_difference(make<ConformerEncoder>()(x, {.mask = all, .mode = Mode::training()}),
                             make<ConformerEncoder>()(x, {.mode = Mode::training()})) < 1e-10);
}

TEST_CASE("a Conformer's convolution sees half its kernel to each side, its attention all",
          "[attention]") {
    const auto module = make<ConformerConvolution>();
    const Tensor x = numbers({1, 9, 4});
    const Tensor changed = x + pad(numbers({1, 1, 4}, 7), 1, 4, 4);  // frame 4
    const Tensor difference =
        max(abs(module(x, {}, Mode::evaluation()) - module(changed, {}, Mode::evaluation())),
            {0, 2});  // of each frame
    for (int64_t t = 0; t < 9; ++t) CHECK((difference.at({t}) > 0) == (std::abs(t - 4) <= 2));

    const auto block = make<ConformerBlock>();
    const Tensor anywhere = max(
        abs(block(x, {.mode = Mode::evaluation()}) - block(changed, {.mode = Mode::evaluation()})),
        {0, 2});
    for (int64_t t = 0; t < 9; ++t) CHECK(anywhere.at({t}) > 0);
}

TEST_CASE("the number of a Conformer's parameters, and what it refuses", "[attention][errors]") {
    Rng rng(1);
    for (const PositionKind kind : {PositionKind::relative, PositionKind::rotary}) {
        ConformerOptions o = options;
        o.positions.kind = kind;
        CHECK(parameter_count(o) == parameter_count(ConformerEncoder(o, rng)));
    }
    ConformerOptions even = options;
    even.kernel = 32;
    CHECK_THROWS_WITH(ConformerEncoder(even, rng), ContainsSubstring("odd"));
    const auto block = make<ConformerBlock>();
    const Tensor x = numbers({2, 5, 4});
    CHECK_THROWS_WITH(block(x, {}), ContainsSubstring("training or evaluation?"));
    CHECK_THROWS_WITH(block(x, {.mask = ones({1, 5, 5}, f64), .mode = Mode::evaluation()}),
                      ContainsSubstring("expected [2, 1, 5]"));
}
