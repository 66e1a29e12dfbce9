//! # What attention weights are
//!
//! What is this text about?
//!
//! * so the old man went back and bought a bag, and then the thunder came again
//!
//! One word tells it. The fifteen others could stand in any text. In a review of two hundred words
//! it is the same: perhaps three say what the reviewer thinks. A network that classifies texts
//! should use these words and ignore the others. But nobody tells it which they are. The network
//! gets texts, and for each a topic, called its *label*.
//!
//! Can it find them by itself?

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/09_attention_pooling/experiment.h"
#include "lessons/09_attention_pooling/model.h"
#include "lessons/09_attention_pooling/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson09 {

using namespace course;

namespace {

//! ## The mean forgets
//!
//! A text may have any number of words, and each word has a vector $x_j$ (lesson {embeddings}). The
//! rest of a classifier needs a single vector. *Pooling* is the step that makes one vector out of a
//! set of vectors, however many there are. The simplest pooling is the mean.
//!
//! {no results} Take our three words again: 나는 $(3, 0)$, 학생 $(2, 1)$ and 이다 $(0, 2)$. The first
//! number says how much of a person is in the word, the second how much of a verb. Does the
//! sentence say what somebody does, or what somebody is? Only the verb knows. But the mean is
//! $(1.67, 1)$, more person than verb.
//!
//! {no results} In a long text it is worse. Let the number of "thunder" for the weather be 3. The
//! 69 other words are everyday words, and their numbers are a little positive or negative by
//! chance. Let 0.5 be their *standard deviation*, the typical distance of a number from the mean of
//! all. Thunder contributes $3 / 70 = 0.043$ to the mean. The mean of $n$ such chance numbers has
//! the standard deviation $0.5 / \sqrt n$, here 0.060. **In the mean of a long text, the one word
//! that matters is smaller than the noise of all others,** unless training has made the other words'
//! numbers small. With few documents it does not, as we shall see.
//!
//! ## A mean with weights
//!
//! So let the words contribute differently. *Attention weights* are numbers, one for each item of a
//! set, that are not negative and sum to 1. The network computes them from the items, and uses them
//! for a weighted mean. They are made in the two steps of lesson {attention}. First each item gets
//! a *score*, a number of any size that says how well an item fits what is looked for. Then softmax
//! turns the scores into weights.
void draw(Lesson& lesson) {
    lesson.heading("A mean with weights");
    lesson.show("pooling", pooling_diagram(),
                "Attention pooling of three words. Softmax makes the weights from the scores. The "
                "context is the sum of the words' vectors, each times its weight.");
}

//! What is looked for is a *query* $q$, a vector that the words are compared with. In this lesson
//! there is one query for all texts: "do you tell the topic?". It is a parameter, and it is
//! compared with $\tanh(W x_j + b)$, so the network can choose what to look at in a word: $W$ mixes
//! its numbers first. $W$ is a matrix and $b$ a vector of parameters. We write $e_j$ for the score
//! of word $j$, $\alpha_j$ for its weight and $c$ for the weighted mean. It is called the context,
//! as in lesson {bottleneck}: the rest of the network sees nothing else.
//!
//! $$ e_j = q \cdot \tanh(W x_j + b), \qquad \alpha_j = \frac{\exp(e_j)}{\sum_i \exp(e_i)}, \qquad
//!    c = \sum_j \alpha_j x_j . $$
//!
//! **These weights are not the weights of lesson {learning}.** Nobody stores them: they are
//! computed afresh for every text. What is learned are $q$, $W$ and $b$, together with the rest of
//! the network. Everything in the formula has a derivative, so the labels of whole texts are
//! enough.
//!
//! {no results} **By hand.** Let $q = (-2, 2)$, "a verb, and not a person". Let $W$ leave vectors
//! as they are and $b = (0, 0)$. For 이다, $\tanh$ makes $(0, 0.964)$ of $(0, 2)$, so its score is $2
//! \cdot 0.964 = 1.928$. Likewise 나는 gets $-1.990$ and 학생 $-0.405$. The exponentials are 0.137,
//! 0.667 and 6.876, with the sum 7.680, and the weights 0.018, 0.087 and 0.895. The context is
//!
//! $$ 0.018 \, (3, 0) + 0.087 \, (2, 1) + 0.895 \, (0, 2) = (0.23, 1.88) . $$
//!
//! That is nearly the verb. In code:
struct Pooled {
    Tensor scores, weights, context;  // [K], [K], [D]
};
Pooled pool_by_hand(const Tensor& x, const Tensor& W, const Tensor& b,
                    const Tensor& q) {                      // x [K, D]
    const Tensor keys = tanh(matmul(x, transpose(W)) + b);  // [K, A]
    const Tensor scores = matmul(keys, q);
    const Tensor weights = exp(scores) / sum(exp(scores));
    return {scores, weights, matmul(weights, x)};
}

void pool_three_words(Lesson& lesson) {
    const auto f64 = Dtype::float64;
    const auto [scores, weights, context] =
        pool_by_hand(three_words(), eye(2, f64), zeros({2}, f64), query_by_hand());
    show_three_words(lesson, scores, weights, context);
    lesson.claim("weights-on-paper",
                 "weights in code against the numbers on paper, to three decimals",
                 max(abs(weights - tensor({0.018, 0.087, 0.895}, f64))).item(), at_most(5.1e-4));

    Rng rng(lesson.seed());
    const AttentionPooling pool({.width = 16}, rng);
    const Tensor x = normal({50, 16}, 0, 1, rng);
    const Tensor library = reshape(pool(unsqueeze(x, 0)).context, {-1});
    const Tensor ours =
        pool_by_hand(x, pool.item.weight, pool.item.bias, reshape(pool.query, {-1})).context;
    lesson.claim("context-library",
                 "context by this code against the library's, largest difference",
                 max(abs(library - ours)).item(), at_most(1e-5));
}

//! ## A few telling words
//!
//! Do the weights find the words that matter? To measure it, we must know which words these are. So
//! we generate documents of 40 to 100 words, about the weather, the kitchen, music or ships
//! (`lessons/material/corpora/documents.h`). Nearly all their words are everyday words, which occur
//! in every topic. A few are telling words: each topic has 24 that occur in no other. There are 600
//! training documents and 1,000 test documents.
//!
//! Three kinds of pooling are compared, with everything else equal: the mean; the largest value,
//! taken for each number of the vectors by itself; and attention. Each uses the better of two
//! learning rates, chosen on 200 validation documents.
//!
//! {code model.cpp train_at_rate}
void compare_poolings(Lesson& lesson, int steps) {
    lesson.heading("A few telling words");
    const Prediction guess = lesson.predict(
        "Four topics, one telling word in seventy: how accurate is a classifier that takes the "
        "mean of all words? (Guessing gives 0.25.)",
        within(0.1).from(0, 1));
    const PoolingResults result = show_poolings(lesson, steps);
    lesson.reveal(guess, result.mean);
    lesson.claim("attention-accuracy", "one telling word: accuracy of attention", result.attention,
                 at_least(lesson.quick() ? 0.9 : 0.95));
    lesson.claim("attention-gain", "one telling word: accuracy of attention minus that of the mean",
                 result.attention - result.mean, at_least(0.2));
    lesson.claim("telling-largest", "one telling word: how often it has the largest weight",
                 result.precision, at_least(0.9));
    lesson.claim("lowest-precision", "lowest precision with one or more telling words",
                 result.lowest_precision, at_least(0.7));
}

//! {if all attention-accuracy > 0.95 and attention-gain > 0.3} With one telling word in seventy,
//! attention is right in {attention-accuracy:% 1} of the documents, and the mean in
//! {attention-accuracy - attention-gain:%}. On the training documents the mean is much better than
//! that: it has memorised them. By chance some everyday words occur only in training documents of
//! one topic, and the network takes them for signs. Attention gives these words little weight, so
//! there is little to memorise. (With many more documents the mean learns to ignore them, too.)
//!
//! {if all telling-largest > 0.9} And the weights find the telling words. If a document has only
//! one, this word has the largest weight in {telling-largest:%} of the cases.
//!
//! ## What changes the context, and what does not
//!
//! In a batch, short documents are padded, and a mask (lesson {embeddings}) leaves the padding out
//! of the softmax, so masked words get the weight 0. The order of the words does not matter, because
//! a sum does not depend on the order of its terms.
//!
//! And irrelevant words that are not masked? May any number of them be appended without a change?
//! No: softmax never gives the weight 0. If the telling word has the score 8 and each of $n$
//! everyday words the score 0, the weight of the telling word is
//!
//! $$ \alpha = \frac{e^8}{e^8 + n} = \frac{2981}{2981 + n} . $$
//!
//! {no results} With 70 everyday words this is 0.977, and with 10,000 it is only 0.230. One
//! irrelevant word changes nearly nothing, ten thousand a lot.
//!
//! ![Add everyday words, and watch the weight of the telling word go. How much larger must its score be for ten times as many words?](live:dilution)
void change_the_context(Lesson& lesson, int steps) {
    lesson.heading("What changes the context, and what does not");
    show_dilution(lesson, 8);
    const Prediction guess = lesson.predict(
        "10,000 irrelevant words are appended to each document. How accurate is the classifier "
        "with "
        "attention now?",
        within(0.1).from(0, 1));
    const std::uint64_t seed = 100 * lesson.seed();
    const Experiment experiment(1, seed);
    const Classifier attention = experiment.train_classifier(Pooling::attention, steps, seed),
                     mean_pool = experiment.train_classifier(Pooling::mean, steps, seed);
    lesson.show("weights", largest_weights(attention, experiment, 0),
                "The ten words of largest weight in a test document.");

    //! The first three claims test masked words, another order, and padding. Two more append a
    //! single word: the change is the length of the difference of the two contexts, divided by the
    //! length of the old one.
    const NoGrad no_grad;
    Rng rng(seed);
    const Tensor x = normal({1, 50, 16}, 0, 1, rng), rest = slice(x, 1, 40, 50);
    const Tensor junk = concat({slice(x, 1, 0, 40), rest * 1e6}, 1);
    const Tensor allowed = unsqueeze(length_mask({40}, 50), 1);
    const auto change = [&pool = attention.pool](const Tensor& a, const Tensor& b,
                                                 const Tensor& m) {
        return max(abs(pool(a, {}, m).context - pool(b, {}, m).context)).item();
    };
    lesson.claim("masked-words", "change of the context by masked words", change(x, junk, allowed),
                 equals(0));
    lesson.claim("other-order", "change of the context by another order", change(x, flip(x, 1), {}),
                 at_most(1e-5));
    lesson.claim(
        "padded-batch", "sets of 1 to 800 words in one padded batch, against each set alone",
        padding_gap(attention, experiment, {1, 2, 5, 20, 100, 400, 800}, rng), at_most(1e-5));
    lesson.claim("irrelevant-word",
                 "change of the context by one irrelevant word, as a share of its length",
                 change_by_one_word(attention, experiment, false, rng), at_most(0.02));
    lesson.claim("other-topic-word", "change of the context by one telling word of another topic",
                 change_by_one_word(attention, experiment, true, rng), at_least(0.2));

    //! Now we append up to 10,000 everyday words to test documents with one telling word, and ask
    //! both classifiers.
    const Appended appended =
        append_words(lesson, attention, mean_pool, experiment, lesson.quick() ? 30 : 200,
                     {0, 10, 100, 300, 1000, 10000}, rng);
    lesson.reveal(guess, appended.attention[5]);
    lesson.claim("weight-100", "weight of the telling word with 100 irrelevant words appended",
                 appended.weight[2], at_least(0.5));
    lesson.claim("accuracy-100", "accuracy with 100 irrelevant words appended",
                 appended.attention[2], at_least(0.85));
    lesson.claim("accuracy-long", "accuracy on texts of 340 to 400 words, trained on 40 to 100",
                 appended.attention[3], at_least(0.8));
    //! {if accuracy-100 > 0.95 and weight-100 > 0.7} A hundred words more do little harm: the
    //! telling word keeps {weight-100:%} of the weight. Ten thousand leave it {weight-10000:%}, and
    //! the answer goes with the weight: {accuracy-10000:%} of the documents are classified rightly.
    //! Both differ much from seed to seed ({weight-10000:range %} and {accuracy-10000:range %}):
    //! documents of a hundred words give training no reason to make the score any larger.
    lesson.claim("weight-10000", "weight of the telling word with 10,000 irrelevant words appended",
                 appended.weight[5], at_most(0.6));
    lesson.claim("accuracy-10000", "accuracy with 10,000 irrelevant words appended",
                 appended.attention[5], at_most(lesson.quick() ? 0.97 : 0.99));
}

}  // namespace

}  // namespace heed::lesson09

//! A score may see more than the word: whether it comes after "mainly", for example. And it need
//! not be learned at all. Both are measured in workshop {kernels}.
//!
//! ## What this does not show
//!
//! That weights explain an answer. Here they find the telling words, but each of these words has
//! its meaning alone, and in real texts the importance of a word depends on others. Lesson
//! {explanation} is about this. Attention also helps most when very few words matter: in the row
//! with the most telling words, the mean is nearly as good.
//!
//! Sources: Yang et al. (2016), "Hierarchical attention networks for document classification", for
//! the learned query; Li and Roth (2002), "Learning question classifiers", for the questions that
//! `--data` can read.
//!
//! ## Summary
//!
//! 1. Pooling makes one vector of a set. In the plain mean of many words, one telling word is easily
//!    lost.
//! 2. Attention weights are the softmax of scores, and a score compares a word with a query. The
//!    context is the mean of the words' vectors with these weights.
//! 3. The weights are computed for each text anew. The parameters that they are computed from are
//!    learned from the labels of whole documents.
//! 4. Masked words have the weight 0. Unmasked irrelevant words have a small weight each, and many
//!    of them together a large one.
//! 5. The weights find the telling words, although nobody has named them.
//!
//! ## Try this next
//!
//! 1. In `Experiment`, set `.train = 6000`: with how many documents is the mean as good as
//!    attention?
//! 2. `--data` with your own texts, one `LABEL:detail words` a line (a label, a colon, a note that
//!    is not read, the words), or with the folder of the TREC questions, which are sorted by what
//!    they ask for. Which words get the largest weights?
using namespace heed;
using namespace heed::lesson09;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 9,
         .name = "attention_pooling",
         .title = "What attention weights are",
         .question = "Can a network learn which words matter, from labels of whole documents?",
         .data = "texts, `LABEL:detail words` a line, or the folder of the TREC questions",
         .data_is = DataIs::either,
         .own_data = "documents of everyday words with a few telling ones"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (600; quick 300; with --data 2000 and 500)");
    return lesson.run(argc, argv, [&] {
        const bool own = !lesson.options().data.empty();
        if (steps == 0) steps = own ? (lesson.quick() ? 500 : 2000) : lesson.quick() ? 300 : 600;
        LabelledSets files;  // read first, so that a wrong file is refused before the text
        if (own) files = read_labelled_sets(lesson.options().data, lesson.seed());
        draw(lesson);
        pool_three_words(lesson);
        if (own) return run_on_own_texts(lesson, files, steps);
        compare_poolings(lesson, steps);
        change_the_context(lesson, steps);
    });
}
