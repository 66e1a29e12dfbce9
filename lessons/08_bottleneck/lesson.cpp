//! # Why one vector does not hold a sentence
//!
//! Take two recurrent networks. The first, the *encoder*, reads a Korean sentence and ends in some
//! state. The second, the *decoder*, starts from that state and generates the sentence in English.
//! The decoder receives nothing else, so a sentence of three words and one of twenty-six words must
//! fit into the same few numbers. In 2014 this was how networks translated, and it worked
//! surprisingly well. This lesson measures for which sentences it stops working, and whether a
//! larger vector helps.

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/08_bottleneck/errors.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;

namespace {

//! ## An encoder, a decoder and one vector
//!
//! The encoder is a GRU (lesson 07) that reads the sentence in both directions, so that both the
//! first and the last word are recent for one of the two. Its two last states, concatenated, are
//! the *context* $c$. The decoder starts from $c$. At every step it reads $c$ again, and $y_t$, the
//! *embedding* of the word before, a vector learned for each word of the vocabulary. With $[a; b]$
//! for $a$ and $b$ concatenated:
//!
//! $$ s_0 = \tanh(W c), \qquad s_{t+1} = \text{GRU}([y_t; c], s_t) . $$
//!
//! A linear layer over $\tanh(U [s_{t+1}; c; y_t])$ gives a logit for each word of the vocabulary.
//! (From here on the formulas leave out the biases that layers add.) During training, $y_t$ is the
//! embedding of the true word before (*teacher forcing*). By hand, for one sentence:
Tensor decode_by_hand(const EncoderDecoder& model, const Indices& source, const Indices& words) {
    const RecurrentDecoder& decoder = model.decoder;
    const Tensor c = model.encoder(source).summary;  // [1, C]
    RecurrentState s{tanh(decoder.initial(c)), {}};  // [1, D]
    std::vector<Tensor> logits;
    for (const Tensor& y : unbind(model.embedding(words), 1)) {  // [1, E]
        s = decoder.cell(concat({y, c}, 1), s);
        logits.push_back(model.output(tanh(decoder.readout(concat({s.hidden, c, y}, 1)))));
    }
    return stack(logits, 1);  // [1, T, V]
}

EncoderDecoder make_model(const ParallelText& text, int width, std::uint64_t seed) {
    Rng rng(seed);
    return EncoderDecoder({.source_vocabulary = text.source.size(),
                           .target_vocabulary = text.target.size(),
                           .embedding = 48,
                           .hidden = width,
                           .decoder = DecoderKind::fixed},
                          rng);
}

void check_against_the_library(Lesson& lesson, const ParallelText& text) {
    const NoGrad no_grad;
    const EncoderDecoder model = make_model(text, 64, lesson.seed());
    const Indices source = pad_sequences({text.test.source[1]}).ids,
                  words = pad_sequences({text.test.target[1]}).ids;
    const Tensor gap = abs(model(source, {}, words).logits - decode_by_hand(model, source, words));
    lesson.claim("logits by hand against the library's, largest difference", max(gap).item(),
                 at_most(1e-4));
}

//! ## Three widths
//!
//! The sentences come from a small grammar written for this course
//! (`lessons/course/generated/corpus.h`): 24,000 pairs of Korean and English sentences of 2 to 26
//! words; no sentence of the test set occurs in training. Three models are trained on the same
//! batches with the same optimiser. They differ in one number, the width of the context. The states
//! of encoder and decoder are as wide as the context, so the wider models also have more
//! parameters, which is a second advantage for them. Each width is trained with three seeds.
struct Trained {
    int width = 0;
    std::vector<Translator> models{};            // one for each seed
    Evaluation result{};                         // translations of the first model
    std::vector<double> halves{};                // half_length() for each seed
    std::vector<std::vector<double>> by_seed{};  // share exact by length, for each seed
    std::vector<double> exact{};                 // share exact by length, mean over seeds
};

constexpr int batch_size = 32;

Trained train_width(Lesson& lesson, const ParallelText& text, int width, int epochs) {
    Trained all{.width = width};
    const int64_t steps = epochs * text.train.size() / batch_size;
    for (int i = 0; i < (lesson.quick() ? 1 : 3); ++i) {
        const std::uint64_t seed = 100 * lesson.seed() + i;
        all.models.push_back(translator(make_model(text, width, seed)));
        course::ProgressLine line =
            lesson.progress(fmt::format("width {}, {}", width, i + 1), steps);
        train_translator(all.models.back(), text,
                         {.steps = steps, .batch_size = batch_size, .lr = 4e-3, .seed = seed},
                         [&](const heed::TrainProgress& p) { line.update(p.step, p.mean_loss); });
        line.clear();
        const Evaluation result = evaluate(all.models.back(), text, text.test);
        all.by_seed.push_back(result.exact_by_length(text.test));
        all.halves.push_back(half_length(all.by_seed.back()));
        if (i == 0) all.result = result;
    }
    all.exact = over_seeds("", length_middles(), all.by_seed).y;
    return all;
}

void compare_widths(Lesson& lesson, const std::vector<Trained>& runs, int sentences,
                    Prediction guess) {
    LinePlot plot{
        .x_label = "words of the Korean sentence", .y_label = "share exact", .y_range = {0, 1}};
    Table table({"width", "2-5 words", "6-10", "11-15", "16-20", "21-26", "half exact at"});
    const auto half = [&](int i) { return summarise(runs[i].halves).mean; };
    for (const Trained& run : runs) {
        std::vector<std::string> cells{std::to_string(run.width)};
        for (double share : run.exact)
            cells.push_back(std::isnan(share) ? "" : fmt::format("{:.2f}", share));
        cells.push_back(mean_and_spread(run.halves, 1));
        table.add(cells);
        plot.series.push_back(
            over_seeds(fmt::format("width {}", run.width), length_middles(), run.by_seed));
    }
    lesson.table(table, fmt::format("Share of {} test sentences that are translated exactly, and "
                                    "the length at which half of them are: means over seeds.",
                                    sentences));
    lesson.show("by_length", plot,
                "With a wider context the share falls at a greater length, but it still falls.");
    const std::vector<double>& widest = runs.back().exact;
    lesson.claim("widest context: share exact of sentences of 2 to 5 words", widest[0],
                 at_least(lesson.quick() ? 0.5 : 0.95));
    lesson.claim("widest context: share exact of sentences of 11 to 15 words", widest[2],
                 less_than(lesson.quick() ? 0.3 : 0.6));
    if (lesson.quick()) return;
    lesson.reveal(guess, half(2) - half(1));
    lesson.claim("widest context: share exact of sentences of 21 to 26 words", widest[4],
                 less_than(0.2));
    lesson.claim("width 32 to 64: words added to the length at which half are exact",
                 half(1) - half(0), at_least(1));
    lesson.claim("width 64 to 128: words added to the length at which half are exact",
                 half(2) - half(1), at_least(1));
}

//! ## Is it only that long sentences have more words?
//!
//! A sentence counts as exact only if every word is right. If each word were right with the same
//! probability $p$ in every sentence, $n$ words would all be right with probability $p^n$. That
//! falls with $n$ even if the context holds everything. So we measure $p$ separately: we give the
//! decoder the true words so far and check whether the next one is right. If the context were as
//! good for a long sentence as for a short one, this would not depend on the length.
void measure_word_errors(Lesson& lesson, const Trained& run, const TextSet& test,
                         Prediction guess) {
    lesson.heading("Is it only that long sentences have more words?");
    const WordErrors errors = word_errors(run.models, test);
    Table table({"words", "one word wrong", "exact, if errors stayed as rare", "exact"});
    HeatMap map{.row_axis = "words of the source",
                .column_axis = "position in the target, in tenths",
                .high = 0.4,
                .value_name = "share wrong"};
    std::size_t longest = 0;
    double expected = 0;
    for (std::size_t band = 0; band < length_bands.size(); ++band) {
        if (std::isnan(run.exact[band])) continue;
        longest = band;
        expected = std::pow(1 - errors.rate(0), errors.words_a_sentence(band));
        table.row(std::string(length_bands[band].name), fmt::format("{:.4f}", errors.rate(band)),
                  fmt::format("{:.2f}", expected), fmt::format("{:.2f}", run.exact[band]));
        map.row_labels.emplace_back(length_bands[band].name);
        for (int tenth = 0; tenth < WordErrors::tenths; ++tenth)
            map.values.push_back(errors.rate(band, tenth));
    }
    for (int tenth = 1; tenth <= WordErrors::tenths; ++tenth)
        map.column_labels.push_back(std::to_string(tenth));
    lesson.table(
        table,
        fmt::format(
            "Width {}: share of wrong words under teacher forcing, and share of exact sentences.",
            run.width));
    lesson.show("word_errors", map,
                "Where the wrong words are: by the length of the sentence and the position in it.");
    if (!lesson.quick()) lesson.reveal(guess, run.exact[3]);
    lesson.claim("share of wrong words, shortest sentences over longest",
                 errors.rate(0) / errors.rate(longest), at_most(lesson.quick() ? 0.4 : 0.05));
    lesson.claim("longest sentences exact, if errors stayed as rare as in the shortest", expected,
                 at_least(lesson.quick() ? 0.2 : 0.7));
    lesson.claim("longest sentences exact", run.exact[longest], less_than(expected / 2));
}

//! ## Translations of long sentences
//!
//! Read the translations of the narrow models. What goes wrong first: the English grammar, or who
//! did what?
void show_samples(Lesson& lesson, const std::vector<Trained>& runs, const TextSet& test) {
    lesson.heading("Translations of long sentences");
    Table table({"", "sentence"});
    for (int i = 0, shown = 0; i < test.size() && shown < 3; ++i) {
        if (test.pairs[i].source.size() < (lesson.quick() ? 12 : 16)) continue;
        ++shown;
        table.row("Korean", joined(test.pairs[i].source));
        table.row("English", joined(test.pairs[i].target));
        for (const Trained& run : runs)
            table.row(fmt::format("width {}", run.width), joined(run.result.outputs[i]));
    }
    lesson.table(table, "The first three long sentences of the test set.");
}

}  // namespace

//! ## What this does not show
//!
//! It does not show that one vector can never be enough. More training and more data help too.
//! Translators of 2014 had states of a thousand numbers and four layers, read their sentences
//! backwards, and worked for up to about 35 words. But longer sentences need a wider state, which
//! then has to be used for all sentences. Lesson 11 changes one thing: the decoder may look at the
//! source words again.
//!
//! Sources: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014), section
//! 2.2; Sutskever, Vinyals and Le, "Sequence to Sequence Learning with Neural Networks" (2014),
//! sections 3.3, reading backwards, and 3.7; Cho et al., "On the Properties of Neural Machine
//! Translation" (2014), section 5.1, where quality was measured by length.
//!
//! ## Try this next
//!
//! 1. `--epochs 12`: by how many words does twice the training move the length at which half are
//!    exact, and by how many twice the width?
//! 2. In `main`, add 256 to the widths (some minutes): at which length will half be exact?
//! 3. In `make_model`, `.bidirectional = false`: which words of the target get worse?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 8,
         .name = "bottleneck",
         .title = "Why one vector does not hold a sentence",
         .question = "A network stores a sentence in one vector and translates it from there: how "
                     "long may the sentence be?",
         .own_data = "24,000 Korean-English pairs from a grammar written for the course"});
    int epochs = 0;
    lesson.option("--epochs", epochs, "epochs: passes over the training pairs (6; quick 10)");
    return lesson.run(argc, argv, [&] {
        const bool quick = lesson.quick();
        if (epochs == 0) epochs = quick ? 10 : 6;
        const Prediction doubled = lesson.predict(
            "The context grows from 64 numbers to 128. By how many words does the length grow at "
            "which half of the translations are exact?",
            within(1));
        const Prediction long_ones = lesson.predict(
            "With 128 numbers, what share of sentences of 16 to 20 words is translated exactly?",
            within(0.1));

        //! In quick mode sentences have at most 14 words, there are fewer of them, and of the three
        //! widths only two are trained, once each.
        const ParallelText text = from_corpus(korean_english(
            lesson.seed(),
            quick ? CorpusOptions{.pairs = 4000, .valid = 300, .test = 500, .longest = 14}
                  : CorpusOptions{}));
        check_against_the_library(lesson, text);
        lesson.heading("Three widths");
        std::vector<Trained> runs;
        for (int width : quick ? std::vector<int>{32, 64} : std::vector<int>{32, 64, 128})
            runs.push_back(train_width(lesson, text, width, epochs));
        compare_widths(lesson, runs, text.test.size(), doubled);
        measure_word_errors(lesson, runs.back(), text.test, long_ones);
        show_samples(lesson, runs, text.test);
    });
}
