//! # How does a word become numbers?
//!
//! A network adds and multiplies numbers. A text consists of words. So each word has to be replaced
//! by numbers, and after that the network sees nothing else of the word. This lesson builds the
//! replacement that all language models (networks that predict the next word, lesson
//! {language_model}) use: each word gets a row in a table, a vector of its own, and the numbers in
//! the table are learned. Then two practical questions follow. Sentences have different lengths:
//! how do they fit into one tensor? And what is done with a word that is not in the table?
//!
//! The text is the course's corpus, sentences like "the student reads a book" in English and in
//! Korean. A small grammar generated them, so we know what kind of word each word is. The networks
//! are never told.

#include <chrono>
#include <cmath>
#include <numeric>

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
//! The first idea is to number the words: dog 0, reads 1, horse 2, writes 3. Take a unit that
//! should tell animals from verbs. It computes $w x + b$ from the number $x$ of the word and says
//! "verb" if the result is positive. Dog (0) and horse (2) must give a negative result, reads (1)
//! and writes (3) a positive one. A straight line cannot do that: it would have to rise above zero
//! at 1, fall below it at 2 and rise again at 3.
//!
//! Another order would not help. A number says that "horse" lies between "reads" and "writes", and
//! that "writes" is three times "reads". Nothing like that is true of the words, but the network
//! has to compute with it.
//!
//! How much does this cost? We train networks to predict the next word of a sentence from the word
//! before it. The *vocabulary* is the list of all $V$ different words. The network computes a score
//! for each of them, and the loss is the cross-entropy of lesson {probabilities}. We try three
//! kinds of input:
//!
//! * the number of the word, divided by $V$ so that it lies between 0 and 1;
//! * the same number, with a hidden layer of 64 units behind it (lesson {learning});
//! * a one-hot vector (lesson {probabilities}): $V$ numbers for each word, a 1 at the index of the
//!   word and 0 everywhere else.
struct FromNumber {
    Linear hidden, output;
    bool deep;

    FromNumber(int64_t vocabulary, bool has_hidden, Rng& rng)
        : hidden(1, 64, rng), output(has_hidden ? 64 : 1, vocabulary, rng), deep(has_hidden) {}
    template <class F>
    void visit(F&& f) {
        if (deep) f("hidden", hidden);
        f("output", output);
    }
    Tensor operator()(const Indices& ids) const {  // [B, 1] -> [B, V]
        const Tensor x = to_tensor(ids) / static_cast<double>(output.weight.size(0));
        return output(deep ? tanh(hidden(x)) : x);
    }
};

struct FromOneHot {
    Linear output;

    FromOneHot(int64_t vocabulary, Rng& rng) : output(vocabulary, vocabulary, rng) {}
    template <class F>
    void visit(F&& f) {
        f("output", output);
    }
    Tensor operator()(const Indices& ids) const {  // [B, 1] -> [B, V]
        return output(squeeze(one_hot(ids, output.weight.size(0)), 1));
    }
};

//! How good is a loss? Two tables of counts make a scale. The first one ignores the word before: it
//! gives each word the share that it has in the training text. A network that learns anything gets
//! at least as far. The second one counts how often each word follows each other word. A network
//! that sees only the word before can hardly do better. So we measure how far each network gets on
//! the way from the first loss, which counts as 0, to the second, which counts as 1.
void compare_inputs(Lesson& lesson, const Texts& texts, const Vocabulary& vocabulary) {
    lesson.heading("A number for each word");
    const Prediction guess = lesson.predict(
        "With the number of the last word and no hidden layer: what share of the way from the "
        "first "
        "table's loss to the second table's does the network make, from 0 to 1?",
        within(0.1));
    const Gaps train = gaps_in(texts.train, vocabulary, 1, 0),
               test = gaps_in(texts.test, vocabulary, 1, 0);
    const int64_t V = vocabulary.size();
    const Fitting how{.steps = lesson.quick() ? 300 : 1500, .batch = 256, .lr = 0.03};
    Rng rng(lesson.seed());
    FromNumber line(V, false, rng), deep(V, true, rng);
    FromOneHot one_hot(V, rng);
    fit(line, train, how, rng);
    fit(deep, train, how, rng);
    fit(one_hot, train, how, rng);
    const CountedLosses counted = counted_losses(train, test, vocabulary.size());
    const double losses[] = {loss_on(line, test), loss_on(deep, test), loss_on(one_hot, test)};
    const auto way = [&](double loss) {
        return (counted.words - loss) / (counted.words - counted.pairs);
    };
    Table table({"input", "loss on the test sentences", "share of the way"});
    table.row("none: counts of words", counted.words, number(0, 1));
    table.row("number, straight line", losses[0], number(way(losses[0]), 3));
    table.row("number, hidden layer of 64", losses[1], number(way(losses[1]), 3));
    table.row("one-hot vector", losses[2], number(way(losses[2]), 3));
    table.row("word: counts of pairs", counted.pairs, number(1, 1));
    lesson.table(table,
                 fmt::format("Predicting the next word from the last one, out of {} words; four "
                             "of them are markers, such as the end of a sentence. The loss "
                             "is in nats a word.",
                             V));
    lesson.reveal(guess, way(losses[0]));
    if (!lesson.options().data.empty()) return;
    lesson.claim("number-line", "finding: share of the way with a number and a straight line",
                 way(losses[0]), at_most(0.2));
    lesson.claim("number-hidden", "finding: share of the way with a number and a hidden layer",
                 way(losses[1]), at_most(0.35));
    lesson.claim("one-hot", "finding: share of the way with a one-hot vector", way(losses[2]),
                 at_least(lesson.quick() ? 0.85 : 0.95));
}

//! {if all one-hot > 0.98 and number-hidden < 0.3} With a number and a straight line, the network
//! gets {number-line:%} of the way. The hidden layer bends the line and gets {number-hidden:%}. But
//! neighbouring numbers still have to get similar predictions. The one-hot vector has no such
//! neighbours, and gets {one-hot:%} of the way: all pairs of words have the same distance, $\sqrt
//! 2$, and each word has weights of its own.
//!
//! ## A row for each word
//!
//! A one-hot vector is long: one number for each word of the vocabulary, and all but one are zero.
//! What happens when it is multiplied by a matrix? Let $E$ be a matrix with a row for each of three
//! words and two columns, and $x$ the one-hot vector of the second word, with the index 1:
//!
//! $$ x E = (0, 1, 0) \begin{pmatrix} 1 & 0 \\ 2 & -1 \\ 0.5 & 3 \end{pmatrix}
//!    = 0 \cdot (1, 0) + 1 \cdot (2, -1) + 0 \cdot (0.5, 3) = (2, -1). $$
//!
//! The product is the row of the matrix with the index of the word. All other rows are multiplied
//! by zero. So nobody has to compute the product: it is enough to copy the row. The matrix $E$ is
//! called an *embedding* table, and its row $i$ is the embedding, or the vector, of word $i$. It
//! has $V$ rows and $D$ columns. The width $D$ is much smaller than $V$: 16 in this lesson; from
//! 768 to 1,600 in the four sizes of GPT-2, a language model of 2019 whose vocabulary has 50,257
//! entries.
Tensor product_with_one_hot(const Tensor& E, const Indices& ids) {  // [V, D], [N] -> [N, D]
    return matmul(one_hot(ids, E.size(0), E.dtype()), E);
}

std::vector<double> copied_rows(const std::vector<double>& E, int64_t D, const Indices& ids) {
    std::vector<double> rows;
    for (const int id : ids) rows.insert(rows.end(), E.begin() + id * D, E.begin() + (id + 1) * D);
    return rows;
}

//! The table is learned, so we need its gradient. Suppose a text contains the words 1, 2, 1, and
//! the gradients of the loss with respect to the three vectors are $(1, 0)$, $(0, 1)$ and $(2, 2)$.
//! The gradient of a matrix product $XE$ is $X^\top$ times the gradient of its result (lesson
//! {autograd}). Here the row $i$ of $X^\top$ has a 1 wherever the text has word $i$. So the
//! gradient of row $i$ is the sum of the gradients of all its occurrences:
//!
//! * row 0 does not occur: $(0, 0)$;
//! * row 1 occurs twice: $(1, 0) + (2, 2) = (3, 2)$;
//! * row 2 occurs once: $(0, 1)$.
//!
//! So a word that is not in the minibatch (lesson {learning}), from now on called a batch, gets no
//! gradient at all. The run compares the library's lookup (`Embedding`, or the function
//! `embedding`) with the product and with the copied rows, for these numbers and for random ones.
Tensor gradient_of_table(const Tensor& E, const Indices& ids, const Tensor& g, bool by_product) {
    Tensor table = detach(E).set_requires_grad();
    const Tensor rows = by_product ? product_with_one_hot(table, ids) : embedding(table, ids);
    backward(sum(rows * g));  // g is then the gradient of the rows
    return table.grad();
}

void check_lookup(Lesson& lesson) {
    lesson.heading("A row for each word");
    const Tensor E = tensor({1, 0, 2, -1, 0.5, 3}, {3, 2}, Dtype::float64),
                 g = tensor({1, 0, 0, 1, 2, 2}, {3, 2}, Dtype::float64);
    const Indices text{1, 2, 1};
    lesson.listing(fmt::format(
        "rows of the words 1, 2, 1:        {}\n"
        "gradient of rows 0, 1, 2:         {}",
        rows_on_a_line(embedding(E, text)), rows_on_a_line(gradient_of_table(E, text, g, false))));

    Rng rng(lesson.seed());
    const int64_t V = 500, D = 16;
    std::vector<int> some;
    for (int i = 0; i < 64; ++i) some.push_back(static_cast<int>(rng.below(V)));
    const Indices ids(some);
    const Tensor table = normal({V, D}, 0, 1, rng, Dtype::float64),
                 covector = normal({64, D}, 0, 1, rng, Dtype::float64);
    const Tensor rows = embedding(table, ids);
    const std::vector<double> by_hand = copied_rows(table.to_vector(), D, ids);
    const Tensor copied = tensor(by_hand, {64, D}, Dtype::float64);
    lesson.claim(
        "lookup-product",
        "identity: rows copied, and rows by the product, against the library's, largest difference",
        std::max(max(abs(copied - rows)).item(),
                 max(abs(product_with_one_hot(table, ids) - rows)).item()),
        at_most(0));
    const Tensor by_lookup = gradient_of_table(table, ids, covector, false),
                 by_product = gradient_of_table(table, ids, covector, true);
    lesson.claim(
        "table-gradient",
        "identity: gradient of the table by lookup against that by the product, largest difference",
        max(abs(by_lookup - by_product)).item(), at_most(1e-12));
    double untouched = 0;
    for (int word = 0; word < V; ++word)
        if (std::find(some.begin(), some.end(), word) == some.end())
            untouched = std::max(untouched, max(abs(select(by_lookup, 0, word))).item());
    lesson.claim("absent-rows", "identity: largest gradient in the rows of words that do not occur",
                 untouched, at_most(0));
    show_costs_of_lookup(lesson);
}

//! The two compute the same and differ in their cost. The product needs $V D$ multiply-adds for
//! each word of the text, nearly all of them with zero; the lookup needs none and copies $D$
//! numbers.
//!
//! ## Guess the word from its neighbours
//!
//! Which numbers should stand in the table? We could invent a column for "is alive" and another one
//! for "can be eaten". Instead we let a network choose. It has to guess the word that is missing in
//! a sentence:
//!
//! > the student ____ a book
//!
//! Only verbs fit. To guess well, the network has to know which words stand in which surroundings.
//! And it has only 16 numbers for each word, too few to store the surroundings of each word
//! separately. Two words that fit the same gaps need the same answers. If their vectors are
//! similar, the network has to learn these answers only once. Will it find this out? That is what
//! we measure.
//!
//! The network is as simple as possible. A *continuous bag of words* (Mikolov et al. 2013) predicts
//! a word from the mean of the vectors of the words around it. Ours looks up the vectors of the two
//! words before the gap and of the two words after it, and takes their mean, $h$. Then each word
//! $v$ of the vocabulary gets a score: the product of $h$ with a second vector of that word, $u_v$,
//! plus a number $b_v$:
//!
//! $$ h = \frac{1}{4} (E_{i_1} + E_{i_2} + E_{i_3} + E_{i_4}), \qquad
//!    p_v = \frac{e^{u_v \cdot h + b_v}}{\sum_w e^{u_w \cdot h + b_w}}, \qquad
//!    \text{loss} = -\ln p_k $$
//!
//! Here $i_1$ to $i_4$ are the indices of the four neighbours, $E_i$ is row $i$ of the table, and
//! the missing word is word $k$. Where the sentence has no more words, a neighbour is a marker for
//! its beginning or its end, which has a row in the table as words have. The common name for all
//! entries of a vocabulary is *token*, and the markers are called special tokens. The table $E$,
//! the vectors $u_v$ and the numbers $b_v$ are learned together.
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

//! {no results} Let us compute one step by hand, with vectors of width 2 and only two neighbours.
//! Their vectors are $(1, 0)$ and $(0, 2)$, so $h = (0.5, 1)$. The vocabulary has three words, with
//! $u = (2, 1)$ for "reads", $(0, -1)$ for "dog", $(1, 0)$ for "the", and all $b = 0$.
//!
//! 1. The scores are $2 \cdot 0.5 + 1 \cdot 1 = 2$, then $-1$, then $0.5$.
//! 2. Their exponentials $e^2$, $e^{-1}$ and $e^{0.5}$ have the sum $9.406$. The probabilities are
//!    $0.786$, $0.039$ and $0.175$.
//! 3. The missing word was "reads": the loss is $-\ln 0.786 = 0.241$.
//! 4. The gradient with respect to the scores is $p - y$ (lesson {probabilities}), where $y$ is the
//!    one-hot vector of the right answer: $(-0.214, 0.039, 0.175)$.
//! 5. The gradient with respect to $h$ is the sum of the vectors $u$, each times its number from
//!    step 4: $-0.214 \cdot (2, 1) + 0.039 \cdot (0, -1) + 0.175 \cdot (1, 0) = (-0.253, -0.253)$.
//! 6. $h$ is the mean of two vectors, so each of them gets half of it: $(-0.127, -0.127)$.
//!
//! A step of gradient descent subtracts this. So both neighbours move by the same amount, the
//! learning rate times $(0.127, 0.127)$, towards the direction of "reads". This explains why
//! similar words may end up close together. In "the boy reads" and "the girl reads", the words boy
//! and girl stand beside the same gap. Their vectors are pushed in the same direction, again and
//! again.
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
        fmt::format("probabilities of reads, dog, the:  {}\n"
                    "gradients of the two neighbours:   {}",
                    rows_on_a_line(unsqueeze(p, 0)), rows_on_a_line(slice(g, 0, 0, 2))));
    const Tensor by_hand = tensor({0.786, 0.039, 0.175, -0.127, -0.127, -0.127, -0.127}, {7});
    const Tensor run = concat({p, reshape(slice(g, 0, 0, 2), {4})}, 0);
    lesson.claim("by-hand",
                 "identity: the numbers by hand against the library's, largest difference",
                 max(abs(run - by_hand)).item(), at_most(0.001));
}

//! Now the real training. The grammar that wrote the corpus divides its words into fourteen
//! classes: person (student), people (students), animal, thing, food or drink, place, verb (read),
//! verb with -s, verb in the past, adjective, adverb, and three kinds of pronouns. The network
//! knows nothing of them. After training we take each of these words and look for the word with the
//! most similar vector. Similarity is the *cosine* of the angle between two vectors, $a \cdot b$
//! divided by the lengths of $a$ and $b$: 1 if they have the same direction, 0 if they are at right
//! angles. We count how often the nearest word is of the same class. Before training this happens
//! only by chance.
Tensor vectors_of(const WordGuesser& model, const std::vector<int>& words) {
    return detach(embedding(model.vectors.weight, Indices(words)));
}

WordGuesser guesser_trained_on(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary,
                               const Settings& settings, uint64_t seed) {
    Rng rng(seed);
    WordGuesser model(vocabulary.size(), settings.width, rng);
    const Gaps gaps = gaps_in(sentences, vocabulary, 2, 2);
    fit(model, gaps, {.steps = settings.steps, .batch = 256, .lr = 0.02}, rng);
    return model;
}

WordGuesser learn_vectors(Lesson& lesson, const Texts& texts, const Vocabulary& vocabulary,
                          const Settings& settings) {
    lesson.heading("Guess the word from its neighbours");
    lesson.show("network", diagram_of_guesser(vocabulary.size(), settings.width),
                "The network that guesses a word from four neighbours. The same table is used for "
                "all four.");
    work_by_hand(lesson);
    const bool own_file = !lesson.options().data.empty();
    const KnownWords known = known_words(vocabulary, !own_file);
    const Prediction guess =
        own_file ? Prediction{}
                 : lesson.predict(
                       "After training: for what share of the words is the nearest word "
                       "of the same class?",
                       within(0.05));
    const WordGuesser model = guesser_trained_on(texts.train, vocabulary, settings, lesson.seed());
    show_neighbours(lesson, vocabulary, known, vectors_of(model, known.ids));
    const Gaps gaps = gaps_in(texts.test, vocabulary, 2, 2);
    const CountedLosses counted =
        counted_losses(gaps_in(texts.train, vocabulary, 2, 2), gaps, vocabulary.size());
    const double loss = loss_on(model, gaps);
    lesson.say(
        "Loss on the gaps of the test sentences: {:.3f}; without looking at the neighbours it "
        "is {:.3f}.",
        loss, counted.words);
    if (own_file) return model;
    lesson.claim("gap-loss",
                 "finding: loss on the gaps of test sentences over that of counting words",
                 loss / counted.words, at_most(lesson.quick() ? 0.65 : 0.55));

    Rng rng(lesson.seed());
    const WordGuesser untrained(vocabulary.size(), settings.width, rng);
    const double before = agreement(vectors_of(untrained, known.ids), known.classes),
                 after = agreement(vectors_of(model, known.ids), known.classes),
                 chance = chance_agreement(known.classes);
    lesson.say(
        "The nearest word is of the same class for {:.1f} % of {} words; before training it was "
        "{:.1f} %, and chance is {:.1f} %.",
        100 * after, known.ids.size(), 100 * before, 100 * chance);
    const double same_group = show_agreement_by_group(lesson, known, vectors_of(model, known.ids));
    lesson.reveal(guess, after);
    lesson.claim("nearest-class",
                 "finding: share of words whose nearest word is of the same class, after training",
                 after, at_least(lesson.quick() ? 0.5 : 0.7));
    if (!lesson.quick())
        lesson.claim("nearest-group",
                     "finding: share of words whose nearest word is of the same group, of six",
                     same_group, at_least(0.9));
    lesson.claim("nearest-before", "finding: the same share before training, minus chance",
                 before - chance, between(-0.1, 0.1));
    return model;
}

//! {if all nearest-class > 0.75} For {nearest-class:%} of the words, the nearest one is of the same
//! class. {if all nearest-group > 0.95} And the misses are no accidents: if the classes are put
//! together to six groups, with all verbs in one, it is {nearest-group:%}. "write", "writes" and
//! "wrote" belong to three different classes of ours. For the network they are alike, because all
//! three stand before "a letter" and "a poem". So it has found kinds of words, but they need not be
//! the kinds that we would have chosen.
//!
//! How much text does it need? A word that does not occur in the text keeps its random vector.
void vary_the_text(Lesson& lesson, const Texts& texts, const Vocabulary& vocabulary,
                   const Settings& settings) {
    const KnownWords known = known_words(vocabulary, true);
    std::vector<double> sizes;
    for (const double size : {30., 100., 300., 1000., 3000., 10'000.})
        if (size <= static_cast<double>(texts.train.size()) && (!lesson.quick() || size <= 1000))
            sizes.push_back(size);
    std::vector<std::vector<double>> runs;
    for (int run = 0; run < settings.seeds; ++run) {
        runs.emplace_back();
        for (const double size : sizes) {
            const std::vector<Sentence> some(texts.train.begin(),
                                             texts.train.begin() + static_cast<int>(size));
            const WordGuesser model = guesser_trained_on(
                some, vocabulary, settings, lesson.seed() + 1000 * static_cast<uint64_t>(run + 1));
            runs.back().push_back(agreement(vectors_of(model, known.ids), known.classes));
        }
    }
    const Series measured = over_seeds("trained", sizes, runs);
    const Series drawn{"chance", sizes,
                       std::vector<double>(sizes.size(), chance_agreement(known.classes))};
    lesson.show("agreement",
                LinePlot{.x_label = "sentences of training text",
                         .y_label = "nearest word of the same class",
                         .series = {measured, drawn},
                         .log_x = true,
                         .y_range = {0, 1}},
                fmt::format("The share of words whose nearest word is of the same class; {}.",
                            averaged_over(runs.size())));
    lesson.claim("nearest-growth",
                 "finding: this share with the longest text minus that with 30 sentences",
                 measured.y.back() - measured.y.front(), at_least(lesson.quick() ? 0.3 : 0.5));
}

//! ## A picture of the vectors
//!
//! Sixteen numbers cannot be drawn, two can. We need the plane in which the points are spread most,
//! so that the picture loses as little as possible. *Principal component analysis*, PCA, finds this
//! plane. First subtract the mean of all vectors, so that the cloud of points is centred at 0. Let
//! $X$ have these centred vectors as its rows, one for each of $n$ words. Choose a direction: a
//! vector $v$ of length one. The numbers $X v$ say how far each point lies in this direction. The
//! mean of their squares (with $n - 1$ in place of $n$), their variance, says how widely the points
//! are spread:
//!
//! $$ \frac{1}{n-1} |X v|^2 = v^\top C v \qquad \text{with} \quad C = \frac{1}{n-1} X^\top X. $$
//!
//! $C$ is the covariance matrix, with $D$ rows and columns. The $v$ that makes $v^\top C v$ largest
//! is the eigenvector of $C$ with the largest eigenvalue: the direction that $C$ only stretches, $C
//! v = \lambda v$, and stretches most. To find it, start with any $v$, and again and again multiply
//! it by $C$ and shorten it to length 1. What is stretched most wins in the end. The last factor,
//! $\lambda$, is the variance in this direction. For the second direction, subtract $\lambda v
//! v^\top$ from $C$, which flattens the first one, and repeat.
struct Components {
    std::vector<Tensor> directions;  // [D] each
    std::vector<double> variances;
    double total = 0;  // the variance in all D directions together
};

Components principal_components(const Tensor& x, int count, Rng& rng) {  // centred, [n, D]
    Tensor C = matmul(transpose(x), x) / static_cast<double>(x.size(0) - 1);
    Components found{.directions = {}, .variances = {}, .total = 0};
    for (int64_t d = 0; d < C.size(0); ++d) found.total += C.at({d, d});
    for (int i = 0; i < count; ++i) {
        Tensor v = normal({C.size(0), 1}, 0, 1, rng, Dtype::float64);
        double stretched = 0;
        for (int step = 0; step < 3000; ++step) {
            v = matmul(C, v);
            stretched = sqrt(sum(square(v))).item();
            v = v / stretched;
        }
        found.directions.push_back(squeeze(v, 1));
        found.variances.push_back(stretched);
        C = C - stretched * matmul(v, transpose(v));
    }
    return found;
}

void draw_vectors(Lesson& lesson, const Vocabulary& vocabulary, const WordGuesser& model) {
    lesson.heading("A picture of the vectors");
    const KnownWords known = known_words(vocabulary, lesson.options().data.empty());
    const Tensor vectors = to_dtype(vectors_of(model, known.ids), Dtype::float64);
    const Tensor x = vectors - mean(vectors, 0, true);
    Rng rng(lesson.seed());
    const Components plane = principal_components(x, 2, rng);
    const Tensor &first = plane.directions[0], &second = plane.directions[1];
    const std::vector<double> across = matmul(x, unsqueeze(first, 1)).to_vector(),
                              up = matmul(x, unsqueeze(second, 1)).to_vector();
    lesson.show("vectors", plot_of_words(vocabulary, known, across, up),
                fmt::format("The vectors of {} words in the plane of largest variance. It shows "
                            "{:.0f} % of their variance. A colour is a group of words; where "
                            "there are none, a letter is.",
                            known.ids.size(),
                            100 * (plane.variances[0] + plane.variances[1]) / plane.total));
    const Tensor projected = matmul(x, unsqueeze(first, 1));
    const double variance = sum(square(projected)).item() / static_cast<double>(x.size(0) - 1);
    lesson.claim("pca-direction", "identity: cosine of the angle between the two directions",
                 std::abs(sum(first * second).item()), at_most(1e-6));
    lesson.claim("pca-variance",
                 "identity: variance of the projected points over the factor found, minus 1",
                 std::abs(variance / plane.variances[0] - 1), at_most(1e-6));
}

//! Words of one group mostly lie together, although the network was never told the groups.
//!
//! There are divisions inside the groups, too. Words for a single person ("boy", "poet") lie apart
//! from words for several people ("soldiers", "girls"). The verbs "believe", "say" and "think" are
//! a cloud of their own: a whole sentence follows them, not an object. And "my", "your" and "our"
//! are almost one point, because they can replace each other in nearly every sentence.
//!
//! The plane shows only a part of the variance. Groups that touch here may be far apart in the
//! fourteen other directions.
//!
//! ## Sentences of different lengths
//!
//! A tensor has rows of equal length, sentences do not. The usual remedy is *padding*: a special
//! token, here with the id 0, fills up the shorter sentences at their end. Three sentences of 3, 5
//! and 2 words make a tensor of $3 \times 5 = 15$ entries, of which 10 are words:
//!
//! | | | | | |
//! | --- | --- | --- | --- | --- |
//! | the | dog | sleeps | "pad" | "pad" |
//! | he | often | reads | a | book |
//! | they | cry | "pad" | "pad" | "pad" |
//!
//! Now let the vector of a sentence be the mean of the vectors of its words. What does the simple
//! code do, `mean(vectors, 1)`? For the first sentence it adds three words and two vectors of the
//! padding token and divides by 5. The result depends on how long the other sentences of the batch
//! are. It would not help to make the padding vector zero: the divisor is still 5 instead of 3.
//!
//! A *mask* $m$ is a tensor that says which entries count: here 1 at words and 0 at padding. It is
//! multiplied in before the sum, and its sum is the divisor:
//!
//! $$ \text{mean}_b = \frac{\sum_t m_{bt} \, E_{i_{bt}}}{\sum_t m_{bt}} $$
//!
//! Here $b$ counts the sentences of the batch, $t$ the positions, and $i_{bt}$ is the id at
//! position $t$ of sentence $b$.
Tensor masked_mean(const Tensor& vectors, const Tensor& mask) {  // [B, T, D], [B, T] -> [B, D]
    const Tensor m = unsqueeze(mask, -1);                        // [B, T, 1]
    return sum(vectors * m, 1) / sum(m, 1);
}

//! We compute the means of 32 sentences and the gradient of the table, each sentence alone and then
//! all in one batch, without a mask and with it.
void compare_masks(Lesson& lesson, const std::vector<Sentence>& sentences,
                   const Vocabulary& vocabulary, const WordGuesser& model) {
    lesson.heading("Sentences of different lengths");
    std::vector<std::vector<int>> ids;
    for (std::size_t i = 0; i < 32; ++i) {
        ids.emplace_back();
        for (const std::string& word : sentences.at(i)) ids.back().push_back(vocabulary.id(word));
    }
    const Tensor E = to_dtype(detach(model.vectors.weight), Dtype::float64);
    Rng rng(lesson.seed());
    const Tensor covector = normal({32, E.size(1)}, 0, 1, rng, Dtype::float64);

    Tensor single = detach(E).set_requires_grad();
    std::vector<Tensor> means;
    for (const std::vector<int>& sentence : ids)
        means.push_back(mean(embedding(single, Indices(sentence)), 0));
    const Tensor alone = stack(means, 0);
    backward(sum(alone * covector));

    const PaddedBatch batch = pad_sequences(ids, Vocabulary::pad);
    const Tensor mask = length_mask(batch.lengths, batch.ids.shape()[1], Dtype::float64);
    Tensor with = detach(E).set_requires_grad(), without = detach(E).set_requires_grad();
    const Tensor masked = masked_mean(embedding(with, batch.ids), mask),
                 plain = mean(embedding(without, batch.ids), 1);
    backward(sum(masked * covector));
    backward(sum(plain * covector));

    const auto change = [](const Tensor& found, const Tensor& right) {
        return (sqrt(sum(square(found - right))) / sqrt(sum(square(right)))).item();
    };
    const auto padding = [](const Tensor& table) {
        return max(abs(select(table.grad(), 0, Vocabulary::pad))).item();
    };
    Table table({"batch", "means", "gradient", "gradient of the padding row"});
    table.row("without a mask", number(change(plain, alone), 3),
              number(change(without.grad(), single.grad()), 3), number(padding(without), 3));
    table.row("with a mask", number(change(masked, alone), 3),
              number(change(with.grad(), single.grad()), 3), number(padding(with), 3));
    lesson.table(
        table,
        "Means and gradients of 32 sentences in one batch, compared with each sentence alone: "
        "the length of the difference over the length of the right result. The padding row "
        "is that of the padding token, and its largest gradient should be 0.");
    if (lesson.options().data.empty())
        lesson.claim("padding-changes",
                     "finding: change of the sentences' means by padding, without a mask",
                     change(plain, alone), at_least(0.5));
    lesson.claim("padding-masked", "identity: the same with a mask", change(masked, alone),
                 at_most(1e-12));
    lesson.claim("padding-gradient", "identity: change of the gradient, with a mask",
                 change(with.grad(), single.grad()), at_most(1e-12));
}

//! The error without a mask raises no alarm. The program runs and the loss falls. But the same
//! sentence gets another vector beside other sentences. So compute a sentence alone and in a batch,
//! and compare.
//!
//! ## What padding costs
//!
//! With a mask the results are right, but the padding has been computed. A network that does the
//! same work at each position works $B T$ times for a batch of $B$ sentences whose longest has $T$
//! words. In a random batch, one long sentence is enough to make all others as long.
//!
//! Sort the sentences by length, then, and cut the list into batches? That is bad for training: the
//! first batches would have only short sentences, the last ones only long ones, and always the same
//! ones together. *Bucketing* makes batches of sentences of similar length without sorting the
//! whole set. Shuffle all sentences, take a pool of, say, 50 batches, sort only inside the pool,
//! cut it into batches, and shuffle the batches. The library's function is `bucket_batches`.
void count_padding(Lesson& lesson, const std::vector<Sentence>& sentences) {
    lesson.heading("What padding costs");
    const Prediction guess = lesson.predict(
        "Random batches of 32 sentences: what share of the entries is padding?", within(0.05));
    std::vector<int> lengths;
    for (const Sentence& sentence : sentences) lengths.push_back(static_cast<int>(sentence.size()));
    const BatchCost random = show_batch_costs(lesson, lengths);
    lesson.reveal(guess, 1 - random.words / random.entries);
}

//! {if all random-padding > 1.9 and bucket-padding < 1.05} Random batches compute
//! {random-padding:1} entries for each word, and buckets {bucket-padding:2}. Some networks compare
//! each position of a sentence with each other one: attention does (lesson {self_attention}). Their
//! work grows with the square of the length, so long rows of padding cost even more. The column
//! "pairs/word pair" counts it: how many pairs of positions are computed for each pair of real
//! words.
//!
//! ## Words that were never seen
//!
//! The table has a row for each word of the training text. What about other words? The usual answer
//! is one more row, for the "unknown" token: all words that are not in the vocabulary get its
//! vector. What the sentence said at that position is lost. How often does this happen? It depends
//! on how much text the vocabulary was made from, and on the language. In the corpus an English
//! verb has three forms (read, reads, read) and a Korean verb nine (읽는다, 읽었다, 읽고, 읽으면, ...). In
//! real Korean there are hundreds.
void count_unknown(Lesson& lesson, const std::vector<Language>& languages) {
    lesson.heading("Words that were never seen");
    std::vector<double> sizes;
    for (const double size : {10., 30., 100., 300., 1000., 3000., 10'000.})
        if (size <= static_cast<double>(languages[0].texts.train.size())) sizes.push_back(size);
    LinePlot plot{.x_label = "sentences the vocabulary was made from",
                  .y_label = "share of unknown words",
                  .log_x = true};
    std::map<std::string, double> at_100;
    for (const Language& language : languages) {
        Series words{language.name + ", words", sizes},
            characters{language.name + ", characters", sizes};
        for (const double size : sizes) {
            const auto& train = language.texts.train;
            const Unknown unknown =
                mean_unknown_share(train, language.texts.test, static_cast<std::size_t>(size));
            words.y.push_back(unknown.words);
            characters.y.push_back(unknown.characters);
            if (size == 100) at_100[language.name] = unknown.words;
        }
        plot.series.push_back(words);
        plot.series.push_back(characters);
    }
    lesson.show(
        "unknown", plot,
        "The share of the words and of the characters of the test sentences that do not occur "
        "in the training sentences, by the number of training sentences; the mean of up to ten "
        "sets of that many sentences.");
    if (languages.size() < 2) return;
    lesson.claim("unknown-korean",
                 "finding: share of unknown Korean words, vocabulary from 100 sentences",
                 at_100["Korean"], at_least(0.02));
    lesson.claim("unknown-ratio", "finding: this share over that of English",
                 at_100["Korean"] / at_100["English"], at_least(1.8));
}

//! {if all unknown-ratio > 2} From a hundred sentences, {unknown-korean:% 1} of the Korean words
//! are unknown, {unknown-ratio:1} times as many as of the English ones. Two other kinds of tokens
//! avoid the problem, or nearly.
//!
//! **Characters.** English has 26 letters. But Korean writes a syllable as one character, 읽 or 는,
//! and there are 11,172 possible syllables, so even a character can be unknown.
//!
//! **Bytes.** A computer stores text as bytes, numbers from 0 to 255. In the encoding UTF-8, a
//! letter of English takes one byte, and a Korean syllable takes three: 나 is the bytes EB 82 98. A
//! vocabulary of the 256 bytes can never meet an unknown token, in any language.
//!
//! The price is length. "I am a student" is 4 words but 14 bytes; its translation 나는 학생 이다 is 3
//! words, 8 characters (with the two blanks) and 20 bytes. The network has more positions to
//! compute, and each says less.
//!
//! ## Pieces of words
//!
//! Between bytes and words there is a middle. *Byte-pair encoding* (Sennrich et al. 2016) makes
//! tokens of the strings of bytes that are frequent in a text, and spells rare words with several
//! of them. It finds them by counting. Start with single bytes. Find the pair of neighbouring
//! tokens that occurs most often in the training text, and make it a new token. Repeat. Each
//! *merge* is one such step, which makes a new token of two; if several pairs are equally frequent,
//! we take the first one in alphabetical order.
//!
//! Let the text contain the words "see" three times, "sees" twice, "seen" once and "tree" twice. At
//! first each word is spelled with single letters:
//!
//! | word | times | pieces |
//! | --- | --- | --- |
//! | see | 3 | s e e |
//! | sees | 2 | s e e s |
//! | seen | 1 | s e e n |
//! | tree | 2 | t r e e |
//!
//! The pair "e e" occurs in all words, 8 times, and "s e" 6 times. All others are rarer. So the
//! first merge is "e" + "e" → "ee". Now the pieces are "s ee", "s ee s", "s ee n" and "t r ee". The
//! pair "s ee" occurs 6 times, so the second merge gives "see". Then "r ee", "see s" and "t r" all
//! occur twice. The first one in alphabetical order is "r ee"; "tree" is then "t ree". Merges never
//! go across the end of a word.
//!
//! A new word is spelled by applying the merges in the order in which they were learned. "seed"
//! never occurred; with these three merges it becomes "see d", and "trees" becomes "t ree s". No
//! word is unknown, because in the worst case single bytes are left.
//!
//! ![Type a text of your own and add merges one by one. Which words become one piece first? (For readability these merges begin with characters and not with bytes, and a blank is shown as _.)](live:merges)
Pieces merged(const Pieces& word, const Merge& merge) {
    Pieces pieces;
    for (std::size_t i = 0; i < word.size(); ++i) {
        pieces.push_back(word[i]);
        if (i + 1 < word.size() && word[i] == merge.first && word[i + 1] == merge.second)
            pieces.back() += word[++i];
    }
    return pieces;
}

std::vector<Merge> learn_merges(const std::map<std::string, int64_t>& word_counts, int wanted) {
    std::vector<std::pair<Pieces, int64_t>> words;
    for (const auto& [word, times] : word_counts) words.emplace_back(bytes_of(word), times);
    std::vector<Merge> merges;
    while (std::ssize(merges) < wanted) {
        std::map<Merge, int64_t> pairs;  // in alphabetical order
        for (const auto& [pieces, times] : words)
            for (std::size_t i = 0; i + 1 < pieces.size(); ++i)
                pairs[{pieces[i], pieces[i + 1]}] += times;
        const auto best = std::max_element(pairs.begin(), pairs.end(),
                                           [](auto& a, auto& b) { return a.second < b.second; });
        if (best == pairs.end()) break;  // every word is a single piece
        merges.push_back(best->first);
        for (auto& [pieces, times] : words) pieces = merged(pieces, merges.back());
    }
    return merges;
}

Pieces pieces_of(const std::string& word, const std::vector<Merge>& merges) {
    Pieces pieces = bytes_of(word);
    for (const Merge& merge : merges) pieces = merged(pieces, merge);
    return pieces;
}

void learn_pieces(Lesson& lesson, const std::vector<Language>& languages) {
    lesson.heading("Pieces of words");
    const std::vector<Merge> few =
        learn_merges({{"see", 3}, {"sees", 2}, {"seen", 1}, {"tree", 2}}, 3);
    std::string lines = "merges:";
    for (const Merge& merge : few) lines += fmt::format("  {} + {}", merge.first, merge.second);
    for (const char* word : {"see", "sees", "tree", "seed", "trees"})
        lines += fmt::format("\n{:<6} {}", word, shown(pieces_of(word, few)));
    lesson.listing(lines);
    lesson.claim("merges-by-hand",
                 "identity: merges and spellings by hand that the program finds too, of five",
                 (few[0] == Merge{"e", "e"}) + (few[1] == Merge{"s", "ee"}) +
                     (few[2] == Merge{"r", "ee"}) + (pieces_of("seed", few) == Pieces{"see", "d"}) +
                     (pieces_of("trees", few) == Pieces{"t", "ree", "s"}),
                 equals(5));

    //! For the corpus, every word gets the blank in front of it as its first byte, written _ here.
    //! So the pieces of a sentence, put one after the other, are the sentence again. A byte that is
    //! only a part of a character is written as its hexadecimal number: `<EC>` is the first of the
    //! three bytes of many Korean syllables.
    int64_t wrong = 0;
    for (const Language& language : languages) {
        const std::vector<Merge> merges = learn_merges(language.training_words, 200);
        show_merges(lesson, language, merges,
                    [&](const std::string& word) { return pieces_of(word, merges); });
        for (const auto& [word, times] : language.test_words) {
            std::string again;
            for (const std::string& piece : pieces_of(word, merges)) again += piece;
            wrong += again != word;
        }
    }
    lesson.claim("spelled-back",
                 "identity: test words that are not the same again after spelling them",
                 static_cast<double>(wrong), equals(0));
}

//! Each merge costs one row more in the table and makes the sentences shorter. How many to make is
//! the only choice that byte-pair encoding leaves to us.
//!
//! ## English and Korean
//!
//! How many tokens does a sentence have, by the number of merges? For Korean we count three times:
//! with merges learned from Korean text, from English text, and from English text in which one
//! sentence in twenty-one is Korean. The last two are what happens to a language that is absent or
//! rare in the text from which a model's tokens were made.
std::vector<double> tokens_by_merges(const std::map<std::string, int64_t>& words, int64_t sentences,
                                     const std::vector<Merge>& merges,
                                     const std::vector<double>& steps) {
    std::vector<std::pair<Pieces, int64_t>> now;
    for (const auto& [word, times] : words) now.emplace_back(bytes_of(word), times);
    std::vector<double> tokens;
    for (std::size_t done = 0; const double step : steps) {
        for (; done < merges.size() && static_cast<double>(done) < step; ++done)
            for (auto& [pieces, times] : now) pieces = merged(pieces, merges[done]);
        int64_t sum = 0;
        for (const auto& [pieces, times] : now) sum += times * std::ssize(pieces);
        tokens.push_back(static_cast<double>(sum) / static_cast<double>(sentences));
    }
    return tokens;
}

void compare_languages(Lesson& lesson, const std::vector<Language>& languages,
                       const Settings& settings) {
    lesson.heading("English and Korean");
    const bool both = languages.size() == 2;
    const Prediction guess =
        both ? lesson.predict(
                   fmt::format(
                       "{0} merges, learned from English text: how many times as many tokens does "
                       "a Korean sentence have as with {0} merges learned from Korean text?",
                       settings.merges),
                   within_factor(1.3))
             : Prediction{};
    std::vector<double> steps;
    for (int merges = 0; merges <= settings.merges; merges += settings.merges / 20)
        steps.push_back(merges);
    LinePlot plot{.x_label = "merges", .y_label = "tokens a sentence"};
    std::map<std::string, std::vector<double>> tokens;
    std::map<std::string, int64_t> learned;  // how many merges there were to learn
    const auto measure = [&](const std::string& name, const Language& text,
                             const Language& source) {
        const std::vector<Merge> merges = learn_merges(source.training_words, settings.merges);
        learned[name] = std::ssize(merges);
        tokens[name] =
            tokens_by_merges(text.test_words, std::ssize(text.texts.test), merges, steps);
        plot.series.push_back({name, steps, tokens[name]});
    };
    for (const Language& language : languages) measure(language.name, language, language);
    if (both) {
        measure("Korean, a little Korean", languages[1], mixed(languages[0], languages[1], 20));
        measure("Korean, merges from English", languages[1], languages[0]);
    }
    lesson.show("tokens_by_merges", plot,
                fmt::format("Tokens of a test sentence by the number of merges. At 0 merges each "
                            "byte is a token.{}",
                            both ? " A little Korean: one sentence in twenty-one of the text from "
                                   "which the merges come."
                                 : ""));
    show_token_counts(lesson, languages, tokens, learned);
    if (!both) return;
    const double ratio = tokens["Korean, merges from English"].back() / tokens["Korean"].back();
    lesson.reveal(guess, ratio);
    lesson.claim(
        "korean-english-merges",
        "finding: tokens of a Korean sentence, merges from English over merges from Korean", ratio,
        at_least(lesson.quick() ? 3 : 5));
    lesson.claim("korean-mixed-merges",
                 "finding: the same with merges from English and a little Korean",
                 tokens["Korean, a little Korean"].back() / tokens["Korean"].back(),
                 at_most((lesson.quick() ? 0.85 : 0.5) * ratio));
    lesson.claim("korean-bytes",
                 "finding: bytes of a Korean sentence over those of its English translation",
                 tokens["Korean"].front() / tokens["English"].front(), at_least(1.25));
    lesson.claim("korean-tokens",
                 "finding: Korean tokens over English tokens, each with merges of its own",
                 tokens["Korean"].back() / tokens["English"].back(), between(0.9, 1.35));
}

}  // namespace

}  // namespace heed::lesson06

//! {if all korean-bytes > 1.3 and korean-tokens < 1.1} In bytes, a Korean sentence is
//! {korean-bytes:2} times as long as its English translation. With merges of its own it has as many
//! tokens. {if all korean-english-merges > 6} But with merges from English it has
//! {korean-english-merges:0} times as many. The English text contains no byte of a Korean syllable,
//! so no merge can join such bytes. {if all korean-mixed-merges < 2.4} A little Korean in the text
//! helps at once, because the most frequent Korean pairs are then more frequent than the rare
//! English ones: one sentence in twenty-one brings the factor down to {korean-mixed-merges:1}.
//!
//! For the speakers of a rare language this matters. The model needs more time for their sentences,
//! fewer of their words fit into the text that it can read at once, and where each token has a
//! price they pay more. Petrov et al. (2023) found up to fifteen times as many tokens in
//! vocabularies that are in use.
//!
//! ## What this does not show
//!
//! The grammar of the corpus is small, and it was written with kinds of words in mind: only what
//! can be eaten follows "eats". In a real text the kinds are blurred, words have several meanings,
//! and each word still gets a single vector. (In the networks from lesson {self_attention} on, the
//! vectors change with the sentence after the lookup.)
//!
//! Similar vectors mean that two words are used alike, not that they have the same meaning. Big and
//! small stand in the same gaps, so they are close together, although they are opposites. Whether a
//! network that starts with these vectors learns its task faster is another question.
//!
//! The cost of padding was counted in entries, not in seconds. And we did not measure how well a
//! network translates with one kind of token or another.
//!
//! Sources: Bengio, Ducharme, Vincent and Jauvin, "A Neural Probabilistic Language Model" (2003),
//! the learned table; Mikolov, Chen, Corrado and Dean, "Efficient Estimation of Word
//! Representations in Vector Space" (2013), the continuous bag of words; Harris, "Distributional
//! Structure" (1954), and Firth, "A Synopsis of Linguistic Theory" (1957), that words are known by
//! their surroundings; Pearson (1901), principal components; Gage, "A New Algorithm for Data
//! Compression" (1994), and Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words
//! with Subword Units" (2016), byte-pair encoding; Radford et al. (2019), byte-pair encoding that
//! starts from bytes, in GPT-2; Petrov, La Malfa, Torr and Bibi, "Language Model Tokenizers
//! Introduce Unfairness Between Languages" (2023), tokens by language.
//!
//! ## Summary
//!
//! 1. A number for each word does not work, because it puts the words in an order that means
//!    nothing. A one-hot vector works, and its product with a matrix is a row of the matrix: a
//!    lookup.
//! 2. The gradient of a row is the sum over all occurrences of its word. Rows of words that do not
//!    occur get no gradient.
//! 3. A network that guesses words from their neighbours gives similar vectors to words that are
//!    used alike.
//! 4. Padding makes sentences equally long, a mask keeps it out of the result, and bucketing keeps
//!    its cost low.
//! 5. Words as tokens make short sentences, but words that did not occur in training are unknown.
//!    Bytes know everything and make long sentences. Byte-pair merges lie between them, and they
//!    favour the language they were learned from.
//!
//! ## Try this next
//!
//! 1. `--width 2`: can two numbers keep fourteen classes apart? Then the picture shows all of the
//!    vectors.
//! 2. In `guesser_trained_on`, use one neighbour on each side instead of two. Which words get worse
//!    neighbours?
//! 3. In `masked_mean`, leave out the division by the mask's sum. Which of the claims notices it?
//! 4. In `languages_of`, add 100 Korean sentences to the English training text. How many tokens
//!    does a Korean sentence have then with these merges?
//! 5. `--data my.txt`: which words of your text are neighbours?
using namespace heed;
using namespace heed::lesson06;

int main(int argc, char** argv) {
    Lesson lesson({.number = 6,
                   .name = "embeddings",
                   .title = "How does a word become numbers?",
                   .question =
                       "A network computes with numbers. How can it read words, sentences of "
                       "any length, and words it has never seen?",
                   .data = "a text, UTF-8, with blanks between the words; a line is a sentence",
                   .own_data = "English and Korean sentences from the grammar of the course"});
    Settings settings;
    lesson.option("--width", settings.width, "numbers in the vector of a word (16)");
    lesson.option("--steps", settings.steps, "steps of training of the vectors (2000; quick 400)");
    lesson.option("--seeds", settings.seeds, "training runs for each length of text (3; quick 1)");
    lesson.option("--merges", settings.merges, "merges to learn, at least 20 (500; quick 200)");
    return lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        const std::vector<Language> languages = languages_of(lesson);
        const Texts& texts = languages[0].texts;
        const Vocabulary vocabulary =
            Vocabulary::build(lines_of(texts.train), {.max_size = largest_vocabulary});
        const bool own_file = !lesson.options().data.empty();
        compare_inputs(
            lesson, texts,
            own_file ? Vocabulary::build(lines_of(texts.train), {.max_size = 300}) : vocabulary);
        check_lookup(lesson);
        const WordGuesser model = learn_vectors(lesson, texts, vocabulary, settings);
        if (!own_file) vary_the_text(lesson, texts, vocabulary, settings);
        draw_vectors(lesson, vocabulary, model);
        compare_masks(lesson, texts.train, vocabulary, model);
        count_padding(lesson, texts.train);
        count_unknown(lesson, languages);
        learn_pieces(lesson, languages);
        compare_languages(lesson, languages, settings);
    });
}
