//! # Attention is all you need?
//!
//! The translator of lesson 11 has attention, but its encoder and decoder are recurrent: no state
//! can be computed before the one before it. The *Transformer* (Vaswani et al. 2017) has attention
//! and no recurrence. Source and target use self-attention (lesson 18), the target attends to the
//! source by cross-attention, both with several heads (lesson 19), and positions are added to the
//! embeddings (lesson 20).
//!
//! The title of the paper is a claim, and this lesson tests it. First we write the model by hand.
//! Then we compare five translators, trained with the same data and the same number of steps. At
//! last we remove or change one component of the Transformer at a time.

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/22_transformer/tables.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson22;

namespace {

//! ## The whole model by hand
//!
//! Three components are new. A *feed-forward network*, two linear layers with a relu between them,
//! is applied to every token separately. *Layer norm* brings the numbers of a token to mean 0 and
//! variance 1, then scales and shifts them. And the output of every sublayer $f$ is added to its
//! input, which is called a *residual connection*. There are two orders of norm and sublayer:
//!
//! $$ \text{pre-norm:} \quad x + f(\text{norm}(x)) \qquad\qquad
//!    \text{post-norm:} \quad \text{norm}(x + f(x)) $$
//!
//! The paper uses post-norm; most later models use pre-norm (Xiong et al. 2020), and so do we. As
//! in the paper, embeddings are multiplied by the root of the width before positions are added, and
//! the embedding table of the target words is also the weight matrix of the output layer.
Tensor logits_by_hand(const Transformer& model, const Indices& source, const Indices& words) {
    const double width = static_cast<double>(model.head.weight.size(1));
    const auto add_positions = [](const Tensor& x) {  // [1, T, D]
        return x + sinusoidal_positions(0, x.size(1), x.size(2));
    };
    Tensor m = add_positions(model.source_embedding(source) * std::sqrt(width));
    for (const TransformerEncoderLayer& layer : model.encoder.layers) {
        const Tensor y = layer.attention_norm.norm(m);
        m = m + layer.attention.multi_head(y, y, y).context;
        m = m + layer.feed_forward(layer.feed_forward_norm.norm(m));
    }
    m = model.encoder.norm(m);  // the memory, to which the decoder attends

    Tensor x = add_positions(model.target_embedding(words) * std::sqrt(width));
    for (const TransformerDecoderLayer& layer : model.decoder.layers) {
        const Tensor y = layer.attention_norm.norm(x);
        x = x + layer.attention.multi_head(y, y, y, {.causal = true}).context;
        x = x + layer.cross_attention(layer.cross_attention_norm.norm(x), m, m).context;
        x = x + layer.feed_forward(layer.feed_forward_norm.norm(x));
    }
    return linear(model.decoder.norm(x), model.target_embedding.weight);  // [1, T, V]
}

//! We can check the sizes against table 3 of the paper: the model with eight layers has 15 million
//! parameters more than the one with six (80 against 65).
void check_the_model(Lesson& lesson, const ParallelText& text, const Settings& settings) {
    lesson.heading("The whole model by hand");
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    Size size = settings.size();
    size.dropout = 0;
    const Transformer model = make_transformer(text, size, {}, rng);
    const Indices source = pad_sequences({text.test.source.back()}).ids,
                  words = pad_sequences({text.test.target.back()}).ids;
    const Tensor gap = model(source, {}, words).logits - logits_by_hand(model, source, words);
    lesson.claim("logits by hand against the library's, largest difference", max(abs(gap)).item(),
                 at_most(1e-4));
    const auto parameters = [](int64_t layers) {
        const TransformerOptions stack{.width = 512, .heads = 8, .layers = layers, .hidden = 2048};
        return static_cast<double>(parameter_count(TransformerModelOptions{
            .source_vocabulary = 37000, .target_vocabulary = 37000, .stack = stack}));
    };
    lesson.claim("additional parameters of two more layers, in millions",
                 (parameters(8) - parameters(6)) / 1e6, between(14.5, 15.5));
}

//! ## Five models
//!
//! We compare five translators: a fixed context (lesson 08); additive attention (lesson 11); dot
//! attention (lesson 12); the same recurrent network with multi-head attention; the Transformer.
//! They are trained on the same batches of short sentences from the corpus of lesson 11, for the
//! same number of steps. The width of the recurrent models is chosen so that they have about as
//! many parameters as the Transformer. Batches, clipping and the shape of the learning rate
//! schedule are the same for all. The maximum of the learning rate is for each model the best of
//! the same five values, by the loss on the validation set, with a seed (99) that is not used here:
//! `--tune --seed 99` repeats the search. Every model is trained with five seeds (in quick mode
//! with one, on fewer and shorter sentences).
//!
//! The main advantage of the Transformer is not in this table. In training, it computes all tokens
//! of a sentence in parallel, through four layers, while a recurrent state has to wait for all
//! states before it. On many processors this makes training much faster; on one or two it makes no
//! difference.
Comparison compare_models(Lesson& lesson, const ParallelText& text, Settings& settings,
                          const Prediction& guess) {
    if (settings.tune) tune(lesson, text, settings);
    lesson.heading("Five models");
    Comparison comparison = train_all(lesson, text, settings);
    const std::vector<Outcome>& all = comparison.outcomes;
    show_models(lesson, all);

    const bool own = !lesson.options().data.empty();
    std::vector<double> quality, loss, parameters;  // of every model
    for (const Outcome& one : all) {
        quality.push_back(mean_of(own ? one.beam_bleu : one.exact));
        loss.push_back(mean_of(one.loss));
        parameters.push_back(static_cast<double>(one.parameters));
    }
    const auto best = std::max_element(quality.begin(), quality.end());
    const auto [lowest, highest] =
        std::minmax_element(quality.begin() + 1, quality.end());  // with attention
    const auto [fewest, most] = std::minmax_element(parameters.begin(), parameters.end());
    lesson.reveal(guess, all[best - quality.begin()].name);
    lesson.claim("parameters of the largest model over those of the smallest", *most / *fewest,
                 at_most(1.1));
    if (own) {
        const double even = std::log(static_cast<double>(text.target.size()));
        lesson.claim("highest of the five test losses, over that of equal probabilities",
                     *std::max_element(loss.begin(), loss.end()) / even, less_than(1));
        if (!lesson.quick())  // BLEU is close to 0 for all where there is little text
            lesson.claim("lowest loss with attention, compared with that of a fixed context",
                         *std::min_element(loss.begin() + 1, loss.end()), less_than(loss[0]));
    } else if (!lesson.quick()) {
        lesson.claim("share exact with a fixed context, compared with the lowest with attention",
                     quality[0], less_than(*lowest));
        lesson.claim("share exact with the Transformer minus the best of the others",
                     quality[4] - *std::max_element(quality.begin(), quality.end() - 1),
                     between(-0.1, 0.1));
        lesson.claim("models with attention: share exact of the best minus that of the worst",
                     *highest - *lowest, at_most(0.1));
    }
    return comparison;
}

//! ## One component at a time
//!
//! The learning rate of all models rises over the first twentieth of the steps (*warm-up*) and then
//! falls. Post-norm is said to need warm-up, because early in training its gradients are large near
//! the output (Xiong et al. 2020, section 3). Without residual connections, all information has to
//! go through every sublayer. All variants use the learning rate of the unchanged Transformer.
void compare_variants(Lesson& lesson, const ParallelText& text, const Settings& settings,
                      const Outcome& unchanged, const Prediction& guess) {
    lesson.heading("One component at a time");
    const std::vector<Outcome> all = train_variants(lesson, text, settings, unchanged);
    show_changes(lesson, all, settings);
    const auto loss = [&](std::size_t i) { return mean_of(all[i].loss); };
    lesson.reveal(guess, mean_of(all.back().exact));
    lesson.claim("loss without residual connections, over that with them", loss(4) / loss(0),
                 at_least(lesson.quick() ? 1.02 : 1.5));
    if (lesson.quick()) return;
    lesson.claim("loss with post-norm, over that with pre-norm", loss(1) / loss(0),
                 between(0.8, 1.25));
    lesson.claim("post-norm: loss without warm-up, over that with it", loss(2) / loss(1),
                 more_than(1));
}

//! ## Greedy decoding and beam search
//!
//! *Greedy* decoding takes the most probable word at every step (as lesson 11 did). *Beam search*
//! keeps the five most probable partial sentences. It finds sentences to which the model gives a
//! higher probability; they need not be better translations.
void decode(Lesson& lesson, const Comparison& comparison, const ParallelText& text,
            const Settings& settings) {
    lesson.heading("Greedy decoding and beam search");
    const Translator model = translator_of(comparison.transformer);
    Table table({"decoding", "exact", "BLEU"});
    std::vector<double> exact;
    for (int beam : {1, 5}) {
        const Evaluation found = evaluate(model, text, text.test, beam);
        exact.push_back(found.exact());
        table.row(beam == 1 ? "greedy" : "beam of 5", fmt::format("{:.3f}", exact.back()),
                  fmt::format("{:.1f}", 100 * word_bleu(text, found, text.test).score()));
    }
    lesson.table(table, "One Transformer, the first of its seeds, on the test set.");
    if (!lesson.options().data.empty()) return show_translations(lesson, text, comparison);
    lesson.claim("share exact with a beam of 5 minus that with greedy decoding",
                 exact[1] - exact[0], between(-0.05, 0.05));

    //! The figure shows the cross-attention of the last layer, averaged over heads, for one test
    //! sentence; the true alignment is outlined.
    show_alignment(lesson, model, text, std::min(9, settings.longest - 1));
}

}  // namespace

//! ## What this does not show
//!
//! The Transformer is strong with long texts, many layers and many processors, and none of these
//! are here. On short sentences of a small grammar, the four models with attention are nearly
//! equal, and only the fixed context is much worse. Pre-norm and post-norm are nearly equal too,
//! because two layers are too few to show the difference, and without warm-up the loss is only a
//! little larger. The results may change with more training, and a grammar is not a language:
//! `--data` repeats the comparison on real sentences. On 4,583 pairs from Tatoeba the Transformer
//! was the best from Korean to English, but not from English to Korean, and all translations were
//! poor.
//!
//! Sources: Vaswani et al., "Attention Is All You Need" (2017), sections 3 and 5, table 3; Xiong et
//! al., "On Layer Normalization in the Transformer Architecture" (2020), section 3; He et al.
//! (2016), section 3, for residual connections; Ba, Kiros, Hinton (2016) for layer norm.
//!
//! ## Try this next
//!
//! 1. `--steps 2000`: does the order of the five models change? And with `--data pairs.tsv`, on
//!    real sentences?
//! 2. `--longest 20 --pairs 20000`: which models get worse with longer sentences?
//! 3. In `models.cpp`, change `.layers = 2` to `.layers = 6`: which variants need warm-up and
//!    residual connections now?
int main(int argc, char** argv) {
    Lesson lesson({.number = 22,
                   .name = "transformer",
                   .title = "Attention is all you need?",
                   .question = "From a fixed context to a model with attention alone: which step "
                               "improves translation?",
                   .data = "pairs of sentences, one source<TAB>target a line, UTF-8",
                   .own_data = "Korean-English pairs from the grammar written for the course",
                   .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        const bool own = !lesson.options().data.empty(), load = !lesson.options().load.empty();
        Prediction best, without;
        if (!load)
            best = lesson.predict(
                "Same data, same number of updates and of parameters: which translates best?",
                {"fixed context", "additive", "dot", "multi-head", "Transformer"});
        if (!load && !own)
            without = lesson.predict(
                "What share of sentences does a Transformer without residual connections translate "
                "exactly?",
                within(0.1));

        const ParallelText text = make_text(lesson, settings);
        check_the_model(lesson, text, settings);
        Comparison comparison;
        if (load)
            comparison.transformer = loaded(lesson, text, settings);
        else
            comparison = compare_models(lesson, text, settings, best);
        if (!load && !own)
            compare_variants(lesson, text, settings, comparison.outcomes.back(), without);
        decode(lesson, comparison, text, settings);
        save(lesson, comparison.transformer, text);
    });
}
