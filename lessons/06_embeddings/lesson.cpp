//! # How does a word become numbers?
//!
//! In lesson {attention} the word 학생, student, was the vector $(2, 1)$, made up so that the right
//! word fits. A translator has hundreds of words and gives each of them dozens of numbers. Who
//! chooses them?
//!
//! The network does, and it has only sentences like "I am a student" to learn from. A small grammar
//! generated them, so we know the kind of each word. The network is never told. Will it find out?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/06_embeddings/data.h"
#include "lessons/06_embeddings/experiment.h"
#include "lessons/06_embeddings/pictures.h"
#include "lessons/course/course.h"
#include "nn/nn.h"

namespace heed::lesson06 {

using namespace course;

namespace {

//! ## A number for each word
//!
//! The simplest idea is to number the words: student 0, reads 1, teacher 2, writes 3. To recognise
//! verbs, $w x + b$ should be negative at 0, positive at 1, negative at 2 and positive at 3. No
//! straight line does that. A number puts "teacher" between "reads" and "writes", which means
//! nothing.
//!
//! What does it cost? Networks predict the next word from the word before it, out of a
//! *vocabulary*, the list of all $V$ different words. Their input is the number of the word,
//! without or with a hidden layer, or its one-hot vector (lesson {probabilities}). We put their
//! losses on a scale. 0 means: no better than counting single words. 1 means: as good as counting
//! pairs, how often each word followed this one.
void compare_inputs(Lesson& lesson, const Texts& texts, const Vocabulary& vocabulary) {
    lesson.heading("A number for each word");
    const Prediction guess = lesson.predict(
        "With the number of the last word and no hidden layer: how far does the network get, from 0 "
        "(the loss of counting single words) to 1 (that of counting pairs)?",
        within(0.1).from(0, 1));
    show_inputs(lesson, losses_of_inputs(lesson, texts, vocabulary), vocabulary.size(), guess);
}

//! {if all one-hot > 0.98 and number-hidden < 0.3} The number gets {number-line:%} of the way, with
//! a hidden layer {number-hidden:%}. The one-hot vector gets {one-hot:%}: each word has weights of
//! its own, and none lies between two others.
//!
//! ## A row for each word
//!
//! A one-hot vector is long and nearly empty. What happens when it is multiplied by a matrix? Let
//! the rows of $E$ be the three vectors of lesson {attention}, and $x$ the one-hot vector of 학생,
//! which has the index 1:
void draw_lookup(Lesson& lesson) {
    lesson.heading("A row for each word");
    lesson.show(
        "lookup", lookup_maps(),
        "The one-hot vector of 학생, written as a column, has a 1 at row 1. This row of the "
        "table is the result.");
}

//! $$ x E = (0, 1, 0) \begin{pmatrix} 3 & 0 \\ 2 & 1 \\ 0 & 2 \end{pmatrix}
//!    = 0 \cdot (3, 0) + 1 \cdot (2, 1) + 0 \cdot (0, 2) = (2, 1). $$
//!
//! The product is the row with the index of the word, so it is enough to copy that row. $E$ is
//! called an *embedding* table, and its row $i$ is the embedding, or the vector, of word $i$. It
//! has $V$ rows and $D$ columns, here 16.
Tensor product_with_one_hot(const Tensor& E, const Indices& ids) {  // [V, D], [N] -> [N, D]
    return matmul(one_hot(ids, E.size(0), E.dtype()), E);
}

std::vector<double> copied_rows(const std::vector<double>& E, int64_t D, const Indices& ids) {
    std::vector<double> rows;
    for (const int id : ids) rows.insert(rows.end(), E.begin() + id * D, E.begin() + (id + 1) * D);
    return rows;
}

//! The table is learned, so it needs a gradient. Let a text be the words 1, 2, 1, with the
//! gradients $(1, 0)$, $(0, 1)$ and $(2, 2)$ for its three vectors. The gradient of the matrix in a
//! product $XE$ is $X^\top$ times the gradient of the result (lesson {autograd}).
Tensor gradient_of_table(const Tensor& E, const Indices& ids, const Tensor& g, bool by_product) {
    Tensor table = detach(E).set_requires_grad();
    const Tensor rows = by_product ? product_with_one_hot(table, ids) : embedding(table, ids);
    backward(sum(rows * g));  // g is then the gradient of the rows
    return table.grad();
}

//! So each row gets the sum over its occurrences: row 1 gets $(1, 0) + (2, 2) = (3, 2)$, row 2 $(0,
//! 1)$, row 0 nothing.
void check_lookup(Lesson& lesson) {
    show_lookup(lesson, tensor({3, 0, 2, 1, 0, 2}, {3, 2}, Dtype::float64), Indices{1, 2, 1},
                tensor({1, 0, 0, 1, 2, 2}, {3, 2}, Dtype::float64),
                {copied_rows, product_with_one_hot, gradient_of_table});
    show_costs_of_lookup(lesson);
}

//! ## Guess the word from its neighbours
//!
//! A network chooses the numbers of the table while it learns to guess a missing word:
//!
//! > I ____ a student
//!
//! Only a verb fits. The network has to know which words stand in which surroundings, and 16
//! numbers are too few to store them for each word separately. But two words that fit the same gaps
//! need the same answers, and if their vectors are similar, these are learned only once.
//!
//! A *continuous bag of words* (Mikolov et al. 2013) takes the mean $h$ of the vectors of the two
//! words before the gap and the two after it. Each word $v$ of the vocabulary has a second vector,
//! $u_v$, and a number $b_v$:
//!
//! $$ h = \frac{1}{4} (E_{i_1} + E_{i_2} + E_{i_3} + E_{i_4}), \qquad
//!    p_v = \frac{e^{u_v \cdot h + b_v}}{\sum_w e^{u_w \cdot h + b_w}}, \qquad
//!    \text{loss} = -\ln p_k $$
//!
//! $i_1$ to $i_4$ are the indices of the neighbours, $E_i$ is row $i$, and the missing word is word
//! $k$.
struct WordGuesser {
    Embedding vectors;  // E [V, D]
    Linear scores;      // u [V, D] and b [V]

    WordGuesser(int64_t vocabulary, int64_t width, Rng& rng)
        : vectors(vocabulary, width, rng), scores(width, vocabulary, rng) {}
    template <class F>
    void visit(F&& f) {
        f("vectors", vectors);
        f("scores", scores);
    }
    Tensor operator()(const Indices& neighbours) const {  // [B, 4] -> [B, V]
        return scores(mean(vectors(neighbours), 1));
    }
};

//! Beyond the ends of a sentence stand two markers, for its beginning and its end. All entries of a
//! vocabulary are called *tokens*, and the markers special tokens.
void draw_the_guesser(Lesson& lesson, const Vocabulary& vocabulary, const Settings& settings) {
    lesson.heading("Guess the word from its neighbours");
    show_guesser(lesson, vocabulary.size(), settings.width);
}

//! {no results} One step by hand, with two neighbours: "I" has the vector $(1, 0)$ and "a" has $(0,
//! 2)$, so $h = (0.5, 1)$. Let $u$ be $(2, 1)$ for "am", $(0, -1)$ for "student", $(1, 0)$ for
//! "the", and all $b = 0$. The scores are 2, -1 and 0.5, and softmax makes $p = (0.786, 0.039,
//! 0.175)$ of them. "am" is right, so their gradient is $p - y$ (lesson {probabilities}): $(-0.214,
//! 0.039, 0.175)$. That of $h$ is the sum of the vectors $u$ times these numbers, $(-0.253,
//! -0.253)$, and each neighbour gets half: $(-0.127, -0.127)$.
//!
//! A step subtracts this, so "I" and "a" move towards "am". In "he is a student" and "she is a
//! student", he and she are pushed in the same direction.
//!
//! ![I am, he is, she is a student. The verb is guessed from the vector of the pronoun. Raise the number of steps: which of the three come together?](live:together)
void work_by_hand(Lesson& lesson) {
    Rng rng(1);
    WordGuesser model(3, 2, rng);
    model.vectors.weight.assign(tensor({1, 0, 0, 2, 0, 0}, {3, 2}));
    model.scores.weight.assign(tensor({2, 1, 0, -1, 1, 0}, {3, 2}));
    model.scores.bias.assign(zeros({3}));
    const Tensor logits = model(Indices(std::vector<int>{0, 1}, {1, 2}));
    backward(cross_entropy(logits, Indices{0}));
    const Tensor p = select(softmax(logits, 1), 0, 0), g = model.vectors.weight.grad();
    lesson.listing(
        fmt::format("probabilities of am, student, the:  {}\n"
                    "gradients of the two neighbours:    {}",
                    rows_on_a_line(unsqueeze(p, 0)), rows_on_a_line(slice(g, 0, 0, 2))));
    const Tensor by_hand = tensor({0.786, 0.039, 0.175, -0.127, -0.127, -0.127, -0.127}, {7});
    const Tensor run = concat({p, reshape(slice(g, 0, 0, 2), {4})}, 0);
    lesson.claim("by-hand",
                 "identity: the numbers by hand against the library's, largest difference",
                 max(abs(run - by_hand)).item(), at_most(0.001));
}

//! Now the real training. The grammar has fourteen classes of words, such as person, animal, verb
//! with -s.
WordGuesser guesser_trained_on(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary,
                               const Settings& settings, uint64_t seed) {
    Rng rng(seed);
    WordGuesser model(vocabulary.size(), settings.width, rng);
    const Gaps gaps = gaps_in(sentences, vocabulary, 2, 2);
    fit(model, gaps, {.steps = settings.steps, .batch = 256, .lr = 0.02}, rng);
    return model;
}

//! The word nearest to another has the largest *cosine*: $a \cdot b$ divided by both lengths, 1 for
//! the same direction and 0 for a right angle.
WordGuesser learn_vectors(Lesson& lesson, const Texts& texts, const Vocabulary& vocabulary,
                          const Settings& settings) {
    const bool own_file = !lesson.options().data.empty();
    const KnownWords known = known_words(vocabulary, !own_file);
    const Prediction guess =
        own_file ? Prediction{}
                 : lesson.predict(
                       "After training: for what share of the words is the nearest word "
                       "of the same class?",
                       within(0.05).from(0, 1));
    const WordGuesser model = guesser_trained_on(texts.train, vocabulary, settings, lesson.seed());
    show_neighbours(lesson, vocabulary, known, vectors_of(model.vectors, known.ids));
    const Gaps gaps = gaps_in(texts.test, vocabulary, 2, 2);
    const double counted =
        counted_losses(gaps_in(texts.train, vocabulary, 2, 2), gaps, vocabulary.size()).words;
    show_gap_loss(lesson, loss_on(model, gaps), counted);
    if (own_file) return model;

    Rng rng(lesson.seed());
    const WordGuesser untrained(vocabulary.size(), settings.width, rng);
    show_agreement(lesson, known, vectors_of(untrained.vectors, known.ids),
                   vectors_of(model.vectors, known.ids), guess);
    show_growth(lesson, known, texts.train, settings.seeds, [&](const auto& some, uint64_t seed) {
        return vectors_of(guesser_trained_on(some, vocabulary, settings, seed).vectors, known.ids);
    });
    return model;
}

//! {if all nearest-class > 0.75} For {nearest-class:%} of the words, the nearest one is of the same
//! class. {if all nearest-group > 0.95} The misses have a reason: in six groups, with all verbs
//! in one, it is {nearest-group:%}. We put "write", "writes" and "wrote" into three classes, but
//! all stand before "a letter".
//!
//! Sixteen numbers cannot be drawn. *Principal component analysis* (Pearson 1901) finds the two
//! directions in which they differ most, and we draw those:
void draw_vectors(Lesson& lesson, const Vocabulary& vocabulary, const WordGuesser& model) {
    const KnownWords known = known_words(vocabulary, lesson.options().data.empty());
    show_plane(lesson, vocabulary, known, vectors_of(model.vectors, known.ids));
}

//! There are divisions inside the groups, too: look at the people, of which the plurals have a ring.
//!
//! ## Sentences of different lengths
//!
//! A tensor has rows of equal length, sentences do not. *Padding* fills up the shorter ones with a
//! special token, here with the id 0:
//!
//! | 1 | 2 | 3 | 4 | 5 | in English |
//! | --- | --- | --- | --- | --- | --- |
//! | 나는 | 학생 | 이다 | "pad" | "pad" | I am a student |
//! | 그는 | 그 | 책 | 을 | 읽었다 | he read the book |
//! | 그녀는 | 잤다 | "pad" | "pad" | "pad" | she slept |
//!
//! Let the vector of a sentence be the mean of its words' vectors. `mean(vectors, 1)` divides the
//! first one by 5, because of the sentence beside it. A *mask* $m$ is 1 at words and 0 at padding.
//! It is multiplied in before the sum, and its sum is the divisor:
//!
//! $$ \text{mean}_b = \frac{\sum_t m_{bt} \, E_{i_{bt}}}{\sum_t m_{bt}} $$
//!
//! $i_{bt}$ is the id at position $t$ of sentence $b$.
Tensor masked_mean(const Tensor& vectors, const Tensor& mask) {  // [B, T, D], [B, T] -> [B, D]
    const Tensor m = unsqueeze(mask, -1);                        // [B, T, 1]
    return sum(vectors * m, 1) / sum(m, 1);
}

//! The means of 32 sentences and their gradient, alone and in one batch:
void compare_masks(Lesson& lesson, const std::vector<Sentence>& sentences,
                   const Vocabulary& vocabulary, const WordGuesser& model) {
    lesson.heading("Sentences of different lengths");
    show_masks(lesson, mask_errors(sentences, vocabulary, model.vectors.weight, lesson.seed(),
                                   masked_mean));
}

}  // namespace

}  // namespace heed::lesson06

//! Without a mask nothing warns us: the loss falls all the same. So compare a sentence alone and in
//! a batch. What padding costs, and what to do with a word that is not in the table, is measured in
//! workshop {subwords}. Until then, such words share one more token, "unknown".
//!
//! ## What this does not show
//!
//! In real texts words have several meanings, and each gets a single vector (until lesson
//! {self_attention}). And similar vectors mean that words are used
//! alike, not that they mean the same: "big" and "small" stand in the same gaps.
//!
//! Sources: Bengio et al., "A Neural Probabilistic Language Model" (2003);
//! Mikolov et al., "Efficient Estimation of Word Representations in Vector Space" (2013); Harris,
//! "Distributional Structure" (1954), and Firth, "A Synopsis of Linguistic Theory" (1957), that
//! words are known by their surroundings; Pearson (1901).
//!
//! ## Summary
//!
//! 1. A number for each word puts the words in an order that means nothing.
//! 2. A one-hot vector times a matrix is a row of the matrix: a lookup in a table of embeddings.
//! 3. The gradient of a row is the sum over all occurrences of its word.
//! 4. Guessing words from their neighbours gives similar vectors to words that are used alike.
//! 5. Padding makes sentences equally long, and a mask keeps it out of the result.
//!
//! ## Try this next
//!
//! 1. `--width 2`: can two numbers keep fourteen classes apart?
//! 2. `--data my.txt`: which words of your text are neighbours?
using namespace heed;
using namespace heed::lesson06;

int main(int argc, char** argv) {
    Lesson lesson({.number = 6,
                   .name = "embeddings",
                   .title = "How does a word become numbers?",
                   .question = "A network computes with numbers. How can it read words, and "
                               "sentences of any length?",
                   .data = "a text, UTF-8, with blanks between the words; a line is a sentence",
                   .own_data = "English sentences from the grammar of the course"});
    Settings settings;
    lesson.option("--width", settings.width, "numbers in the vector of a word (16)");
    lesson.option("--steps", settings.steps, "steps of training of the vectors (2000; quick 400)");
    lesson.option("--seeds", settings.seeds, "training runs for each length of text (3; quick 1)");
    return lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        const Texts texts = text_of(lesson);
        const auto words = [&](int most) {
            return Vocabulary::build(lines_of(texts.train), {.max_size = most});
        };
        const Vocabulary vocabulary = words(largest_vocabulary);
        compare_inputs(lesson, texts, lesson.options().data.empty() ? vocabulary : words(300));
        draw_lookup(lesson);
        check_lookup(lesson);
        draw_the_guesser(lesson, vocabulary, settings);
        work_by_hand(lesson);
        const WordGuesser model = learn_vectors(lesson, texts, vocabulary, settings);
        draw_vectors(lesson, vocabulary, model);
        compare_masks(lesson, texts.train, vocabulary, model);
    });
}
