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

#include <cmath>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "lessons/19_transformer/runs.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson19;

namespace {

//! ## All of it, by hand
//!
//! Three parts are new. A *feed-forward network*, two linear layers with a ReLU between them, works
//! on every token alone. *Layer norm* brings a token's numbers to mean 0 and variance 1, then
//! scales and shifts them. And every sublayer $f$ only adds to what passes by, which is called a
//! *residual connection*; where the norm stands is a matter of dispute:
//!
//! $$ \text{pre-norm:} \quad x + f(\text{norm}(x)) \qquad\qquad
//!    \text{post-norm:} \quad \text{norm}(x + f(x)) $$
//!
//! Post-norm is the paper's, pre-norm what most have used since (Xiong et al. 2020). Here is
//! pre-norm, $A(x, m)$ being multi-head attention with queries from $x$ and the rest from $m$.
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
void meet_the_model(Lesson& lesson, const ParallelText& text) {
    lesson.heading("All of it, by hand");
    const NoGrad no_grad;
    Rng rng(lesson.seed());
    const Transformer model = make_transformer(text, {}, rng);
    const Indices source = pad_sequences({text.test.source[1]}).ids,
                  words = pad_sequences({text.test.target[1]}).ids;
    const Tensor gap = model(source, {}, words).logits - logits_by_hand(model, source, words);
    lesson.claim("scores of all words by hand against the library's, largest difference",
                 max(abs(gap)).item(), at_most(1e-4));
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
//! All have about 180,000 parameters and see the same batches of short sentences of lesson 09's
//! corpus, 500 of them; each has its own learning rate, chosen beforehand with another seed
//! (`ladder.h`). Every one is trained with five seeds, and the corpus is the same for all.
//!
//! What the Transformer surely has over the others is no number of this table: while training, a
//! token waits for four layers, however long the sentence, where a recurrent state waits for all
//! before it. On many processors that is what counts; on one or two it is worth nothing.
Ladder climb_the_ladder(Lesson& lesson, const ParallelText& text, const Settings& settings,
                        const Prediction& guess) {
    lesson.heading("The ladder");
    const Ladder ladder = climb(lesson, text, settings);
    show_ladder(lesson, ladder.rungs);
    std::size_t best = 0;
    double lowest = 1;
    for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
        const double exact = mean_of(ladder.rungs[i].exact);
        if (exact > mean_of(ladder.rungs[best].exact)) best = i;
        if (i > 0) lowest = std::min(lowest, exact);
    }
    lesson.reveal(guess, ladder.rungs[best].name);
    const auto [fewest, most] = std::minmax_element(
        ladder.rungs.begin(), ladder.rungs.end(),
        [](const Outcome& a, const Outcome& b) { return a.parameters < b.parameters; });
    lesson.claim("parameters of the largest over those of the smallest",
                 static_cast<double>(most->parameters) / static_cast<double>(fewest->parameters),
                 at_most(1.1));
    if (lesson.quick()) return ladder;
    lesson.claim("exact with a fixed context, against the lowest with attention",
                 mean_of(ladder.rungs[0].exact), less_than(lowest));
    lesson.claim("exact with the Transformer less that with the best of the others",
                 mean_of(ladder.rungs[4].exact) -
                     std::max({mean_of(ladder.rungs[1].exact), mean_of(ladder.rungs[2].exact),
                               mean_of(ladder.rungs[3].exact)}),
                 between(-0.1, 0.1));
    return ladder;
}

//! ## One part at a time
//!
//! The rate at which all of these learn rises over the first twentieth of the steps (*warm-up*) and
//! then falls. Post-norm is said to need that (Xiong et al. 2020, section 3), for at the beginning
//! its gradients are large near the output. And without residual connections everything must go
//! through every sublayer.
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
void decode(Lesson& lesson, const Translator& model, const ParallelText& text) {
    lesson.heading("Greedy, or with a beam?");
    Table table({"", "exact", "BLEU"});
    std::vector<double> exact;
    for (int beam : {1, 5}) {
        const Evaluation found = evaluate(model, text, text.test, beam);
        exact.push_back(found.exact());
        table.row(beam == 1 ? "greedy" : "beam of 5", found.exact(), 100 * found.bleu.score());
    }
    lesson.table(table, "The first of the Transformers above, on the test part.");
    lesson.claim("exact with a beam of 5 less that written greedily", exact[1] - exact[0],
                 between(-0.05, 0.05));

    //! Where does it look? The heads of the last layer's cross-attention, averaged, for one
    //! sentence of the test; the true alignment is outlined.
    std::size_t chosen = 0;
    while (text.test.source[chosen].size() < (lesson.quick() ? 5 : 9)) ++chosen;
    const SentencePair& pair = text.test.pairs[chosen];
    const Shown shown = show_translation(model, text, pair.source);
    HeatMap map = attention_map(shown.output, shown.source, shown.weights);
    map.row_axis = "written";
    map.column_axis = "source";
    std::vector<std::string> ended = pair.target;
    ended.push_back("(end)");
    if (shown.output == ended)
        for (const auto& [j, t] : pair.alignment) map.gold.emplace_back(t, j);
    lesson.show("alignment", map, "Where the Transformer looks while it writes each word. Scores are those of one "
                "head with these weights.");
}

}  // namespace

//! ## What this does not show
//!
//! What made the Transformer: long texts, deep stacks, many processors. On short sentences of a
//! small grammar a recurrent network with attention lacks little. That is what the ladder says: one
//! step on it is high, the first; the four rungs with attention are level within two in a hundred.
//! So are the two orders of norms, for two layers are too few to part them, and without warm-up the
//! loss is only some 15 per cent larger. One budget says nothing about what more training would do.
//!
//! Sources: Vaswani et al., "Attention Is All You Need" (2017), sections 3 and 5, table 3; Xiong et
//! al., "On Layer Normalization in the Transformer Architecture" (2020), section 3; He et al.
//! (2016), section 3, for residual connections; Ba, Kiros, Hinton (2016) for layer norm.
//!
//! ## Try this next
//!
//! 1. `--steps 2000`: does the order of the rungs stay?
//! 2. `--longest 20 --pairs 20000`: which of them minds the longer sentences?
//! 3. In `ladder.cpp`, `.layers = 2` to `.layers = 6`: who needs warm-up and residuals now?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 19,
         .name = "transformer",
         .title = "Attention is all you need?",
         .question = "What is gained, rung by rung, on the way to a model of attention alone?",
         .own_data = "Korean-English pairs from the grammar written for the course"});
    Settings settings;
    add_options(lesson, settings);
    return lesson.run(argc, argv, [&] {
        settle(settings, lesson);
        const Prediction best = lesson.predict(
            "Same data, same number of updates and of parameters: which translates best?",
            {"fixed context", "additive", "dot", "multi-head", "Transformer"});
        const Prediction without = lesson.predict(
            "What share of sentences will a Transformer without residuals get right?", within(0.1));
        const ParallelText text = make_text(lesson, settings);
        meet_the_model(lesson, text);
        const Ladder ladder = climb_the_ladder(lesson, text, settings, best);
        take_apart(lesson, text, settings, ladder.rungs.back(), without);
        decode(lesson, ladder.transformer, text);
    });
}
