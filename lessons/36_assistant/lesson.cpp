//! # From predictor to assistant?
//!
//! "What is 3 + 4?" Ask a model that was trained to continue texts from the web, and it may well
//! answer "What is 8 - 2? What is 1 + 1?" It is not being silly. A question that stands alone on
//! the web is often one of a list, and the model predicts what usually comes next. The sum itself
//! it may know: "3 + 4 =" is continued with 7.
//!
//! An assistant should answer. What turns a predictor into an assistant: knowledge, or something
//! else? The figure follows one question along the usual path. We go the same way on a small scale,
//! and at each stage look at what the model says.

#include <cmath>

#include "lessons/36_assistant/experiment.h"
#include "lessons/36_assistant/pictures.h"

namespace heed::lesson36 {

using namespace course;

namespace {

void opening(Lesson& lesson) { show_path(lesson); }

//! ## A page full of questions
//!
//! {no results} Our web is small. It has sums and differences of one digit whose result is one
//! digit, 110 of them. Half of its pages hold statements, `3+4=7.8-2=6.`, three eighths hold
//! questions, `3+4?8-2?`, and one page in eight is a quiz with answers, `3+4?7.8-2?6.` A GPT
//! (lesson {language_model}) with two layers of width 32, 26,720 parameters in all, learns to
//! predict the next character of such pages. Then we give it a question and let it continue.
void ask_the_predictor(Lesson& lesson, const LanguageModel& base) {
    lesson.heading("A page full of questions");
    Rng rng(lesson.seed());
    show_continuations(lesson, base);
    const std::vector<Question> all = all_questions();
    claim_predictor(lesson, share_known(base, all), share_asked(base, all, rng),
                    share_exact(base, all, rng));
}

//! By its most probable digit it completes {known:%} of the sums rightly, so it knows them.
//! Sampled, it continues {asked:%} of the questions with another question: its pages hold three of
//! questions to one quiz. Only {answered:%} of all samples are a right answer. Two things are
//! missing: to **choose** the form of a quiz, and to carry over to `?` what it knows after `=`.
//!
//! ## Ten answers
//!
//! {no results}
//!
//! The next step is to show it what we want. *Instruction tuning* trains a predictor further, on
//! pairs of a request and a good answer (Wei et al. 2022). The loss is the usual cross-entropy of
//! the next token, but only the tokens of the answer count:
//!
//! $$ L = -\frac{1}{n} \sum_{t \in \text{answer}} \ln p(y_t \mid y_1 \ldots y_{t-1}) . $$
//!
//! - $y_1, y_2, \ldots$ are the tokens: first the question, then the answer.
//! - $p$ is the probability that the model gives to a token, after all tokens before it.
//! - $n$ is the number of tokens that count.
//!
//! Of `3+4?7.` two tokens count, the 7 and the full stop. If the model gives them the probabilities
//! 0.5 and 0.8, the loss is $-(\ln 0.5 + \ln 0.8) / 2 = 0.458$. The question is not learned: the
//! model should not become better at asking. Real assistants mark who is speaking by special
//! tokens, the *chat template*; here `?` and `.` do this job.
Tensor loss_on_answers(const LanguageModel& model, const Question& question,
                       const std::string& answer) {
    std::vector<int> ids = tokens_of(question.text + answer), next(ids.begin() + 1, ids.end());
    ids.pop_back();
    std::fill(next.begin(), next.begin() + question_length - 1, -1);  // -1 does not count
    const auto length = static_cast<int64_t>(ids.size());
    return sequence_cross_entropy(model(Indices(ids, {1, length})), Indices(next, {1, length}), -1);
}

//! We write down **ten** answers, train on them for 60 steps, and ask 50 other questions. To see
//! what the pages are worth, we do the same with a model that has read none.
void train_on_examples(LanguageModel& model, const std::vector<Question>& questions, int steps,
                       double lr) {
    std::vector<std::string> answers;
    for (const Question& q : questions) answers.push_back(fmt::format("{}.", q.answer));
    const Batch batch = answered(questions, answers);
    Adam adam(parameters(model), {.lr = lr});
    for (int step = 0; step < steps; ++step) {
        adam.zero_grad();
        backward(sequence_cross_entropy(model(batch.ids), batch.next, -1));
        adam.step_clipped(1);
    }
}

void show_ten_answers(Lesson& lesson, const LanguageModel& base, const Split& split) {
    lesson.heading("Ten answers");
    const Question& one = split.shown[0];
    const std::string answer = fmt::format("{}.", one.answer);
    lesson.claim("loss", "identity: the loss above against the batch that is trained on",
                 std::abs(loss_on_answers(base, one, answer).item() +
                          log_prob_of(base, {one}, {answer}).item() / 2),
                 at_most(1e-5));
    Rng rng(lesson.seed());
    LanguageModel tuned = copy_model(base), empty = new_model(rng);
    train_on_examples(tuned, split.shown, 60, 1e-3);
    train_on_examples(empty, split.shown, 60, 1e-3);
    const auto shares = [&](const LanguageModel& model) {
        return Shares{share_exact(model, split.shown, rng), share_exact(model, split.test, rng),
                      share_best(model, split.test)};
    };
    const Shares read = shares(tuned), nothing = shares(empty);
    show_ten(lesson, read, nothing);
    claim_ten(lesson, read, nothing, share_asked(tuned, split.test, rng));
}

//! {if all tuned > empty + 0.1} Ten answers are enough to stop it from asking: it asks in
//! {tuned-asks:%} of the samples. {tuned:%} of its sampled answers to the other questions are
//! right. The share of right **most probable** answers can even be smaller: where a wrong digit has
//! the probability {no results} 0.4 and the right one 0.3, three samples in ten are right, and the
//! most probable answer never is. After `=` it knows {known:%}. The pages held all the sums, also
//! those of the other questions. So the model recalls them; we have not seen it calculate.
//!
//! The model without pages has {empty:%}. But look at its first column: 60 steps have not even
//! taught it the ten.
//!
//! ## A small change
//!
//! {no results}
//!
//! Does the change need all 26,720 parameters? Suppose the weight $W$ of a layer moves by $\Delta
//! W$ during such a training. Hu et al. (2022) make $\Delta W$ the product of two narrow matrices,
//! and train only these:
//!
//! $$ y = x \, \big( W + \tfrac{\alpha}{r} B A \big)^\top . $$
//!
//! - $W$ has one row for each output and one column for each input. It stays as it is: it is
//!   *frozen*.
//! - $A$ has $r$ rows, $B$ has $r$ columns. The *rank* $r$ is small, here 1 to 8.
//! - $\alpha$ is a number that sets the size of the change. We take $\alpha = r$, so the factor is
//!   1.
//!
//! Such a pair of matrices beside a frozen weight is called a *low-rank adapter*, or LoRA. At the
//! start $A$ is random and $B$ is 0. Then the product is 0, and the model computes exactly what it
//! did before. If both were 0, neither would ever change: the gradient of each is multiplied by the
//! other.
//!
//! **By hand.** Two inputs, two outputs, rank 1: $W = \begin{pmatrix} 1 & 0 \\ 0 & 1
//! \end{pmatrix}$, $A = (1 \;\, 2)$, $B = (3 \;\, 0)^\top$. The input $x = (1, 1)$ becomes the one
//! number $x A^\top = 3$, this becomes $3 B^\top = (9, 0)$, and $y = (1, 1) + (9, 0) = (10, 1)$.
//! The merged weight $W + B A = \begin{pmatrix} 4 & 6 \\ 0 & 1 \end{pmatrix}$ gives the same.
//!
//! A layer of width 4096 has 16.8 million weights, its adapter of rank 4 has 32,768. One large
//! model can be kept once, with a small file for each purpose.
Tensor with_adapter(const Tensor& x, const Tensor& W, const Tensor& A, const Tensor& B,
                    double scale) {
    return matmul(x, transpose(W)) + matmul(matmul(x, transpose(A)), transpose(B)) * scale;
}

LanguageModel with_adapters(const LanguageModel& model, int64_t rank, Rng& rng) {
    LanguageModel copy = copy_model(model);
    add_adapters(copy, {.rank = rank, .only = {"query", "value"}}, rng);
    return copy;
}

void check_adapters(Lesson& lesson, const LanguageModel& base, const Split& split) {
    lesson.heading("A small change");
    show_adapter(lesson);
    const auto d64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor y = with_adapter(d64({1, 1}, {1, 2}), eye(2, Dtype::float64), d64({1, 2}, {1, 2}),
                                  d64({3, 0}, {2, 1}), 1);
    lesson.claim("by-hand", "identity: the example against (10, 1), worked by hand",
                 max(abs(y - d64({10, 1}, {1, 2}))).item(), at_most(1e-12));

    Rng rng(lesson.seed());
    LanguageModel model = with_adapters(base, 2, rng);
    const NoGrad no_grad;
    const Batch batch = pages(split.test, 4, rng);
    lesson.claim("zero-at-start", "identity: change of the outputs when adapters are added",
                 max(abs(model(batch.ids) - base(batch.ids))).item(), equals(0));
    to_dtype(model, Dtype::float64);
    for_each_layer<Linear>(model, [&](const std::string&, Linear& layer) {
        if (layer.adapter)
            layer.adapter->up.assign(normal(layer.adapter->up.shape(), 0, 1, rng, Dtype::float64));
    });
    const Tensor apart = model(batch.ids);
    merge_adapters(model);
    lesson.claim("merged", "identity: merged against unmerged, B random, float64",
                 max(abs(model(batch.ids) - apart)).item(), at_most(1e-12));
}

//! *Merging* puts the product into the weight, $W + \frac{\alpha}{r} B A$. Afterwards the model is
//! as fast as before.
//!
//! {no results} Now we give the queries and values of both layers an adapter and repeat the
//! training on ten answers, for several ranks. We draw the ten questions three times. The learning
//! rate is 0.01 for adapters, and 0.001 for all weights as before.
void compare_ranks(Lesson& lesson, const LanguageModel& base, int shown) {
    Prediction guess;
    if (!lesson.quick())  // what a quick run cannot settle is not asked there
        guess = lesson.predict(
            "Ten answers, and adapters of rank 2, which are 512 numbers. Do they suffice to answer "
            "as many of the other questions as all weights?",
            {"yes", "no"});
    const std::vector<RankResult> results =
        try_ranks(base, shown, lesson.quick() ? 1 : 3, lesson.seed(), train_on_examples);
    show_ranks(lesson, results);
    const double all = results[0].test, two = results[2].test;
    if (!lesson.quick()) lesson.reveal(guess, two > all - 0.03 ? "yes" : "no");
    claim_ranks(lesson, results);
}

//! Adapters of rank 2 train {rank-share:% 1} of the parameters. {if rank-2 > all-weights} They
//! answer {rank-2:%} of the other questions, and all weights {all-weights:%}. The adapters are
//! ahead in {count rank-2 > all-weights} seeds. But rank 1 has {rank-1:%} and rank 8 {rank-8:%},
//! and the adapters have ten times the learning rate. So the data show only that few parameters are
//! enough.
//!
//! ## A checker instead of answers
//!
//! {no results}
//!
//! Somebody had to write the answers. It is often easier to **check** one: a program compares it
//! with the sum, or runs the code. So let the model generate answers, and reward the right ones.
//! The reward $R$ is 1 for exactly the right digit and a full stop, otherwise 0. This is called
//! *reinforcement learning with verifiable rewards* (Lambert et al. 2024). By such rewards, for
//! mathematics and programs, DeepSeek-R1-Zero learned to write out its reasoning, at ever greater
//! length, before it answers (DeepSeek-AI 2025).
//!
//! A sampled answer is an action, and we have lesson {reinforce} for that. The probability of an
//! answer is the product of those of its tokens, so $\ln p$ is the sum of theirs. REINFORCE
//! multiplies the gradient of $\ln p$ by an advantage: the reward minus a baseline. We draw a
//! **group** of $S = 8$ answers to the same question, with the rewards $R_1 \ldots R_8$. Two
//! advantages are in use:
//!
//! $$ a_i = R_i - \frac{1}{S-1} \sum_{j \ne i} R_j , \qquad b_i = \frac{R_i - m}{\sigma} . $$
//!
//! - $a_i$ is leave-one-out: its baseline is the mean of the other answers, as in lesson
//!   {reinforce}.
//! - $m$ is the mean of all eight rewards, and $\sigma$ their standard deviation.
//! - $b_i$ is the advantage of GRPO, group relative policy optimisation: relative to the group
//!   (Shao et al. 2024).
//!
//! **By hand.** Two of eight answers are right. By leave-one-out a right one gets $1 - 1/7 = 0.857$
//! and a wrong one $0 - 2/7 = -0.286$. For the group, $m = 0.25$ and $\sigma = \sqrt{0.25 \cdot
//! 0.75} = 0.433$, so they get 1.732 and $-0.577$. The ratio is the same, $-3$ to 1. The
//! difference from $m$ is always $(S-1)/S$ times leave-one-out: **it is the same estimator with
//! another step size.** Only the division by $\sigma$ is new. It gives a larger weight to questions
//! on which the group nearly agrees. If all eight are right, or all wrong, both give 0: such a
//! question teaches nothing.
Tensor leave_one_out_advantage(const Tensor& reward) {  // [S, G]
    const double S = static_cast<double>(reward.size(0));
    return reward - (sum(reward, 0, true) - reward) / (S - 1);
}
Tensor group_advantage_by_hand(const Tensor& reward) {
    const Tensor centred = reward - mean(reward, 0, true);
    return centred / (sqrt(mean(square(centred), 0, true)) + 1e-6);
}

//! Our **start** is the predictor after ten answers: adapters of rank 2, trained and merged. {if
//! at-start > rank-2 - 0.05} It is stopped after 40 steps: 60 do not give more right answers. The
//! rewards train new adapters of rank 4, at all layers but the last. The *noise* of a gradient is
//! its variance from batch to batch, over the square of its mean. For a vector, both are sums over
//! all parameters.
void compare_noise(Lesson& lesson, const LanguageModel& start, const Split& split) {
    lesson.heading("A checker instead of answers");
    Rng rng(lesson.seed());
    const Tensor reward = uniform({8, 5}, 0, 1, rng, Dtype::float64);
    lesson.claim(
        "same-as-library", "identity: both advantages against the library",
        std::max(
            max(abs(leave_one_out_advantage(reward) - (reward - leave_one_out(reward)))).item(),
            max(abs(group_advantage_by_hand(reward) - group_advantage(reward))).item()),
        at_most(1e-12));
    const Tensor centred = reward - mean(reward, 0, true);
    lesson.claim("same-estimator", "identity: R - m against 7/8 of leave-one-out",
                 max(abs(centred - leave_one_out_advantage(reward) * (7.0 / 8))).item(),
                 at_most(1e-12));
    const Prediction guess = lesson.predict("Rewards 0 and 1: whose gradient is less noisy?",
                                            {"no baseline", "leave-one-out", "no difference"});
    LanguageModel model = for_rewards(start, rng);
    const std::vector<Noise> noise =
        gradient_noise(model, split.checked, lesson.quick() ? 15 : 60, rng);
    show_noise(lesson, noise);
    const double ratio = noise[0].noise / noise[2].noise;
    lesson.reveal(guess, ratio < 0.9   ? "no baseline"
                         : ratio > 1.1 ? "leave-one-out"
                                       : "no difference");
    claim_noise(lesson, noise);
}

//! With rewards of 10 and 11 and no baseline the noise is {noise-shifted:0} times that of
//! leave-one-out. {if noise-none < noise-loo * 1.1} With 0 and 1 the baseline is no help: without
//! it the noise is {noise-ratio:2} times that of leave-one-out, and it is smaller in {count
//! noise-none < noise-loo} seeds.
//!
//! {no results} A model with only two answers shows how this can happen. The right one has the
//! logit $z$ and the probability $p$, the wrong one the logit 0, like the two cameras of lesson
//! {reinforce}. The derivative with respect to $z$ is $\nabla \ln p = 1 - p$ if the right answer is
//! drawn, and $\nabla \ln (1 - p) = -p$ if the wrong one is. Without a baseline the estimate is
//! thus $1 - p$ with the probability $p$, and 0 otherwise. Its mean is $p (1-p)$, and a baseline
//! does not change this mean. The noise of one draw, and of a group times $S$ so that the two can
//! be compared, is
//!
//! $$ v_0 = \frac{1-p}{p} , \qquad v_p = \frac{(1-2p)^2}{p \, (1-p)} , \qquad v_S = v_p +
//!    \frac{2}{S-1} . $$
//!
//! - $v_0$ is the noise without a baseline.
//! - $v_p$ is the noise with the exact mean reward $p$ as baseline.
//! - $v_S$ is the noise with leave-one-out. The mean of $S - 1$ other answers is noisy itself, which
//!   adds $1 / (S - 1)$. And the $S$ terms use each other's rewards, which adds as much again.
//!
//! {no results} With $S = 8$ this is 1, 0 and 0.29 at $p = 0.5$. At $p = 0.9$ it is 0.111, 7.11 and
//! 7.40: the rare wrong answer now pushes with full force. So leave-one-out helps with hard
//! questions, up to $p = 12/19 = 0.63$, and harms with easier ones. The best constant is $1 - p$
//! (workshop {variance}).
//!
//! So a baseline can harm, but two answers do not give our numbers. {if noise-ratio > 0.8 and
//! noise-ratio < 1.25} A start that is right in half of its samples would gain much by this
//! formula, and with ours the two are nearly equal. Our questions are not all alike; whether that
//! is the reason we have not tested. The mean has one sure advantage: if the judge adds 10 to every
//! reward, the mean rises by 10 too, and the advantages stay the same.
//!
//! ![The noise of two answers against the probability of the right one. Move the baseline, and see for which p it helps. Then let a wrong answer earn something, too.](live:noise)
//!
//! ## A judge that can be fooled
//!
//! The checker compares with the whole answer. Suppose somebody was careless, and it only **looks
//! for the right digit somewhere in the answer**. An answer ends with a full stop or after eight
//! characters.
//!
//! A usual safeguard is to hold the model near its start. Let $\pi$ be the probability that the
//! model gives to its answer now, and $\pi_0$ what the start gives to the same answer. Subtract
//!
//! $$ \beta \, \ln \frac{\pi}{\pi_0} $$
//!
//! from the reward. The mean of $\ln (\pi / \pi_0)$ over the model's own answers is the KL
//! divergence (lesson {probabilities}) from the start. $\beta$ sets its price, here {no results}
//! 0.1. An answer that the start gives with probability 0.001, and the model now with probability
//! 0.5, costs $0.1 \ln 500 = 0.62$, more than half of the reward for a right answer.
Tensor reward_with_kl(const Tensor& reward, const Tensor& log_prob, const Tensor& log_prob_at_start,
                      double beta) {
    return reward - (detach(log_prob) - log_prob_at_start) * beta;
}

//! The loop is that of lesson {reinforce}: sample, judge, and follow the gradient of $\ln p$.
Progress train_on_rewards(LanguageModel& model, const Split& split, const Judge& judge, int steps,
                          double beta, Rng rng) {
    const LanguageModel start = copy_model(model);
    Adam adam(parameters(model), {.lr = 1e-2});
    Watch watch(start, split, judge, rng.split());
    watch.note(0, model);
    for (int step = 1; step <= steps; ++step) {
        const Samples s =
            sample_answers(model, drawn(split.checked, group_questions, rng), group, judge, rng);
        const Tensor log_prob = log_prob_of(model, s);  // [S, G]
        Tensor reward = s.reward;                       // [S, G]
        if (beta > 0) {
            const NoGrad no_grad;
            reward = reward_with_kl(reward, log_prob, log_prob_of(start, s), beta);
        }
        adam.zero_grad();
        backward(reinforce(-reward, log_prob, leave_one_out(-reward)));
        adam.step_clipped(1);
        if (step % 20 == 0 || step == steps) watch.note(step, model);
    }
    return watch.progress;
}

std::vector<Progress> train_four(Lesson& lesson, const LanguageModel& start, const Split& split,
                                 int steps, double kl) {
    lesson.heading("A judge that can be fooled");
    const Tensor reward = tensor({1}), now = log(tensor({0.5})), then = log(tensor({0.001}));
    lesson.claim("kl-by-hand", "identity: reward 1 minus 0.1 ln 500, against 0.3785",
                 std::abs(reward_with_kl(reward, now, then, 0.1).item() - 0.37854), at_most(1e-4));
    const Prediction guess = lesson.predict(
        "The careless judge, no KL: what share of the answers is really right in the end?",
        within(0.15).from(0, 1));
    const std::vector<Progress> all =
        train_by_judges(lesson, start, split, steps, kl, train_on_rewards);
    show_fooled(lesson, all);
    lesson.reveal(guess, all[2].exact.back());
    claim_judges(lesson, all);
    lesson.measured("kl-all-right", "KL to the start of a model that gives only right answers",
                    kl_of_right_answers(start, split.test));
    return all;
}

//! {full run} **The strict judge** raises the share of right samples, to questions that the
//! training never asked, from {at-start:%} to {strict:%}, and with the KL to {strict-kl:%}. (Our
//! starts differ much, from {at-start:range %}.) Is that learning? A model that only grows surer of
//! its most probable answer is right more often in a sample, too, but its share of right most
//! probable answers stays as it was. Ours goes from {at-start-best:%} to {strict-best:%}; it grows in
//! {count strict-best > at-start-best} seeds. So this is learning, although no training since the
//! pages has shown the answer to one of these questions. The rewards add not the sums, but the way
//! from `?` to the sums that the model knew after `=`.
//!
//! {if fooled-reward > fooled + 0.3} {full run} **The careless judge** gives a mean reward of
//! {fooled-reward:%}. But only {fooled:%} of the answers are right. The model has learned to
//! write many digits and no full stop. In {count fooled < 0.1} seeds less than a tenth of the
//! answers are right; in {count fooled > 0.5} the model has not found the trick. Nothing is
//! broken here: REINFORCE did what was asked. *Reward hacking* is the name for this: a model
//! gets a high reward without doing what the reward was meant to measure.
//!
//! {if all guarded > 0.2} {full run} **With the KL** and the same judge, {guarded:%} are right, and
//! the KL to the start is {guarded-kl:1} instead of {fooled-kl:0}. (To give only right answers would
//! take {kl-all-right:1}.) At the price of {no results}
//! 0.1, a KL of {fooled-kl:0} would cost {fooled-kl * 0.1:1}, and no answer earns more than 1. The
//! penalty does not make the judge any better. It keeps the model near the start, where the judge
//! happens to be right. {if guarded > fooled-reward - 0.1} {full run} And the trick hardly pays:
//! the {guarded:%} that are right here earn their reward from the careless judge, too.

//! ## Better and worse
//!
//! {no results}
//!
//! For a poem there is no checker. But people can say which of two answers is the better one, $w$,
//! and which the worse, $l$. The usual way is reinforcement learning from human feedback (RLHF,
//! Ouyang et al. 2022): a second model learns to predict such judgements, and its output is the
//! reward. *Direct preference optimisation* (DPO) trains a model on pairs of a better and a worse
//! answer, without a model of the reward (Rafailov et al. 2023). Four steps lead there:
//!
//! 1. Take the best model under the KL penalty. For it, $R - \beta \ln (\pi / \pi_0)$ is the same
//!    for all answers to a question: if one answer had more of it, this answer should get more
//!    probability. If $R - \beta \ln (\pi / \pi_0) = C$, then $\ln \pi = \ln \pi_0 + (R - C) /
//!    \beta$. So $\pi$ is proportional to $\pi_0 e^{R / \beta}$. Two answers with
//!    $\pi_0 = 0.5$, rewards 1 and 0 and $\beta = 1$: from $0.5 e = 1.36$ and $0.5$ we get
//!    $\pi = 0.73$ and 0.27.
//! 2. Solved for the reward, this is $R = \beta \ln (\pi / \pi_0)$, up to a constant for each
//!    question: every model is the best one for some reward.
//! 3. In the model of Bradley and Terry (1952), the better answer, with the reward $R_w$, beats the
//!    worse, with $R_l$, with the probability $\mathrm{sigmoid}(R_w - R_l)$.
//! 4. In this difference the constant cancels, and the loss is $-\ln$ of the probability:
//!
//! $$ L = -\ln \mathrm{sigmoid}\Big( \beta \ln \frac{\pi(w)}{\pi_0(w)} - \beta \ln
//!    \frac{\pi(l)}{\pi_0(l)} \Big) . $$
//!
//! - $\pi$, $\pi_0$ and $\beta$ are those of the last section, $\pi(w)$ for the answer $w$.
//!
//! **By hand.** At the start both logarithms are 0, and the loss is $-\ln 0.5 = 0.693$. If the
//! better answer has become twice as probable and the worse one half as probable, then with $\beta
//! = 1$ the bracket is $\ln 2 + \ln 2 = \ln 4$, its sigmoid $4/5$, and the loss 0.223. With the
//! pairs given, this is supervised learning.
Tensor dpo_by_hand(const Tensor& better, const Tensor& worse, const Tensor& better_at_start,
                   const Tensor& worse_at_start, double beta) {  // each ln π [N]
    const Tensor difference = (better - better_at_start) - (worse - worse_at_start);
    return mean(-log(sigmoid(difference * beta)));
}

//! To compare it with REINFORCE we sample as many answers from the **start** as REINFORCE has used,
//! and make pairs of a right and a wrong answer to the same question.
Progress train_on_pairs(LanguageModel& model, const Pairs& pairs, const Split& split, int steps,
                        double beta, Rng rng) {
    const LanguageModel start = copy_model(model);
    Adam adam(parameters(model), {.lr = 1e-3});
    Watch watch(start, split, exact_judge, rng.split());
    watch.note(0, model);
    for (int step = 1; step <= steps; ++step) {
        const Pairs some = drawn_pairs(pairs, rng);
        const auto [better_at_start, worse_at_start] = log_probs_at_start(start, some);
        adam.zero_grad();
        const auto [better, worse] = log_probs_of(model, some);
        backward(dpo_loss(better, worse, better_at_start, worse_at_start, {.beta = beta}));
        adam.step_clipped(1);
        if (step == steps) watch.note_pairs(model, some);
        if (step % 20 == 0 || step == steps) watch.note(step, model);
    }
    return watch.progress;
}

void compare_preferences(Lesson& lesson, const LanguageModel& start, const Split& split,
                         const Progress& strict, int steps) {
    lesson.heading("Better and worse");
    const auto one = [](double p) { return log(tensor({p}, {1}, Dtype::float64)); };
    lesson.claim(
        "dpo-by-hand", "identity: the loss of the example against ln 1.25",
        std::abs(dpo_by_hand(one(0.4), one(0.1), one(0.2), one(0.2), 1).item() - std::log(1.25)),
        at_most(1e-12));
    lesson.claim("dpo-library", "identity: and against the library",
                 std::abs(dpo_by_hand(one(0.4), one(0.1), one(0.2), one(0.2), 0.3).item() -
                          dpo_loss(one(0.4), one(0.1), one(0.2), one(0.2), {.beta = 0.3}).item()),
                 at_most(1e-12));
    const std::vector<Progress> dpo =
        train_by_pairs(lesson, start, split, steps, strict, train_on_pairs);
    show_pairs(lesson, dpo);
}

//! {full run} With $\beta = 1$ DPO comes to {dpo:%}, where REINFORCE had {strict:%} at ten times
//! the learning rate; DPO is ahead in {count dpo > strict} seeds. {if dpo > dpo-weak + 0.1}
//! {full run} With $\beta = 0.1$ it has {dpo-weak:%}, and the KL to the start is {dpo-weak-kl:1}.
//! {if all dpo-weak < at-start} {full run} The start had {at-start:%} right, and more than this with
//! every seed: this KL is not spent on right answers.
//!
//! {if dpo-weak-better < 0} {full run} The figure shows where it went. With the small $\beta$ the
//! logarithm for the worse answers has changed by {dpo-weak-worse:1}, but for the **better** ones
//! by {dpo-weak-better:1}: these have become less probable, too. The loss asks only that the better
//! answer gains on the worse one. The probability goes to all other answers. REINFORCE would sample
//! them and see that they are wrong; DPO samples nothing.
//!
//! {if dpo-weak-better - dpo-weak-worse < 10} {full run} This training is not at its end, either.
//! For the rewards 1 and 0, the best model of point 1 above has the two logarithms {no results} $1
//! / 0.1 = 10$ apart; ours has them {dpo-weak-better - dpo-weak-worse:1} apart. If the same answer
//! wins every time, the loss can always fall a little more, and training has no end. So with a
//! fixed number of steps, $\beta$ also decides how far we get.

}  // namespace

}  // namespace heed::lesson36

//! ## What this does not show
//!
//! Real assistants are tuned on ten thousand to millions of answers, from models that know far more
//! than 110 sums, and by people whose judgement is neither strict nor careless. Which method wins
//! there, our numbers cannot say. GRPO in its paper also puts the KL into the loss, divides by the
//! length of the answer, and limits the ratio of new to old probability; with one step a batch, the
//! limit changes nothing. A KL does not always protect from a careless judge: a trick nearer to the
//! start may be found in spite of it.
//!
//! Sources: Hu et al., "LoRA" (2022), section 4.1; Wei et al., "Finetuned language models are
//! zero-shot learners" (2022); Ouyang et al., "Training language models to follow instructions with
//! human feedback" (2022), the KL in the reward; Lambert et al., "Tülu 3: Pushing frontiers in open
//! language model post-training" (2024); DeepSeek-AI, "DeepSeek-R1: Incentivizing reasoning
//! capability in LLMs via reinforcement learning" (2025), on R1-Zero; Shao et al., "DeepSeekMath"
//! (2024), section 4.1; Ahmadian et al., "Back to basics" (2024), REINFORCE with leave-one-out;
//! Bradley and Terry, "Rank analysis of incomplete block designs" (1952); Rafailov et al., "Direct
//! preference optimization" (2023), equation 7; Schulman et al., "Proximal policy optimization"
//! (2017), the limit; Amodei et al., "Concrete problems in AI safety" (2016), reward hacking.
//!
//! ## Summary
//!
//! 1. A predictor continues questions with questions although it knows the sums. Ten examples,
//!    with the loss on the answers only, make it answer.
//! 2. A low-rank adapter trains a few percent of the parameters, starts without any effect, and can
//!    be merged into the weight.
//! 3. Rewards bring back REINFORCE, and answers to questions that they never asked get better, too.
//!    The group's advantage is leave-one-out with another scale.
//! 4. A model learns what its reward measures, and not what was meant. A KL penalty keeps it near
//!    the start.
//! 5. DPO learns from pairs, ours sampled once from the start, and does not see where else the
//!    probability goes.
//!
//! ## Try this next
//!
//! 1. Run `--shown 30`. Do the adapters still do better than all weights?
//! 2. Run `--kl 0.01`. Is that enough against the careless judge?
//! 3. Write a third judge in `data.cpp`, one that takes off a tenth for each token. Can it be
//!    fooled?
using namespace heed;
using namespace heed::lesson36;

int main(int argc, char** argv) {
    Lesson lesson({.number = 36,
                   .name = "assistant",
                   .title = "From predictor to assistant?",
                   .question = "A model that continues texts knows a lot. What makes it answer?",
                   .own_data = "a toy web of sums, questions and answers"});
    int shown = 10;
    double kl = 0.1;
    lesson.option("--shown", shown, "answers that are shown (10)");
    lesson.option("--kl", kl, "price of the KL to the start (0.1)");
    return lesson.run(argc, argv, [&] {
        check(kl >= 0 && std::isfinite(kl), "--kl: expected 0 or a positive number, got {}", kl);
        check(shown < 50, "--shown {}: of 110 questions 50 are for the checker; at most 49", shown);
        Rng rng(lesson.seed());
        const Split split = split_questions(shown, 50, rng.split());
        const int steps = lesson.quick() ? 20 : 220;
        opening(lesson);
        const LanguageModel base = trained_predictor(lesson, lesson.quick() ? 600 : 1200, rng);
        ask_the_predictor(lesson, base);
        show_ten_answers(lesson, base, split);
        check_adapters(lesson, base, split);
        compare_ranks(lesson, base, shown);

        LanguageModel start = with_adapters(base, 2, rng);
        train_on_examples(start, split.shown, 40, 1e-2);
        merge_adapters(start);
        compare_noise(lesson, start, split);
        const std::vector<Progress> judged = train_four(lesson, start, split, steps, kl);
        compare_preferences(lesson, start, split, judged[0], steps);
    });
}
