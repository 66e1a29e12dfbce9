// A translator word by word: where it looks, what it would write next, and what it writes when it cannot
// see a word. The model is that of the lesson's run; a smaller one can be trained in the page.
#include "lessons/course/live/live.h"

#include <algorithm>

#include "attention/attention.h"
#include "lessons/course/figures/figures.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"
#include "lessons/material/translation/translation.h"
#include "nn/saved/safetensors.h"

namespace heed::lesson11 {

using namespace course;

namespace {

constexpr int longest = 8, shown_sentences = 100;
constexpr std::int64_t training_steps = 2500;

// Short sentences: 11,400 pairs to learn from, 300 that are never trained on.
ParallelText short_sentences() {
    return from_corpus(
        korean_english(1, {.pairs = 12000, .valid = 300, .test = 300, .longest = longest}));
}

EncoderDecoder translator_of_width(std::int64_t hidden, const ParallelText& text, Rng& rng) {
    return EncoderDecoder({.source_vocabulary = text.source.size(),
                           .target_vocabulary = text.target.size(),
                           .embedding = hidden / 2,
                           .hidden = hidden},
                          rng);
}

// The words of the source as boxes, shaded by their weight; a click hides a word or shows it again. Below
// them what has been written.
std::string words_svg(const Shown& shown, const std::vector<bool>& seen, int written) {
    Svg svg(640, 138, "The sentence, and its translation so far");
    svg.text(10, 16, "Click on a word to hide it", "start", "title");
    const std::size_t count = shown.source.size();
    double x = 10;
    for (std::size_t i = 0; i < count; ++i) {
        const double width = std::max(svg_text_width(shown.source[i]) + 18, 34.0);
        const auto at = static_cast<std::size_t>(written) * count + i;
        const double weight = at < shown.weights.size() ? shown.weights[at] : 0;
        svg.add(R"(<rect class="empty" x="{0:.1f}" y="30" width="{1:.1f}" height="34" rx="3"/>)"
                R"(<rect class="hot" fill-opacity="{2:.3f}" x="{0:.1f}" y="30" width="{1:.1f}" )"
                R"(height="34" rx="3"/>)",
                x, width, weight);
        svg.text(x + width / 2, 52, seen[i] ? shown.source[i] : "…", "middle",
                 weight > 0.5 ? "on" : "");
        svg.text(x + width / 2, 80, fmt::format("{:.2f}", weight), "middle", "faint");
        svg.add(R"(<rect fill="transparent" data-switch="seen" data-index="{}" tabindex="{}" )"
                R"(role="switch" aria-checked="{}" aria-label="{}" x="{:.1f}" y="30" )"
                R"(width="{:.1f}" height="34"/>)",
                i, i == 0 ? 0 : -1, bool(seen[i]), escape(shown.source[i]), x, width);
        x += width + 6;
    }
    std::string text;
    for (int i = 0; i < written; ++i) text += shown.output[static_cast<std::size_t>(i)] + " ";
    svg.text(10, 118, text + "▁");
    return svg.finish();
}

class TranslatorInPage : public LiveModel {
  public:
    TranslatorInPage() { begin(); }

    void load(const std::string& path) override {
        const Safetensors file = load_safetensors(path);
        text_.source = Vocabulary::parse(file.metadata.at("source"), "source");
        text_.target = Vocabulary::parse(file.metadata.at("target"), "target");
        Rng rng(1);
        for (const Parameter& p : file.tensors)
            if (p.name == "embedding.weight")
                model_ = translator_of_width(2 * p.tensor.size(1), text_, rng);
        load_model(model_, path);
        lessons_own_ = true;
    }

    bool step() override {
        if (lessons_own_) begin();
        const std::int64_t number = optimiser_->steps() + 1;
        if (number > training_steps) return false;
        const TranslationBatch batch = translation_batch(text_.train, batches_->next());
        optimiser_->zero_grad();
        const Tensor loss = sequence_cross_entropy(
            model_(batch.source.ids, batch.source.lengths, batch.target_in).logits,
            batch.target_out, Vocabulary::pad);
        backward(loss);
        optimiser_->lr = rate_(number);
        optimiser_->step_clipped(1);
        if (number % 100 == 0) note();
        return number < training_steps;
    }

    Drawn draw(const Inputs& inputs) override {
        const NoGrad no_grad;
        const auto number = static_cast<std::size_t>(inputs.whole("sentence") - 1);
        std::vector<std::string> source = text_.test.pairs.at(number).source;
        std::vector<bool> seen = inputs.on("seen");
        std::vector<std::string> given = source;
        for (std::size_t i = 0; i < source.size(); ++i)
            if (!seen[i]) given[i] = "(hidden)";  // a word that the vocabulary does not have
        Shown shown = show_translation(translator(model_), text_, given);
        shown.source = source;
        const int all = static_cast<int>(shown.output.size());
        const int written = std::min(inputs.whole("written"), all - 1);

        std::vector<int> before{Vocabulary::bos};
        before.insert(before.end(), shown.output_ids.begin(), shown.output_ids.begin() + written);
        const auto length = static_cast<std::int64_t>(before.size());
        const auto words = static_cast<std::int64_t>(shown.source_ids.size());
        const Tensor logits =
            model_(Indices(shown.source_ids, {1, words}), Indices({static_cast<int>(words)}, {1}),
                   Indices(before, {1, length}))
                .logits;
        const std::vector<double> p = softmax(logits[0][length - 1]).to_vector();

        Drawn drawn{
            .svgs = {words_svg(shown, seen, written), to_svg(next_words(p))},
            .numbers = {{"probability of the next word", *std::max_element(p.begin(), p.end())}}};
        if (!lessons_own_) {
            drawn.svgs.push_back(to_svg(losses()));
            drawn.numbers.push_back(
                {"steps of training here", static_cast<double>(optimiser_->steps()), 5});
            drawn.numbers.push_back({"exact translations of unseen sentences", exact_});
        }
        std::string text;
        for (const std::string& word : shown.output)
            if (word != "(end)") text += (text.empty() ? "" : " ") + word;
        drawn.text = text + "\n";
        for (const std::string& word : text_.test.pairs[number].target) drawn.text += word + " ";
        drawn.text += "   (reference)";
        return drawn;
    }

  private:
    // A small model without training.
    void begin() {
        text_ = short_sentences();
        Rng rng(1);
        model_ = translator_of_width(64, text_, rng);
        optimiser_ = std::make_unique<Adam>(parameters(model_), AdamOptions{.lr = rate_(1)});
        std::vector<int> lengths;
        for (const auto& ids : text_.train.source) lengths.push_back(static_cast<int>(ids.size()));
        batches_ = std::make_unique<BatchStream<std::vector<int>>>(
            [this, lengths] { return bucket_batches(lengths, {.batch_size = 64}, order_); });
        losses_ = {.name = "loss"};
        lessons_own_ = false;
        note();
    }
    void note() {
        losses_.x.push_back(static_cast<double>(optimiser_->steps()));
        losses_.y.push_back(loss_of(translator(model_), text_.test));
        exact_ = evaluate(translator(model_), text_, text_.test).exact();
    }
    BarChart next_words(const std::vector<double>& p) const {
        std::vector<int> order(p.size());
        for (std::size_t i = 0; i < p.size(); ++i) order[i] = static_cast<int>(i);
        std::partial_sort(order.begin(), order.begin() + 5, order.end(), [&](int a, int b) {
            return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)];
        });
        BarChart chart{.title = "The next word", .value_label = "probability", .high = 1};
        chart.sets = {{.name = "p"}};
        for (int i = 0; i < 5; ++i) {
            const int id = order[static_cast<std::size_t>(i)];
            chart.labels.push_back(id == Vocabulary::eos ? "(end)" : text_.target.token(id));
            chart.sets[0].values.push_back(p[static_cast<std::size_t>(id)]);
        }
        return chart;
    }
    LinePlot losses() const {
        return {.title = "Trained here: loss on unseen sentences",
                .x_label = "steps",
                .series = {losses_},
                .y_range = {0, 6},
                .x_range = {0, training_steps},
                .names_at_ends = false};
    }

    ParallelText text_;
    EncoderDecoder model_;
    std::unique_ptr<Adam> optimiser_;
    std::unique_ptr<BatchStream<std::vector<int>>> batches_;
    Rng order_{1};
    Schedule rate_ =
        schedules::multiplied(schedules::constant(6e-3),
                              schedules::sequential(schedules::warm_up(125), 125,
                                                    schedules::cosine(training_steps - 125, 0.1)));
    Series losses_;
    double exact_ = 0;
    bool lessons_own_ = false;
};

const Registered figure(
    {.name = "translator",
     .controls = {slider("sentence", "Sentence", {1, shown_sentences, 1, 1}),
                  slider("written", "Words written so far", {0, 11, 1, 0}),
                  switches("seen", "Words that are seen", std::vector<bool>(longest, true))},
     .model = [](const Inputs&) { return std::make_unique<TranslatorInPage>(); },
     .learns = true,
     .loads = true});

}  // namespace

}  // namespace heed::lesson11
