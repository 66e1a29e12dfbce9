// Logits, and the probabilities that softmax makes of them.
#include "lessons/course/live/live.h"

#include "lessons/course/figures/figures.h"
#include "nn/nn.h"

namespace heed::lesson05 {

using namespace course;

namespace {

const std::vector<std::string> words{"am", "read", "saw"};

Drawn draw(const Inputs& inputs) {
    std::vector<double> logits;
    for (const std::string& word : words) logits.push_back(inputs.number(word));
    Tensor z = tensor(logits, {3}, Dtype::float64);
    z.set_requires_grad();
    const Tensor log_p = log_softmax(z / inputs.number("temperature")), p = exp(log_p);
    const BarChart chart{.title = "Probabilities",
                         .value_label = "probability",
                         .labels = words,
                         .sets = {{.name = "p", .values = p.to_vector()}},
                         .high = 1};
    const int happened = inputs.chosen("happened");
    return {.svgs = {to_svg(chart)},
            .numbers = {{"entropy, in nats", -sum(p * log_p).item()},
                        {"loss if it is that word", -log_p.at({happened})},
                        {"gradient of the loss to that logit",
                         grad(-log_p[happened], {z})[0].at({happened})}}};
}

const Registered figure({.name = "softmax",
                         .controls = {slider("am", "Logit of am", {-4, 4, 0.1, 2}),
                                      slider("read", "Logit of read", {-4, 4, 0.1, 1}),
                                      slider("saw", "Logit of saw", {-4, 4, 0.1, 0}),
                                      slider("temperature", "Temperature", {0.1, 5, 0.1, 1}),
                                      choice("happened", "The word that came", words)},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson05
