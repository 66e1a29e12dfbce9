//! # Why one vector does not hold a sentence
//!
//! A Korean sentence: 나는 책 을 읽었다. Word for word it says "I book (object) read". The English
//! is "I read a book". A longer one, with three clauses:
//!
//! > 그는 그 노래 를 부르고 그 학생 은 그 공원 에 오지 않고 그녀는 잤다
//! >
//! > he sang the song and the student did not come to the park and she slept
//!
//! In 2014 networks began to translate in a surprisingly simple way. One network reads the Korean
//! sentence and ends in one vector. A second network writes the English sentence from this vector
//! and from nothing else. So a sentence of six words and one of thirty have to fit into the same
//! few numbers. For how long a sentence does this work? And does a wider vector help?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/08_bottleneck/data.h"
#include "lessons/08_bottleneck/experiment.h"
#include "lessons/08_bottleneck/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson08 {

using namespace course;

namespace {

//! ## The attempt without a state
//!
//! Could a network translate word by word? It would read 나는 and write "I", read 책 and write
//! "book". But the second English word is "read", which comes last in Korean. Nor is the number of
//! words the same: 을 has no English word, and "a" no Korean one. With the recurrent network of
//! lesson {recurrence} we could write one English word at each step of reading. At the second step
//! it would have to write "read" before it has seen the verb. So the sentence has to be read to its
//! end before the first word is written.
//!
//! ## An encoder, a decoder and one vector
//!
//! Therefore there are two networks. The *encoder* is the network that reads the source sentence
//! and turns it into vectors. The *decoder* is the network that writes the target sentence, one
//! word at a time. Between them there is one vector, the *context vector* $c$, which is made from
//! the last states of the encoder and is all that the decoder learns about the source.
//!
//! Our encoder is a GRU (lesson {recurrence}) that reads the sentence in both directions, once from
//! left to right and once from right to left. So the first words are recent for one of them, and
//! the last words for the other one. Each of the two has a state half as wide as $c$. The two last
//! states, one after the other, are the vector $c$.
//!
//! The decoder is a GRU as well. Its first state is made from $c$ by a matrix $W$:
//!
//! $$ s_0 = \tanh(W c) . $$
//!
//! At step $t$ the decoder reads the word it wrote before. Let $y_{t-1}$ be the embedding of this
//! word (lesson {embeddings}), and $[a; b]$ two vectors one after the other. It also reads $c$
//! again, at every step. Its new state $s_t$ gives a logit for each word of the vocabulary, and
//! softmax (lesson {probabilities}) turns the logits into probabilities $p_t$:
//!
//! $$ s_t = \operatorname{GRU}([y_{t-1}; c], s_{t-1}), \qquad
//! p_t = \operatorname{softmax}(O \tanh(R [s_t; c; y_{t-1}])) . $$
//!
//! $O$ and $R$ are learned matrices. (The biases are left out of the formulas.)
//!
//! Two things are missing: how to begin and when to stop. Before the first word there is no word to
//! read, so we give the decoder a special token, the *start symbol*. And the vocabulary has one
//! more entry that is not a word, the *end symbol*, which the decoder writes when the sentence is
//! complete.
//!
//! {no results} How is the word chosen? In *greedy decoding* the decoder writes the most probable
//! word at each step and does not reconsider it later. Let us follow one step by hand. The context
//! is $c = (1, -0.5)$, and $W$ leaves it as it is, so $s_0 = (\tanh 1, \tanh(-0.5)) = (0.762,
//! -0.462)$. Suppose that the logits were computed from this state alone: twice the first number
//! for "I", twice the second for "read", and for the end symbol minus the sum of the two numbers of
//! the state. They are $1.523$, $-0.924$ and $-0.299$. Softmax makes 0.801, 0.069 and 0.129 of
//! them. Greedy decoding writes "I".
//!
//! The program has one step of the decoder as a function, and a loop around it that stops at the
//! end symbol.
Tensor next_logits(const EncoderDecoder& model, const Tensor& c, int word, RecurrentState& s) {
    const Tensor y = model.embedding(Indices{word});  // [1, E]
    s = model.decoder.cell(concat({y, c}, 1), s);
    return model.output(tanh(model.decoder.readout(concat({s.hidden, c, y}, 1))));  // [1, V]
}

std::vector<int> translate_by_hand(const EncoderDecoder& model, const std::vector<int>& source) {
    const Tensor c = model.encoder(pad_sequences({source}).ids).summary;  // [1, C]
    RecurrentState s{tanh(model.decoder.initial(c)), {}};                 // [1, H]
    std::vector<int> words;
    for (int word = Vocabulary::bos; words.size() < 60;) {
        word = argmax(next_logits(model, c, word, s), 1)[0];
        if (word == Vocabulary::eos) break;
        words.push_back(word);
    }
    return words;
}

//! (In programs the start symbol is usually called `bos`, beginning of sentence, and the end symbol
//! `eos`, end of sentence.)
//!
//! ## How it is trained
//!
//! The training set consists of pairs of sentences. The loss is the cross-entropy: the mean of
//! $-\ln p$ of the right words (lesson {probabilities}). But which word does the decoder read as
//! the word before? If it read its own output, one wrong word at the beginning would spoil all the
//! others, and an untrained network writes wrong words only. So in training it reads the right word
//! before, whatever it has written itself. This is called *teacher forcing*: the network is given
//! the true words up to each position and is trained to predict the next one.
//!
//! For "I read a book" it has to predict five symbols, four words and the end. It gets the start
//! symbol and has to predict "I"; it gets "I" and has to predict "read"; it gets "read" and has to
//! predict "a"; and so on. The program computes the loss of a pair in this way, word by word, and
//! compares it with the loss of the library.
double loss_by_hand(const EncoderDecoder& model, const std::vector<int>& source,
                    const std::vector<int>& target) {  // ends with the end symbol
    const Tensor c = model.encoder(pad_sequences({source}).ids).summary;
    RecurrentState s{tanh(model.decoder.initial(c)), {}};
    double loss = 0;
    int before = Vocabulary::bos;
    for (const int word : target) {
        const Tensor logits = next_logits(model, c, before, s);
        loss -= log_softmax(logits, 1).at({0, word});
        before = word;  // the true word, not the one that the model would write
    }
    return loss / static_cast<double>(target.size());
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
    lesson.heading("An encoder, a decoder and one vector");
    lesson.show("encoder_decoder", architecture(),
                "The encoder reads the two Korean words (one direction is drawn), and the decoder "
                "writes the English ones. All information about the source passes through c. "
                "(The decoder reads c at every step; only the first arrow is drawn.) A word "
                "stands twice: once where the decoder writes it, and once where it reads it in "
                "the next step.");
    lesson.heading("How it is trained");
    const NoGrad no_grad;
    const EncoderDecoder model = make_model(text, 64, lesson.seed());
    double gap = 0;
    for (int i = 0; i < 5; ++i) {
        TextSet one;
        one.pairs = {text.test.pairs[i]};
        one.source = {text.test.source[i]};
        one.target = {text.test.target[i]};
        const double library = loss_of(translator(model), one);
        gap = std::max(gap, std::abs(loss_by_hand(model, one.source[0], one.target[0]) - library));
    }
    lesson.claim("loss-by-hand",
                 "loss of five sentences by hand against the library's, largest difference", gap,
                 at_most(1e-4));
}

//! ## Longer, but not harder
//!
//! Now the experiment: how many sentences are translated without an error, by their length? One
//! trap must be avoided. In most texts, long sentences also have a harder grammar: relative
//! clauses, reported speech, more than one tense. If they are translated worse, we do not know
//! whether the length is to blame or the grammar.
//!
//! So we vary the length alone. Our sentences are chains of one to five simple clauses, joined by
//! "and", as in the example at the beginning. Adjectives, times, places and relative clauses are
//! rare. All clauses come from the same grammar and are in the past tense. Each can be translated
//! without the others, and they stand in the same order in both languages. Inside a chain only the
//! ending of the verb is different: 고 means "and". So a clause in a long sentence is as hard as a
//! clause that stands alone. What grows with the number of clauses is only how much the vector has
//! to hold.
//!
//! There are 2,400 training sentences and 200 test sentences for each number of clauses, 12,000 and
//! 1,000 in all. No test sentence is in the training set.
//!
//! We count *exact match*: the share of test sentences of which every word is right. Three models
//! are trained on the same sentences for the same number of steps, each with two seeds. They differ
//! in one number, the width of $c$: 32, 64 or 128. The state of the decoder is as wide as $c$, and
//! so are the two states of the encoder together. So a wider model also has more parameters. That
//! is a second advantage for it. Before the results, the run prints one test sentence each of one,
//! two and three clauses, as examples.
constexpr int batch_size = 32;

Trained train_width(Lesson& lesson, const ParallelText& text, int width, int epochs) {
    Trained all{.width = width};
    const int most = clauses_of(text.test.pairs.back());
    const int64_t steps = epochs * text.train.size() / batch_size;
    for (int i = 0; i < (lesson.quick() ? 1 : 2); ++i) {
        const std::uint64_t seed = 100 * lesson.seed() + i;
        all.networks.push_back(make_model(text, width, seed));
        all.models.push_back(translator(all.networks.back()));
        course::ProgressLine line =
            lesson.progress(fmt::format("width {}, {}", width, i + 1), steps);
        train_translator(all.models.back(), text,
                         {.steps = steps, .batch_size = batch_size, .lr = 4e-3, .seed = seed},
                         [&](const heed::TrainProgress& p) { line.update(p.step, p.mean_loss); });
        line.clear();
        const Evaluation result = evaluate(all.models.back(), text, text.test);
        all.by_seed.push_back(exact_by_clauses(result, text.test, most));
        all.halves.push_back(half_clauses(all.by_seed.back()));
        if (i == 0) all.first = result;
    }
    return all;
}

void compare_widths(Lesson& lesson, const std::vector<Trained>& runs, const ParallelText& text,
                    Prediction guess) {
    show_sentences(lesson, text);
    show_exact(lesson, runs, text.test);
    const Trained &narrow = runs.front(), &wide = runs.back();
    const int most = static_cast<int>(wide.by_seed[0].size());
    lesson.claim("wide-short", "widest vector, one clause: exact match", wide.exact(1),
                 at_least(lesson.quick() ? 0.5 : 0.9));
    lesson.claim("wide-long", "widest vector, longest sentences: exact match", wide.exact(most),
                 at_most(lesson.quick() ? 0.2 : 0.1));
    lesson.claim("one-more-clause", "widest vector, one clause more: largest fall of exact match",
                 wide.largest_fall(), at_least(0.25));
    lesson.claim("clauses-gained",
                 "clauses at which half of the sentences are exact, widest minus narrowest",
                 wide.half() - narrow.half(), at_least(lesson.quick() ? 0.2 : 1));
    if (lesson.quick()) return;
    lesson.reveal(guess, runs[2].half() - runs[1].half());
    lesson.claim("clauses-gained-128", "the same, width 128 minus width 64",
                 runs[2].half() - runs[1].half(), at_least(0.3));
}

//! {if all wide-short > 0.9 and wide-long < 0.03} The widest model translates {wide-short:%} of the
//! single clauses without an error, and {wide-long:%} of the sentences of five clauses. A single
//! clause more costs up to {100 * one-more-clause:0} percentage points. To compare the widths by
//! one number, we draw straight lines between the measured points and read off where they cross one
//! half. (If less than half of the single clauses are exact, we count 0.) This crossing moves by
//! {clauses-gained:1} clauses from width 32 to width 128. {if all clauses-gained-128 > 0.3 and
//! clauses-gained > clauses-gained-128} Each doubling moves the fall to longer sentences, and no
//! width avoids it.
//!
//! After the results, a second table shows one translation in detail (its caption begins with
//! "Translating"). It follows the widest model, step by step, in a sentence of one clause: which
//! word it read before, which word it finds most probable, and how probable. The claim below it
//! compares our own loop with the translation by the library.
void follow_one_translation(Lesson& lesson, const Trained& run, const ParallelText& text) {
    const NoGrad no_grad;
    const EncoderDecoder& model = run.networks.front();
    const std::vector<int>& source = text.test.source[0];
    const Tensor c = model.encoder(pad_sequences({source}).ids).summary;
    RecurrentState s{tanh(model.decoder.initial(c)), {}};
    Table table({"reads", "most probable", "probability", "second", "probability"});
    int before = Vocabulary::bos;
    for (int step = 0; step < 12; ++step) {
        const Tensor p = softmax(next_logits(model, c, before, s), 1);
        add_two_best(table, p, before, text.target);
        before = argmax(p, 1)[0];
        if (before == Vocabulary::eos) break;
    }
    lesson.table(table, fmt::format("Translating {} with width {}.",
                                    joined(text.test.pairs[0].source), run.width));
    int different = 0;
    for (int i = 0; i < 20; ++i)
        different +=
            joined(text.target.decode_tokens(translate_by_hand(model, text.test.source[i]))) !=
            joined(run.first.outputs[i]);
    lesson.claim("translations-differ",
                 "of 20 sentences, those that the code above and the library translate differently",
                 different, at_most(0));
}

//! ## Is it only that long sentences have more words?
//!
//! There is a simple objection. A sentence counts only if every clause is right. Suppose that each
//! clause is right with the same probability $q$, whatever the sentence, and independently of the
//! other clauses. Then all of $n$ clauses are right with the probability
//!
//! $$ q^n . $$
//!
//! {no results} For $q = 0.95$ this is 0.90 with two clauses and 0.77 with five. So exact match
//! falls with the length even if the vector held everything equally well. We know $q$: it is exact
//! match for one clause. The table below has $q^n$ beside the measured share.
//!
//! A second measure looks at single words. With teacher forcing, we count how often the most
//! probable word is wrong, separately for each clause of the sentence. Now compare the **first**
//! clause of the longest sentences, those of five clauses, with a clause that stands alone. Both
//! are equally hard, and both stand at the beginning. If the vector held a long sentence as well as
//! a short one, the first clause would have as many wrong words in both.
void measure_word_errors(Lesson& lesson, const Trained& run, const TextSet& test,
                         Prediction guess) {
    lesson.heading("Is it only that long sentences have more words?");
    const int most = static_cast<int>(run.by_seed[0].size());
    ClauseErrors errors(most);
    for (const Translator& model : run.models) errors.add(model, test);
    show_clause_errors(lesson, run, errors);
    const double alone = errors.rate(1, 0), first_of_many = errors.rate(most, 0);
    const double expected = std::pow(run.exact(1), most);
    lesson.reveal(guess, first_of_many / alone);
    lesson.claim("first-clause-harm",
                 "wrong words in the first clause: longest sentences minus one clause alone",
                 first_of_many - alone, at_least(lesson.quick() ? 0.04 : 0.06));
    lesson.claim("long-if-independent",
                 "longest sentences: exact match if each clause were right as often as one alone, "
                 "minus the measured one",
                 expected - run.exact(most), at_least(lesson.quick() ? 0.1 : 0.5));
}

//! {if all long-if-independent > 0.5} If each clause were right as often as one that stands alone,
//! {long-if-independent + wide-long:%} of the sentences of five clauses would be exact, and not
//! {wide-long:%}.
//!
//! {if all first-clause-harm > 0.06} The first clause, too, has more wrong words when others follow
//! it, by {100 * first-clause-harm:0} percentage points when there are four. Its words are no
//! harder, and they are still the first ones to be written. But they share the vector with more
//! other words. This is called the bottleneck: everything has to pass through $c$, and the more has
//! to pass, the more of it is lost.
//!
//! ![No network is trained here: the words are simply added up in a vector of D numbers, each multiplied by random signs of its place, and read out again. Move the number of words, then double the width. A wider vector holds more words, and none holds all.](live:one_vector)
//!
//! ## Translations of long sentences
//!
//! What do the errors look like? Read some translations of the longest sentences. Is the grammar
//! wrong, or who did what?
void show_samples(Lesson& lesson, const std::vector<Trained>& runs, const TextSet& test) {
    lesson.heading("Translations of long sentences");
    show_long_sentences(lesson, runs, test);
}

}  // namespace

}  // namespace heed::lesson08

//! The output is mostly good English. The errors are in the contents: another animal, another verb,
//! a clause that says what a different clause should say. A narrow model may leave out a whole
//! clause. The decoder knows from training how sentences are built. What it does not know is what
//! exactly this one said.
//!
//! ## Is the vector really too small?
//!
//! It is tempting to say that a vector of 64 numbers simply has no room for a long sentence. Count
//! it. Suppose there were a million different clauses. $2^{20}$ is about a million, so 20 bits say
//! which of them a clause is, and 100 bits describe five clauses. A vector of 64 numbers in float32
//! has $64 \cdot 32 = 2048$ bits. So there is room in principle. The difficulty is to use it: the
//! encoder has to write each clause into the vector without disturbing the others, the decoder has
//! to find it again, and both have to learn this by gradient descent from a limited number of
//! examples. What we have measured is how much these networks learn to store with this training. It
//! grows with the width, and it stays limited.
//!
//! ## What this does not show
//!
//! It does not show that one vector can never be enough. More training and more data help as well.
//! The translators of 2014 had states of a thousand numbers and several layers and were trained on
//! millions of sentences, and they translated sentences of thirty words and more. But a longer
//! sentence always needs more, and the width is fixed before one knows the sentences. Our models of
//! different widths also differ in their number of parameters, so we cannot say how much of the
//! gain comes from the vector alone. The sentences are simple and repetitive on purpose. And each
//! model was trained with the same learning rate, which may suit one width better than another.
//!
//! Sources: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder for Statistical
//! Machine Translation" (2014), the encoder and decoder of this lesson; Sutskever, Vinyals and Le,
//! "Sequence to Sequence Learning with Neural Networks" (2014); Cho, van Merriënboer, Bahdanau and
//! Bengio, "On the Properties of Neural Machine Translation" (2014), where quality was measured by
//! length; Williams and Zipser (1989), for teacher forcing.
//!
//! ## Summary
//!
//! 1. An encoder reads the source sentence and ends in one vector, the context. A decoder writes
//!    the target sentence from it, one word at a time, from the start symbol to the end symbol.
//! 2. In training the decoder reads the true words before each position (teacher forcing). In use
//!    it reads its own words, and in greedy decoding it always takes the most probable one.
//! 3. The share of exact translations falls with the number of clauses, although each clause is as
//!    easy as the first.
//! 4. It is not only that more words can go wrong: the words of the first clause are wrong more
//!    often when other clauses follow it.
//! 5. A wider vector moves the fall to longer sentences. It does not remove it.
//!
//! ## Try this next
//!
//! 1. `--epochs 16`: does twice the training move the fall as far as twice the width?
//! 2. In `main`, add 256 to the widths (some minutes). How many clauses can it translate?
//! 3. In `make_model`, add `.bidirectional = false`. Which clause gets worse now, the first or the
//!    last?
//! 4. In `data.cpp`, set `richness = 100`, so that the clauses have adjectives, places and times.
//!    Does the number of clauses count, or the number of words?
using namespace heed;
using namespace heed::lesson08;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 8,
         .name = "bottleneck",
         .title = "Why one vector does not hold a sentence",
         .question = "A network stores a sentence in one vector and translates it from there. How "
                     "long may the sentence be?",
         .own_data = "12,000 Korean-English pairs of one to five simple clauses"});
    int epochs = 0;
    lesson.option("--epochs", epochs, "epochs: passes over the training pairs (8; quick 10)");
    return lesson.run(argc, argv, [&] {
        const bool quick = lesson.quick();
        if (epochs == 0) epochs = quick ? 10 : 8;
        Prediction doubled;  // what a quick run does not measure is not asked there
        if (!lesson.quick())
            doubled = lesson.predict(
                "The vector grows from 64 numbers to 128. By how many clauses does the length grow at "
                "which half of the sentences are translated without an error?",
                within(0.5));
        const Prediction first = lesson.predict(
            "The first clause of a long sentence has more wrong words than the same kind of clause "
            "alone. How many times as many?",
            within_factor(2));
        const ParallelText text = from_corpus(chains(
            lesson.seed(), quick ? ChainOptions{.most = 3, .train = 1300, .valid = 10, .test = 100}
                                 : ChainOptions{}));
        check_against_the_library(lesson, text);
        lesson.heading("Longer, but not harder");
        std::vector<Trained> runs;
        for (int width : quick ? std::vector<int>{32, 64} : std::vector<int>{32, 64, 128})
            runs.push_back(train_width(lesson, text, width, epochs));
        compare_widths(lesson, runs, text, doubled);
        follow_one_translation(lesson, runs.back(), text);
        measure_word_errors(lesson, runs.back(), text.test, first);
        show_samples(lesson, runs, text.test);
    });
}
