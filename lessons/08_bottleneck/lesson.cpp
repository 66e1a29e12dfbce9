//! # Why one vector does not hold a sentence
//!
//! Read 나는 학생 이다, "I am a student", look away, and write both down. That is easy. Now this one:
//!
//! > 그는 그 노래 를 부르고 그 학생 은 그 공원 에 오지 않고 그녀는 잤다
//! >
//! > he sang the song and the student did not come to the park and she slept
//!
//! Who sang? Who did not come? In 2014 networks began to translate in just this way. One network
//! reads the Korean sentence and ends in one vector. A second one generates the English from this
//! vector and never looks back. How long may the sentence be? And does a wider vector help?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/08_bottleneck/data.h"
#include "lessons/08_bottleneck/experiment.h"
#include "lessons/08_bottleneck/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson08 {

using namespace course;

namespace {

//! ## An encoder, a decoder and one vector
//!
//! Why not word by word? After 나는 we can say "I". English has "am" next, but in Korean the verb
//! comes last. And "a" has no Korean word at all. The sentence has to be read to its end before the
//! first word is generated.
//!
//! So there are two networks. The *encoder* is the network that reads the source sentence and turns
//! it into vectors. The *decoder* is the network that generates the target sentence, one word at a
//! time. Between the encoder and the decoder stands the *context vector* $c$, which is made from
//! the last states of the encoder and is all that the decoder learns about the source.
void draw(Lesson& lesson) {
    lesson.heading("An encoder, a decoder and one vector");
    lesson.show("encoder_decoder", architecture(),
                "Everything that is known of the three Korean words passes through c. The encoder "
                "is drawn in one of its two directions. At every step the decoder also reads c "
                "and the word it has just generated; these arrows are left out.");
}

//! Our encoder is a GRU (lesson {recurrence}) that reads the sentence from left to right, which
//! remembers the end best, and once more from right to left. The two last states, one after the
//! other, are $c$. The decoder is a GRU as well. At step $t$ it reads $c$ and the embedding
//! $y_{t-1}$ of the word that it generated before:
//!
//! $$ s_0 = \tanh(W c), \qquad s_t = \operatorname{GRU}([y_{t-1}; c], s_{t-1}), \qquad
//! p_t = \operatorname{softmax}(O \tanh(R [s_t; c; y_{t-1}])) . $$
//!
//! $[a; b]$ is two vectors one after the other, $W$, $R$ and $O$ are learned matrices, and $p_t$
//! has a probability for each word of the vocabulary.
//!
//! Before the first word the decoder reads a token that is no word, the *start symbol* (`bos`).
//! When the sentence is complete the decoder generates the *end symbol* (`eos`). In *greedy
//! decoding* the decoder takes the most probable word at each step and does not reconsider it
//! later. One step is a function, and translating is a loop around it:
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

//! ## How it is trained
//!
//! The loss is the cross-entropy (lesson {probabilities}), the mean of $-\ln p$ of the right words.
//! But if the decoder read its own output, one wrong word at the beginning would spoil all the
//! others. So in training it reads the right previous word, even if its own was wrong. This is
//! called *teacher forcing*: the network is given the true words up to each position and is trained
//! to predict the next one.
//!
//! {no results} For "I am a student" it has to predict four words and the end. If the right ones
//! get the probabilities 0.9, 0.5, 0.8, 0.4 and 0.95, the loss is $(0.105 + 0.693 + 0.223 + 0.916 +
//! 0.051) / 5 = 0.398$.
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
    lesson.heading("How it is trained");
    const NoGrad no_grad;
    const double on_paper = mean(-log(tensor({0.9, 0.5, 0.8, 0.4, 0.95}))).item();
    lesson.claim("loss-on-paper",
                 "loss of the five symbols in the text, against its three decimals",
                 std::abs(on_paper - 0.398), at_most(5.1e-4));
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
//! Long sentences often have a harder grammar. So we vary the length alone. Our sentences are
//! chains of simple clauses, joined by "and". All are in the past, which in Korean only the last
//! verb shows. So each clause can be translated without the others, and their order is the same in
//! both languages. What grows is only how much the vector has to hold. (Particles of nouns, such as
//! 을 or 를 for the object, and the plural suffix 들 are words of their own in this course; otherwise
//! a noun would have many forms. 그, "that", stands for "the".)
//!
//! We count *exact match*: the share of test sentences of which every word is right. The models are
//! trained equally long. The decoder's state is as wide as $c$ and each of the encoder's two half as
//! wide, so a wider model also has more parameters. {full run} There are three, with a $c$ of 32, 64
//! and 128 numbers, and for each number of clauses, one to five, 2,400 training sentences and 200
//! others for the test.
//!
//! {code material/translation/translation.cpp train_translator}
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

void compare_widths(Lesson& lesson, const std::vector<Trained>& runs, const ParallelText& text) {
    Prediction guess;  // what a quick run does not measure is not asked there
    if (!lesson.quick())
        guess = lesson.predict(
            "The vector grows from 64 numbers to 128. By how many clauses does the length grow at "
            "which half of the sentences are translated without an error?",
            within(0.5).from(0, 10));
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
//! single clauses without an error, and {wide-long:%} of the sentences of five clauses. One clause
//! more costs up to {100 * one-more-clause:0} percentage points. {if all clauses-gained-128 > 0.3
//! and clauses-gained > clauses-gained-128} {full run} From 32 numbers to 128, the length at which
//! half of the sentences are exact grows by {clauses-gained:1} clauses. Each doubling moves the
//! fall to longer sentences, and none of our three widths avoids it.
//!
//! One of its translations:
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
//! {no results} If each of $n$ clauses is right with the same probability $q$, independently of the
//! others, then all are right with the probability $q^n$: for $q = 0.95$ and five clauses 0.77. So
//! exact match falls even if the vector holds everything. The table has $q^n$ beside the measured
//! share. A second measure looks at one clause: with teacher forcing, we count the wrong words in
//! the **first** clause of the longest sentences and in a clause that stands alone. Both are equally
//! hard, and both stand at the beginning. If the vector held them equally well, the shares would be
//! equal.
void measure_word_errors(Lesson& lesson, const Trained& run, const TextSet& test) {
    lesson.heading("Is it only that long sentences have more words?");
    const Prediction guess = lesson.predict(
        "The first clause of a long sentence has more wrong words than the same kind of clause "
        "alone. How many times as many?",
        within_factor(2).from(0));
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
//! {wide-long:%}. {if all first-clause-harm > 0.06} And the first clause has more wrong words when
//! four others follow it, by {100 * first-clause-harm:0} percentage points. It has not become
//! harder; it shares the vector. This is called the bottleneck: everything has to pass through $c$,
//! and the more there is, the more is lost.
//!
//! ![Without training: words, multiplied by random signs of their place, are added up in a vector and read out again. Move the number of words, then double the width.](live:one_vector)
//!
//! What is wrong with the translations of the longest sentences?
void show_samples(Lesson& lesson, const std::vector<Trained>& runs, const TextSet& test) {
    show_long_sentences(lesson, runs, test);
}

}  // namespace

}  // namespace heed::lesson08

//! The English is good, but the content is wrong. There is another animal or another verb, or words
//! from another clause. The decoder knows how sentences are built. It does not know what this one
//! said.
//!
//! Is the vector too small? 20 bits can name one of a million clauses, so 100 bits name five, and
//! 64 numbers of float32 have 2,048. There is room. The difficulty is to store each clause without
//! disturbing the others, and to find it again.
//!
//! ## What this does not show
//!
//! That one vector can never be enough: the translators of 2014 had states of a thousand numbers,
//! learned from millions of sentences, and translated thirty words and more. That of Sutskever read
//! each source sentence backwards, which brings the first words of both sentences close together,
//! and became better (section 3.3).
//!
//! Sources: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014), whose
//! encoder reads in one direction; Sutskever, Vinyals and Le (2014), "Sequence to Sequence
//! Learning"; Cho, van Merriënboer, Bahdanau and Bengio (2014), quality by length; Williams and
//! Zipser (1989), teacher forcing.
//!
//! ## Summary
//!
//! 1. An encoder reads the source sentence and ends in one vector. From it a decoder generates the
//!    target sentence, word by word, until the end symbol.
//! 2. In training the decoder reads the true words (teacher forcing), in use its own.
//! 3. Exact match falls with the number of clauses, although each clause is equally easy.
//! 4. Even the first clause suffers when others follow it.
//! 5. A wider vector moves the fall to longer sentences. None of ours removed it.
//!
//! ## Try this next
//!
//! 1. `--epochs 16`: does twice the training move the fall as far as twice the width?
//! 2. In `make_model`, add `.bidirectional = false`. Which clause suffers now?
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
        const ParallelText text = from_corpus(chains(
            lesson.seed(), quick ? ChainOptions{.most = 3, .train = 1300, .valid = 10, .test = 100}
                                 : ChainOptions{}));
        draw(lesson);
        check_against_the_library(lesson, text);
        lesson.heading("Longer, but not harder");
        std::vector<Trained> runs;
        for (int width : quick ? std::vector<int>{32, 64} : std::vector<int>{32, 64, 128})
            runs.push_back(train_width(lesson, text, width, epochs));
        compare_widths(lesson, runs, text);
        follow_one_translation(lesson, runs.back(), text);
        measure_word_errors(lesson, runs.back(), text.test);
        show_samples(lesson, runs, text.test);
    });
}
