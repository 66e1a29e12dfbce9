// A model of two layers that learns to copy in the page. At any moment, any of its heads can be
// switched off.
#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/31_circuits/experiment.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/live/live.h"
#include "nn/module/hooks.h"

namespace heed::lesson31 {

using namespace course;

namespace {

const std::vector<std::string> four_heads{"layer 1, first", "layer 1, second", "layer 2, first",
                                          "layer 2, second"};

class Learner : public LiveModel {
  public:
    Learner() { look(); }

    bool step() override {
        const auto number = static_cast<double>(optimiser_.steps() + 1);
        const Strings strings = draw_strings(32, rng_);
        optimiser_.zero_grad();
        backward(sequence_cross_entropy(model_(strings.in), strings.next, -1));
        optimiser_.lr = 0.002 * std::min(1.0, number / 50) * (1 - number / (steps_ + 1));
        optimiser_.step_clipped(1);
        if (optimiser_.steps() % 10 == 0) look();
        return number < steps_;
    }

    Drawn draw(const Inputs& inputs) override {
        const NoGrad no_grad;
        const LinePlot plot{.title = "Loss on copied letters",
                            .x_label = "steps",
                            .series = {curve_},
                            .y_range = {0, 4},
                            .x_range = {0, static_cast<double>(steps_)},
                            .names_at_ends = false};
        BarChart chart{.title = "The same without one head",
                       .value_label = "loss",
                       .labels = four_heads,
                       .sets = {{"loss", {}}},
                       .high = 6};
        for (int head = 0; head < 4; ++head)
            chart.sets[0].values.push_back(std::min(6.0, loss_without(head)));
        const int off = inputs.chosen("off") - 1;
        return {.svgs = {to_svg(plot), to_svg(chart)},
                .numbers = {{"steps", static_cast<double>(optimiser_.steps()), 4},
                            {"loss with your choice", loss_without(off)}},
                .text = continued(off, inputs.whole("string"))};
    }

  private:
    std::vector<Hook> without(int head) const {  // -1: none
        if (head < 0) return {};
        return {{fmt::format("layers.{}.heads", head / 2), [head](const Tensor& z) {
                     const Tensor other = one_hot(Indices({1 - head % 2}, {1}), 2);
                     return z * reshape(other, {1, 2, 1, 1});
                 }}};
    }
    double loss_without(int head) const {
        return sequence_cross_entropy(run_with(model_, test_.in, without(head)), test_.copied, -1)
            .item();
    }
    void look() {
        const NoGrad no_grad;
        curve_.x.push_back(static_cast<double>(optimiser_.steps()));
        curve_.y.push_back(loss_without(-1));
    }
    // A string of eight letters, three of them again, and what the model takes for the rest.
    std::string continued(int off, int which) const {
        Rng rng(static_cast<std::uint64_t>(which));
        const Strings strings = draw_strings(1, rng, 8);
        std::vector<int> ids;
        for (int64_t t = 0; t < 12; ++t) ids.push_back(strings.in[t]);
        const std::string given = written(Indices(ids, {1, 12}), 0).substr(1);
        while (ids.size() < length) {
            std::vector<int> padded = ids;
            padded.resize(length, 0);  // what comes later has no influence
            const Tensor logits = run_with(model_, Indices(padded, {1, length}), without(off));
            ids.push_back(argmax(
                select(select(logits, 0, 0), 0, static_cast<int64_t>(ids.size()) - 1), 0)[0]);
        }
        return given + " ... " + written(Indices(ids, {1, length}), 0).substr(12);
    }

    static constexpr int steps_ = 800;
    Rng rng_{1};
    Reader model_{width, 2, 2, rng_};
    Strings test_ = draw_strings(16, rng_);
    AdamW optimiser_{parameters(model_), {.lr = 0.002}};
    Series curve_{.name = "whole model"};
};

const Registered training({.name = "learn_to_copy",
                           .controls = {choice("off", "Switched off",
                                               {"nothing", four_heads[0], four_heads[1],
                                                four_heads[2], four_heads[3]}),
                                        slider("string", "Another string", {1, 20, 1, 1})},
                           .model = [](const Inputs&) { return std::make_unique<Learner>(); },
                           .learns = true});

}  // namespace

}  // namespace heed::lesson31
