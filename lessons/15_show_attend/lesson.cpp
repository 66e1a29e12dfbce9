//! # One patch or all of them?
//!
//! A picture of 48 by 48 pixels is divided into sixteen *patches*, squares of 12 by 12 pixels. One
//! patch contains a sign, such as a ring or an arrow. The other fifteen contain clutter: a few
//! strokes that look similar. There are ten kinds of signs: ring, triangle, square, plus, arrow,
//! saltire (a diagonal cross), and the letters Z, T, V and H (zed, tee, vee and aitch). Which one
//! is in the picture?
//!
//! A network can read every detail of all sixteen patches. Fifteen sixteenths of this work are
//! wasted on clutter. Or it can look at a coarse version of the picture first, choose one patch,
//! and read only this one in detail. That is sixteen times less to read, but after a wrong choice
//! the network has to guess. What does it lose? And the training data say which sign is in the
//! picture, but not where it is. How does the network learn which patch to choose?
//!
//! The paper "Show, Attend and Tell" (Xu et al. 2015) asked these questions for a network that
//! describes photographs, and attends to another patch for each word. It compared soft and hard
//! attention, and hard attention did a little better. We leave out the "tell": one picture, one
//! look, one word.

#include <algorithm>
#include <cmath>

#include "attention/hard/hard.h"
#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "lessons/15_show_attend/experiment.h"
#include "lessons/15_show_attend/model.h"
#include "lessons/15_show_attend/pictures.h"
#include "lessons/course/course.h"

namespace heed::lesson15 {

using namespace course;

namespace {

//! ## A coarse look at all, a sharp look at some
//!
//! The network has two parts. The scorer sees all patches at low resolution: of each patch, it gets
//! nine grey values, each the mean of 4 by 4 pixels. From these nine numbers it computes the score
//! of the patch. Softmax turns the sixteen scores into the attention weights $\alpha_1, \dots,
//! \alpha_{16}$.
//!
//! The second part reads patches at full resolution, 144 pixels each. The *features* of a picture
//! are numbers by which a network describes it: an encoder turns patch $j$ into a vector of 64
//! features, $f_j$. A classifier turns such a vector into the probabilities of the ten signs. We
//! count every patch that the encoder reads.
void show_the_problem(Lesson& lesson, const Data& data) {
    lesson.heading("A coarse look at all, a sharp look at some");
    show_signs(lesson, data.test);
    lesson.show("networks", network_diagrams(),
                "Soft attention reads all patches, hard attention reads the one that was drawn.");
}

//! ## Two simple attempts
//!
//! The first attempt has no scorer and classifies the mean of the features of all sixteen patches.
//! The sign is then one sixteenth of the mean, and the rest comes from clutter.
Tensor minus_log_p(const PatchClassifier& net, const Tensor& features, const Indices& labels) {
    return cross_entropy(net.classify(features), labels, {.reduction = Reduction::none});
}
Tensor mean_pooling(const PatchClassifier& net, const Batch& b, MovingAverage&, Rng&) {
    return mean(minus_log_p(net, mean(net.features(b.patches), 1), b.labels));
}

//! The second attempt reads the patch with the largest score and trains everything with the usual
//! loss. This fails, as lesson {reinforce} has shown: the same patch is read after a small change
//! of the scores, so the scorer gets the derivative 0 and never changes. Its choice remains
//! arbitrary. If the sign is found in one of sixteen pictures, and one of ten guesses is right in
//! the others, the accuracy is about $1/16 + 15/16 \cdot 1/10 = 0.16$.
//!
//! ## Soft attention
//!
//! Soft attention, the attention of the lessons before, reads all patches and classifies the mean
//! of their features, weighted by $\alpha$. The context of the picture is
//!
//! $$ c = \sum_{j=1}^{16} \alpha_j f_j , $$
//!
//! and the loss is $-\ln p(y \mid c)$, where $y$ is the right sign. Every step has a derivative, so
//! the scorer is trained like any other layer.
Tensor soft(const PatchClassifier& net, const Batch& b, MovingAverage&, Rng&) {
    const Tensor alpha = unsqueeze(softmax(net.scores(b.patches), -1), 1);      // [B, 1, K]
    const Tensor context = squeeze(matmul(alpha, net.features(b.patches)), 1);  // [B, D]
    return mean(minus_log_p(net, context, b.labels));
}

//! ## Hard attention, right or wrong
//!
//! Hard attention draws one patch $s$ with the probabilities $\alpha$ and reads only this patch.
//! The classifier is trained with its usual loss, $-\ln p(y \mid s)$, on the patch that was read.
//! For the scorer, lesson {reinforce} has an estimator of the gradient: multiply $\nabla \ln
//! \alpha_s$ by a cost of the choice, minus a baseline.
//!
//! The simplest cost is 1 if the answer was wrong and 0 if it was right. The baseline is a moving
//! average of past costs.
Tensor by_reinforce(const PatchClassifier& net, const Batch& b, MovingAverage& average, Rng& rng) {
    const CategoricalSample s = sample_categorical(net.scores(b.patches), rng);
    const Tensor logits = net.classify(net.features(values_at(b.patches, s.indices)));
    const Indices predicted = argmax(logits, -1);
    std::vector<double> wrong;
    for (int64_t i = 0; i < predicted.count(); ++i) wrong.push_back(predicted[i] != b.labels[i]);
    const Tensor cost = tensor(wrong);
    const Tensor loss = cross_entropy(logits, b.labels) +
                        score_function_term(cost, s.log_prob, scalar(average.value));
    average.update(cost);
    return loss;
}

//! ## The probability of the right answer
//!
//! "Right or wrong" is a coarse measure. With what probability does the network as a whole give the
//! right answer $y$? It draws patch $j$ with the probability $\alpha_j$, and then gives the right
//! answer with the probability $p(y \mid j)$:
//!
//! $$ p(y) = \sum_{j=1}^{16} \alpha_j \, p(y \mid j) . $$
//!
//! The probability of an answer, summed over everything that might have been drawn, is called its
//! *marginal likelihood*. We want to make it large, or its negative logarithm small.
//!
//! {no results} **By hand.** Take a picture with four patches only. The weights are 0.7, 0.1, 0.1
//! and 0.1, and the sign is in the first patch. There the classifier gives the right answer with
//! the probability 0.9, and in each of the other patches with 0.1. So $p(y) = 0.7 \cdot 0.9 + 3
//! \cdot 0.1 \cdot 0.1 = 0.66$, and its logarithm is $-0.416$.
const std::vector<double> four_weights{0.7, 0.1, 0.1, 0.1}, four_answers{0.9, 0.1, 0.1, 0.1};

double log_marginal(const std::vector<double>& alpha, const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) sum += alpha[j] * p[j];
    return std::log(sum);
}

//! Many texts say that hard attention cannot be trained by gradient descent. Here it can: the sum
//! has a derivative with respect to all parameters, and nothing has to be drawn. All sixteen
//! patches are read in **training**. After it, the network reads only the patch with the largest
//! weight.
// ln p(y | j) for every patch, [B, K]
Tensor each_log_p(const PatchClassifier& net, const Batch& b) {
    const Tensor logits = net.classify(net.features(b.patches));  // [B, K, 10]
    std::vector<int> labels;
    for (int64_t i = 0; i < b.labels.count(); ++i)
        labels.insert(labels.end(), patch_count, b.labels[i]);
    return -reshape(cross_entropy(reshape(logits, {-1, glyph_count}), Indices(labels),
                                  {.reduction = Reduction::none}),
                    {-1, patch_count});
}
Tensor marginal(const PatchClassifier& net, const Batch& b, MovingAverage&, Rng&) {
    return mean(-logsumexp(log_softmax(net.scores(b.patches), -1) + each_log_p(net, b), -1));
}

//! How does this differ from soft attention? That averages the features of the patches and
//! classifies once. The marginal likelihood classifies each patch and averages the probabilities.
//!
//! ## A bound from a single sample
//!
//! Can we have this with one patch read in training, too? The logarithm of a sum is not an
//! expectation, so a sample does not estimate it. But the mean of the logarithms is:
//!
//! $$ \ln p(y) = \ln \sum_j \alpha_j \, p(y \mid j) \;\ge\; \sum_j \alpha_j \ln p(y \mid j)
//!    = E[\ln p(y \mid s)] . $$
//!
//! The right side is never larger than the left one: small values pull down a mean of logarithms
//! more than the logarithm of the mean. (This is Jensen's inequality.)
//!
//! How large is the gap? It is the KL divergence (lesson {probabilities}) of two lists of
//! probabilities of the patches: the $\alpha_j$, with which the network chooses before it knows the
//! answer, and the posterior, $\alpha_j \, p(y \mid j) / p(y)$, with which it would have chosen if
//! it had known that the answer is $y$. When all patches give the same answer, the two lists are
//! equal, and there is no gap.
//!
//! A *variational lower bound* of a marginal likelihood draws the patch with any list of
//! probabilities $q_j$, and varies $q$ to make the gap small. For a free $q$ the bound is $\sum_j
//! q_j \ln (\alpha_j \, p(y \mid j) / q_j)$. Xu et al. take the simplest choice, $q = \alpha$,
//! which gives the bound above. (Deng et al. (2018) use a second network for $q$, which is shown
//! the answer.)
//!
//! {no results} **By hand.** $0.7 \cdot \ln 0.9 + 0.3 \cdot \ln 0.1 = -0.074 - 0.691 = -0.765$.
//! This is smaller than $-0.416$ by 0.349 nats. The posterior of the first patch is $0.63 / 0.66 =
//! 0.955$, that of each other $0.01 / 0.66 = 0.015$, and the KL divergence is $0.7 \ln (0.7 /
//! 0.955) + 0.3 \ln (0.1 / 0.015) = 0.349$, too.
double bound_of_one(const std::vector<double>& alpha, const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) sum += alpha[j] * std::log(p[j]);
    return sum;
}

//! The bound is an expectation over $s$, so REINFORCE estimates its gradient, with the cost $-\ln
//! p(y \mid s)$. Xu et al. train in this way. Like them, we add a small bonus for the entropy of
//! $\alpha$ (lesson {probabilities}), which keeps the network from putting all its weight on one
//! patch too early.
Tensor lower_bound(const PatchClassifier& net, const Batch& b, MovingAverage& average, Rng& rng) {
    const Tensor scores = net.scores(b.patches);
    const CategoricalSample s = sample_categorical(scores, rng);
    const Tensor cost = minus_log_p(net, net.features(values_at(b.patches, s.indices)), b.labels);
    const Tensor loss =
        reinforce(cost - 0.01 * categorical_entropy(scores), s.log_prob, scalar(average.value));
    average.update(cost);
    return loss;
}

//! ## A tighter bound from several samples
//!
//! Draw $M$ patches instead of one, and take the logarithm of their mean probability:
//!
//! $$ E\Big[ \ln \Big( \frac{1}{M} \sum_{m=1}^{M} p(y \mid s_m) \Big) \Big] . $$
//!
//! With $M = 1$ this is the bound above. With larger $M$ it comes closer to $\ln p(y)$, because the
//! mean of many samples comes closer to the sum over all patches (Burda et al. 2016).
//!
//! {no results} **By hand**, with two samples: both are the first patch with the probability 0.49,
//! and the logarithm is $\ln 0.9 = -0.105$. One of them is, with the probability 0.42: $\ln 0.5 =
//! -0.693$. None is, with the probability 0.09: $\ln 0.1 = -2.303$. The expectation is $-0.052 -
//! 0.291 - 0.207 = -0.550$. It lies between -0.765 and -0.416.
//!
//! ![Raise the score of a place from which the answer is wrong: the bound from one sample falls far below the exact value. More samples close the gap. When all places give the same answer, there is no gap at all.](live:bounds)
double bound_of_two(const std::vector<double>& alpha, const std::vector<double>& p) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < p.size(); ++j)
            sum += alpha[i] * alpha[j] * std::log((p[i] + p[j]) / 2);
    return sum;
}

//! To train with it, each sample needs a cost of its own: how much better is the bound with this
//! sample than without it? "Without" means that $\ln p(y \mid s_m)$ is replaced by the mean of the
//! logarithms of the other samples. The cost of sample $m$ is the bound without it minus the bound
//! with it (Mnih and Rezende 2016). If the sample has improved the bound, its cost is negative, and
//! its patch becomes more probable. The bound without it does not depend on the sample, so it is a
//! leave-one-out baseline (lesson {reinforce}). We use four samples.
Tensor several(const PatchClassifier& net, const Batch& b, MovingAverage&, Rng& rng) {
    const Tensor scores = net.scores(b.patches);
    std::vector<Tensor> log_p, log_prob;
    for (int m = 0; m < 4; ++m) {
        const CategoricalSample s = sample_categorical(scores, rng);
        log_p.push_back(-minus_log_p(net, net.features(values_at(b.patches, s.indices)), b.labels));
        log_prob.push_back(s.log_prob);
    }
    return several_sample_bound(stack(log_p), stack(log_prob));
}

void check_by_hand(Lesson& lesson) {
    lesson.heading("A tighter bound from several samples");
    const double exact = log_marginal(four_weights, four_answers),
                 one = bound_of_one(four_weights, four_answers),
                 two = bound_of_two(four_weights, four_answers);
    lesson.say("Four patches: ln p(y) = {:.3f}, bound with one sample {:.3f}, with two {:.3f}.",
               exact, one, two);
    lesson.claim("by-hand",
                 "identity: four patches: the three numbers against those worked by hand",
                 std::max({std::abs(exact + 0.416), std::abs(one + 0.765), std::abs(two + 0.550)}),
                 at_most(0.00051));
}

const std::vector<Method> methods{
    {"mean", mean_pooling, Reading::mean},       {"soft", soft, Reading::soft},
    {"REINFORCE", by_reinforce, Reading::one},   {"bound, 1 sample", lower_bound, Reading::one},
    {"bound, 4 samples", several, Reading::one}, {"exact marginal", marginal, Reading::one}};
enum { mean_method, soft_method, reinforce_method, bound_method, several_method, marginal_method };

// The library has the losses of soft attention and of the exact marginal too. On one batch they
// must be equal.
void check_against_the_library(Lesson& lesson, const PatchClassifier& net, const Batch& b) {
    NoGrad no_grad;
    Rng rng(lesson.seed());
    MovingAverage unused;
    const Tensor scores = net.scores(b.patches), features = net.features(b.patches);
    const Tensor context = squeeze(soft_attention(unsqueeze(scores, 1), features).context, 1);
    const double of_soft = mean(minus_log_p(net, context, b.labels)).item();
    const double exact = mean(-marginal_log_likelihood(scores, each_log_p(net, b))).item();
    lesson.claim("losses-library",
                 "identity: two losses by hand against the library's, largest difference",
                 std::max(std::abs(soft(net, b, unused, rng).item() - of_soft),
                          std::abs(marginal(net, b, unused, rng).item() - exact)),
                 at_most(1e-5));
}

//! ## Six methods, one network
//!
//! Six losses have come together: the mean of all patches; soft attention; and four for hard
//! attention. Each trains the same network (the mean without its scorer) on the same 6,000 pictures
//! for the same number of steps, five times with different random numbers. In the test, the four
//! hard methods do not draw. They read the patch with the largest weight and no other.
//!
//! In training they read different numbers of patches:
//!
//! | | patches read for a picture |
//! | --- | --- |
//! | mean, soft, exact marginal | 16 |
//! | bound with four samples | 4 |
//! | REINFORCE, bound with one sample | 1 |
//!
//! So the plot shows the accuracy by the number of patches read.
Comparison compare(Lesson& lesson, const Data& data, int steps, Prediction lost) {
    lesson.heading("Six methods, one network");
    Comparison result = compare_methods(lesson, methods, data, steps, lesson.quick() ? 1 : 5);
    const std::vector<double>&right = result.right, &found = result.found;
    check_against_the_library(lesson, result.models[soft_method],
                              make_batch(course::range(data.valid.images, 0, 64)));
    lesson.reveal(lost, 100 * (right[soft_method] - right[reinforce_method]));
    const auto worst_hard = [](const std::vector<double>& of) {
        return *std::min_element(of.begin() + reinforce_method, of.end());
    };
    const double bound = lesson.quick() ? 0.75 : 0.92;
    lesson.claim("soft-accuracy", "finding: accuracy with soft attention", right[soft_method],
                 at_least(bound));
    lesson.claim("hard-accuracy", "finding: accuracy with the worst of the four hard methods",
                 worst_hard(right), at_least(bound));
    lesson.claim(
        "hard-apart",
        "finding: percentage points between the best and the worst of the four hard methods",
        100 *
            (*std::max_element(right.begin() + reinforce_method, right.end()) - worst_hard(right)),
        at_most(lesson.quick() ? 3 : 1.2));
    lesson.claim(
        "mean-loss",
        "finding: percentage points by which the mean of all patches is worse than soft attention",
        100 * (right[soft_method] - right[mean_method]),
        lesson.quick() ? at_least(2) : between(2, 8));
    lesson.claim(
        "sign-chosen",
        "finding: share of pictures where the sign is chosen, worst of the four hard methods",
        worst_hard(found), at_least(bound));
    lesson.claim(
        "patches-to-80",
        "finding: patches read until an accuracy of 80 %, soft over REINFORCE; 16 is equal steps",
        result.read_to_80[soft_method] / result.read_to_80[reinforce_method],
        lesson.quick() ? at_least(5) : between(9, 15.5));
    return result;
}

//! {if all hard-accuracy > 0.94 and soft-accuracy > 0.95} **What does one patch lose?** Nearly
//! nothing. Soft attention is right in {soft-accuracy:% 1} of the test pictures, and the worst of
//! the four hard methods in {hard-accuracy:% 1}. {if all hard-apart < 1} The four hard methods end
//! within {hard-apart:1} percentage points of one another. They also find the sign nearly equally
//! often, the worst of them in {sign-chosen:% 1} of the pictures. So the limit is probably what the
//! scorer can see at low resolution, and this experiment cannot tell which of the four is best.
//!
//! {if all patches-to-80 < 14 and patches-to-80 > 9} Did the noise of REINFORCE cost nothing, then?
//! It cost steps. Until it is right in four of five pictures, soft attention reads
//! {patches-to-80:0} times as many patches as REINFORCE. If both needed equally many steps, it
//! would be 16 times. So REINFORCE needs {16 / patches-to-80:1} times as many steps, and reads far
//! less in all.
//!
//! {if all mean-loss > 2} The mean of all patches is worse than soft attention by {mean-loss:1}
//! points. With fifteen patches of clutter in sixteen, that is surprisingly little. But its
//! features are learned, too, and a long feature vector counts more in a mean. We measure the
//! length of the feature vector of the sign, over that of clutter:
void explain_the_mean(Lesson& lesson, const Comparison& result, const Data& data) {
    lesson.claim(
        "clutter",
        "finding: mean of all patches: length of the features of a sign, over that of clutter",
        sign_over_clutter(result.models[mean_method], data.test), more_than(2));
}

//! {if all clutter > 5} It is {clutter:1} times as long. The encoder has found its own way to give
//! clutter a small weight, without a score.
//!
//! ## Where do they look?
//!
//! The attention weights can be drawn over the picture. All methods have learned from the names of
//! the signs only, and still most of the weight lies where the sign is.
void show_where(Lesson& lesson, const Comparison& result, const Data& data) {
    lesson.heading("Where do they look?");
    show_weights(lesson, data.test, methods, result.models,
                 {soft_method, reinforce_method, marginal_method});
}

//! ## The variance of the gradient
//!
//! The hard methods differ in how precise the gradient of the scorer is. We take one network early
//! in training and one batch of 64 pictures, and compute the gradient many times with new draws.
//! Its variance is given as a share of the squared length of its mean: at 1 the noise is as large
//! as the gradient itself. Soft attention and the exact marginal draw nothing, so their share is 0.
PatchClassifier measure_noise(Lesson& lesson, const Data& data) {
    lesson.heading("The variance of the gradient");
    const PatchClassifier early =
        train(methods[marginal_method], data, 50, 50, lesson.seed()).model;
    const std::vector<double> variance =
        compare_noise(lesson, methods, early, make_batch(course::range(data.valid.images, 0, 64)));
    lesson.claim("bound-variance",
                 "finding: variance of the bound's gradient, one sample over four",
                 variance[bound_method] / variance[several_method], at_least(2));
    return early;
}

//! {if all bound-variance > 2.5} One sample gives the bound {bound-variance:1} times the variance
//! of four. Still the accuracies in the first table are close together: over many steps, most of
//! the noise averages out.
//!
//! ## How tight is the bound?
//!
//! With the same network and the same pictures we compute $\ln p(y)$ exactly, as a sum over sixteen
//! patches, and the bound with 1, 2, 4, ... 32 samples. The bound with one sample can be summed
//! exactly, too, which checks the sampled one. With 32 samples there is hardly any gap left.
void measure_bounds(Lesson& lesson, const PatchClassifier& early, const Data& data) {
    lesson.heading("How tight is the bound?");
    const NoGrad no_grad;
    const Batch batch = make_batch(course::range(data.valid.images, 0, 64));
    const Tensor scores = early.scores(batch.patches), log_p = each_log_p(early, batch);
    const std::vector<double> gaps = show_bounds(lesson, scores, log_p);
    const double exact =
        mean(marginal_log_likelihood(scores, log_p) - sum(softmax(scores, -1) * log_p, -1)).item();
    lesson.claim("gap-one", "identity: gap with one sample: sampled over summed exactly",
                 gaps.front() / exact, between(0.95, 1.05));
    lesson.claim("gap-32", "finding: gap with 32 samples, over that with one",
                 gaps.back() / gaps.front(), at_most(0.2));
}

}  // namespace

}  // namespace heed::lesson15

//! ## What this does not show
//!
//! The choice is easy here. At low resolution the sign can be told from clutter in most pictures,
//! and it lies within one patch. A photograph has no single patch that says everything, and a
//! description needs another one for every word.
//!
//! The exact marginal needs one choice among few patches. If a network chooses several times, and
//! each choice depends on what it has seen before, there are too many paths to sum. That is lesson
//! {glimpses}.
//!
//! And one sixteenth of the patches is not one sixteenth of the time: the scorer reads all patches
//! at low resolution, and a processor is quick at equal work on all of them.
//!
//! Sources: Xu et al., "Show, Attend and Tell" (2015), section 4.1 for hard attention and its
//! bound, section 4.2 for soft attention; Williams (1992), REINFORCE; Deng et al., "Latent
//! Alignment and Variational Attention" (2018), a bound with a $q$ of its own; Burda, Grosse and
//! Salakhutdinov (2016), the bound with several samples; Mnih and Rezende (2016), its gradient; Wu,
//! Shapiro and Cotterell (2018), the exact marginal.
//!
//! ## Summary
//!
//! 1. Soft attention averages the features of all patches. Hard attention reads one patch only, and
//!    here it is about as accurate as soft attention.
//! 2. The marginal likelihood sums the probability of the right answer over all patches that might
//!    be drawn. With one choice among few it can be computed and differentiated.
//! 3. The mean of $\ln p(y \mid s)$ is a lower bound of $\ln p(y)$, and it can be estimated from
//!    one sample. With several samples the bound is tighter.
//! 4. The estimated gradients differ much in variance. That costs steps of training, but here no
//!    accuracy in the end.
//! 5. Nobody told the networks where the signs are. They learned it from the names of the signs.
//!
//! ## Try this next
//!
//! 1. `--steps 100`: which method is the best early in training, by steps and by patches read?
//! 2. In `by_reinforce` and `lower_bound`, replace the baseline by `scalar(0)`. How do the curves
//!    and the variance change?
//! 3. Give `several` 2 samples, or 16. From how many on does another sample not help any more?
//! 4. {no results} In `lower_bound`, replace the factor 0.01 of the entropy by 0, then by 1. What
//!    happens to the attention weights?
using namespace heed;
using namespace heed::lesson15;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 15,
         .name = "show_attend",
         .title = "One patch or all of them?",
         .question =
             "What does a network lose if it reads one patch only, and how does it learn which?",
         .own_data = "generated pictures of ten signs with clutter, 48 x 48 pixels"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (1200; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 1200;
        const Prediction lost = lesson.predict(
            "Soft attention reads sixteen patches of a picture, hard attention one. By how many "
            "percentage points is hard attention (REINFORCE) less accurate? (A negative number "
            "says that it is more accurate.)",
            within(1).from(-100, 100));
        const Data data = draw_data(lesson.quick() ? 1500 : 6000, lesson.seed());
        show_the_problem(lesson, data);
        check_by_hand(lesson);
        const Comparison result = compare(lesson, data, steps, lost);
        explain_the_mean(lesson, result, data);
        show_where(lesson, result, data);
        const PatchClassifier early = measure_noise(lesson, data);
        measure_bounds(lesson, early, data);
    });
}
