// Logits, and the probabilities that softmax makes of them; and the loss and its gradient.
#include "lessons/course/live/live.h"

#include "lessons/course/figures/figures.h"
#include "nn/nn.h"

namespace heed::lesson05 {

using namespace course;

namespace {

const std::vector<std::string> words{"am", "read", "saw"};

// log p for the logits and the temperature of a figure.
Tensor log_softmax_of(const Inputs& inputs, const Tensor& z) {
    return log_softmax(z / inputs.number("temperature"));
}

Tensor logits_of(const Inputs& inputs) {
    std::vector<double> logits;
    for (const std::string& word : words) logits.push_back(inputs.number(word));
    Tensor z = tensor(logits, {3}, Dtype::float64);
    z.set_requires_grad();
    return z;
}

std::string chart_of(const Tensor& p) {
    return to_svg(BarChart{.title = "Probabilities",
                           .value_label = "probability",
                           .labels = words,
                           .sets = {{.name = "p", .values = p.to_vector()}},
                           .high = 1});
}

Drawn draw_softmax(const Inputs& inputs) {
    return {.svgs = {chart_of(exp(log_softmax_of(inputs, logits_of(inputs))))}};
}

Drawn draw_surprise(const Inputs& inputs) {
    const Tensor z = logits_of(inputs), log_p = log_softmax_of(inputs, z);
    const int came = inputs.chosen("came");
    const Tensor gradient = grad(-log_p[came], {z})[0];
    Drawn drawn{.svgs = {chart_of(exp(log_p))}, .numbers = {{"loss", -log_p.at({came})}}};
    for (int j = 0; j < 3; ++j)
        drawn.numbers.push_back(
            {"gradient of " + words[static_cast<std::size_t>(j)], gradient.at({j})});
    return drawn;
}

std::vector<Control> sliders() {
    return {slider("am", "Logit of am", {-4, 4, 0.1, 2}),
            slider("read", "Logit of read", {-4, 4, 0.1, 1}),
            slider("saw", "Logit of saw", {-4, 4, 0.1, 0}),
            slider("temperature", "Temperature", {0.1, 5, 0.1, 1})};
}

std::vector<Control> sliders_and_word() {
    std::vector<Control> all = sliders();
    all.push_back(choice("came", "The word that came", words, 2));
    return all;
}

const Registered figure({.name = "softmax", .controls = sliders(), .draw = draw_softmax});
const Registered with_the_loss({.name = "surprise",
                                .controls = sliders_and_word(),
                                .draw = draw_surprise});

}  // namespace

}  // namespace heed::lesson05
