//! # Why several heads?
//!
//! Ada helped Ben. The verb of this sentence needs two pieces of information: who helped, and who
//! was helped. In an attention layer (lesson {self_attention}) the verb has one query, so it gets
//! one weighted mean. Is one mean enough for two answers?
//!
//! We try it with two names on paper, and it fails. Then we cut the same numbers into two heads,
//! and it works.

#include <algorithm>
#include <cmath>

#include "lessons/19_heads/experiment.h"
#include "lessons/19_heads/model.h"
#include "lessons/19_heads/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson19 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show("looks", heads_that_look(),
                "One head can only mix the two names. Two heads look at one name each, by numbers "
                "that we work out below.");
}

//! ## One mean for two answers
//!
//! In Korean, a particle after each noun says which role the noun has: 가 marks who did something,
//! and 를 whom it was done to. 개 가 고양이 를 보았다, "dog-who cat-whom saw", means that the dog
//! saw the cat. Exchange the particles, 개 를 고양이 가 보았다, and the cat saw the dog. (After a
//! consonant they are 이 and 을.) We write English in the same way: "helped Ada-who Ben-whom" means
//! that Ada helped Ben, and "helped Ada-whom Ben-who" that Ben helped Ada.
//!
//! {no results} **First attempt: equal weights.** Let the value of Ada be $(1, 0)$ and that of Ben
//! $(0, 1)$, in either role. If the verb gives both names the weight 0.5, its context is
//! $(0.5, 0.5)$ for both sentences. The layers that follow receive only the context, so they give
//! the same answer twice, and once it is wrong.
//!
//! {no results} **Second attempt: unequal weights.** The key of a word may contain its role. So let
//! the name in the role "who" have the weight 0.7 and the name in the role "whom" 0.3. Now the
//! context is $(0.7, 0.3)$ for the first sentence and $(0.3, 0.7)$ for the second. They differ. But
//! are they easy to read? Let there be a third name, Cleo, who is not in the sentence and has the
//! number 0. The output layer is linear, and the name with the largest logit is the answer. For
//! "who", it can take the three numbers as logits: when Ada helps Ben, Ada wins. For "whom", the
//! right name is the one in the middle, and no linear layer can always pick that one. (The proof
//! stands near the end of the lesson. It assumes weights that depend on the roles only. A model may
//! find others, so the experiment has to decide.)
//!
//! ## Several heads
//!
//! The verb needs two means, each with weights of its own. Two whole layers would have twice as
//! many parameters. It is cheaper to cut queries, keys and values of width $D$ into $H$ pieces of
//! width $D / H$. A *head* is one of several attentions that are computed side by side, each with
//! its own pieces of the queries, keys and values. *Multi-head attention* (Vaswani et al. 2017)
//! puts the contexts of the heads side by side and multiplies the result by one more matrix:
//!
//! $$ C_h = \mathrm{softmax}\Big( \frac{Q_h K_h^\top}{\sqrt{D/H}} \Big) V_h, \qquad
//!    \text{output} = \mathrm{concat}(C_1, \ldots, C_H) \, W_O^\top . $$
//!
//! - $Q_h$, $K_h$ and $V_h$ are the pieces of head $h$, and $C_h$ holds its contexts, a row for
//!   each token.
//! - $W_O$ lets every number of the output depend on all heads. It has $D$ columns, and a row for
//!   each number of the output; in a Transformer that is $D$ rows.
//!
//! The matrices have the same size for any $H$. Heads cost no parameters, and no multiplications
//! either: $H$ products of width $D / H$ are as many as one of width $D$. Only the weights are
//! more, one for each head, query and key.
//!
//! **By hand.** Let the width be 4. A name in the role "who" has the key $(1, 0, 1, 0)$, one in the
//! role "whom" has $(0, 1, 0, 1)$. The value of Ada is $(1, 0, 1, 0)$, that of Ben $(0, 1, 0, 1)$.
//! The query of the verb is $(4, 0, 0, 4)$. With one head the product of the query with either key
//! is $4$. The weights are equal, and the context is $(0.5, 0.5, 0.5, 0.5)$ for both sentences.
//!
//! {no results} With two heads, the first head has the query $(4, 0)$ and the second has $(0, 4)$.
//! In the first head, the score of "who" is $4 / \sqrt 2 = 2.828$ and that of "whom" is 0. The
//! exponentials are 16.92 and 1, so the weights are 0.944 and 0.056. In the second head they are
//! exchanged. If Ada helps Ben, the first context is
//! $0.944 \cdot (1, 0) + 0.056 \cdot (0, 1) = (0.944, 0.056)$ and the second is $(0.056, 0.944)$:
//! the first piece says "who", the second says "whom". When Ben helps Ada, it is the other way
//! round.
Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v) {  // [Q, d], [K, d], [K, d]
    const double width = static_cast<double>(q.size(1));
    return matmul(softmax(matmul(q, transpose(k)) / std::sqrt(width)), v);  // [Q, d]
}

Tensor piece(const Tensor& x, int64_t head, int64_t heads) {  // columns of one head
    const int64_t width = x.size(1) / heads;
    return slice(x, 1, head * width, (head + 1) * width);
}

Tensor several_heads(const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads) {
    std::vector<Tensor> contexts;
    for (int64_t h = 0; h < heads; ++h)
        contexts.push_back(attend(piece(q, h, heads), piece(k, h, heads), piece(v, h, heads)));
    return concat(contexts, 1);  // [Q, D]
}

//! `compute_by_hand` gives it the numbers above, once as one head and once as two.
void compute_by_hand(Lesson& lesson) {
    lesson.heading("Several heads");
    lesson.show("multi_head", multi_head_diagram(),
                "Multi-head attention with two heads. The tokens are the input.");
    Table table({"heads", "Ada helped Ben", "Ben helped Ada"});
    for (int64_t heads : {1, 2})
        table.row(heads, in_brackets(several_heads(verb(), keys(true), values(), heads)),
                  in_brackets(several_heads(verb(), keys(false), values(), heads)));
    lesson.table(table, "The context of the verb. With one head the two sentences look the same.");
    lesson.claim("by-hand",
                 "identity: two heads against the numbers worked by hand, largest difference",
                 largest_difference(several_heads(verb(), keys(true), values(), 2),
                                    tensor({0.944, 0.056, 0.056, 0.944}, {1, 4})),
                 at_most(0.0005));
}

//! ## Concatenate, or add
//!
//! Let $W_{O,h}$ be those columns of $W_O$ that are multiplied with the context of head $h$. A
//! product with a concatenation is the sum of the products with its pieces:
//!
//! $$ \mathrm{concat}(C_1, \ldots, C_H) \, W_O^\top = \sum_{h=1}^{H} C_h W_{O,h}^\top . $$
//!
//! So each head has an output of its own, and the outputs are added. No head sees what another one
//! does. We can take one away and leave the rest as it is.
//!
//! **By hand.** In the example, let $W_O$ have two rows, one for each name. They compute how much
//! the name is "who" minus how much it is "whom":
//!
//! $$ W_O = \begin{pmatrix} 1 & 0 & -1 & 0 \\ 0 & 1 & 0 & -1 \end{pmatrix} . $$
//!
//! When Ada helps Ben, the first head contributes $(0.944, 0.056)$ and the second
//! $(-0.056, -0.944)$. The sum is $(0.888, -0.888)$: positive for Ada, who helped, and negative for
//! Ben. `sum_over_heads` computes it, with the bias that the library adds; here it is 0.
Tensor sum_over_heads(const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads,
                      const Linear& output) {
    Tensor total = output.bias;
    for (int64_t h = 0; h < heads; ++h) {
        const Tensor context = attend(piece(q, h, heads), piece(k, h, heads), piece(v, h, heads));
        total = total + matmul(context, transpose(piece(output.weight, h, heads)));
    }
    return total;  // [Q, D]
}

//! Both forms must agree with `MultiHead`, the layer of the library.
void compare_with_the_library(Lesson& lesson) {
    lesson.heading("Concatenate, or add");
    Linear output;
    output.weight = tensor({1, 0, -1, 0, 0, 1, 0, -1}, {2, 4});
    output.bias = zeros({2});
    lesson.say("The sum over two heads by the program, Ada helped Ben: {}.",
               in_brackets(sum_over_heads(verb(), keys(true), values(), 2, output)));

    Rng rng(lesson.seed());
    const Tensor x = normal({6, 32}, 0, 1, rng, Dtype::float64);
    double joined = 0, added = 0;
    int64_t parameters = 0;
    for (int64_t heads : {1, 2, 4, 8}) {
        MultiHead layer({.width = 32, .heads = heads}, rng);
        to_dtype(layer, Dtype::float64);
        const Tensor q = layer.query(x), k = layer.key(x), v = layer.value(x);
        const Tensor all = unsqueeze(x, 0), library = select(layer(all, all, all), 0, 0);
        joined = std::max(joined,
                          largest_difference(layer.output(several_heads(q, k, v, heads)), library));
        added = std::max(added,
                         largest_difference(sum_over_heads(q, k, v, heads, layer.output), library));
        parameters = parameter_count(layer);
    }
    lesson.say("A layer of width 32 has {} parameters with 1, 2, 4 or 8 heads.",
               number(static_cast<double>(parameters)));
    lesson.claim("concatenated", "identity: concatenated heads against the library, 1 to 8 heads",
                 joined, at_most(1e-12));
    lesson.claim("summed", "identity: sum over heads against the library, 1 to 8 heads", added,
                 at_most(1e-12));
}

//! ## Who helped whom?
//!
//! Now we train. There are 24 names and four roles: who, whom, with and for. A sentence has a verb
//! and four different names in random order: "helped Finn-whom Ada-who Mia-for Jon-with". Every
//! sentence is sampled anew.
//!
//! {no results} The model is one attention layer of width 32, and the only query is that of the
//! verb. The key of a word is computed from its name and its role, its value from its name only:
//! the role can decide where the verb looks, but what it receives are names. From the context, one
//! linear layer computes 24 logits for "who", and another one for "whom". A run is successful if at
//! least 95 % of the sentences have both answers right.
//!
//! What can a single head do? It can look at one role only. Then one answer is always right, and
//! the other is a guess among 23 names. Or it can give both names the same weight. Then the context
//! tells the two names but not which is which, and a fixed rule, such as "first in the alphabet is
//! who", has both right in half of the sentences. The loss is smaller, too: $\ln 2 = 0.69$ for each
//! answer, instead of 0 for one and $\ln 23 = 3.14$ for the other. Which way will training take?
//!
//! {no results} We train models with one, two and four heads, five of each. A fourth kind has one
//! head, and a hidden layer (lesson {learning}) between the context and the two output layers, with
//! units that compute $\max(0, x)$, which is called relu. This is enough to pick the number in the
//! middle. Let the logit of a name be its number $c$, but let a relu take away ten times what lies
//! above 0.5: $c - 10 \max(0, c - 0.5)$. That is $-1.3$ for 0.7, 0.3 for 0.3 and 0 for 0. So Ben
//! wins, and a good solution with one head exists. Will training find it?
//!
//! {code model.cpp train_model}
std::vector<Trained> who_and_whom(Lesson& lesson, int steps) {
    lesson.heading("Who helped whom?");
    const Prediction guess =
        lesson.predict("One head, 24 names. In what share of the sentences are both answers right?",
                       within(0.1).from(0, 1));
    std::vector<Kind> kinds{{"one", {.heads = 1}},
                            {"two", {.heads = 2}},
                            {"four", {.heads = 4}},
                            {"one, hidden layer", {.heads = 1, .hidden = true}}};
    if (lesson.quick()) kinds.resize(2);
    const std::vector<std::vector<Trained>> runs = train_kinds(lesson, kinds, steps);
    lesson.reveal(guess, summarise(accuracies(runs[0])).mean);
    show_weights(lesson, kinds, runs);

    //! {if all one-head < 0.15} With two heads, one looks at "who" and one at "whom". A
    //! single head that puts all its weight on one role has one answer right, and the other is one
    //! guess of 23. On average over its runs, a single head has both right in {one-head:range %} of
    //! the sentences. {no results} (The guess alone would give 4.3 %.)
    //!
    //! Why does training so seldom find the equal weights? We have not tested it, but there is a
    //! probable reason. At the beginning one of the two roles has a little more weight by chance.
    //! Its answer is learned first, and then a larger weight on this role makes the loss smaller.
    //! The weight of the other role goes to 0. There it stays, because the derivative of a softmax
    //! with respect to a score has the weight as a factor (lesson {scores}). Training is stuck,
    //! although a smaller loss exists.
    //!
    //! {if all two-heads > 0.99 and two-heads-successes > 2} Two heads are enough. But nothing in
    //! the loss says that heads should differ; they differ only because their initial values
    //! differ. Of five runs {two-heads-successes:range 0} succeeded, over the seeds. {if all
    //! two-heads-exceptions < 0.5} Which ones is no riddle: a run fails if both heads look at the
    //! same role, and succeeds if they do not, without an exception. {if all four-heads > 0.99}
    //! {full run} With four heads all runs succeed, because it is more probable that at least one
    //! looks at each of the two roles.
    //!
    //! {if hidden-successes < 2} {full run} The hidden layer seldom helps: of five runs
    //! {hidden-successes:range 0} found the solution. The others look at one role, like the single
    //! head without it.
    lesson.claim("one-head", "finding: one head: share of sentences with both right",
                 summarise(accuracies(runs[0])).mean, at_most(lesson.quick() ? 0.35 : 0.2));
    lesson.claim("two-heads", "finding: two heads, best run: share of sentences with both right",
                 summarise(accuracies(runs[1])).high, at_least(lesson.quick() ? 0.9 : 0.99));
    double exceptions = 0;
    for (const Trained& run : runs[1])
        exceptions += heads_differ(run.model, Rng(lesson.seed())) != is_successful(run);
    lesson.claim(
        "two-heads-exceptions",
        "finding: two heads: runs that succeed with equal heads or fail with different ones",
        exceptions, equals(0));
    if (!lesson.quick()) {
        lesson.claim("two-heads-successes", "finding: two heads: successful runs of five",
                     successes(runs[1]), at_least(3));
        lesson.claim("four-heads", "finding: four heads: share of sentences with both right",
                     summarise(accuracies(runs[2])).mean, at_least(0.98));
        lesson.claim("hidden-successes",
                     "finding: one head and a hidden layer: successful runs of five",
                     successes(runs[3]), at_most(3));
    }
    return runs[1];
}

//! ## Removing a head
//!
//! What does a head of a trained model do? An *ablation* removes a part of a model, without
//! training it again, and measures what gets worse. To remove head $h$, we set its columns
//! $W_{O,h}$ to zero. Its term disappears from the sum, and all others remain.
void remove_heads(Lesson& lesson, const RoleModel& two) {
    lesson.heading("Removing a head");
    const Prediction guess = lesson.predict(
        "The best model with two heads loses one of them. What becomes of its two answers?",
        {"both get lost", "one gets lost", "both stay"});
    const Rng rng(lesson.seed());
    const std::vector<double> with_both = accuracy(two, rng).each;
    const std::vector<std::vector<double>> without{accuracy(without_head(two, 0), rng).each,
                                                   accuracy(without_head(two, 1), rng).each};
    show_ablation(lesson, with_both, without);

    std::vector<int> costs;  // the answer that suffers more: 0 who, 1 whom
    double lost = 0, kept = 1;
    for (const std::vector<double>& left : without) {
        costs.push_back(left[0] < left[1] ? 0 : 1);
        lost = std::max(lost, left[costs.back()]);
        kept = std::min(kept, left[1 - costs.back()]);
    }
    lesson.reveal(guess, kept < 0.5 ? "both get lost" : lost < 0.5 ? "one gets lost" : "both stay");
    lesson.live("heads",
                "Switch one head off and see which answer it was responsible for. Then look at "
                "other sentences: does each head look at the same role in all of them?",
                [&](const std::string& path) { save_model(two, path); });
    lesson.claim("each-needed", "finding: the removal of each head loses a different answer",
                 costs[0] != costs[1], is_true());
    lesson.claim("role-without-head", "finding: accuracy for the role of a head, without this head",
                 lost, at_most(0.1));
    lesson.claim("other-role", "finding: accuracy for the other role", kept, at_least(0.9));
}

//! ## Four roles at once
//!
//! If the verb has to name all four people, does it need four heads? We train models with one, two,
//! four and eight heads on all four roles. The width stays 32, so eight heads compare queries and
//! keys of width 4.
void four_roles(Lesson& lesson, int steps) {
    lesson.heading("Four roles at once");
    const std::vector<double> all = show_four_roles(lesson, steps, {1, 2, 4, 8});
    //! {if all eight-minus-two > 0.95 and one-head-four-roles < 0.01} With one or two heads hardly
    //! any sentence has all four names right; with eight heads nearly all have. For single roles,
    //! one head that looks at one of them and guesses the three others is right in
    //! $(1 + 3/23) / 4 = 0.28$ of the cases.
    lesson.claim("one-head-four-roles", "finding: share of sentences with all four right: one head",
                 all[0], at_most(0.01));
    lesson.claim("eight-minus-two",
                 "finding: share of sentences with all four right: eight heads minus two heads",
                 all[3] - all[1], at_least(0.9));
}

}  // namespace

}  // namespace heed::lesson19

//! ## No linear layer picks the middle
//!
//! {no results} Here is the proof that was promised. With one head, the weight 0.7 on "who" and 0.3
//! on "whom", the numbers of Ada, Ben and Cleo are 0.7, 0.3 and 0 when Ada helps Ben. Suppose that
//! a linear layer always gives the largest logit to the name in the middle, here Ben.
//!
//! Exchange two names in this layer, in the numbers that it reads and in its logits. It is still
//! right, because the task treats all names alike. Exchange the names in all possible ways and
//! average these layers. The average still gives the right answers, and it treats all names alike:
//! the logit of a name is $s$ times its own number plus $t$ times the sum of the others. For Ada,
//! Ben and Cleo these are
//!
//! $$ 0.7 s + 0.3 t, \qquad 0.3 s + 0.7 t, \qquad t . $$
//!
//! Ben wins against Ada if $0.4 t > 0.4 s$, so $t$ must be larger than $s$. Ben wins against Cleo
//! if $0.3 s > 0.3 t$, so $s$ must be larger than $t$. Both at once are impossible.
//!
//! ## What this does not show
//!
//! Here the heads have roles with names, because the task was made of such roles. In trained
//! language models few are so clear. Voita et al. (2019) found some that attend to the next word,
//! to the verb of a noun, or to rare words; many others could be removed. Michel, Levy and Neubig
//! (2019) removed a large share of all heads after training and lost little.
//!
//! The proof that one head fails is about a single layer with a linear output. In a Transformer,
//! what one layer cannot bring, the next one may.
//!
//! More heads are not always better: a head whose keys are too narrow cannot tell many kinds of
//! words apart.
//!
//! Sources: Vaswani et al., "Attention is all you need" (2017), section 3.2.2; Voita et al.,
//! "Analyzing multi-head self-attention" (2019); Michel, Levy and Neubig, "Are sixteen heads really
//! better than one?" (2019).
//!
//! ## Summary
//!
//! 1. A query gets one weighted mean. A mean of two names does not say which is who and which is
//!    whom.
//! 2. Multi-head attention cuts queries, keys and values into $H$ pieces, one for each head. It has
//!    as many parameters as a single head.
//! 3. Concatenating the contexts and multiplying by $W_O$ is adding one output for each head.
//! 4. When training succeeds, each head attends to one role, and removing it loses this answer
//!    only.
//! 5. Nothing forces heads to differ. More heads make it less likely that a role is missing.
//!
//! ## Try this next
//!
//! 1. In `model.cpp`, remove `+ values` from the keys, so that they contain the role only. How
//!    often do two heads attend to the same role now?
//! 2. Set `width` in `model.h` to 8: how narrow may eight heads be?
//! 3. In `RoleModel::operator()`, replace the attention by equal weights on all words. Which share
//!    of sentences is right? Compute it before you run it.
using namespace heed;
using namespace heed::lesson19;

int main(int argc, char** argv) {
    Lesson lesson({.number = 19,
                   .name = "heads",
                   .title = "Why several heads?",
                   .question = "What can two heads do that one head, twice as wide, cannot do?",
                   .own_data = "random sentences of a verb and four names"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (3000; quick 2000)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 2000 : 3000;
        opening(lesson);
        compute_by_hand(lesson);
        compare_with_the_library(lesson);
        const std::vector<Trained> two = who_and_whom(lesson, steps);
        remove_heads(lesson, best_of(two).model);
        if (!lesson.quick()) four_roles(lesson, steps);
    });
}
