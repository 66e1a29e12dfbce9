// A network that learns the two spirals while the reader watches.
#include "lessons/course/live/live.h"

#include "lessons/04_learning/pictures.h"
#include "lessons/material/corpora/spirals.h"
#include "nn/nn.h"

namespace heed::lesson04 {

using namespace course;

namespace {

// The network of the lesson: points [B, 2] -> z [B].
Sequential network_of(int width, Rng& rng) {
    const Linear hidden(2, width, rng), output(width, 1, rng);
    return Sequential(hidden, Tanh{}, output, [](const Tensor& z) { return reshape(z, {-1}); });
}

const std::vector<int> widths{4, 16, 64};
const std::vector<double> rates{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1};

class Spirals : public LiveModel {
  public:
    explicit Spirals(const Inputs& inputs)
        : rng_(static_cast<std::uint64_t>(inputs.whole("seed"))),
          sets_(rng_),
          network_(network_of(widths[static_cast<std::size_t>(inputs.chosen("width"))], rng_)),
          optimiser_(optimiser_of(inputs)),
          training_{.name = "training points"},
          test_{.name = "new points"} {
        note();
    }

    bool step() override {
        backward(binary_cross_entropy_with_logits(network_(sets_.training.x), sets_.training.t));
        optimiser_->step();
        optimiser_->zero_grad();
        if (++steps_ % 20 == 0) note();
        return steps_ < most;
    }

    Drawn draw(const Inputs&) override {
        const NoGrad no_grad;
        const LinePlot plot{.title = "Loss",
                            .x_label = "steps",
                            .series = {training_, test_},
                            .log_y = true,
                            .y_range = {0.01, 3},
                            .x_range = {0, most},
                            .names_at_ends = false};
        return {
            .svgs = {to_svg(boundary("The answers of the network", network_, sets_.training, 72)),
                     to_svg(plot)},
            .numbers = {{"steps", static_cast<double>(steps_), 5},
                        {"loss on the training points", training_.y.back()},
                        {"accuracy on new points", accuracy_on(sets_.test, network_)}}};
    }

  private:
    static constexpr int most = 6000;

    std::unique_ptr<Optimiser> optimiser_of(const Inputs& inputs) const {
        const double rate = rates[static_cast<std::size_t>(inputs.chosen("rate"))];
        const std::vector<Parameter> all = parameters(network_);
        if (inputs.chosen("rule") == 0) return std::make_unique<Adam>(all, AdamOptions{.lr = rate});
        const double momentum = inputs.chosen("rule") == 1 ? 0.9 : 0;
        return std::make_unique<Sgd>(all, SgdOptions{.lr = rate, .momentum = momentum});
    }
    void note() {
        for (const auto& [series, points] :
             {std::pair(&training_, &sets_.training), std::pair(&test_, &sets_.test)}) {
            series->x.push_back(steps_);
            series->y.push_back(loss_on(*points, network_));
        }
    }

    Rng rng_;
    Sets sets_;
    Sequential network_;
    std::unique_ptr<Optimiser> optimiser_;
    Series training_, test_;
    int steps_ = 0;
};

const Registered figure(
    {.name = "spirals",
     .controls = {choice("rule", "Update", {"Adam", "momentum", "gradient descent"}),
                  choice("rate", "Learning rate",
                         {"0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1"}, 3),
                  choice("width", "Hidden units", {"4", "16", "64"}, 2),
                  slider("seed", "Seed", {1, 20, 1, 1})},
     .model = [](const Inputs& inputs) { return std::make_unique<Spirals>(inputs); },
     .learns = true});

}  // namespace

}  // namespace heed::lesson04
