// A character GPT that learns a text of the reader's, and writes.
#include "lessons/course/live/live.h"

#include "attention/attention.h"
#include "lessons/23_language_model/model.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson23 {

using namespace course;

namespace {

constexpr std::size_t most_characters_read = 2'000'000;

// The same as ./heed learn language_model --quick: sizes, seed, batches.
Settings quick_settings() {
    Settings settings;
    settings.steps = 700;
    settings.layers = 2;
    settings.width = 64;
    settings.context = 32;
    return settings;
}

Characters text_of(const Inputs& inputs) {
    const std::string& own = inputs.text("text");
    if (own.find_first_not_of(" \t\r\n") == std::string::npos)
        return characters_of(english_lines(1, 4000), 0.9);
    check(own.size() <= most_characters_read, "the text has {} bytes; at most {} are learned here",
          own.size(), most_characters_read);
    Characters text = characters_of(own, 0.9);
    const auto least = static_cast<std::size_t>(40 * quick_settings().context);
    check(text.train.size() + text.valid.size() >= least,
          "expected a text of at least {} characters, found {}", least,
          text.train.size() + text.valid.size());
    return text;
}

class SmallGpt : public LiveModel {
  public:
    explicit SmallGpt(const Inputs& inputs)
        : text_(text_of(inputs)),
          weights_(1),
          pieces_(2),
          model_(model_options(text_, settings_), weights_),
          optimiser_(optimiser_of(model_)),
          schedule_(schedule_of(settings_)) {
        validate();
    }

    bool step() override {
        const std::int64_t number = optimiser_.steps() + 1;
        if (number > settings_.steps) return false;
        const Piece piece = random_pieces(text_.train, settings_.batch, settings_.context, pieces_);
        optimiser_.zero_grad();
        const Tensor loss = sequence_cross_entropy(model_(piece.in), piece.out, -1);
        backward(loss);
        optimiser_.lr = 1e-3 * schedule_(number);
        optimiser_.step_clipped(1);
        training_.x.push_back(static_cast<double>(number));
        training_.y.push_back(loss.item());
        if (number % (settings_.steps / 16) == 0 || number == settings_.steps) validate();
        return number < settings_.steps;
    }

    Drawn draw(const Inputs& inputs) override {
        LinePlot plot{.title = "Loss, in nats a character",
                      .x_label = "steps",
                      .series = {valid_},
                      .y_range = {0, 5},
                      .x_range = {0, static_cast<double>(settings_.steps)},
                      .names_at_ends = false};
        if (!training_.x.empty()) plot.series.push_back(training_);
        const NoGrad no_grad;
        Rng rng(static_cast<std::uint64_t>(inputs.whole("sample")));
        const std::string prompt = text_.ids.count("\n") ? "\n" : text_.names.at(0);
        const SamplingOptions sampling{.temperature = inputs.number("temperature")};
        return {.svgs = {to_svg(plot)},
                .numbers = {{"steps", static_cast<double>(optimiser_.steps()), 5},
                            {"loss on unseen text", valid_.y.back(), 4},
                            {"different characters", static_cast<double>(text_.size()), 5}},
                .text = generate(model_, text_, prompt, 1, 240, sampling, rng).at(0)};
    }

  private:
    void validate() {
        valid_.x.push_back(static_cast<double>(optimiser_.steps()));
        valid_.y.push_back(estimates_of_loss(model_, text_.valid, settings_, 1).at(0));
    }

    Settings settings_ = quick_settings();
    Characters text_;
    Rng weights_, pieces_;
    LanguageModel model_;
    AdamW optimiser_;
    Schedule schedule_;
    Series training_{.name = "training"}, valid_{.name = "unseen text"};
};

const Registered figure(
    {.name = "gpt",
     .controls = {text_box("text",
                           "Your text, 1,300 characters or more; empty: the course's sentences", "",
                           true),
                  slider("temperature", "Temperature of what it writes", {0.1, 2, 0.1, 0.8}),
                  slider("sample", "Another sample", {1, 20, 1, 1})},
     .model = [](const Inputs& inputs) { return std::make_unique<SmallGpt>(inputs); },
     .learns = true});

}  // namespace

}  // namespace heed::lesson23
