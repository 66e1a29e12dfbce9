//! # One patch or all of them?
//!
//! A picture is divided into sixteen patches. One patch has a sign, the other fifteen have clutter.
//! Which sign is it? A network that reads all patches at full resolution does sixteen times the
//! work for one answer. A network that reads one patch must first choose it, and lesson 14 showed
//! how to train a choice. *Show, Attend and Tell* (Xu et al. 2015) tried both *soft* and *hard*
//! attention in a network that describes photographs, and hard attention was a little better. This
//! lesson asks the same in a smaller experiment: what does a network lose if it reads one patch
//! only, and how should it learn which?

#include <algorithm>
#include <cmath>

#include "attention/hard/hard.h"
#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "lessons/15_show_attend/comparison.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson15;

namespace {

//! ## Low and full resolution
//!
//! The network sees all patches at *low resolution*, nine grey values for each patch, and computes
//! a score for each. At *full resolution* a patch has 144 pixels; we count every patch that is read
//! this way. The network computes features $f_j$ of a patch $x_j$, and from features the
//! probabilities of the classes $y$. Softmax turns the scores into weights $\alpha$. They can be
//! used in two ways.
//!
//! *Soft* attention, as in the lessons before, reads all patches and classifies the context:
//! $p(y \mid \sum_j \alpha_j f_j)$.
Tensor minus_log_p(const PatchClassifier& net, const Tensor& features, const Indices& labels) {
    return cross_entropy(net.classify(features), labels, {.reduction = Reduction::none});
}
Tensor soft(const PatchClassifier& net, const Batch& b, MovingAverage&, Rng&) {
    const Tensor alpha = unsqueeze(softmax(net.scores(b.patches), -1), 1);      // [B, 1, K]
    const Tensor context = squeeze(matmul(alpha, net.features(b.patches)), 1);  // [B, D]
    return mean(minus_log_p(net, context, b.labels));
}
// For comparison: no attention.
Tensor mean_pooling(const PatchClassifier& net, const Batch& b, MovingAverage&, Rng&) {
    return mean(minus_log_p(net, mean(net.features(b.patches), 1), b.labels));
}

//! *Hard* attention samples one patch $s$ with the probabilities $\alpha$ and reads only that one.
//! There are four methods to train it:
//!
//! **REINFORCE** (lesson 14). A wrong answer costs 1, a right one 0, and choices that lead to wrong
//! answers become less probable. The classifier is trained with *cross-entropy*, $-\ln p$ of the
//! right class, as usual. Lesson 16 trains in this way.
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

//! **The variational bound** (Xu et al., section 4.1). We want to maximise the probability of the
//! right answer, summed over all patches that might be chosen. Its logarithm is at least the mean
//! of the logarithms, which can be estimated from samples:
//!
//! $$ \ln p(y) = \ln \sum_s p(s)\, p(y \mid s) \;\ge\; \sum_s p(s) \ln p(y \mid s) . $$
//!
//! Its gradient, by the method of lesson 14, is REINFORCE with the cost $-\ln p(y \mid s)$, which
//! depends on how sure the network was, not only on whether it was right. As in the paper, a bonus
//! on the entropy of $\alpha$ keeps the network from preferring one patch too early.
Tensor lower_bound(const PatchClassifier& net, const Batch& b, MovingAverage& average, Rng& rng) {
    const Tensor scores = net.scores(b.patches);
    const CategoricalSample s = sample_categorical(scores, rng);
    const Tensor cost = minus_log_p(net, net.features(values_at(b.patches, s.indices)), b.labels);
    const Tensor loss =
        reinforce(cost - 0.01 * categorical_entropy(scores), s.log_prob, scalar(average.value));
    average.update(cost);
    return loss;
}

//! **Several samples** make the bound tighter: $E[\ln \frac{1}{M} \sum_m p(y \mid s_m)]$ lies
//! between the two sides above (Burda et al. 2016). The learning signal of a sample is how much
//! better the bound is with it than without it (Mnih and Rezende 2016).
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

//! **The exact marginal** reads all sixteen patches in training and sums over them. Many texts say
//! that hard attention cannot be trained by gradient descent. It can: the left side above is
//! differentiable, and nothing has to be sampled. After training the network reads one patch, like
//! the others.
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

const std::vector<Method> methods{
    {"mean", mean_pooling, Reading::mean},       {"soft", soft, Reading::soft},
    {"REINFORCE", by_reinforce, Reading::one},   {"bound, 1 sample", lower_bound, Reading::one},
    {"bound, 4 samples", several, Reading::one}, {"exact marginal", marginal, Reading::one}};
enum { mean_method, soft_method, reinforce_method, bound_method, several_method, marginal_method };

//! The library has these losses too. On one batch they must be equal.
void check_against_the_library(Lesson& lesson, const PatchClassifier& net, const Batch& b) {
    NoGrad no_grad;
    Rng rng(lesson.seed());
    MovingAverage unused;
    const Tensor scores = net.scores(b.patches), features = net.features(b.patches);
    const Tensor context = squeeze(soft_attention(unsqueeze(scores, 1), features).context, 1);
    const double of_soft = mean(minus_log_p(net, context, b.labels)).item();
    const double exact = mean(-marginal_log_likelihood(scores, each_log_p(net, b))).item();
    lesson.claim("losses by hand against the library's, largest difference",
                 std::max(std::abs(soft(net, b, unused, rng).item() - of_soft),
                          std::abs(marginal(net, b, unused, rng).item() - exact)),
                 at_most(1e-5));
}

void run(Lesson& lesson, int steps) {
    const Prediction lost = lesson.predict(
        "Soft attention reads sixteen patches of a picture, hard attention one. By how many "
        "percentage points is hard attention (REINFORCE) less accurate?",
        within(1));
    //! In quick mode there are 1,500 training pictures instead of 6,000, 300 steps, and one seed.
    const Data data = draw_data(lesson.quick() ? 1500 : 6000, lesson.seed());
    show_signs(lesson, data.test);

    //! ## Accuracy by patches read
    //!
    //! Each method trains the same network on the same pictures for the same number of steps. The
    //! number of patches read in training differs, so we draw accuracy against that number.
    lesson.heading("Accuracy by patches read");
    const Comparison result = compare_methods(lesson, methods, data, steps, lesson.quick() ? 1 : 5);
    const std::vector<double>& right = result.right;
    const Batch batch = make_batch(course::range(data.valid.images, 0, 64));
    check_against_the_library(lesson, result.models[soft_method], batch);
    lesson.reveal(lost, 100 * (right[soft_method] - right[reinforce_method]));
    const double bound = lesson.quick() ? 0.75 : 0.9;
    lesson.claim("accuracy with soft attention", right[soft_method], at_least(bound));
    lesson.claim("accuracy with the worst of the four hard methods",
                 *std::min_element(right.begin() + reinforce_method, right.end()), at_least(bound));
    lesson.claim("percentage points between the best and the worst of the four hard methods",
                 100 * (*std::max_element(right.begin() + reinforce_method, right.end()) -
                        *std::min_element(right.begin() + reinforce_method, right.end())),
                 at_most(3));
    //! The mean of all patches is only a few percentage points worse, although fifteen of sixteen
    //! patches are clutter. The reason is that its features are learned too: their vectors are
    //! shorter for clutter than for signs. So clutter has a smaller weight in the mean, without a
    //! score. This takes more training; in quick mode the mean is further behind.
    lesson.claim("percentage points by which the mean of all patches is worse than soft attention",
                 100 * (right[soft_method] - right[mean_method]),
                 lesson.quick() ? at_least(2) : between(2, 8));
    lesson.claim("mean of all patches: length of the features of a sign, over that of clutter",
                 sign_over_clutter(result.models[mean_method], data.test), more_than(1));
    lesson.claim("share of pictures where the sign is chosen, worst of the four hard methods",
                 *std::min_element(result.found.begin() + reinforce_method, result.found.end()),
                 at_least(bound));
    lesson.claim("patches read until an accuracy of 80 %, soft over REINFORCE",
                 result.read_to_80[soft_method] / result.read_to_80[reinforce_method], at_least(5));
    show_weights(lesson, data.test, methods, result.models,
                 {soft_method, reinforce_method, marginal_method});

    //! ## The variance of the gradient
    //!
    //! We take a network early in training and one batch, and sample the choices many times. The
    //! table shows the variance of the gradient of the score layers, as a share of the square of
    //! its mean. It is largest with one sample, and still the accuracies above are about equal,
    //! because the noise averages out over a thousand steps.
    lesson.heading("The variance of the gradient");
    const PatchClassifier early =
        train(methods[marginal_method], data, 50, 50, lesson.seed()).model;
    const std::vector<double> variance = compare_noise(lesson, methods, early, batch);
    lesson.claim("variance of the bound's gradient, one sample over four",
                 variance[bound_method] / variance[several_method], at_least(2));
    lesson.claim("variance of the exact marginal's gradient", variance[marginal_method],
                 equals(0, 1e-9));

    //! ## How tight is the bound?
    //!
    //! With the same network we compute the mean of the bound over many samples, by the number of
    //! samples $M$, and compare it with $\ln p(y)$.
    lesson.heading("How tight is the bound?");
    const std::vector<double> gaps =
        show_bounds(lesson, early.scores(batch.patches), each_log_p(early, batch));
    lesson.claim("gap between ln p(y) and the bound with one sample, in nats", gaps.front(),
                 more_than(0));
    lesson.claim("gap with 32 samples, over that with one", gaps.back() / gaps.front(),
                 equals(0, 0.2));
}

}  // namespace

//! ## What this does not show
//!
//! The choice is easy here: at low resolution the sign can be found well, and it lies within one
//! patch. If a network chooses several times and each choice depends on what it saw before, there
//! are sixteen to the power of the number of choices paths. Then the exact sum is impossible, and
//! REINFORCE is used. That is lesson 16. And a sixteenth of the patches is not a sixteenth of the
//! time, because scoring all patches at low resolution takes time too.
//!
//! Sources: Xu et al., "Show, Attend and Tell" (2015), sections 4.1 and 4.2; Williams (1992);
//! Burda, Grosse and Salakhutdinov (2016), section 3; Mnih and Rezende (2016), VIMCO; Wu, Shapiro
//! and Cotterell (2018), exact marginals.
//!
//! ## Try this next
//!
//! 1. `--steps 100`: which method is best early in training, by steps and by patches?
//! 2. Leave the baseline out of `Reinforce` (`scalar(0)`), How do the curve and the variance
//!    change?
//! 3. Give `several` 2 samples, or 16. From how many samples on does another sample not help any
//!    more?
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
        run(lesson, steps);
    });
}
