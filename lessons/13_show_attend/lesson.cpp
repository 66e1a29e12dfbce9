//! # One patch or all of them?
//!
//! A picture is cut into sixteen patches. One holds a sign, the other fifteen hold scraps of ink.
//! Which sign is it? Whoever looks closely at all of them pays sixteen times for one answer.
//! Whoever looks at one must first choose it, and lesson 12 showed what it takes to learn a choice.
//! *Show, Attend and Tell* (Xu et al. 2015) put both into one network that describes photographs,
//! *soft* and *hard*, and found the hard one a little better. Here is their question in small: what
//! does it cost to look at one patch, and how should one learn which?

#include <algorithm>
#include <cmath>

#include "attention/hard/hard.h"
#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "lessons/13_show_attend/race.h"
#include "lessons/course/course.h"

using namespace heed;
using namespace heed::course;
using namespace heed::lesson13;

namespace {

//! ## Far and near
//!
//! The network sees the whole picture *from afar*, blurred to nine grey values a patch, and gives
//! each patch a score. *From near* it sees 144 pixels, but every patch read this way is counted. A
//! patch $x_j$ that is read becomes features $f_j$, and features become a class $y$. Softmax turns
//! the scores into weights $\alpha$, and there are two things to do with them.
//!
//! *Soft* attention, that of all lessons so far, reads all patches and answers from the context:
//! $p(y \mid \sum_j \alpha_j f_j)$. A tensor of weights, a product, a loss:
Tensor minus_log_p(const Looker& net, const Tensor& features, const Indices& labels) {
    return cross_entropy(net.classify(features), labels, {.reduction = Reduction::none});
}
Tensor soft(const Looker& net, const Batch& b, Rng&) {
    const Tensor alpha = unsqueeze(softmax(net.scores(b.patches), -1), 1);      // [B, 1, K]
    const Tensor context = squeeze(matmul(alpha, net.features(b.patches)), 1);  // [B, D]
    return mean(minus_log_p(net, context, b.labels));
}
Tensor all_alike(const Looker& net, const Batch& b, Rng&) {  // for comparison: nobody attends
    return mean(minus_log_p(net, mean(net.features(b.patches), 1), b.labels));
}

//! *Hard* attention draws one patch $s$ with the probabilities $\alpha$ and reads that. Four ways
//! to learn:
//!
//! **REINFORCE** (lesson 12). A wrong answer costs 1, a right one 0, and the choices that led to
//! wrong ones become less likely. The classes are learned by *cross-entropy*, $-\ln p$ of the right
//! one, as always. This is how lesson 14 will train.
struct Reinforce {
    MovingAverage average;
    Tensor operator()(const Looker& net, const Batch& b, Rng& rng) {
        const CategoricalSample s = sample_categorical(net.scores(b.patches), rng);
        const Tensor logits = net.classify(net.features(values_at(b.patches, s.indices)));
        const Indices said = argmax(logits, -1);
        std::vector<double> wrong;
        for (int64_t i = 0; i < said.count(); ++i) wrong.push_back(said[i] != b.labels[i]);
        const Tensor cost = tensor(wrong);
        const Tensor loss = cross_entropy(logits, b.labels) +
                            score_function_term(cost, s.log_prob, scalar(average.value));
        average.update(cost);
        return loss;
    }
};

//! **The variational bound** (Xu et al., section 4.1). What one wants is the probability of the
//! right answer, over all places one might have looked. Its logarithm is at least the mean of the
//! logarithms, which needs only samples:
//!
//! $$ \ln p(y) = \ln \sum_s p(s)\, p(y \mid s) \;\ge\; \sum_s p(s) \ln p(y \mid s) . $$
//!
//! Differentiated as in lesson 12, that is REINFORCE again, with $-\ln p(y \mid s)$ for the cost:
//! how sure the network was, not only whether it was right. As in the paper, a bonus on the entropy
//! of $\alpha$ keeps the choice open for a while.
struct Bound {
    MovingAverage average;
    Tensor operator()(const Looker& net, const Batch& b, Rng& rng) {
        const Tensor scores = net.scores(b.patches);
        const CategoricalSample s = sample_categorical(scores, rng);
        const Tensor cost =
            minus_log_p(net, net.features(values_at(b.patches, s.indices)), b.labels);
        const Tensor loss =
            reinforce(cost - 0.01 * categorical_entropy(scores), s.log_prob, scalar(average.value));
        average.update(cost);
        return loss;
    }
};

//! **Several samples** make the bound tighter: $E[\ln \frac{1}{M} \sum_m p(y \mid s_m)]$ lies
//! between the two sides above (Burda et al. 2016). Each sample's credit is what the others would
//! have lost without it (Mnih and Rezende 2016).
Tensor several(const Looker& net, const Batch& b, Rng& rng) {
    const Tensor scores = net.scores(b.patches);
    std::vector<Tensor> log_p, log_prob;
    for (int m = 0; m < 4; ++m) {
        const CategoricalSample s = sample_categorical(scores, rng);
        log_p.push_back(-minus_log_p(net, net.features(values_at(b.patches, s.indices)), b.labels));
        log_prob.push_back(s.log_prob);
    }
    return several_sample_bound(stack(log_p), stack(log_prob));
}

//! **The exact marginal** reads all sixteen while it trains and sums them up. It is often said that
//! hard attention cannot be trained by gradient descent. It can: the left side above is as smooth
//! as any loss, and there is nothing to draw. Afterwards the network reads one patch, like the
//! others.
Tensor each_log_p(const Looker& net, const Batch& b) {  // ln p(y | j) for every patch, [B, K]
    const Tensor logits = net.classify(net.features(b.patches));  // [B, K, 10]
    std::vector<int> labels;
    for (int64_t i = 0; i < b.labels.count(); ++i) labels.insert(labels.end(), places, b.labels[i]);
    return -reshape(cross_entropy(reshape(logits, {-1, glyph_count}), Indices(labels),
                                  {.reduction = Reduction::none}),
                    {-1, places});
}
Tensor marginal(const Looker& net, const Batch& b, Rng&) {
    return mean(-logsumexp(log_softmax(net.scores(b.patches), -1) + each_log_p(net, b), -1));
}

const std::vector<Way> ways{
    {"all alike", all_alike, Reading::mean},     {"soft", soft, Reading::soft},
    {"REINFORCE", Reinforce{}, Reading::one},    {"bound, 1 sample", Bound{}, Reading::one},
    {"bound, 4 samples", several, Reading::one}, {"exact marginal", marginal, Reading::one}};
enum { alike_way, soft_way, reinforce_way, bound_way, several_way, marginal_way };

//! The library has these losses too. On one batch they had better agree.
void check_against_the_library(Lesson& lesson, const Looker& net, const Batch& b) {
    NoGrad no_grad;
    Rng rng(lesson.seed());
    const Tensor scores = net.scores(b.patches), features = net.features(b.patches);
    const Tensor context = squeeze(soft_attention(unsqueeze(scores, 1), features).context, 1);
    const double of_soft = mean(minus_log_p(net, context, b.labels)).item();
    const double exact = mean(-marginal_log_likelihood(scores, each_log_p(net, b))).item();
    lesson.claim("losses by hand against the library's, largest difference",
                 std::max(std::abs(soft(net, b, rng).item() - of_soft),
                          std::abs(marginal(net, b, rng).item() - exact)),
                 at_most(1e-5));
}

void run(Lesson& lesson, int steps) {
    const Prediction lost = lesson.predict(
        "Soft attention reads sixteen patches of a picture, hard attention one. How many points of "
        "accuracy does the hard one (REINFORCE) lose by that?",
        within(1));
    //! In quick mode there are 1,500 pictures instead of 6,000, 300 steps, and one beginning.
    const Data data = draw_data(lesson.quick() ? 1500 : 6000, lesson.seed());
    show_signs(lesson, data.test);

    //! ## The race
    //!
    //! The same network, pictures and number of steps for each way. What differs is how many
    //! patches it reads to get there, so the curves are drawn against that.
    lesson.heading("The race");
    const Race result = race(lesson, ways, data, steps, lesson.quick() ? 1 : 5);
    const std::vector<double>& right = result.right;
    const Batch batch = make_batch(course::range(data.valid.images, 0, 64));
    check_against_the_library(lesson, result.lookers[soft_way], batch);
    lesson.reveal(lost, 100 * (right[soft_way] - right[reinforce_way]));
    const double bar = lesson.quick() ? 0.75 : 0.9;
    lesson.claim("pictures named rightly by the soft way", right[soft_way], at_least(bar));
    lesson.claim("pictures named rightly by the worst of the four hard ways",
                 *std::min_element(right.begin() + reinforce_way, right.end()), at_least(bar));
    lesson.claim("points between the best and the worst of the four hard ways",
                 100 * (*std::max_element(right.begin() + reinforce_way, right.end()) -
                        *std::min_element(right.begin() + reinforce_way, right.end())),
                 at_most(3));
    //! One would expect the plain mean, a sign diluted in fifteen scraps, to lose far more than the
    //! few points it does. But its features are learned too, and they fall silent on scraps: they
    //! are shorter there than on signs. That is weighing by content as well, done without a score,
    //! though it takes its time: in quick mode the mean is further behind.
    lesson.claim("points lost by reading all patches alike, against soft",
                 100 * (right[soft_way] - right[alike_way]),
                 lesson.quick() ? at_least(2) : between(2, 8));
    lesson.claim("reading all alike: length of the features of a sign, over those of scraps",
                 sign_over_scraps(result.lookers[alike_way], data.test), more_than(1));
    lesson.claim("looks that fall on the sign, the worst of the four hard ways",
                 *std::min_element(result.found.begin() + reinforce_way, result.found.end()),
                 at_least(bar));
    lesson.claim("patches read until 80 % are right, soft over REINFORCE",
                 result.read_to_80[soft_way] / result.read_to_80[reinforce_way], at_least(5));
    show_looks(lesson, data.test, ways, result.lookers, {soft_way, reinforce_way, marginal_way});

    //! ## How much do they vary?
    //!
    //! Early in training, the batch the same and only the draws made anew: the variance of the
    //! gradient that reaches the scores, as a share of the square of its mean. One sample is the
    //! noisiest, and still the race was a draw: a thousand steps average a good deal away.
    lesson.heading("How much do they vary?");
    const Looker early = train(ways[marginal_way], data, 50, 50, lesson.seed()).looker;
    const std::vector<double> variance = compare_noise(lesson, ways, early, batch);
    lesson.claim("variance of the bound's gradient, one sample over four",
                 variance[bound_way] / variance[several_way], at_least(2));
    lesson.claim("variance of the exact marginal's gradient", variance[marginal_way],
                 equals(0, 1e-9));

    //! ## How close is the bound?
    //!
    //! With the same network: the mean of the bound over many draws, by the number of samples $M$,
    //! and what it is a bound of, in nats.
    lesson.heading("How close is the bound?");
    const std::vector<double> gaps =
        show_bounds(lesson, early.scores(batch.patches), each_log_p(early, batch));
    lesson.claim("gap of the bound with one sample, nats", gaps.front(), more_than(0));
    lesson.claim("gap with 32 samples, as a share of that with one", gaps.back() / gaps.front(),
                 equals(0, 0.2));
}

}  // namespace

//! ## What this does not show
//!
//! Harder choices. The blur shows well where to look, and the sign lies within one patch. Where
//! places can be told apart only from near, or where several looks must build on one another,
//! sixteen become sixteen to the power of the looks: no exact sum, and REINFORCE is what remains.
//! That is lesson 14. Nor is a sixteenth of the patches a sixteenth of the time: the look from afar
//! is to be paid for as well.
//!
//! Sources: Xu et al., "Show, Attend and Tell" (2015), sections 4.1 and 4.2; Williams (1992);
//! Burda, Grosse and Salakhutdinov (2016), section 3; Mnih and Rezende (2016), VIMCO; Wu, Shapiro
//! and Cotterell (2018), exact marginals.
//!
//! ## Try this next
//!
//! 1. `--steps 100`: who is ahead early on, by steps and by patches?
//! 2. Leave the baseline out of `Reinforce` (`scalar(0)`), and see the curve and the variance.
//! 3. Give `several` 2 samples, or 16. Where does another sample stop being worth its patch?
int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 13,
         .name = "show_attend",
         .title = "One patch or all of them?",
         .question = "What does it cost to look at one patch only, and how is that learned?",
         .own_data = "pictures of ten drawn signs among clutter, 48 x 48 pixels"});
    int steps = 0;
    lesson.option("--steps", steps, "steps of training (1200; quick 300)");
    return lesson.run(argc, argv, [&] {
        if (steps == 0) steps = lesson.quick() ? 300 : 1200;
        run(lesson, steps);
    });
}
