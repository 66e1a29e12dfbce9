// A router and eight experts that are trained while one drags: how much the tokens have in common, how long
// they are trained, and how strongly balance is asked for.
#include "lessons/course/live/live.h"

#include "autograd/autograd.h"
#include "lessons/34_experts/pictures.h"

namespace heed::lesson34 {

using namespace course;

namespace {

Drawn draw(const Inputs& inputs) {
    const double weight = inputs.number("balance");
    const auto loss = [weight](const Sorter& sorter, const Tokens& t, const Tensor& s, Rng&) {
        const Tensor chosen = chosen_experts(s, 1);
        return mean(square(sorter(t.x, chosen, softmax(s) * chosen) - t.y)) +
               weight * balance_loss(s, 1);
    };
    const Rule rule{.name = "experts", .loss = [=] { return loss; }, .by_probability = true};
    const int seed =
        999 + inputs.whole("task");  // the first task is that of the lesson's run with seed 1
    const Sorted sorted = train_sorter(rule, inputs.number("common"), 20 * inputs.whole("steps"),
                                       static_cast<uint64_t>(seed));
    LinePlot plot{.title = "How many experts have been in use",
                  .x_label = "step",
                  .y_label = "effective number of experts",
                  .y_range = {0, 8.5},
                  .names_at_ends = false};
    plot.series = {{.x = sorted.steps, .y = sorted.effective}};
    return {.svgs = {to_svg(routes("Now", sorted.tables.back(), true)), to_svg(plot)},
            .numbers = {{"effective number of experts", sorted.effective.back()},
                        {"error", sorted.error}}};
}

const Registered figure(
    {.name = "balance",
     .controls = {slider("balance", "Weight of the balance loss", {0, 0.2, 0.02, 0}),
                  slider("steps", "Steps of training, times 20", {1, 15, 1, 10}),
                  slider("common", "What all tokens have in common", {0, 4, 0.5, 3}),
                  slider("task", "Task", {1, 10, 1, 1})},
     .draw = draw});

}  // namespace

}  // namespace heed::lesson34
