//! # Attention is all you need?
//!
//! The translator of lesson 09 looks at the source with attention, and for all else it recurs:
//! every state waits for the one before it. The *Transformer* (Vaswani et al. 2017) asks what is
//! left to do for the recurrence once attention is there, and answers: nothing. Source and target
//! read themselves by self-attention (lesson 16), the target reads the source by cross-attention,
//! both with several heads (lesson 17), and positions are told (lesson 18).
//!
//! The title of the paper is a claim. This lesson takes it apart: first the model by hand, then
//! five translators that differ in little, on one budget, and at last the Transformer with one part
//! taken away at a time.

#include <algorithm>
#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/19_transformer/tables.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson19;

namespace {

//! ## All of it, by hand
//!
//! Three parts are new. A *feed-forward network*, two linear layers with a relu between them, works
//! on every token alone. *Layer norm* brings a token's numbers to mean 0 and variance 1, then
//! scales and shifts them. And every sublayer $f$ only adds to what passes by, which is called a
//! *residual connection*; where the norm stands is a matter of dispute:
//!
//! $$ \text{pre-norm:} \quad x + f(\text{norm}(x)) \qquad\qquad
//!    \text{post-norm:} \quad \text{norm}(x + f(x)) $$
//!
//! Post-norm is the paper's, pre-norm what most have used since (Xiong et al. 2020). Here is
//! pre-norm. As in the paper, embeddings are multiplied by the root of the width before positions
//! are added, and the table of the target's words serves once more, at the end, to score them.
Tensor logits_by_hand(const Transformer& model, const Indices& source, const Indices& words) {
    const double width = static_cast<double>(model.head.weight.size(1));
    const auto place = [](const Tensor& x) {  // [1, T, D]
        return x + sinusoidal_positions(0, x.size(1), x.size(2));
    };
    Tensor m = place(model.source_embedding(source) * std::sqrt(width));
    for (const TransformerEncoderLayer& layer : model.encoder.layers) {
        const Tensor y = layer.attention_norm.norm(m);
        m = m + layer.attention.multi_head(y, y, y).context;
        m = m + layer.feed_forward(layer.feed_forward_norm.norm(m));
    }
    m = model.encoder.norm(m);  // the memory that the decoder reads

    Tensor x = place(model.target_embedding(words) * std::sqrt(width));
    for (const TransformerDecoderLayer& layer : model.decoder.layers) {
        const Tensor y = layer.attention_norm.norm(x);
        x = x + layer.attention.multi_head(y, y, y, {.causal = true}).context;
        x = x + layer.cross_attention(layer.cross_attention_norm.norm(x), m, m).context;
        x = x + layer.feed_forward(layer.feed_forward_norm.norm(x));
    }
    return linear(model.decoder.norm(x), model.target_embedding.weight);  // [1, T, V]
}

//! The paper's own table 3 has a check on the sizes: of its models, the one with eight layers has
//! 15 million parameters more than the one with six (80 against 65).
void meet_the_model(Lesson& lesson, const ParallelText& text, const Settings& settings) {
    lesson.heading("All of it, by hand");
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    const Transformer model = make_transformer(text, settings.size(), {}, rng);
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
    lesson.claim("parameters of two layers more, in millions",
                 (parameters(8) - parameters(6)) / 1e6, between(14.5, 15.5));
}

//! ## The ladder
//!
//! Five translators, from lesson 06 to here: a fixed context; additive attention (lesson 09); dot
//! attention (lesson 10); the same recurrent network with multi-head attention; the Transformer.
//! They see the same batches of short sentences of lesson 09's corpus, as often as each other, and
//! the recurrent ones are as wide as makes them as large as the Transformer. Batches, clipping and
//! how the learning rate rises and falls are the same for all. Its height is for each the best of
//! the same five by the loss on sentences kept for that (*validation*), found with a seed (99) that
//! is not used here: `--tune --seed 99` does it again. Every one is trained with five seeds (in
//! quick mode with one, on fewer and shorter sentences).
//!
//! What the Transformer surely has over the others is no number of this table: while training, a
//! token waits for four layers, however long the sentence, where a recurrent state waits for all
//! before it. On many processors that is what counts; on one or two it is worth nothing.
Ladder climb_the_ladder(Lesson& lesson, const ParallelText& text, Settings& settings,
                        const Prediction& guess) {
    if (settings.tune) tune(lesson, text, settings);
    lesson.heading("The ladder");
    Ladder ladder = climb(lesson, text, settings);
    const std::vector<Outcome>& all = ladder.rungs;
    show_ladder(lesson, all);

    const bool own = !lesson.options().data.empty();
    std::vector<double> good, loss, parameters;  // good: what counts, of every rung
    for (const Outcome& one : all) {
        good.push_back(mean_of(own ? one.beam_bleu : one.exact));
        loss.push_back(mean_of(one.loss));
        parameters.push_back(static_cast<double>(one.parameters));
    }
    const auto best = std::max_element(good.begin(), good.end());
    const auto [lowest, highest] = std::minmax_element(good.begin() + 1, good.end());  // attending
    const auto [fewest, most] = std::minmax_element(parameters.begin(), parameters.end());
    lesson.reveal(guess, all[best - good.begin()].name);
    lesson.claim("parameters of the largest over those of the smallest", *most / *fewest,
                 at_most(1.1));
    if (own) {
        const double even = std::log(static_cast<double>(text.target.size()));
        lesson.claim("the highest of the five losses, against guessing evenly",
                     *std::max_element(loss.begin(), loss.end()) / even, less_than(1));
        if (!lesson.quick())  // BLEU is close to 0 for all where there is little text
            lesson.claim("the lowest loss with attention, against that with a fixed context",
                         *std::min_element(loss.begin() + 1, loss.end()), less_than(loss[0]));
    } else if (!lesson.quick()) {
        lesson.claim("exact with a fixed context, against the lowest with attention", good[0],
                     less_than(*lowest));
        lesson.claim("exact with the Transformer less that with the best of the others",
                     good[4] - *std::max_element(good.begin(), good.end() - 1), between(-0.1, 0.1));
        lesson.claim("with attention: exact of the best less that of the worst", *highest - *lowest,
                     at_most(0.1));
    }
    return ladder;
}

//! ## One part at a time
//!
//! The rate at which all of these learn rises over the first twentieth of the steps (*warm-up*) and
//! then falls. Post-norm is said to need that (Xiong et al. 2020, section 3), for at the beginning
//! its gradients are large near the output. And without residual connections everything must go
//! through every sublayer. All changed ones keep the learning rate of the unchanged.
void take_apart(Lesson& lesson, const ParallelText& text, const Settings& settings,
                const Outcome& unchanged, const Prediction& guess) {
    lesson.heading("One part at a time");
    const std::vector<Outcome> all = change_one_part(lesson, text, settings, unchanged);
    show_changes(lesson, all, settings);
    const auto loss = [&](std::size_t i) { return mean_of(all[i].loss); };
    lesson.reveal(guess, mean_of(all.back().exact));
    lesson.claim("loss without residuals, over that with them", loss(4) / loss(0),
                 at_least(lesson.quick() ? 1.02 : 1.5));
    if (lesson.quick()) return;
    lesson.claim("loss with post-norm, over that with pre-norm", loss(1) / loss(0),
                 between(0.8, 1.25));
    lesson.claim("post-norm: loss without warm-up, over that with it", loss(2) / loss(1),
                 more_than(1));
}

//! ## Greedy, or with a beam?
//!
//! Writing the likeliest word at every step is *greedy*. A beam keeps the five likeliest beginnings
//! (lesson 09 wrote greedily). It finds sentences that the model finds likelier; whether they are
//! better is another question.
void decode(Lesson& lesson, const Ladder& ladder, const ParallelText& text,
            const Settings& settings) {
    lesson.heading("Greedy, or with a beam?");
    const Translator model = translator_of(ladder.transformer);
    Table table({"written", "exact", "BLEU"});
    std::vector<double> exact;
    for (int beam : {1, 5}) {
        const Evaluation found = evaluate(model, text, text.test, beam);
        exact.push_back(found.exact());
        table.row(beam == 1 ? "greedy" : "beam of 5", fmt::format("{:.3f}", exact.back()),
                  fmt::format("{:.1f}", 100 * word_bleu(text, found, text.test).score()));
    }
    lesson.table(table, "One Transformer, the first of its seeds, on the test part.");
    if (!lesson.options().data.empty()) return show_translations(lesson, text, ladder);
    lesson.claim("exact with a beam of 5 less that written greedily", exact[1] - exact[0],
                 between(-0.05, 0.05));

    //! Where does it look? The heads of the last layer's cross-attention, averaged, for one
    //! sentence of the test; the true alignment is outlined.
    show_alignment(lesson, model, text, std::min(9, settings.longest - 1));
}

}  // namespace

//! ## What this does not show
//!
//! What made the Transformer: long texts, deep stacks, many processors. On short sentences of a
//! small grammar a recurrent network with attention lacks little. That is what the ladder says: one
//! step on it is high, the first; the four rungs with attention are nearly level. So are the two
//! orders of norms, for two layers are too few to part them, and without warm-up the loss is a
//! little larger, no more. One budget says nothing about what more training would do, and a grammar
//! nothing about a language: with `--data` the ladder stands on real sentences. On 4,583 pairs from
//! Tatoeba the Transformer came first from Korean to English and not the other way, and whatever
//! translated, translated poorly.
//!
//! Sources: Vaswani et al., "Attention Is All You Need" (2017), sections 3 and 5, table 3; Xiong et
//! al., "On Layer Normalization in the Transformer Architecture" (2020), section 3; He et al.
//! (2016), section 3, for residual connections; Ba, Kiros, Hinton (2016) for layer norm.
//!
//! ## Try this next
//!
//! 1. `--steps 2000`: does the order of the rungs stay? And with `--data pairs.tsv`, on real ones?
//! 2. `--longest 20 --pairs 20000`: which of them minds the longer sentences?
//! 3. In `ladder.cpp`, `.layers = 2` to `.layers = 6`: who needs warm-up and residuals now?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 19,
         .name = "transformer",
         .title = "Attention is all you need?",
         .question = "What is gained, rung by rung, on the way to a model of attention alone?",
         .data = "pairs of sentences, one source<TAB>target a line, UTF-8",
         .own_data = "Korean-English pairs from the grammar written for the course",
         .saves_model = true});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        settle(settings, lesson);
        const bool own = !lesson.options().data.empty(), load = !lesson.options().load.empty();
        Prediction best, without;
        if (!load)
            best = lesson.predict(
                "Same data, same number of updates and of parameters: which translates best?",
                {"fixed context", "additive", "dot", "multi-head", "Transformer"});
        if (!load && !own)
            without = lesson.predict(
                "What share of sentences will a Transformer without residuals get right?",
                within(0.1));

        const ParallelText text = make_text(lesson, settings);
        meet_the_model(lesson, text, settings);
        Ladder ladder;
        if (load)
            ladder.transformer = loaded(lesson, text, settings);
        else
            ladder = climb_the_ladder(lesson, text, settings, best);
        if (!load && !own) take_apart(lesson, text, settings, ladder.rungs.back(), without);
        decode(lesson, ladder, text, settings);
        save(lesson, ladder.transformer, text);
    });
}
