// The probability of the right answer when one of four places is chosen at random, and the bounds that can
// be estimated from samples.
#include "lessons/course/live/live.h"

#include <cmath>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson15 {

using namespace course;

namespace {

constexpr int places = 4, trials = 400;

Drawn draw(const Inputs& inputs) {
    const NoGrad no_grad;
    std::vector<double> e, p;
    for (int j = 1; j <= places; ++j) {
        e.push_back(inputs.number("score" + std::to_string(j)));
        p.push_back(inputs.number("right" + std::to_string(j)));
    }
    const Tensor scores = tensor(e, {places}, Dtype::float64),
                 log_p = log(tensor(p, {places}, Dtype::float64));
    const Tensor alpha = softmax(scores);
    const double exact = marginal_log_likelihood(scores, log_p).item(),
                 single = sum(alpha * log_p).item();

    // The mean of the bound from M samples, over many trials.
    Series bounds{.name = "bound from M samples"}, truth{.name = "ln p(y)"};
    double of_m = 0;
    const int wanted = inputs.whole("samples");
    for (const int m : {1, 2, 4, 8, 16, 32}) {
        Rng rng(1);
        const CategoricalSample sample =
            sample_categorical(scores + zeros({m, trials, places}, Dtype::float64), rng);
        const double bound = mean(bound_of(log_p[sample.indices])).item();
        bounds.x.push_back(m), bounds.y.push_back(bound);
        truth.x.push_back(m), truth.y.push_back(exact);
        if (m == 1 << wanted) of_m = bound;
    }
    BarChart chart{.title = "The four places", .value_label = "probability", .high = 1};
    chart.sets = {
        {.name = "chosen, α", .values = alpha.to_vector()},
        {.name = "right from there", .values = p},
        {.name = "given that it is right", .values = posterior(scores, log_p).to_vector()}};
    for (int j = 1; j <= places; ++j) chart.labels.push_back("place " + std::to_string(j));
    const LinePlot plot{.title = "The bound against the number of samples",
                        .x_label = "samples M",
                        .series = {bounds, truth},
                        .log_x = true,
                        .y_range = {-4, 0},
                        .x_range = {1, 32},
                        .names_at_ends = false};
    return {.svgs = {to_svg(chart), to_svg(plot)},
            .numbers = {{"ln p(y), exact", exact},
                        {"bound from one sample, exact", single},
                        {"bound from M samples, mean of 400", of_m},
                        {"gap of M samples", exact - of_m}}};
}

std::vector<Control> controls() {
    const std::vector<double> scores{2, 0, 0, -1}, right{0.9, 0.2, 0.05, 0.5};
    std::vector<Control> all;
    for (std::size_t j = 0; j < places; ++j) {
        const std::string number = std::to_string(j + 1);
        all.push_back(
            slider("score" + number, "Score of place " + number, {-4, 4, 0.25, scores[j]}));
        all.push_back(
            slider("right" + number, "Right answer from there", {0.01, 0.99, 0.01, right[j]}));
    }
    all.push_back(slider("samples", "Samples M, as a power of 2", {0, 5, 1, 1}));
    return all;
}

const Registered figure({.name = "bounds", .controls = controls(), .draw = draw});

}  // namespace

}  // namespace heed::lesson15
