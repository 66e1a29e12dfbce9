//! # Where does it look?
//!
//! A program read the Korean sentence 나는 학생 이다 and wrote "I am a student". Before each word it
//! looked at the sentence once more.
//!
//! ![Step through the sentence: before each word, what does the program look at?](live:looking)
//!
//! For "student" it looked at 학생, and 학생 means student. For "am" it looked at 이다, the verb "to be"
//! (a copula), which in Korean comes last. Nobody had told it which word belongs to which. It had
//! read pairs of sentences, and it had one way of looking: **attention**. Attention takes ten lines
//! of code, this lesson ten minutes. (You see the translator of lesson {translation}. The course
//! writes 이다 and the particles of nouns apart. Pronouns keep theirs: 나는 is 나, I, with the topic
//! particle 는.)
//!
//! Every lesson is a program that explains, asks you to guess, and measures. *Claims* are statements
//! that are compared with what was measured, and can turn out wrong.
//!
//! Here are all four words at once. The darker a square, the more the program looked there:

#include <cmath>
#include <vector>

#include "autograd/autograd.h"
#include "lessons/00_attention/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson00 {

using namespace course;

namespace {

void opening(Lesson& lesson) { show_alignment(lesson); }

//! ## Three words and a wish
//!
//! Inside the program a word is a list of numbers, a **vector**. Ours has two: how much of a person
//! is in the word, and how much of a verb.
//!
//! | word | vector |
//! | --- | --- |
//! | 나는 (I) | $(3, 0)$ |
//! | 학생 (student) | $(2, 1)$ |
//! | 이다 (am, is) | $(0, 2)$ |
//!
//! The program has written "I" and needs a verb next. It says so with a vector too, the **query**:
//! $q = (0, 2)$. It asks for a verb and ignores the person.
const std::vector<std::string> names{"나는", "학생", "이다"};
const std::vector<Row> three{{3, 0}, {2, 1}, {0, 2}};
const Row wish{0, 2};

//! **How well does a word fit?** Multiply the numbers of query and word in pairs and add up. This
//! is their **dot product**, and here it is the word's **score**. For 학생 it is $0 \cdot 2 + 2 \cdot
//! 1 = 2$. The three scores are 0, 2 and 4.
//!
//! {no results} **How much is taken of it?** Each word gets $e^{\text{score}}$ points, with $e =
//! 2.718\ldots$: 1, 7.39 and 54.60, together 62.99. 이다 has a score 2 above that of 학생, so it gets
//! $e^2 = 7.39$ times as many points. A word's share of all points is its **attention weight**:
//! 0.016, 0.117 and 0.867. The step from scores to shares, which sum to 1, is called *softmax*.
//!
//! **What comes out?** Multiply each word's vector by its weight, and add up. The first number is
//! $0.016 \cdot 3 + 0.117 \cdot 2 + 0.867 \cdot 0 = 0.28$, the second $0.016 \cdot 0 + 0.117 \cdot
//! 1 + 0.867 \cdot 2 = 1.85$. The result $(0.28, 1.85)$ is close to 이다, with a little of the other
//! two mixed in.
const Row weights_on_paper{0.0159, 0.1173, 0.8668}, mean_on_paper{0.2822, 1.8509};

//! ## Ten lines
//!
//! All of that is this function, for any number of words.
Row attend(const Row& query, const std::vector<Row>& words) {
    Row share;
    double all = 0;
    for (const Row& word : words) share.push_back(std::exp(dot(query, word)));
    for (const double points : share) all += points;
    Row mean(query.size());
    for (std::size_t j = 0; j < words.size(); ++j)
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += share[j] / all * words[j][i];
    return mean;
}

//! For our query and our words it has to give what we found on paper.
void by_hand(Lesson& lesson) {
    lesson.heading("Ten lines");
    const Row mean = attend(wish, three);
    lesson.claim("ten-lines", "the ten lines against the mean on paper, to four decimals",
                 difference(mean, mean_on_paper), at_most(5e-5));

    //! The library under this course, heed, does the same with tensors. A product of matrices gives
    //! the scores, `softmax` the weights, and a second product the mean.
    const Tensor q = as_tensor({wish}), w = as_tensor(three);  // [1, 2], [3, 2]
    const Tensor weights = softmax(matmul(q, transpose(w)));   // [1, 3]
    const Tensor context = matmul(weights, w);                 // [1, 2]
    show_weights(lesson, names, weights.to_vector());
    lesson.claim("weights-on-paper", "the library's weights against paper, to four decimals",
                 difference(weights.to_vector(), weights_on_paper), at_most(5e-5));
    lesson.claim("library", "the library's mean against the ten lines",
                 difference(context.to_vector(), mean), at_most(1e-12));
}

//! ## Turn the query
//!
//! What if the query asks for something else?
//!
//! ![Drag the query towards a word, and its share grows. In the middle it asks for nothing and gets the plain mean.](live:wish)
void turn(Lesson& lesson) {
    lesson.heading("Turn the query");
    const Prediction guess = lesson.predict(
        "The query (0, 2) gave 이다 a share of 0.87. Make the query twice as long, (0, 4). What is the "
        "share of 이다 now?",
        within(0.02).from(0, 1));
    const auto share_of_verb = [](double length) {  // of the query (0, length)
        return softmax(matmul(as_tensor({{0, length}}), transpose(as_tensor(three)))).at({0, 2});
    };
    lesson.reveal(guess, share_of_verb(4));
    //! Twice the length doubles all scores: 0, 4 and 8. The share of 이다 becomes $e^8 / (1 + e^4 +
    //! e^8) = 0.982$.
    bool always_grows = true;
    for (int step = 0; step < 100; ++step)
        always_grows &= share_of_verb(0.1 * (step + 1)) > share_of_verb(0.1 * step);
    lesson.claim("no-query", "a query of zeros gives 이다 one third, difference",
                 share_of_verb(0) - 1. / 3, equals(0, 1e-12));
    lesson.claim("towards", "from (0, 0) to (0, 10) the share of 이다 grows with each of 100 steps",
                 always_grows, is_true());
}

//! ## The picture again
//!
//! Each row of the picture at the top is one call of such a function. What the program has written
//! so far becomes a query, and the mean goes into the next word. We did not pick a lucky sentence:
//! over all test sentences of lesson {translation}, the right word gets a share of
//! {translation/aligned-weight:2} on average.
//!
//! One thing that many texts get wrong: **these weights are not what the program has learned.**
//! They are computed anew for every word. What it has learned is to make vectors with which the
//! right words find each other.
//!
//! ## The road
//!
//! You will build this translator: first the machine that computes with vectors and finds out how
//! to change them (lessons {tensors} and {autograd}); then a network that reads a sentence and fails
//! when it grows (lessons {recurrence} and {bottleneck}); then attention, which mends it (lesson
//! {translation}). From there it is not far to the Transformer (lesson
//! {transformer}) and to a language model (lesson {language_model}). At each step you write the
//! part that matters and have it judged. In the end the parts that you wrote translate.
void the_road(Lesson& lesson) {
    lesson.heading("The road");
    lesson.show("road", road(), "From here to the translator and to the language model.");
}

}  // namespace

}  // namespace heed::lesson00

//! ## What this does not show
//!
//! We chose the vectors so that the right word fits. A program has to find them, and its vectors
//! have dozens of numbers without names. And a large share says where it looked, not why (lesson
//! {explanation}).
//!
//! ## Summary
//!
//! 1. A query says what is looked for. Its dot product with a word's vector is the word's score.
//! 2. Softmax turns scores into shares: each word gets $e^{\text{score}}$ points.
//! 3. Attention returns the mean of the vectors, each counted with its share.
//! 4. A longer query chooses more sharply; zeros give the plain mean.
//! 5. The weights are computed anew each time. What is learned are the vectors.
//!
//! **Your turn:** exercise {attention.1}, five minutes.
//!
//! ## Sources
//!
//! * Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
//!   Translate" (2015): attention in a translator (section 3), and the first pictures (figure 3).
//! * Vaswani et al., "Attention Is All You Need" (2017), section 3.2: queries, keys and values.
using namespace heed;
using namespace heed::lesson00;

int main(int argc, char** argv) {
    Lesson lesson({.number = 0,
                   .name = "attention",
                   .title = "Where does it look?",
                   .question = "How can a program look at the right word?",
                   .own_data = "three words on paper, and a picture of a trained translator",
                   .trains = false});
    return lesson.run(argc, argv, [&] {
        opening(lesson);
        by_hand(lesson);
        turn(lesson);
        the_road(lesson);
    });
}
