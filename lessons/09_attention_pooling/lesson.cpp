//! # What attention weights are
//!
//! What is this text about?
//!
//! * so the old man went back and bought a bag, and then the thunder came again
//!
//! One word tells it: "thunder". The text is about the weather. The fifteen other words could stand
//! in any text. In a review of two hundred words it is the same: perhaps three of them say what the
//! reviewer thinks. A network that classifies texts should use these words and ignore the others.
//! Nobody tells it which words they are. It only gets texts and the topic of each text, which is
//! called the label of the text.
//!
//! Attention solves this problem with a weight for each word. In this lesson we compute such
//! weights by hand, train a network that learns them, and look at whether they find the words that
//! matter. It is attention in its simplest form: no recurrence, and no order of the words.

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/09_attention_pooling/data.h"
#include "lessons/09_attention_pooling/experiment.h"
#include "lessons/09_attention_pooling/marked_words.h"
#include "lessons/09_attention_pooling/model.h"
#include "lessons/09_attention_pooling/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson09 {

using namespace course;

namespace {

//! ## The mean forgets
//!
//! A text has some number of words, and each word has a vector $x_j$ from a table of embeddings
//! (lesson {embeddings}). The last layers of a classifier need a single vector of fixed width.
//! *Pooling* is the step that makes one vector out of a set of vectors, however many there are.
//!
//! The simplest pooling is the mean. Take three words with vectors of two numbers. Let the first
//! number stand for the weather and the second for music:
//!
//! | word | vector |
//! | --- | --- |
//! | so | $(0.5, 0)$ |
//! | the | $(0, 0.5)$ |
//! | thunder | $(3, 0)$ |
//!
//! {no results} The mean is $(1.167, 0.167)$. The first number is larger, so the text is about the
//! weather. With three words the mean works. Now let the text have 70 words, and only one of them
//! is "thunder". It contributes $3 / 70 = 0.043$ to the mean. The 69 others are everyday words, and
//! their numbers are a little positive or negative by chance. Suppose that they have the standard
//! deviation 0.5, which is their typical distance from 0. The mean of $n$ such numbers has the
//! standard deviation $0.5 / \sqrt n$. For about 70 words it is $0.5 / \sqrt{70} = 0.060$. So the
//! everyday words shift the mean by about 0.060, to one side or the other, and that is more than
//! the 0.043 from "thunder". **In the mean of a long text, the one word that matters is smaller
//! than the noise of all others.**
//!
//! ## A mean with weights
//!
//! The remedy is to let the words contribute differently. Each word gets a weight, and we take the
//! weighted mean. *Attention weights* are positive numbers with the sum 1, one for each item of a
//! set, which a network computes from the items and uses to take their weighted mean. They are
//! computed in two steps. First each word gets a score. A *score* is a number that says how well an
//! item matches what is looked for; it may be positive or negative, and of any size. Then softmax
//! (lesson {probabilities}) turns the scores of all words into weights.
//!
//! Where does the score of a word come from? We compare the word with a question, such as "do you
//! tell the topic?". Four terms are used for this in all of the course:
//!
//! * A *query* is a vector that says what is looked for.
//! * A *key* is a vector of an item that is compared with the query, which gives the item's score.
//! * A *value* is a vector of an item that goes into the weighted mean.
//! * The context is the mean of all values with the attention weights, the result of attention. (In
//!   lesson {bottleneck} the context was the last state of an encoder. It has the same use here:
//!   the rest of the network sees nothing else.)
//!
//! In this lesson there is one query $q$, a vector of parameters that is the same for all texts.
//! The key of word $j$ is $k_j = \tanh(W x_j + b)$, with a matrix $W$ and a vector $b$ of
//! parameters. The value of the word is its vector $x_j$. We write $e_j$ for the score of word $j$,
//! $\alpha_j$ for its weight, $c$ for the context and $\exp(e_j)$ for the exponential of a score;
//! $i$ runs over all words:
//!
//! $$ e_j = q \cdot \tanh(W x_j + b), \qquad \alpha_j = \frac{\exp(e_j)}{\sum_i \exp(e_i)}, \qquad
//!    c = \sum_j \alpha_j x_j . $$
//!
//! The parameters $q$, $W$ and $b$ are trained together with the rest of the network, by the loss
//! of the classifier. Everything in the formula has a derivative, so the labels of whole texts are
//! enough.
//!
//! {no results} **By hand.** Let $q = (3, 0)$, let $W$ leave vectors as they are, and let $b = (0,
//! 0)$. The key of "thunder" is $(\tanh 3, \tanh 0) = (0.995, 0)$, so its score is $3 \cdot 0.995 =
//! 2.985$. In the same way "so" gets $3 \cdot 0.462 = 1.386$, and "the" gets 0. The exponentials
//! are 4.000, 1 and 19.790, with the sum 24.790. So the weights of "so", "the" and "thunder" are
//! 0.161, 0.040 and 0.798. The context is
//!
//! $$ 0.161 \, (0.5, 0) + 0.040 \, (0, 0.5) + 0.798 \, (3, 0) = (2.476, 0.020) . $$
//!
//! (The weights are rounded here to three decimals. The context was computed with the unrounded
//! ones.) It is close to the vector of "thunder". The function `pool_by_hand` of this lesson
//! computes the same numbers:
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
    lesson.heading("A mean with weights");
    const auto f64 = Dtype::float64;
    const auto [scores, weights, context] =
        pool_by_hand(three_words(), eye(2, f64), zeros({2}, f64), query_by_hand());
    lesson.show("pooling", pooling_diagram(scores, weights, context),
                "Attention pooling of three words. Softmax makes the weights from the scores. The "
                "context is the mean of the words' vectors with these weights.");
    show_three_words(lesson, scores, weights, context);
    lesson.claim("weights-on-paper",
                 "weights in code against the numbers on paper, to three decimals",
                 max(abs(weights - tensor({0.161, 0.040, 0.798}, f64))).item(), at_most(5.1e-4));

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
//! Do the weights find the words that matter? To measure this, we must know which words these are.
//! So we generate documents of 40 to 100 words (`lessons/material/corpora/documents.h`). They are
//! about the weather, the kitchen, music or ships. Nearly all their words are everyday words, which
//! occur in every topic. A few are telling words: each topic has 24 words that occur in no other
//! topic. Their positions are random. There are 600 training documents and 1,000 test documents.
//!
//! We compare three kinds of pooling, with everything else equal: the mean; the largest value,
//! taken for each number of the vectors separately; and attention. Each uses the better of two
//! learning rates, chosen on 200 validation documents.
void compare_poolings(Lesson& lesson, int steps) {
    lesson.heading("A few telling words");
    const Prediction guess = lesson.predict(
        "Four topics, one telling word in seventy: how accurate is a classifier that takes the "
        "mean of all words? (Guessing gives 0.25.)",
        within(0.1));
    const bool quick = lesson.quick();
    const std::vector<double> counts =
        quick ? std::vector<double>{1, 4} : std::vector<double>{1, 2, 4, 8};
    Table table({"pooling", "telling words", "training", "test", "precision"});
    LinePlot plot{.x_label = "telling words in a document",
                  .y_label = "accuracy",
                  .log_x = true,
                  .y_range = {0.2, 1}};
    std::vector<double> first, precise;  // accuracy with one telling word, by pooling; precision
    for (Pooling how : {Pooling::mean, Pooling::largest, Pooling::attention}) {
        std::vector<std::vector<double>> runs(quick ? 1 : 5);
        for (double telling : counts) {
            std::vector<double> on_train, on_test, found;
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const std::uint64_t seed = 100 * lesson.seed() + i;
                const Experiment experiment(static_cast<int>(telling), seed);
                const Classifier model = experiment.train_classifier(how, steps, seed);
                on_train.push_back(accuracy(model, experiment.train));
                on_test.push_back(accuracy(model, experiment.test));
                runs[i].push_back(on_test.back());
                if (how == Pooling::attention) found.push_back(precision(model, experiment));
            }
            if (telling == 1) first.push_back(summarise(on_test).mean);
            if (!found.empty()) precise.push_back(summarise(found).mean);
            table.row(name_of(how), telling, mean_and_spread(on_train), mean_and_spread(on_test),
                      found.empty() ? "" : mean_and_spread(found));
        }
        plot.series.push_back(over_seeds(name_of(how), counts, runs));
    }
    lesson.table(
        table,
        "Accuracy on training and test documents. Precision: if n words are telling, the share of "
        "them among the n words of largest weight. By chance it is 1/70 for one telling word.");
    lesson.show("poolings", plot,
                "Accuracy on test documents. There are four topics, so guessing gives 0.25.");
    lesson.reveal(guess, first[0]);
    lesson.claim("attention-accuracy", "one telling word: accuracy of attention", first[2],
                 at_least(quick ? 0.9 : 0.95));
    lesson.claim("attention-gain", "one telling word: accuracy of attention minus that of the mean",
                 first[2] - first[0], at_least(0.2));
    lesson.claim("telling-largest", "one telling word: how often it has the largest weight",
                 precise[0], at_least(0.9));
    lesson.claim("lowest-precision", "lowest precision with one or more telling words",
                 *std::min_element(precise.begin(), precise.end()), at_least(0.7));
}

//! {if all attention-accuracy > 0.95 and attention-gain > 0.3} With one telling word in seventy,
//! attention is right in {attention-accuracy:%} of the documents, and the mean in
//! {attention-accuracy - attention-gain:%}.
//!
//! Compare the columns of training and test in the table. With one telling word, the mean is right
//! on the training documents and much less often on the test documents: it has memorised the
//! training documents. With one telling word in seventy, nearly all of the mean comes from everyday
//! words. By chance, some combinations of everyday words occur only in training documents of one
//! topic. The network takes them for signs of this topic, and they are of no use in new documents.
//! Attention gives these words little weight, so there is little left to memorise.
//!
//! {if all telling-largest > 0.9} The column of precision says that the weights find the telling
//! words. If a document has only one, this word has the largest weight in {telling-largest:%} of the
//! cases. Nobody told the network which words they are.
//!
//! ## What changes the context, and what does not
//!
//! The formula works for any number of words. In a batch, short documents are padded, and a mask
//! (lesson {embeddings}) leaves the padding out of the softmax. Masked words get the weight 0,
//! whatever they contain. The order of the words does not matter either, because a sum does not
//! depend on the order of its terms.
//!
//! What about irrelevant words that are not masked? Some texts say that any number of them may be
//! appended, and the context does not change. But softmax never gives the weight 0. If the telling
//! word has the score 8 and each of $n$ everyday words has the score 0, the weight of the telling
//! word is
//!
//! $$ \alpha = \frac{e^8}{e^8 + n} = \frac{2981}{2981 + n} . $$
//!
//! {no results} With 70 everyday words this is 0.977, and with 10,000 it is only 0.230. A single
//! everyday word changes nearly nothing, and ten thousand change a lot. The first table computes
//! this by the formula. Then we check it with a trained network, and begin with its weights in one
//! test document, to which nothing has been appended:
void change_the_context(Lesson& lesson, int steps) {
    lesson.heading("What changes the context, and what does not");
    show_dilution(lesson, 8);
    const Prediction guess = lesson.predict(
        "10,000 irrelevant words are appended to each document. How accurate is the classifier "
        "with "
        "attention now?",
        within(0.1));
    const std::uint64_t seed = 100 * lesson.seed();
    const Experiment experiment(1, seed);
    const Classifier attention = experiment.train_classifier(Pooling::attention, steps, seed),
                     mean_pool = experiment.train_classifier(Pooling::mean, steps, seed);
    lesson.show("weights", largest_weights(attention, experiment, 0),
                "The ten words of largest weight in a test document.");

    //! Three claims test the first paragraph of this section: masked words, another order, and
    //! short documents padded to a long one. Two more append a single word to a document. The
    //! change is the length of the difference between the two contexts, before and after, as a
    //! share of the length of the context before.
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

    //! Now we append up to 10,000 everyday words to test documents with one telling word. For
    //! comparison, the same is done with the classifier that takes the mean. (There are fewer
    //! documents here than in the table of accuracies, 200 of them, so the accuracies in the first
    //! row can differ from those of that table. With 300 words appended, the texts have 340 to 400
    //! words.)
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
    //! telling word keeps {weight-100:%} of the weight. Of ten thousand they leave it
    //! {weight-10000:%}. That differs from seed to seed, {weight-10000:range %}, because training
    //! has no reason to make the score of a telling word larger than documents of a hundred words
    //! need.
    lesson.claim("weight-10000", "weight of the telling word with 10,000 irrelevant words appended",
                 appended.weight[5], at_most(0.6));
}

//! ## The word and its context
//!
//! So far the score of a word depends on this word alone. That is not always enough. In "not good",
//! the word before changes everything. A blog post of 2023 about attention (named in the sources
//! below) therefore computes the score of a word from two vectors: the vector of the word, and a
//! vector of its context, such as its neighbours or its position. The post calls the vectors of the
//! words "queries" and those of the contexts "keys". These names differ from those of most other
//! texts, where the words that are searched have the keys. (Lesson {query_key_value} comes back to
//! this.) But what it computes is attention over the words: softmax runs over the words, and the
//! result is the mean of the words' vectors. Let us run it as it is meant.
//!
//! Each document now has two telling words, of different topics. Only one of them counts: the one
//! after the word "mainly".
//!
//! * she went mainly thunder to the door and so flute it was
//!
//! This one is about the weather, and not about music. A score that sees the word alone can find
//! both telling words, but cannot choose between them. The blog post's score compares the word with
//! its context, for which we take the word before. A learned matrix $W$ multiplies the vector $x_j$
//! of the word, and another one, $U$, multiplies the vector $x_{j-1}$ of the word before. The score
//! is the dot product of the two results, divided by the root of the width $D$ of the vectors:
//!
//! $$ e_j = \frac{(W x_j) \cdot (U x_{j-1})}{\sqrt D} . $$
//!
//! (The divisor keeps the scores small at the start; lesson {scores} explains it.)
Tensor by_word(const MarkedModel& model, const MarkedDocuments& data) {
    const Tensor x = model.embedding(data.words);                 // [B, K, D]
    return softmax(matmul(tanh(model.word(x)), model.query), 1);  // [B, K]
}
Tensor by_word_and_context(const MarkedModel& model, const MarkedDocuments& data) {
    const Tensor x = model.embedding(data.words), before = model.embedding(data.before);
    const Tensor scores = sum(model.word(x) * model.context(before), 2);  // [B, K]
    return softmax(scores / std::sqrt(double(x.size(2))), 1);
}

void read_as_the_blog_post(Lesson& lesson, int steps) {
    lesson.heading("The word and its context");
    const MarkedResult word = train_marked(Context::none, by_word, steps, lesson.seed()),
                       context = train_marked(Context::word_before, by_word_and_context, steps,
                                              lesson.seed());
    Table table({"score from", "accuracy", "weight, right word", "weight, other word"});
    table.row("the word", word.accuracy, word.on_right, word.on_other);
    table.row("word and context", context.accuracy, context.on_right, context.on_other);
    lesson.table(table,
                 "On 1,000 new documents of 30 words. The right word is the telling word after "
                 "\"mainly\", and the other word is the other telling word.");
    lesson.claim("context-score-accuracy", "score from word and context: accuracy",
                 context.accuracy, at_least(0.8));
    lesson.claim("context-score-weight",
                 "score from word and context: weight of the right word minus the other's",
                 context.on_right - context.on_other, at_least(0.5));
}

//! With the word alone, both telling words get about the same weight, and the network can only
//! guess between the two topics. With the context, the weight goes to the right word. So the idea
//! of the blog post works. Here we chose the context ourselves, the word before. In lesson
//! {self_attention} each word will read all others and find out by itself which of them matter.
//!
//! ## Kernel regression, 1964
//!
//! Statistics has used the same formula for sixty years. The problem is called regression: some
//! points $(k_j, v_j)$ on an unknown curve are given, with noise, and we want the height of the
//! curve at a new position $q$. Nadaraya and Watson estimate it by a weighted mean of the heights
//! $v_j$, with larger weights for nearer points. A *kernel* is a function that says how much a
//! point counts at a given distance. A frequent choice is the Gaussian kernel $G$ with the width
//! $h$:
//!
//! $$ f(q) = \frac{\sum_j G(q - k_j) \, v_j}{\sum_j G(q - k_j)}, \qquad
//!    G(d) = e^{-d^2 / (2 h^2)} . $$
//!
//! {no results} **By hand.** Three points at 0, 1 and 2 have the values 10, 20 and 30. We ask at $q
//! = 0.5$ with $h = 1$. The distances are 0.5, 0.5 and 1.5, so the kernel gives $e^{-0.125} =
//! 0.882$ twice and $e^{-1.125} = 0.325$. Divided by their sum 2.089, the weights are 0.422, 0.422
//! and 0.155. The estimate is $0.422 \cdot 10 + 0.422 \cdot 20 + 0.155 \cdot 30 = 17.3$.
//!
//! This is attention. The position $q$ is the query, the $k_j$ are keys, the $v_j$ are values, and
//! the weights are the softmax of the scores $-(q - k_j)^2 / (2 h^2)$. The difference is that these
//! scores are not learned; their one parameter $h$ is chosen. The width $h$ acts like the
//! temperature of lesson {probabilities}. If it is small, the nearest point gets all the weight,
//! and the curve follows the noise. If it is large, all weights are equal, and the estimate is the
//! mean everywhere.
//!
//! Vectors instead of positions change little. The squared distance of two vectors is $|q - k|^2 =
//! |q|^2 + |k|^2 - 2 \, q \cdot k$. The first term is the same for all keys, so softmax ignores it.
//! If all keys are equally long, the second is the same, too. What remains is the score $q \cdot k
//! / h^2$, a dot product. It is the score of most models in this course.
//!
//! ![Move the query and see which points answer it. Make the width small: each query repeats its nearest point, with the noise. Make it large: every query gets the mean of all. In between the error is smallest.](live:kernel_regression)
void the_kernel_view(Lesson& lesson) {
    lesson.heading("Kernel regression, 1964");
    show_three_points(lesson);
    Rng rng(lesson.seed());
    const NoisyCurve curve(60, rng);
    LinePlot plot{.x_label = "query", .y_label = "context"};
    plot.series.push_back({"the true curve", curve.q, curve.truth});
    const auto column = [](const std::vector<double>& x) {
        return tensor(x, {1, static_cast<int64_t>(x.size()), 1}, Dtype::float64);
    };
    double gap = 0;
    std::vector<double> errors;
    for (double h : {0.005, 0.05, 0.5}) {
        const std::vector<double> y =
            nadaraya_watson(column(curve.q), column(curve.k), column(curve.v), h)
                .context.to_vector();
        gap = std::max(gap, curve.gap(y, h));
        errors.push_back(curve.error(y));
        plot.series.push_back({fmt::format("h = {}", h), curve.q, y});
    }
    lesson.show(
        "kernel", plot,
        "Attention with fixed scores. A small h follows the noise, a large h gives the mean.");
    const Tensor random = normal({1, 20, 5}, 0, 1, rng, Dtype::float64);
    const Tensor unit = random * rsqrt(sum(square(random), -1, true)),
                 query = slice(random, 1, 0, 3);
    const Tensor by_distance = attention_weights(gaussian_scores(query, unit, 0.7)),
                 by_dot = attention_weights(matmul(query, transpose(unit)) / (0.7 * 0.7));
    lesson.claim("kernel-formula",
                 "attention with these scores against the formula, largest difference", gap,
                 at_most(1e-12));
    lesson.claim("kernel-distance",
                 "weights by distance against weights by dot product, keys of equal length",
                 max(abs(by_distance - by_dot)).item(), at_most(1e-12));
    lesson.claim("kernel-narrow", "squared error with h = 0.05, over the smaller of the other two",
                 errors[1] / std::min(errors[0], errors[2]), less_than(1));
}

}  // namespace

}  // namespace heed::lesson09

//! ## What this does not show
//!
//! Except for one section, each telling word has its meaning alone. In real texts the importance of
//! a word depends on others, near and far. Attention helps most when very few words matter. The
//! more telling words a document has, the smaller is its advantage: in the table of accuracies, the
//! mean is nearly as good in the row with the most telling words. The documents are generated, and
//! no real text is as clear. You can try real ones with `--data`. And although the weights find the
//! telling words here, weights are not always an explanation of an answer. Lesson {explanation} is
//! about this.
//!
//! Sources: Yang et al. (2016), "Hierarchical attention networks for document classification", for
//! the learned query, which is called a context vector there; Nadaraya (1964) and Watson (1964);
//! Tsai et al. (2019), "Transformer dissection", on attention as a kernel; "A less-bad blog post
//! about attention mechanisms" (2023); Li and Roth (2002), "Learning question classifiers", for the
//! questions that `--data` can read.
//!
//! ## Summary
//!
//! 1. Pooling makes one vector of a set. In the plain mean of many words, one telling word is lost
//!    in the noise of the others.
//! 2. Attention weights are the softmax of scores. A score compares a key, computed from the word,
//!    with a query. The context is the mean of the values with these weights.
//! 3. The weights are learned from the labels of whole documents, and they find the telling words.
//! 4. Masked words have the weight 0. Unmasked irrelevant words have a small weight, and many of
//!    them together have a large one.
//! 5. The estimator of Nadaraya and Watson is attention with fixed scores. For keys of equal length
//!    it is attention with a dot product.
//!
//! ## Try this next
//!
//! 1. `--steps 3000`: does the mean catch up, or does it only memorise its documents better?
//! 2. In `Experiment`, set `.train = 6000`: with how many documents is the mean as good as
//!    attention?
//! 3. In `marked_words.cpp`, put "mainly" before both telling words, and "not" two words before one
//!    of them. Why does the score fail now, and what would it have to see?
//! 4. `--data` with your own texts, one `LABEL:detail words` a line (the label, a colon, a note
//!    that the lesson does not read, and the words), or with the folder of the TREC questions,
//!    which are sorted by what they ask for (a place, a person, a number and so on; Li and Roth
//!    2002). Which words get the largest weights?
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
        pool_three_words(lesson);
        if (own) return run_on_own_texts(lesson, steps);
        compare_poolings(lesson, steps);
        change_the_context(lesson, steps);
        read_as_the_blog_post(lesson, steps);
        the_kernel_view(lesson);
    });
}
